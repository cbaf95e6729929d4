#include "library/edl_segments.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "library/naming/text.h"
#include "library/segments/edl.h"
#include "media/unique_fd.h"

namespace understudy::library {

namespace {

/// To be raised when segments::parse_edl says something else of the same list.
constexpr std::string_view version = "1:";
constexpr std::string_view extension = ".edl";
constexpr std::size_t most_faults_told = 3;

core::Errc code_of(int error) {
    return error == ENOENT || error == ENOTDIR ? core::Errc::not_found : core::Errc::unavailable;
}

/// Of a regular file only: a pipe of that name must not hold the run.
core::Result<std::string> read_list(const std::string& path) {
    const auto failed = [&](int error) {
        return core::fail(core::Errc::unavailable, naming::display_text(path) + ": " + error_text(error));
    };
    const media::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    if (!file) return failed(errno);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return failed(errno);
    if (!S_ISREG(status.st_mode)) return core::fail(core::Errc::invalid, naming::display_text(path) + ": no file");
    std::string text(segments::most_edl_bytes + 1, '\0');
    std::size_t length = 0;
    while (length < text.size()) {
        const auto got = ::read(file.get(), text.data() + length, text.size() - length);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return failed(errno);
        if (got == 0) break;
        length += static_cast<std::size_t>(got);
    }
    if (length > segments::most_edl_bytes) {
        return core::fail(core::Errc::invalid, naming::display_text(path) + ": longer than " +
                                                   std::to_string(segments::most_edl_bytes / 1024) +
                                                   " KiB, which no edit decision list is");
    }
    text.resize(length);
    return text;
}

}  // namespace

core::Result<void> EdlSegments::prepare(core::LibraryId, tasks::Run&, ProgressSlice) {
    folder_.reset();
    return {};
}

core::Result<void> EdlSegments::list(std::string_view folder) {
    if (folder_ && *folder_ == folder) return {};
    folder_.reset();
    names_.clear();
    FileStatus self;
    std::unique_ptr<OpenDirectory> directory;
    const auto failed = [&](int error) {
        return core::fail(code_of(error), naming::display_text(folder) + ": " + error_text(error));
    };
    if (const int error = files_->open_directory(std::string(folder), self, directory); error != 0)
        return failed(error);
    std::string_view name;
    FileKind kind = FileKind::unknown;
    int error = 0;
    while (directory->next(name, kind, error))
        if (kind != FileKind::directory && naming::ends_with_ignoring_case(name, extension)) names_.emplace_back(name);
    if (error != 0) return failed(error);
    std::ranges::sort(names_);
    folder_ = folder;
    return {};
}

core::Result<std::optional<EdlSegments::Sidecar>> EdlSegments::sidecar_of(const SegmentItem& item) {
    for (const auto* source : item.sources_in_step()) {
        const auto folder = naming::parent_of(source->path);
        if (auto listed = list(folder); !listed) return tl::unexpected(listed.error());
        const auto stem = naming::stem_of(naming::name_of(source->path));
        const auto beside = std::ranges::find_if(names_, [&](const std::string& name) {
            return name.size() == stem.size() + extension.size() && name.starts_with(stem);
        });
        if (beside == names_.end()) continue;
        Sidecar sidecar;
        sidecar.path = std::string(folder) + "/" + *beside;
        sidecar.source = source;
        FileStatus status;
        if (const int error = files_->status(sidecar.path, status); error != 0)
            return core::fail(core::Errc::unavailable, naming::display_text(sidecar.path) + ": " + error_text(error));
        sidecar.size_bytes = status.size_bytes;
        sidecar.mtime_ns = status.mtime_ns;
        return sidecar;
    }
    return std::nullopt;
}

std::vector<core::Result<std::string>> EdlSegments::bases(const SegmentGroup& group) {
    std::vector<core::Result<std::string>> list;
    for (const auto* item : group.items) {
        const auto sidecar = sidecar_of(*item);
        if (!sidecar) {
            list.emplace_back(tl::unexpected(sidecar.error()));
        } else if (!*sidecar) {
            list.emplace_back(std::string{});
        } else {
            const auto& one = **sidecar;
            BasisHash hash;  // the file beside it too: frames are counted by its rate
            hash.add(one.size_bytes).add(one.mtime_ns).add(*one.source);
            list.emplace_back(std::string(version) + hash.str());
        }
    }
    return list;
}

core::Result<std::vector<ItemAnswer>> EdlSegments::segments(const SegmentGroup& group, tasks::Run& run) {
    std::vector<ItemAnswer> answers;
    for (const auto* item : group.items) {
        if (run.should_stop()) return core::fail(core::Errc::cancelled, "edit decision lists");
        answers.push_back(read(*item, run));
    }
    return answers;
}

ItemAnswer EdlSegments::read(const SegmentItem& item, tasks::Run& run) {
    const auto sidecar = sidecar_of(item);
    if (!sidecar) return tl::unexpected(sidecar.error());
    if (!*sidecar) return std::vector<segments::Segment>{};
    const auto& path = (*sidecar)->path;
    const auto text = read_list(path);
    if (!text) return tl::unexpected(text.error());
    double rate = 0;
    if (text->find('#') != std::string::npos) {
        const auto known = frame_rate(item, (*sidecar)->source->path);
        if (!known) return tl::unexpected(known.error());
        rate = *known;
    }
    auto list = segments::parse_edl(*text, rate);
    for (std::size_t i = 0; i < list.faults.size() && i < most_faults_told; ++i) {
        const auto& fault = list.faults[i];
        run.warn(naming::display_text(path) + ", line " + std::to_string(fault.line) + ": " +
                 naming::display_text(fault.reason));
    }
    if (list.faults.size() > most_faults_told) {
        run.warn(naming::display_text(path) + ": " + std::to_string(list.faults.size() - most_faults_told) +
                 " more lines are not understood");
    }
    return std::move(list.segments);
}

core::Result<double> EdlSegments::frame_rate(const SegmentItem& item, const std::string& path) {
    const auto loaded = items_.load({item.id});
    if (!loaded) return tl::unexpected(loaded.error());
    for (const auto& known : *loaded) {
        for (const auto& source : known.sources) {
            if (source.file.path != path) continue;
            for (const auto& stream : source.info.streams)
                if (stream.kind == model::StreamKind::video && !stream.is_attached_picture) return stream.frame_rate;
        }
    }
    return 0.0;
}

}  // namespace understudy::library
