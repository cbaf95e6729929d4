#include "media/ffmpeg/fingerprint.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/frame.h>
#include <libavutil/opt.h>
#include <libavutil/samplefmt.h>
#include <libswresample/swresample.h>
}

#include <chromaprint.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "media/ffmpeg/stream_decoder.h"

namespace understudy::media {

namespace {

using std::chrono::microseconds;

constexpr int most_channels = 64;

struct FreeChromaprint {
    void operator()(ChromaprintContext* context) const noexcept { chromaprint_free(context); }
};
using ChromaprintPtr = std::unique_ptr<ChromaprintContext, FreeChromaprint>;

struct FreeResampler {
    void operator()(SwrContext* context) const noexcept { swr_free(&context); }
};

template <class Sample>
float loudness_of(Sample sample) {
    if constexpr (std::is_same_v<Sample, std::uint8_t>) return std::fabs(static_cast<float>(sample) - 128.0F) / 128.0F;
    if constexpr (std::is_same_v<Sample, std::int16_t>) return std::fabs(static_cast<float>(sample)) / 32768.0F;
    if constexpr (std::is_same_v<Sample, std::int32_t>) return std::fabs(static_cast<float>(sample)) / 2147483648.0F;
    return static_cast<float>(std::fabs(sample));
}

/// True if no sample of any channel reaches `threshold` (0..1). Ends at the first that does: loud sound costs nothing.
template <class Sample>
bool is_quiet(const AVFrame& frame, std::size_t begin, std::size_t end, float threshold) {
    const bool planar = av_sample_fmt_is_planar(static_cast<AVSampleFormat>(frame.format)) != 0;
    const auto channels = static_cast<std::size_t>(frame.ch_layout.nb_channels);
    const std::size_t planes = planar ? channels : 1, step = planar ? 1 : channels;
    for (std::size_t plane = 0; plane < planes; ++plane) {
        const auto* from = reinterpret_cast<const Sample*>(frame.extended_data[plane]);
        for (std::size_t i = begin * step; i < end * step; ++i)
            if (loudness_of(from[i]) >= threshold) return false;
    }
    return true;
}

using QuietTest = bool (*)(const AVFrame&, std::size_t, std::size_t, float);
/// nullptr: a sample format that we do not know.
QuietTest quiet_test_for(const AVFrame& frame) {
    switch (av_get_packed_sample_fmt(static_cast<AVSampleFormat>(frame.format))) {
        case AV_SAMPLE_FMT_U8:
            return is_quiet<std::uint8_t>;
        case AV_SAMPLE_FMT_S16:
            return is_quiet<std::int16_t>;
        case AV_SAMPLE_FMT_S32:
            return is_quiet<std::int32_t>;
        case AV_SAMPLE_FMT_FLT:
            return is_quiet<float>;
        case AV_SAMPLE_FMT_DBL:
            return is_quiet<double>;
        default:
            return nullptr;
    }
}

using ResamplerPtr = std::unique_ptr<SwrContext, FreeResampler>;

struct Sound {
    AVChannelLayout* layout;  ///< only read
    AVSampleFormat format;
    int rate;
};
/// Made, not yet initialised: options may follow. nullptr: no memory, or not possible.
ResamplerPtr make_resampler(const Sound& from, const Sound& to) {
    SwrContext* raw = nullptr;
    const int code =
        swr_alloc_set_opts2(&raw, to.layout, to.format, to.rate, from.layout, from.format, from.rate, 0, nullptr);
    ResamplerPtr made(raw);
    return code < 0 ? nullptr : std::move(made);
}

/// One window's way to Chromaprint: to one channel, then to its own rate, both by libswresample; Chromaprint's own
/// resampler takes twice the time. In one go libswresample would resample every channel before it mixes them.
class Ear {
public:
    static std::unique_ptr<Ear> open(const AVFrame& frame) {
        std::unique_ptr<Ear> ear(new Ear);
        ear->context_.reset(chromaprint_new(CHROMAPRINT_ALGORITHM_DEFAULT));
        if (ear->context_ == nullptr) return nullptr;
        ear->rate_ = chromaprint_get_sample_rate(ear->context_.get());
        ear->channels_ = frame.ch_layout.nb_channels;
        ear->format_ = frame.format;
        if (!ear->prepare_mixer(frame) || !ear->prepare_resampler(frame.sample_rate) ||
            chromaprint_start(ear->context_.get(), ear->rate_, 1) != 1)
            return nullptr;
        return ear;
    }
    [[nodiscard]] bool fits(const AVFrame& frame) const {
        return frame.ch_layout.nb_channels == channels_ && frame.format == format_;
    }
    /// Samples `begin` to before `end` of the frame. False: it was not taken.
    bool hear(const AVFrame& frame, std::size_t begin, std::size_t end) {
        const auto format = static_cast<AVSampleFormat>(frame.format);
        const bool planar = av_sample_fmt_is_planar(format) != 0;
        const auto bytes = static_cast<std::size_t>(av_get_bytes_per_sample(format)) *
                           (planar ? 1u : static_cast<unsigned>(channels_));
        std::array<const std::uint8_t*, most_channels> planes{};
        for (std::size_t i = 0; i < (planar ? static_cast<std::size_t>(channels_) : 1u); ++i)
            planes[i] = frame.extended_data[i] + begin * bytes;
        return mix(planes.data(), static_cast<int>(end - begin));
    }
    /// What the resampler still holds, then the words.
    core::Result<FingerprintWindow> finish(FingerprintWindow out) {
        std::uint32_t* words = nullptr;
        int count = 0;
        if (!resample(nullptr, 0) || chromaprint_finish(context_.get()) != 1 ||
            chromaprint_get_raw_fingerprint(context_.get(), &words, &count) != 1)
            return core::fail(core::Errc::corrupt, "Chromaprint gave no fingerprint");
        const std::unique_ptr<std::uint32_t, void (*)(void*)> owner(words, chromaprint_dealloc);
        const auto kept = std::min(static_cast<std::size_t>(std::max(count, 0)), FingerprintResult::most_words);
        if (words != nullptr) out.words.assign(words, words + kept);
        // In samples of Chromaprint's own rate: its milliseconds are rounded, 0.4 % too much over ten minutes.
        const auto micros = [&](int samples) { return microseconds{std::llround(samples * 1'000'000.0 / rate_)}; };
        out.item = micros(chromaprint_get_item_duration(context_.get()));
        out.span = out.item + micros(chromaprint_get_delay(context_.get()));
        return out;
    }

private:
    Ear() = default;
    bool prepare_mixer(const AVFrame& frame) {
        AVChannelLayout mono = AV_CHANNEL_LAYOUT_MONO;
        AVChannelLayout from{};
        // Files that give only a count: as many speakers as usual.
        if (frame.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC)
            av_channel_layout_default(&from, frame.ch_layout.nb_channels);
        else if (av_channel_layout_copy(&from, &frame.ch_layout) < 0)
            return false;
        const auto format = static_cast<AVSampleFormat>(frame.format);
        // What it resamples in without another conversion.
        mixed_format_ = av_get_bytes_per_sample(format) <= 2 ? AV_SAMPLE_FMT_S16P : AV_SAMPLE_FMT_FLTP;
        mixer_ = make_resampler({&from, format, frame.sample_rate}, {&mono, mixed_format_, frame.sample_rate});
        av_channel_layout_uninit(&from);
        // Channels share the one as if it were of integers: it never clips.
        return mixer_ != nullptr && av_opt_set_double(mixer_.get(), "rematrix_maxval", 1.0, 0) >= 0 &&
               swr_init(mixer_.get()) >= 0;
    }
    /// With the short filter that fpcalc sets: a fingerprint looks at nothing above 3.5 kHz.
    bool prepare_resampler(int from_rate) {
        AVChannelLayout mono = AV_CHANNEL_LAYOUT_MONO;
        resampler_ = make_resampler({&mono, mixed_format_, from_rate}, {&mono, AV_SAMPLE_FMT_S16, rate_});
        return resampler_ != nullptr && av_opt_set_int(resampler_.get(), "filter_size", 16, 0) >= 0 &&
               av_opt_set_double(resampler_.get(), "cutoff", 0.8, 0) >= 0 && swr_init(resampler_.get()) >= 0;
    }
    bool mix(const std::uint8_t** planes, int samples) {
        const auto bytes =
            static_cast<std::size_t>(samples) * static_cast<std::size_t>(av_get_bytes_per_sample(mixed_format_));
        if (mixed_.size() < bytes) mixed_.resize(bytes);
        std::uint8_t* to = mixed_.data();
        if (swr_convert(mixer_.get(), &to, samples, planes, samples) != samples) return false;
        const std::uint8_t* from = mixed_.data();
        return resample(&from, samples);
    }
    /// nullptr: what it still holds.
    bool resample(const std::uint8_t** plane, int samples) {
        const int most = swr_get_out_samples(resampler_.get(), samples);
        if (most < 0) return false;
        mono_.resize(static_cast<std::size_t>(most) + 1);
        auto* to = reinterpret_cast<std::uint8_t*>(mono_.data());
        const int got = swr_convert(resampler_.get(), &to, most, plane, samples);
        return got == 0 || (got > 0 && chromaprint_feed(context_.get(), mono_.data(), got) == 1);
    }

    ChromaprintPtr context_;
    ResamplerPtr mixer_, resampler_;
    AVSampleFormat mixed_format_ = AV_SAMPLE_FMT_NONE;
    std::vector<std::uint8_t> mixed_;
    std::vector<std::int16_t> mono_;
    int rate_ = 0, channels_ = 0, format_ = -1;
};

/// Runs of quiet blocks, as ffmpeg's silencedetect would find them, to 10 ms.
class Silences {
public:
    Silences(double dbfs, microseconds shortest, std::vector<TimeSpan>& out)
        : threshold_(static_cast<float>(std::pow(10.0, dbfs / 20))), shortest_(shortest), out_(out) {}

    [[nodiscard]] float threshold() const noexcept { return threshold_; }
    void hear(bool quiet, std::int64_t from_us, std::int64_t to_us) {
        if (quiet) {
            if (!quiet_) start_us_ = from_us;
            quiet_ = true;
            end_us_ = to_us;
        } else {
            close();
        }
    }
    void close() {
        if (quiet_ && end_us_ - start_us_ >= shortest_.count() && out_.size() < FingerprintResult::most_silences)
            out_.push_back({microseconds{start_us_}, microseconds{end_us_}});
        quiet_ = false;
    }

private:
    float threshold_;
    microseconds shortest_;
    std::vector<TimeSpan>& out_;
    bool quiet_ = false;
    std::int64_t start_us_ = 0, end_us_ = 0;
};

class Listener {
public:
    Listener(StreamDecoder& decoder, const FingerprintParameters& parameters)
        : decoder_(decoder), parameters_(parameters) {}

    core::Result<FingerprintWindow> hear(const TimeSpan& window) {
        FingerprintWindow out;
        out.start = window.start;
        const std::int64_t first = decoder_.to_stream(window.start.count());
        // Audio has no keyframes to speak of, but codecs remember some packets: a second before is enough for all.
        constexpr std::int64_t run_up_us = 1'000'000;
        const bool go = position_us_ < 0 || position_us_ > window.start.count() ||
                        window.start.count() - position_us_ > 2 * run_up_us;
        if (go && window.start.count() > run_up_us)
            static_cast<void>(
                decoder_.seek(std::max<std::int64_t>(decoder_.to_stream(window.start.count() - run_up_us), 0)));
        else if (go && position_us_ >= 0)
            static_cast<void>(decoder_.seek(first));

        std::unique_ptr<Ear> ear;
        Silences silences(parameters_.silence_dbfs, parameters_.shortest_silence, out.silences);
        int rate = 0;
        std::int64_t heard = 0;  // samples
        std::int64_t clock_us = INT64_MIN;
        while (const AVFrame* frame = decoder_.next()) {
            if (frame->nb_samples <= 0 || frame->sample_rate <= 0 || frame->ch_layout.nb_channels <= 0 ||
                frame->ch_layout.nb_channels > most_channels)
                continue;
            if (rate != 0 && frame->sample_rate != rate) break;  // another programme begins: what was heard stands
            const bool timed = frame->best_effort_timestamp != AV_NOPTS_VALUE;
            if (timed)
                clock_us = decoder_.from_stream(frame->best_effort_timestamp);
            else if (clock_us == INT64_MIN)
                clock_us = 0;
            const std::int64_t length_us = std::int64_t{frame->nb_samples} * 1'000'000 / frame->sample_rate;
            const std::int64_t from_us = clock_us;
            clock_us += length_us;
            position_us_ = clock_us;
            if (clock_us <= window.start.count()) continue;
            if (from_us >= window.end.count()) break;
            if (ear == nullptr) {
                rate = frame->sample_rate;
                ear = Ear::open(*frame);
                if (ear == nullptr) return core::fail(core::Errc::unsupported, "audio that cannot be made mono");
            }
            if (!ear->fits(*frame)) break;
            // The samples of this frame that lie within the window.
            const auto at = [&](std::int64_t us) {
                return static_cast<std::size_t>(
                    std::clamp<std::int64_t>((us - from_us) * rate / 1'000'000, 0, frame->nb_samples));
            };
            const std::size_t begin = at(window.start.count()), end = at(window.end.count());
            if (heard == 0) out.start = microseconds{from_us + static_cast<std::int64_t>(begin) * 1'000'000 / rate};
            if (end > begin && !ear->hear(*frame, begin, end))
                return core::fail(core::Errc::corrupt, "Chromaprint does not take this audio");
            heard += static_cast<std::int64_t>(end - begin);
            listen(silences, *frame, from_us, begin, end);
            if (clock_us >= window.end.count()) break;
        }
        if (decoder_.fault() != 0) return core::fail(core::Errc::unavailable, "a read failed");
        silences.close();
        if (ear == nullptr) return out;  // beyond the end: nothing was heard
        out.heard = microseconds{heard * 1'000'000 / rate};
        return ear->finish(std::move(out));
    }

private:
    /// In blocks of 10 ms.
    static void listen(Silences& silences, const AVFrame& frame, std::int64_t from_us, std::size_t begin,
                       std::size_t end) {
        const QuietTest quiet = quiet_test_for(frame);
        if (quiet == nullptr) return;
        const int rate = frame.sample_rate;
        const auto block = static_cast<std::size_t>(std::max(rate / 100, 1));
        const auto time = [&](std::size_t sample) {
            return from_us + static_cast<std::int64_t>(sample) * 1'000'000 / rate;
        };
        for (std::size_t at = begin; at < end; at += block) {
            const std::size_t to = std::min(at + block, end);
            silences.hear(quiet(frame, at, to, silences.threshold()), time(at), time(to));
        }
    }

    StreamDecoder& decoder_;
    const FingerprintParameters& parameters_;
    std::int64_t position_us_ = -1;  ///< end of what was decoded last; below 0: nothing yet
};

}  // namespace

core::Result<FingerprintResult> make_fingerprints(ByteSource& bytes, const FingerprintParameters& parameters) {
    auto decoder = StreamDecoder::open(bytes, StreamDecoder::Kind::audio);
    if (!decoder) return tl::unexpected(decoder.error());
    Listener listener(**decoder, parameters);
    FingerprintResult result;
    for (const auto& window : parameters.windows) {
        auto heard = listener.hear(window);
        if (!heard) return tl::unexpected(heard.error());
        result.windows.push_back(std::move(*heard));
    }
    return result;
}

}  // namespace understudy::media
