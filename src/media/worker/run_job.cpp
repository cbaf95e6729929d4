#include "media/worker/run_job.h"

#include <array>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

#include "media/cover.h"
#include "media/edges.h"
#include "media/ffmpeg/cover.h"
#include "media/ffmpeg/edges.h"
#include "media/ffmpeg/fingerprint.h"
#include "media/ffmpeg/keyframes.h"
#include "media/ffmpeg/loudness.h"
#include "media/ffmpeg/pictures.h"
#include "media/ffmpeg/scaled.h"
#include "media/fingerprint.h"
#include "media/media_info_codec.h"
#include "media/pictures.h"
#include "media/scaled.h"
#include "media/text.h"
#include "media/worker/probe_file.h"

namespace understudy::media {

namespace {

using Bytes = core::Result<std::string>;

template <class T, class Encode>
Bytes encoded(core::Result<T> result, const Encode& encode) {
    if (!result) return tl::unexpected(std::move(result.error()));
    return encode(*result);
}

Bytes probe(ByteSource& bytes, ProbeKind kind) {
    auto payload = encoded(probe_file(bytes, kind), encode_media_info);
    if (payload && payload->size() > max_media_info_bytes)
        return core::fail(core::Errc::corrupt, "more metadata than a probe may tell");
    return payload;
}

/// The job's own encode(), as something that can be passed on.
constexpr auto packed = [](const auto& result) { return encode(result); };

/// A job with parameters: understand them, work, write down what came of it.
template <auto Decode, auto Work>
Bytes work(ByteSource& bytes, std::string_view parameters) {
    const auto asked = Decode(parameters);
    if (!asked) return core::fail(core::Errc::invalid, asked.error().context);
    return encoded(Work(bytes, *asked), packed);
}

Bytes loudness(ByteSource& bytes, std::string_view parameters) {
    const auto asked = decode_loudness_parameters(parameters);
    if (!asked) return tl::unexpected(asked.error());
    return encoded(measure_loudness(bytes, *asked), packed);
}

struct Row {
    Job job;
    Bytes (*run)(ByteSource& bytes, std::string_view parameters);
};

/// One line a job. What is not here is answered with `unsupported`.
constexpr std::array rows{
    Row{Job::probe_video, [](ByteSource& bytes, std::string_view) { return probe(bytes, ProbeKind::video); }},
    Row{Job::probe_audio, [](ByteSource& bytes, std::string_view) { return probe(bytes, ProbeKind::audio); }},
    Row{Job::keyframes, [](ByteSource& bytes, std::string_view) { return encoded(read_keyframes(bytes), packed); }},
    Row{Job::loudness, loudness},
    Row{Job::pictures, work<decode_pictures_parameters, make_pictures>},
    Row{Job::fingerprint, work<decode_fingerprint_parameters, make_fingerprints>},
    Row{Job::edges, work<decode_edges_parameters, find_edges>},
    Row{Job::cover, work<decode_cover_parameters, make_cover>},
    Row{Job::scale, work<decode_scale_parameters, make_scaled>},
};

Bytes run(ByteSource& bytes, Job job, std::string_view parameters) {
    for (const auto& row : rows) {
        if (row.job != job) continue;
        if (bytes.size() <= 0) return core::fail(core::Errc::unsupported, "the file is empty");
        auto payload = row.run(bytes, parameters);
        if (const int fault = bytes.fault())
            return core::fail(core::Errc::unavailable, std::string("read: ") + std::strerror(fault));
        return payload;
    }
    return core::fail(core::Errc::unsupported, "this media worker cannot do the job '" + std::string(to_string(job)) +
                                                   "' (" + std::to_string(static_cast<unsigned>(job)) + ")");
}

}  // namespace

Bytes run_job(ByteSource& bytes, Job job, std::string_view parameters) {
    try {
        return run(bytes, job, parameters);
    } catch (const std::bad_alloc&) {
        return core::fail(core::Errc::corrupt, "needs more memory than a media worker may take");
    } catch (const std::exception& e) {
        return core::fail(core::Errc::corrupt, clean_text(e.what()));
    }
}

}  // namespace understudy::media
