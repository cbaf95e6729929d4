#include "library/sidecars.h"

#include <algorithm>

#include "core/text.h"
#include "library/naming/external_streams.h"
#include "library/naming/images.h"
#include "library/naming/text.h"

namespace understudy::library {
namespace {

bool is_there(Fate fate) noexcept {
    // One that could not be looked at counts as there: a picture does not vanish with its disc.
    return fate == Fate::unchanged || fate == Fate::returned || fate == Fate::unseen || fate == Fate::kept;
}

void note_folder(std::string_view name, SidecarFolder& into) {
    auto& list = naming::is_subtitles_folder(name) ? into.subtitles : into.fanart;
    if (&list == &into.fanart && !naming::is_extra_fanart_folder(name)) return;
    if (std::ranges::find(list, name) == list.end()) list.emplace_back(name);
}

}  // namespace

std::span<const Sidecar> SidecarFolder::named_after(std::string_view stem) const {
    const auto key = core::to_lower_ascii(stem);
    const auto begin = std::ranges::partition_point(files, [&](const Sidecar& file) { return file.key < key; });
    const auto end =
        std::partition_point(begin, files.end(), [&](const Sidecar& file) { return file.key.starts_with(key); });
    return {begin, end};
}

const Sidecar* SidecarFolder::find(std::string_view name) const {
    const auto key = core::to_lower_ascii(name);
    const auto at = std::ranges::partition_point(files, [&](const Sidecar& file) { return file.key < key; });
    return at != files.end() && at->key == key ? &*at : nullptr;
}

std::vector<std::string_view> SidecarFolder::longer_stems(std::string_view stem) const {
    const auto key = core::to_lower_ascii(stem);
    std::vector<std::string_view> longer;
    for (auto at = std::ranges::upper_bound(video_stems, key); at != video_stems.end() && at->starts_with(key); ++at)
        longer.push_back(*at);
    return longer;
}

Sidecars::Sidecars(const StoredTree& stored, const Difference& difference)
    : stored_(stored), difference_(difference), work_(difference.work.size()) {}

std::shared_ptr<const SidecarFolder> Sidecars::in(const std::string& folder) {
    // The folder of a film; a season's, its show's and their picture folders: asked for again and again, and some
    // groups ahead for their NFO files.
    constexpr std::size_t remembered = 48;
    const auto known =
        std::ranges::find(known_, folder, [](const auto& one) -> const std::string& { return one->path; });
    if (known != known_.end()) {
        known_.splice(known_.begin(), known_, known);
        return known_.front();
    }
    auto made = std::make_shared<SidecarFolder>();
    made->path = folder;
    const auto start = folder == "/" ? folder : folder + "/";
    take_stored(start, *made);
    take_found(difference_.sidecars, difference_.sidecars.size(), start, *made);
    take_found(difference_.work, work_, start, *made);
    std::ranges::sort(made->files, [](const Sidecar& a, const Sidecar& b) {
        return std::tie(a.key, a.name) < std::tie(b.key, b.name);
    });
    std::ranges::sort(made->video_stems);
    std::ranges::sort(made->subtitles);
    std::ranges::sort(made->fanart);
    known_.push_front(made);
    if (known_.size() > remembered) known_.pop_back();
    return made;
}

void Sidecars::take_stored(const std::string& start, SidecarFolder& into) const {
    std::string path;
    for (auto i = stored_.first_from(start); i < stored_.size();) {
        stored_.path(i, path);
        if (!path.starts_with(start)) break;
        const auto& row = stored_.row(i);
        const auto below = std::string_view(path).substr(start.size());
        if (const auto slash = below.find('/'); slash != std::string_view::npos) {
            note_folder(below.substr(0, slash), into);
            path.resize(start.size() + slash);
            i = stored_.first_from(path + static_cast<char>('/' + 1));
            continue;
        }
        ++i;
        if (!is_there(row.fate)) continue;
        if (naming::is_sidecar(row.sidecar)) {
            into.files.push_back({std::string(below), row.size_bytes, row.mtime_ns, row.sidecar,
                                  row.failed && !row.retry, core::to_lower_ascii(below)});
        } else {
            into.video_stems.push_back(core::to_lower_ascii(naming::stem_of(below)));
        }
    }
}

void Sidecars::take_found(const std::vector<FoundFile>& found, std::size_t count, const std::string& start,
                          SidecarFolder& into) const {
    const auto& paths = difference_.paths;
    std::string path;
    const auto first_from = [&](std::size_t from, std::string_view text) {
        const auto begin = found.begin() + static_cast<std::ptrdiff_t>(from);
        const auto end = found.begin() + static_cast<std::ptrdiff_t>(count);
        const auto at = std::partition_point(begin, end, [&](const FoundFile& file) {
            paths.get(file.path, path);
            return std::string_view(path) < text;
        });
        return static_cast<std::size_t>(at - found.begin());
    };
    for (auto i = first_from(0, start); i < count;) {
        paths.get(found[i].path, path);
        if (!path.starts_with(start)) break;
        const auto below = std::string_view(path).substr(start.size());
        if (const auto slash = below.find('/'); slash != std::string_view::npos) {
            note_folder(below.substr(0, slash), into);
            const auto next = path.substr(0, start.size() + slash) + static_cast<char>('/' + 1);
            i = first_from(i, next);
            continue;
        }
        const auto& file = found[i++];
        if (naming::is_sidecar(file.file_class)) {
            into.files.push_back({std::string(below), file.size_bytes, file.mtime_ns, file.file_class, false,
                                  core::to_lower_ascii(below)});
        } else if (file.stored == none || stored_.row(file.stored).fate == Fate::changed) {
            into.video_stems.push_back(core::to_lower_ascii(naming::stem_of(below)));
        }
    }
}

std::string_view described_folder(std::string_view folder) noexcept {
    const auto name = naming::name_of(folder);
    const auto above = naming::parent_of(folder);
    if (naming::is_subtitles_folder(name) || naming::is_extra_fanart_folder(name)) return above;
    return naming::is_subtitles_folder(naming::name_of(above)) ? naming::parent_of(above) : folder;
}

}  // namespace understudy::library
