#include "library/describer.h"

#include <algorithm>
#include <set>

#include "core/text.h"
#include "library/describe.h"
#include "library/naming/external_streams.h"
#include "library/naming/images.h"
#include "library/naming/text.h"
#include "library/nfo/parse.h"

namespace understudy::library {
namespace {

std::string join(const std::string& folder, std::string_view name) {
    std::string path = folder == "/" ? folder : folder + "/";
    path += name;
    return path;
}

bool is_about(const nfo::Description& said, nfo::Subject subject) {
    if (said.subject == nfo::Subject::unknown) return true;
    if (subject == nfo::Subject::movie && said.subject == nfo::Subject::music_video) return true;
    return said.subject == subject;
}

std::vector<std::string_view> names_of(std::span<const Sidecar> files, naming::FileClass file_class) {
    std::vector<std::string_view> names;
    for (const auto& file : files) {
        if (file.file_class == file_class) names.push_back(file.name);
    }
    return names;
}

}  // namespace

Describer::Describer(Sidecars& sidecars, PatientReader& reader, std::function<void(const std::string&)> warn)
    : sidecars_(sidecars), reader_(reader), warn_(std::move(warn)) {}

Saying Describer::say(const std::string& folder, const std::vector<std::string>& names, nfo::Subject subject) {
    if (folder.empty()) return {};
    const auto there = sidecars_.in(folder);
    for (const auto& name : names) {
        const auto* file = there->find(name);
        if (file == nullptr || file->file_class != naming::FileClass::nfo || file->broken) continue;
        bool useful = false;
        auto saying = read(join(folder, file->name), useful, subject);
        if (useful) return saying;
    }
    return {};
}

Saying Describer::read(const std::string& path, bool& useful, nfo::Subject subject) {
    constexpr std::size_t remembered = 16;
    auto known = std::ranges::find(said_, path, &std::pair<std::string, Saying>::first);
    if (known == said_.end()) {
        Saying saying;
        const auto fault = [&](const std::string& reason, bool transient) {
            const bool is_new = faults_.insert_or_assign(path, Fault{reason, transient}).second;
            if (is_new) warn_(naming::display_text(path) + ": " + naming::display_text(reason));
        };
        const auto bytes = reader_.read(path, nfo::longest_file + 1);
        if (!bytes) {
            saying.unreadable = true;
            if (bytes.error().code != core::Errc::cancelled) fault(bytes.error().context, true);
        } else {
            auto parsed = nfo::parse(*bytes);
            if (!parsed.fault.empty()) fault(parsed.fault, false);
            // Half of a description would be taken for the whole.
            if (parsed.fault.empty()) saying.items = std::move(parsed.items);
        }
        said_.emplace_front(path, std::move(saying));
        if (said_.size() > remembered) said_.pop_back();
        known = said_.begin();
    }
    auto saying = known->second;
    std::erase_if(saying.items, [&](const nfo::Description& said) { return !is_about(said, subject); });
    useful = saying.unreadable || !saying.items.empty();
    return saying;
}

void Describer::put_images(model::Item& item, const DescribedPlace& place) {
    item.images.clear();
    if (place.folder.empty()) return;
    std::set<model::ImageKind> had;  // of an earlier stem: what is named after the better file wins
    const auto take = [&](const SidecarFolder& there, const std::vector<naming::ImageFile>& found) {
        std::set<model::ImageKind> now;
        for (const auto& image : found) {
            if (had.contains(image.kind)) continue;
            const auto file = std::ranges::find(there.files, image.name, &Sidecar::name);
            if (file == there.files.end()) continue;
            auto path = join(there.path, image.name);
            if (std::ranges::find(item.images, path, &model::ItemImage::path) != item.images.end()) continue;
            if (image.kind != model::ImageKind::backdrop) now.insert(image.kind);
            item.images.push_back({image.kind, std::move(path), file->size_bytes, file->mtime_ns});
        }
        had.merge(now);
    };
    const auto there = sidecars_.in(place.folder);
    for (const auto& stem : place.stems) {
        const auto names = names_of(there->named_after(stem), naming::FileClass::image);
        if (!names.empty()) take(*there, naming::find_images({item.kind, stem, false, {}}, names));
    }
    if (place.owns_folder) {
        const auto names = names_of(there->files, naming::FileClass::image);
        take(*there, naming::find_images({item.kind, {}, true, {}}, names));
    }
    if (!place.series_folder.empty() && item.season_number) {
        const auto above = sidecars_.in(place.series_folder);
        const auto names = names_of(above->named_after("season"), naming::FileClass::image);
        take(*above, naming::find_images({item.kind, {}, true, item.season_number}, names));
    }
    if (place.owns_folder) {
        constexpr std::size_t most_backdrops = 50;
        auto count = static_cast<std::size_t>(
            std::ranges::count(item.images, model::ImageKind::backdrop, &model::ItemImage::kind));
        for (const auto& name : there->fanart) {
            const auto folder = sidecars_.in(join(place.folder, name));
            const auto names = names_of(folder->files, naming::FileClass::image);
            for (const auto& image : naming::find_extra_fanart(names)) {
                if (count++ >= most_backdrops) break;
                const auto file = std::ranges::find(folder->files, image.name, &Sidecar::name);
                if (file == folder->files.end()) continue;
                item.images.push_back({image.kind, join(folder->path, image.name), file->size_bytes, file->mtime_ns});
            }
        }
    }
    // By kind, each in the order it was found.
    std::ranges::stable_sort(item.images, {}, &model::ItemImage::kind);
}

void Describer::put_external(model::Item& item, bool alone) {
    for (auto& source : item.sources) {
        source.external.clear();
        const std::string folder(naming::parent_of(source.file.path));
        const auto stem = naming::stem_of(naming::name_of(source.file.path));
        const auto take = [&](const SidecarFolder& there, std::span<const Sidecar> files,
                              std::span<const std::string_view> others, bool only_video) {
            const auto names = names_of(files, naming::FileClass::external);
            if (names.empty()) return;
            for (const auto& found : naming::external_streams(stem, others, names, only_video)) {
                const auto file = std::ranges::find(files, found.name, &Sidecar::name);
                if (file == files.end()) continue;
                source.external.push_back(
                    {join(there.path, found.name), file->size_bytes, file->mtime_ns, stream_of(found)});
            }
        };
        const auto there = sidecars_.in(folder);
        const auto others = there->longer_stems(stem);
        take(*there, there->named_after(stem), others, false);
        for (const auto& name : there->subtitles) {
            const auto below = sidecars_.in(join(folder, name));
            const auto all_others = alone ? std::vector<std::string_view>{} : others;
            take(*below, below->files, all_others, alone || there->video_stems.size() <= 1);
            const auto own = sidecars_.in(join(join(folder, name), stem));
            take(*own, own->files, {}, true);
        }
    }
}

}  // namespace understudy::library
