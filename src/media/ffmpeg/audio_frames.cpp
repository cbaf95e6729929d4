#include "media/ffmpeg/audio_frames.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/mem.h>
}

#include <algorithm>
#include <new>
#include <span>
#include <string>

#include "media/ffmpeg/container.h"
#include "media/ffmpeg/input.h"

namespace understudy::media {

namespace {

constexpr ReadLimits first_look{.bytes = std::int64_t{2} * 1024 * 1024, .micros = 5'000'000};

struct FreePacket {
    void operator()(AVPacket* packet) const noexcept { av_packet_free(&packet); }
};
struct FreeFrame {
    void operator()(AVFrame* frame) const noexcept { av_frame_free(&frame); }
};

AVStream* first_audio(const AVFormatContext& context) {
    const std::span streams(context.streams, context.nb_streams);
    const auto found = std::ranges::find_if(streams, [](const AVStream* stream) {
        return stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO && stream->codecpar->codec_id != AV_CODEC_ID_NONE;
    });
    return found == streams.end() ? nullptr : *found;
}

}  // namespace

void AudioFrames::CloseDecoder::operator()(AVCodecContext* context) const noexcept {
    avcodec_free_context(&context);
}

AudioFrames::AudioFrames(std::unique_ptr<Input> input, AVStream* stream) : input_(std::move(input)), stream_(stream) {}
AudioFrames::AudioFrames(AudioFrames&&) noexcept = default;
AudioFrames::~AudioFrames() = default;

core::Result<AudioFrames> AudioFrames::open(ByteSource& bytes) {
    auto input = Input::open(bytes, demuxer_for(bytes), first_look);
    if (!input) return tl::unexpected(input.error());
    auto& context = (*input)->context();
    // Decoders find out for themselves what the header leaves open; only streams that show up later must be waited for.
    if ((context.ctx_flags & AVFMTCTX_NOHEADER) != 0 || first_audio(context) == nullptr)
        if (auto found = (*input)->find_stream_info(); !found) return tl::unexpected(found.error());
    AVStream* stream = first_audio(context);
    if (stream == nullptr)
        return core::fail(core::Errc::unsupported, std::string(context.iformat->name) + " without audio");
    for (auto* other : std::span(context.streams, context.nb_streams))
        if (other != stream) other->discard = AVDISCARD_ALL;
    AudioFrames frames(std::move(*input), stream);
    if (auto opened = frames.open_decoder(); !opened) return tl::unexpected(opened.error());
    return frames;
}

core::Result<void> AudioFrames::open_decoder() {
    const auto& parameters = *stream_->codecpar;
    const AVCodec* codec = avcodec_find_decoder(parameters.codec_id);
    if (codec == nullptr)
        return core::fail(core::Errc::unsupported,
                          std::string("no decoder for ") + avcodec_get_name(parameters.codec_id));
    decoder_.reset(avcodec_alloc_context3(codec));
    if (decoder_ == nullptr || avcodec_parameters_to_context(decoder_.get(), &parameters) < 0) throw std::bad_alloc();
    decoder_->codec_whitelist = av_strdup(input_->context().codec_whitelist);
    decoder_->thread_count = 1;
    decoder_->pkt_timebase = stream_->time_base;
    if (avcodec_open2(decoder_.get(), codec, nullptr) < 0)
        return core::fail(core::Errc::corrupt, std::string("the ") + codec->name + " decoder refuses its parameters");
    return {};
}

void AudioFrames::each(const std::function<bool(const AVFrame&)>& use) {
    const std::unique_ptr<AVPacket, FreePacket> packet(av_packet_alloc());
    const std::unique_ptr<AVFrame, FreeFrame> frame(av_frame_alloc());
    if (packet == nullptr || frame == nullptr) throw std::bad_alloc();
    // False: `use` has had enough.
    const auto drain = [&] {
        while (avcodec_receive_frame(decoder_.get(), frame.get()) >= 0) {
            const bool more = use(*frame);
            av_frame_unref(frame.get());
            if (!more) return false;
        }
        return true;
    };
    while (av_read_frame(&input_->context(), packet.get()) >= 0) {
        if (packet->stream_index == stream_->index) {
            ++packets_;
            // Never "full": everything was taken out after the packet before.
            if (avcodec_send_packet(decoder_.get(), packet.get()) < 0) ++broken_;
            if (!drain()) return;
        }
        av_packet_unref(packet.get());
    }
    avcodec_send_packet(decoder_.get(), nullptr);
    drain();
}

std::chrono::microseconds AudioFrames::promised() const {
    constexpr AVRational micros{1, 1'000'000};
    if (stream_->duration > 0)
        return std::chrono::microseconds(av_rescale_q(stream_->duration, stream_->time_base, micros));
    const auto& context = input_->context();
    if (context.duration <= 0 || context.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE) return {};
    return std::chrono::microseconds(av_rescale_q(context.duration, AVRational{1, AV_TIME_BASE}, micros));
}

}  // namespace understudy::media
