#include "media/worker/probe_file.h"

#include <cstring>
#include <ctime>
#include <exception>
#include <new>
#include <optional>
#include <string>

#include "media/ffmpeg/container.h"
#include "media/ffmpeg/content_sample.h"
#include "media/ffmpeg/input.h"
#include "media/tag_fields.h"
#include "media/taglib/audio_file.h"
#include "media/text.h"

namespace understudy::media {

namespace {

ProbeResult probe_audio(ByteSource& bytes) {
    auto audio = read_audio_file(bytes);
    if (audio && !audio->tags_only) return std::move(audio->info);
    auto info = read_container(bytes);
    if (info && audio && !is_empty(audio->info.tags)) info->tags = std::move(audio->info.tags);
    if (info && audio) info->has_embedded_picture |= audio->info.has_embedded_picture;
    return info;
}

ProbeResult probe(ByteSource& bytes, ProbeKind kind) {
    if (bytes.size() <= 0) return core::fail(core::Errc::unsupported, "the file is empty");
    ProbeResult result = kind == ProbeKind::audio ? probe_audio(bytes) : read_container(bytes);
    if (result) result->content_sample = content_sample(bytes);
    if (const int fault = bytes.fault())
        return core::fail(core::Errc::unavailable, std::string("read: ") + std::strerror(fault));
    return result;
}

}  // namespace

ProbeResult probe_file(ByteSource& bytes, ProbeKind kind) {
    try {
        return probe(bytes, kind);
    } catch (const std::bad_alloc&) {
        return core::fail(core::Errc::corrupt, "needs more memory than a probe may take");
    } catch (const std::exception& e) {
        return core::fail(core::Errc::corrupt, clean_text(e.what()));
    }
}

void prepare_parsers() {
    prepare_libav();
    // strftime, which libavformat uses for creation times, opens the zone file unless TZ names the zone it already
    // knows.
    setenv("TZ", "UTC0", 1);
    tzset();
    const std::time_t zero = 0;
    std::tm parts{};
    char text[32];
    if (gmtime_r(&zero, &parts) != nullptr) static_cast<void>(std::strftime(text, sizeof text, "%Y", &parts));
    static_cast<void>(std::strerror(EIO));
}

}  // namespace understudy::media
