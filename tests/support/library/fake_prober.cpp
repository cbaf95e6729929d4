#include "support/library/fake_prober.h"

#include <sys/stat.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "core/ids.h"

namespace understudy::testing {
namespace {

template <class Map>
const typename Map::mapped_type* by_ending(const Map& map, const std::string& path) {
    const typename Map::mapped_type* best = nullptr;
    std::size_t length = 0;
    for (const auto& [ending, value] : map) {
        if (path.ends_with(ending) && ending.size() >= length) best = &value, length = ending.size();
    }
    return best;
}

}  // namespace

void FakeProber::probe(const std::vector<media::ProbeRequest>& files, const std::function<bool()>& stop,
                       const std::function<void(std::size_t, media::ProbeResult)>& done) {
    for (std::size_t i = files.size(); i-- > 0;) {  // in any order, says the port
        if (stop()) {
            done(i, core::fail(core::Errc::cancelled, "stopped"));
        } else {
            done(i, answer(files[i]));
        }
    }
}

media::ProbeResult FakeProber::answer(const media::ProbeRequest& request) {
    std::function<void(const std::string&)> hook;
    model::MediaInfo info = film();
    {
        const std::lock_guard lock(mutex_);
        opened_.push_back(request.path);
        hook = hook_;
        if (const auto* said = by_ending(infos_, request.path)) info = *said;
    }
    std::ifstream in(request.path, std::ios::binary);
    if (!in) return core::fail(errno == ENOENT ? core::Errc::not_found : core::Errc::unavailable, "cannot be opened");
    std::stringstream content;
    content << in.rdbuf();
    if (hook) hook(request.path);
    {
        const std::lock_guard lock(mutex_);
        if (const auto* failure = by_ending(failures_, request.path)) return tl::unexpected(*failure);
    }
    struct stat after {};
    if (::stat(request.path.c_str(), &after) != 0) return core::fail(core::Errc::not_found, "is gone");
    info.size_bytes = after.st_size;
    info.mtime_ns = std::int64_t{after.st_mtim.tv_sec} * 1'000'000'000 + after.st_mtim.tv_nsec;
    const auto hash = std::hash<std::string>{}(content.str());
    core::IdBytes sample{};
    std::memcpy(sample.data(), &hash, sizeof hash);
    sample[15] = 1;
    info.content_sample = core::id_to_hex(sample);
    return info;
}

void FakeProber::say(const std::string& ending, model::MediaInfo info) {
    const std::lock_guard lock(mutex_);
    infos_.insert_or_assign(ending, std::move(info));
}

void FakeProber::fail(const std::string& ending, core::Errc code, const std::string& why) {
    const std::lock_guard lock(mutex_);
    failures_.insert_or_assign(ending, core::Error{code, why});
}

void FakeProber::forget(const std::string& ending) {
    const std::lock_guard lock(mutex_);
    infos_.erase(ending);
    failures_.erase(ending);
}

void FakeProber::on_probe(std::function<void(const std::string& path)> hook) {
    const std::lock_guard lock(mutex_);
    hook_ = std::move(hook);
}

std::vector<std::string> FakeProber::opened() const {
    const std::lock_guard lock(mutex_);
    return opened_;
}

void FakeProber::forget_opens() {
    const std::lock_guard lock(mutex_);
    opened_.clear();
}

model::MediaInfo film(int height, core::Millis duration) {
    model::MediaInfo info;
    info.container = "matroska,webm";
    info.duration = duration;
    model::MediaStream video;
    video.codec = "h264";
    video.height = height;
    video.width = height * 16 / 9;
    model::MediaStream audio;
    audio.kind = model::StreamKind::audio;
    audio.index = 1;
    audio.codec = "aac";
    info.streams = {video, audio};
    return info;
}

model::MediaInfo song(const std::string& title, const std::string& artist, const std::string& album, int track) {
    model::MediaInfo info;
    info.container = "flac";
    info.duration = std::chrono::minutes{3};
    info.tags.title = title;
    if (!artist.empty()) info.tags.artists = {artist};
    info.tags.album = album;
    info.tags.track = track;
    return info;
}

}  // namespace understudy::testing
