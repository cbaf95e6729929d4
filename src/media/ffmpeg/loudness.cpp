#include "media/ffmpeg/loudness.h"

extern "C" {
#include <libavutil/channel_layout.h>
#include <libavutil/frame.h>
#include <libavutil/samplefmt.h>
}

#include <ebur128.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include "media/ffmpeg/audio_frames.h"

namespace understudy::media {

namespace {

/// What libebur128 takes, by sample type.
int add_frames(ebur128_state* state, const short* at, std::size_t frames) {
    return ebur128_add_frames_short(state, at, frames);
}
int add_frames(ebur128_state* state, const int* at, std::size_t frames) {
    return ebur128_add_frames_int(state, at, frames);
}
int add_frames(ebur128_state* state, const float* at, std::size_t frames) {
    return ebur128_add_frames_float(state, at, frames);
}
int add_frames(ebur128_state* state, const double* at, std::size_t frames) {
    return ebur128_add_frames_double(state, at, frames);
}

template <class T>
constexpr double full_scale = std::is_floating_point_v<T> ? 1.0 : -static_cast<double>(std::numeric_limits<T>::min());

constexpr std::size_t lanes = 8;  // enough for the compiler to use the widest registers there are

/// The largest absolute value; libebur128's own is twice as slow.
template <class T>
double peak_of(const T* at, std::size_t count) {
    using Wide =
        std::conditional_t<std::is_same_v<T, int>, std::int64_t, std::conditional_t<std::is_same_v<T, short>, int, T>>;
    std::array<Wide, lanes> most{};
    const auto look = [](Wide& best, T sample) {
        const Wide value = sample < 0 ? -static_cast<Wide>(sample) : static_cast<Wide>(sample);
        best = best < value ? value : best;
    };
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) look(most[lane], at[i + lane]);
    for (; i < count; ++i) look(most[0], at[i]);
    return static_cast<double>(*std::ranges::max_element(most)) / full_scale<T>;
}

/// One sample that is no number would spoil the filters for the rest of the file.
template <class T>
bool all_finite(const T* at, std::size_t count) {
    std::array<T, lanes> sums{};  // 0 times infinity or not-a-number is not-a-number
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += at[i + lane] * T{0};
    for (; i < count; ++i) sums[0] += at[i] * T{0};
    return std::ranges::all_of(sums, [](T sum) { return sum == T{0}; });
}

int weight_of(AVChannel channel) {
    switch (channel) {
        case AV_CHAN_LOW_FREQUENCY:
        case AV_CHAN_LOW_FREQUENCY_2:
            return EBUR128_UNUSED;
        case AV_CHAN_BACK_LEFT:
        case AV_CHAN_BACK_CENTER:
        case AV_CHAN_BACK_RIGHT:
        case AV_CHAN_SIDE_LEFT:
        case AV_CHAN_SIDE_RIGHT:
        case AV_CHAN_TOP_BACK_LEFT:
        case AV_CHAN_TOP_BACK_CENTER:
        case AV_CHAN_TOP_BACK_RIGHT:
        case AV_CHAN_SURROUND_DIRECT_LEFT:
        case AV_CHAN_SURROUND_DIRECT_RIGHT:
            return EBUR128_LEFT_SURROUND;
        default:
            return EBUR128_CENTER;
    }
}

struct Destroy {
    void operator()(ebur128_state* state) const noexcept { ebur128_destroy(&state); }
};

/// Blocks and peaks of all that is fed to it, whatever changes in between.
class Meter {
public:
    explicit Meter(bool true_peak) : mode_(true_peak ? int{EBUR128_MODE_TRUE_PEAK} : int{EBUR128_MODE_M}) {}

    /// False: libebur128 cannot do such a rate or number of channels.
    bool add(const AVFrame& frame) {
        if (frame.nb_samples <= 0) return true;
        if (!fits(frame) && !start(frame)) return false;
        switch (static_cast<AVSampleFormat>(frame.format)) {
            case AV_SAMPLE_FMT_U8:
            case AV_SAMPLE_FMT_U8P:
                // libebur128 has no bytes; as 16 bits they are the same numbers.
                add_as<std::uint8_t, short>(frame, [](std::uint8_t s) { return static_cast<short>((s - 128) * 256); });
                return true;
            case AV_SAMPLE_FMT_S16:
            case AV_SAMPLE_FMT_S16P:
                add_as<std::int16_t, short>(frame, [](std::int16_t s) { return s; });
                return true;
            case AV_SAMPLE_FMT_S32:
            case AV_SAMPLE_FMT_S32P:
                add_as<std::int32_t, int>(frame, [](std::int32_t s) { return s; });
                return true;
            case AV_SAMPLE_FMT_FLT:
            case AV_SAMPLE_FMT_FLTP:
                add_as<float, float>(frame, [](float s) { return s; });
                return true;
            case AV_SAMPLE_FMT_DBL:
            case AV_SAMPLE_FMT_DBLP:
                add_as<double, double>(frame, [](double s) { return s; });
                return true;
            case AV_SAMPLE_FMT_S64:
            case AV_SAMPLE_FMT_S64P:
                add_as<std::int64_t, double>(frame, [](std::int64_t s) { return static_cast<double>(s) / 0x1p63; });
                return true;
            case AV_SAMPLE_FMT_NONE:
            case AV_SAMPLE_FMT_NB:
                break;
        }
        return false;
    }

    Loudness take() {
        keep_true_peak();
        Loudness loudness;
        loudness.integrated_lufs = gated_lufs(energies_);
        loudness.sample_peak = std::min(peak_, double{std::numeric_limits<float>::max()});
        if (mode_ == EBUR128_MODE_TRUE_PEAK) loudness.true_peak = true_peak_;
        loudness.decoded = std::chrono::microseconds(std::llround(seconds_ * 1e6));
        for (const double energy : energies_) loudness.histogram.add(lufs_of(energy));
        return loudness;
    }

private:
    [[nodiscard]] bool fits(const AVFrame& frame) const {
        return state_ != nullptr && state_->samplerate == static_cast<unsigned long>(frame.sample_rate) &&
               av_channel_layout_compare(&layout_, &frame.ch_layout) == 0;
    }

    bool start(const AVFrame& frame) {
        keep_true_peak();
        state_.reset();
        if (frame.sample_rate <= 0 || frame.ch_layout.nb_channels <= 0) return false;
        const auto channels = static_cast<unsigned>(frame.ch_layout.nb_channels);
        state_.reset(ebur128_init(channels, static_cast<unsigned long>(frame.sample_rate), mode_));
        if (state_ == nullptr) return false;
        // Channels without a name are those that are usual for their number, as ffmpeg guesses.
        AVChannelLayout usual{};
        if (frame.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC)
            av_channel_layout_default(&usual, frame.ch_layout.nb_channels);
        const auto* names = usual.nb_channels > 0 ? &usual : &frame.ch_layout;
        for (unsigned i = 0; i < channels; ++i)
            ebur128_set_channel(state_.get(), i, weight_of(av_channel_layout_channel_from_index(names, i)));
        av_channel_layout_uninit(&usual);
        av_channel_layout_uninit(&layout_);
        if (av_channel_layout_copy(&layout_, &frame.ch_layout) < 0) throw std::bad_alloc();
        step_ = (static_cast<std::size_t>(frame.sample_rate) + 5) / 10;
        in_step_ = steps_ = 0;
        return true;
    }

    template <class From, class To, class Convert>
    void add_as(const AVFrame& frame, const Convert& convert) {
        const auto frames = static_cast<std::size_t>(frame.nb_samples);
        const std::size_t channels = state_->channels, count = frames * channels;
        const bool planar = channels > 1 && av_sample_fmt_is_planar(static_cast<AVSampleFormat>(frame.format)) != 0;
        const auto plane = [&](std::size_t i) { return reinterpret_cast<const From*>(frame.extended_data[i]); };
        const To* samples = nullptr;
        if constexpr (std::is_same_v<From, To>)
            if (!planar) samples = plane(0);
        if (samples == nullptr) {
            To* into = room<To>(count);
            if (planar) {
                for (std::size_t channel = 0; channel < channels; ++channel) {
                    const From* from = plane(channel);
                    for (std::size_t i = 0; i < frames; ++i) into[i * channels + channel] = convert(from[i]);
                }
            } else {
                std::transform(plane(0), plane(0) + count, into, convert);
            }
            samples = into;
        }
        if constexpr (std::is_floating_point_v<To>)
            if (!all_finite(samples, count)) {
                To* into = samples == plane_as<To>(frame) ? room<To>(count) : const_cast<To*>(samples);
                std::transform(samples, samples + count, into, [](To s) { return std::isfinite(s) ? s : To{0}; });
                samples = into;
            }
        peak_ = std::max(peak_, peak_of(samples, count));
        seconds_ += static_cast<double>(frames) / static_cast<double>(state_->samplerate);
        for (std::size_t left = frames; left > 0;) {
            const auto part = std::min(left, step_ - in_step_);
            if (add_frames(state_.get(), samples, part) != EBUR128_SUCCESS) throw std::bad_alloc();
            samples += part * channels;
            left -= part;
            in_step_ += part;
            if (in_step_ == step_) end_step();
        }
    }

    template <class T>
    static const T* plane_as(const AVFrame& frame) {
        return reinterpret_cast<const T*>(frame.extended_data[0]);
    }

    template <class T>
    T* room(std::size_t count) {
        if (buffer_.size() < count * sizeof(T)) buffer_.resize(count * sizeof(T));
        return reinterpret_cast<T*>(buffer_.data());
    }

    /// Each 100 ms ends a gating block: the last 400 ms are what libebur128 calls momentary loudness.
    void end_step() {
        in_step_ = 0;
        if (++steps_ < 4) return;
        double lufs = 0;
        if (ebur128_loudness_momentary(state_.get(), &lufs) != EBUR128_SUCCESS) throw std::bad_alloc();
        if (lufs >= LoudnessHistogram::lowest_lufs) energies_.push_back(energy_of(lufs));
    }

    void keep_true_peak() {
        if (state_ == nullptr || mode_ != EBUR128_MODE_TRUE_PEAK) return;
        for (unsigned i = 0; i < state_->channels; ++i) {
            double peak = 0;
            if (ebur128_true_peak(state_.get(), i, &peak) == EBUR128_SUCCESS) true_peak_ = std::max(true_peak_, peak);
        }
    }

    struct Layout : AVChannelLayout {
        Layout() : AVChannelLayout{} {}
        ~Layout() { av_channel_layout_uninit(this); }
        Layout(const Layout&) = delete;
        Layout& operator=(const Layout&) = delete;
    };

    int mode_;
    std::unique_ptr<ebur128_state, Destroy> state_;
    Layout layout_;
    std::size_t step_ = 0, in_step_ = 0, steps_ = 0;  ///< frames in 100 ms, of them fed, steps since the start
    std::vector<double> energies_;                    ///< of blocks above the absolute gate
    std::vector<std::byte> buffer_;                   ///< interleaved samples of any type
    double peak_ = 0, true_peak_ = 0, seconds_ = 0;
};

std::string seconds_text(std::chrono::microseconds time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count());
}

}  // namespace

core::Result<Loudness> measure_loudness(ByteSource& bytes, const LoudnessParameters& parameters) {
    auto frames = AudioFrames::open(bytes);
    if (!frames) return tl::unexpected(frames.error());
    Meter meter(parameters.true_peak);
    bool measurable = true;
    frames->each([&](const AVFrame& frame) { return measurable = meter.add(frame); });
    if (!measurable) return core::fail(core::Errc::unsupported, "audio of a rate or format that cannot be measured");
    auto loudness = meter.take();
    const auto promised = frames->promised();
    if (loudness.decoded.count() == 0) return core::fail(core::Errc::corrupt, "no audio could be decoded");
    if (frames->broken_packets() > frames->packets() / 2)
        return core::fail(core::Errc::corrupt, "most of its audio cannot be decoded");
    if (loudness.decoded < promised / 2)
        return core::fail(core::Errc::corrupt, "only " + seconds_text(loudness.decoded) + " s of " +
                                                   seconds_text(promised) + " s could be decoded");
    return loudness;
}

}  // namespace understudy::media
