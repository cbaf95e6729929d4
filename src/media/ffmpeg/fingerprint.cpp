#include "media/ffmpeg/fingerprint.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libavutil/samplefmt.h>
}

#include <chromaprint.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
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

/// Samples of a frame as one channel of 16 bits (the mean, as Chromaprint itself makes it), with the loudest sample of
/// any channel for each block.
class Samples {
public:
    /// False: a sample format that we do not know.
    bool take(const AVFrame& frame, std::size_t block) {
        const auto format = static_cast<AVSampleFormat>(frame.format);
        const bool planar = av_sample_fmt_is_planar(format) != 0;
        switch (av_get_packed_sample_fmt(format)) {
            case AV_SAMPLE_FMT_U8:
                return convert<std::uint8_t>(frame, planar, block);
            case AV_SAMPLE_FMT_S16:
                return convert<std::int16_t>(frame, planar, block);
            case AV_SAMPLE_FMT_S32:
                return convert<std::int32_t>(frame, planar, block);
            case AV_SAMPLE_FMT_FLT:
                return convert<float>(frame, planar, block);
            case AV_SAMPLE_FMT_DBL:
                return convert<double>(frame, planar, block);
            default:
                return false;
        }
    }
    [[nodiscard]] std::span<const std::int16_t> mono() const { return mono_; }
    /// Loudest of each `block` samples, 0..1; the last block may be shorter.
    [[nodiscard]] std::span<const float> peaks() const { return peaks_; }

private:
    static float scaled(std::uint8_t s) { return (static_cast<float>(s) - 128.0F) / 128.0F; }
    static float scaled(std::int16_t s) { return static_cast<float>(s) / 32768.0F; }
    static float scaled(std::int32_t s) { return static_cast<float>(s) / 2147483648.0F; }
    static float scaled(float s) { return s; }
    static float scaled(double s) { return static_cast<float>(s); }

    template <class Sample>
    bool convert(const AVFrame& frame, bool planar, std::size_t block) {
        const auto length = static_cast<std::size_t>(frame.nb_samples);
        const auto channels = static_cast<std::size_t>(frame.ch_layout.nb_channels);
        sum_.assign(length, 0.0F);
        peaks_.assign((length + block - 1) / block, 0.0F);
        for (std::size_t c = 0; c < channels; ++c) {
            const auto* from = reinterpret_cast<const Sample*>(frame.extended_data[planar ? c : 0]) + (planar ? 0 : c);
            const std::size_t step = planar ? 1 : channels;
            for (std::size_t b = 0; b < peaks_.size(); ++b) {
                float peak = peaks_[b];
                for (std::size_t i = b * block, end = std::min(length, i + block); i < end; ++i) {
                    const float sample = scaled(from[i * step]);
                    sum_[i] += sample;
                    peak = std::max(peak, std::fabs(sample));
                }
                peaks_[b] = peak;
            }
        }
        mono_.resize(length);
        const float scale = 32767.0F / static_cast<float>(std::max<std::size_t>(channels, 1));
        // The order makes a NaN of a broken float stream a number.
        for (std::size_t i = 0; i < length; ++i)
            mono_[i] = static_cast<std::int16_t>(std::min(32767.0F, std::max(-32768.0F, sum_[i] * scale)));
        return true;
    }

    std::vector<float> sum_, peaks_;
    std::vector<std::int16_t> mono_;
};

/// Runs of quiet blocks, as ffmpeg's silencedetect would find them, to 10 ms.
class Silences {
public:
    Silences(double dbfs, microseconds shortest, std::vector<TimeSpan>& out)
        : threshold_(static_cast<float>(std::pow(10.0, dbfs / 20))), shortest_(shortest), out_(out) {}

    void hear(float peak, std::int64_t from_us, std::int64_t to_us) {
        if (peak < threshold_) {
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

        ChromaprintPtr context;
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
            const auto block = static_cast<std::size_t>(std::max(frame->sample_rate / 100, 1));
            if (!samples_.take(*frame, block)) return core::fail(core::Errc::unsupported, "samples of an unknown kind");
            if (context == nullptr) {
                rate = frame->sample_rate;
                context = start(rate);
                if (context == nullptr) return core::fail(core::Errc::corrupt, "Chromaprint does not take this audio");
            }
            // The samples of this frame that lie within the window.
            const auto at = [&](std::int64_t us) {
                return static_cast<std::size_t>(
                    std::clamp<std::int64_t>((us - from_us) * rate / 1'000'000, 0, frame->nb_samples));
            };
            const std::size_t begin = at(window.start.count()), end = at(window.end.count());
            if (heard == 0) out.start = microseconds{from_us + static_cast<std::int64_t>(begin) * 1'000'000 / rate};
            const auto mono = samples_.mono().subspan(begin, end - begin);
            if (!mono.empty() && chromaprint_feed(context.get(), mono.data(), static_cast<int>(mono.size())) != 1)
                return core::fail(core::Errc::corrupt, "Chromaprint does not take this audio");
            heard += static_cast<std::int64_t>(mono.size());
            listen(silences, from_us, rate, block, begin, end);
            if (clock_us >= window.end.count()) break;
        }
        if (decoder_.fault() != 0) return core::fail(core::Errc::unavailable, "a read failed");
        silences.close();
        if (context == nullptr) return out;  // beyond the end: nothing was heard
        out.heard = microseconds{heard * 1'000'000 / rate};
        return finished(std::move(context), std::move(out));
    }

private:
    static ChromaprintPtr start(int rate) {
        ChromaprintPtr context(chromaprint_new(CHROMAPRINT_ALGORITHM_DEFAULT));
        if (context != nullptr && chromaprint_start(context.get(), rate, 1) != 1) context.reset();
        return context;
    }

    void listen(Silences& silences, std::int64_t from_us, int rate, std::size_t block, std::size_t begin,
                std::size_t end) const {
        const auto time = [&](std::size_t sample) {
            return from_us + static_cast<std::int64_t>(sample) * 1'000'000 / rate;
        };
        for (std::size_t i = 0; i < samples_.peaks().size(); ++i) {
            const std::size_t a = std::max(i * block, begin);
            const std::size_t b = std::min((i + 1) * block, end);
            if (a < b) silences.hear(samples_.peaks()[i], time(a), time(b));
        }
    }

    static core::Result<FingerprintWindow> finished(ChromaprintPtr context, FingerprintWindow out) {
        std::uint32_t* words = nullptr;
        int count = 0;
        if (chromaprint_finish(context.get()) != 1 ||
            chromaprint_get_raw_fingerprint(context.get(), &words, &count) != 1)
            return core::fail(core::Errc::corrupt, "Chromaprint gave no fingerprint");
        const std::unique_ptr<std::uint32_t, void (*)(void*)> owner(words, chromaprint_dealloc);
        const auto kept = std::min(static_cast<std::size_t>(std::max(count, 0)), FingerprintResult::most_words);
        if (words != nullptr) out.words.assign(words, words + kept);
        // In samples of Chromaprint's own rate: its milliseconds are rounded, 0.4 % too much over ten minutes.
        const double own_rate = chromaprint_get_sample_rate(context.get());
        const auto micros = [&](int samples) { return microseconds{std::llround(samples * 1'000'000.0 / own_rate)}; };
        out.item = micros(chromaprint_get_item_duration(context.get()));
        out.span = out.item + micros(chromaprint_get_delay(context.get()));
        return out;
    }

    StreamDecoder& decoder_;
    const FingerprintParameters& parameters_;
    Samples samples_;
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
