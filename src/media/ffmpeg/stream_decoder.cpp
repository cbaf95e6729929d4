#include "media/ffmpeg/stream_decoder.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libavutil/mathematics.h>
}

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>

#include "media/sniff.h"

namespace understudy::media {

namespace {

constexpr ReadLimits look{.bytes = 5 * 1024 * 1024, .micros = 5'000'000};
constexpr AVRational micros{1, 1'000'000};

std::span<AVStream* const> streams_of(const AVFormatContext& context) {
    return {context.streams, context.nb_streams};
}

bool is_of(const AVStream& stream, StreamDecoder::Kind kind) {
    if (kind == StreamDecoder::Kind::audio) return stream.codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    return stream.codecpar->codec_type == AVMEDIA_TYPE_VIDEO && (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) == 0;
}

AVStream* choose(const AVFormatContext& context, StreamDecoder::Kind kind) {
    AVStream* first = nullptr;
    for (AVStream* stream : streams_of(context)) {
        if (!is_of(*stream, kind)) continue;
        if ((stream->disposition & AV_DISPOSITION_DEFAULT) != 0) return stream;
        if (first == nullptr) first = stream;
    }
    return first;
}

const AVCodec* decoder_for(AVCodecID id) {
    // libavcodec's own AV1 decoder needs a graphics card. dav1d with one thread starts none and opens no file.
    if (id == AV_CODEC_ID_AV1) return avcodec_find_decoder_by_name("libdav1d");
    return avcodec_find_decoder(id);
}

/// Foreign libraries behind libavcodec may start threads or open files; dav1d does not (see decoder_for). "pcm" and the
/// like have no wrapper.
bool is_at_home(const AVCodec& codec) {
    return codec.wrapper_name == nullptr || std::strcmp(codec.wrapper_name, "libdav1d") == 0;
}

}  // namespace

void FreeCodec::operator()(AVCodecContext* context) const noexcept {
    avcodec_free_context(&context);
}
void FreeFrame::operator()(AVFrame* frame) const noexcept {
    av_frame_free(&frame);
}
void FreePacket::operator()(AVPacket* packet) const noexcept {
    av_packet_free(&packet);
}

std::string words_of(int code) {
    std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
    av_strerror(code, text.data(), text.size());
    return text.data();
}

core::Result<FramePtr> new_frame() {
    FramePtr frame(av_frame_alloc());
    if (frame == nullptr) return core::fail(core::Errc::corrupt, "out of memory");
    return frame;
}

core::Result<PacketPtr> new_packet() {
    PacketPtr packet(av_packet_alloc());
    if (packet == nullptr) return core::fail(core::Errc::corrupt, "out of memory");
    return packet;
}

core::Result<CodecPtr> open_decoder(const AVCodecParameters& parameters, std::int64_t most_pixels, int halvings) {
    const std::string name = avcodec_get_name(parameters.codec_id);
    const AVCodec* decoder = decoder_for(parameters.codec_id);
    if (decoder == nullptr || !is_at_home(*decoder))
        return core::fail(core::Errc::unsupported, "no decoder for " + name);
    // Some decoders trust the header's size; all others set their own, against max_pixels.
    if (std::int64_t{parameters.width} * parameters.height > most_pixels)
        return core::fail(core::Errc::unsupported, "a picture of " + std::to_string(parameters.width) + "x" +
                                                       std::to_string(parameters.height) + " is too large");
    CodecPtr codec(avcodec_alloc_context3(decoder));
    if (codec == nullptr || avcodec_parameters_to_context(codec.get(), &parameters) < 0)
        return core::fail(core::Errc::corrupt, "out of memory");
    codec->thread_count = 1;
    codec->max_pixels = most_pixels;
    codec->lowres = std::min<int>(halvings, decoder->max_lowres);
    if (const int code = avcodec_open2(codec.get(), decoder, nullptr); code < 0)
        return core::fail(core::Errc::corrupt, "decoder " + name + ": " + words_of(code));
    return codec;
}

core::Result<std::unique_ptr<StreamDecoder>> StreamDecoder::open(ByteSource& bytes, Kind kind) {
    std::unique_ptr<StreamDecoder> self(new StreamDecoder(bytes));
    const Sniffed sniffed = sniff(bytes);
    // As a probe does: a magic number of a few bits is a hint, no proof.
    const bool weak = sniffed.demuxer == "mp3" || sniffed.demuxer == "aac" || sniffed.tag_bytes != 0;
    auto input = Input::open(bytes, weak ? std::string{} : std::string(sniffed.demuxer), look);
    if (!input) return tl::unexpected(input.error());
    self->input_ = std::move(*input);
    if (auto found = self->input_->find_stream_info(); !found) return tl::unexpected(found.error());
    AVFormatContext& context = self->input_->context();
    self->stream_ = choose(context, kind);
    if (self->stream_ == nullptr)
        return core::fail(core::Errc::unsupported, kind == Kind::video ? "no video in it" : "no audio in it");
    for (AVStream* stream : streams_of(context))
        if (stream != self->stream_) stream->discard = AVDISCARD_ALL;
    auto codec = open_decoder(*self->stream_->codecpar, most_video_pixels);
    if (!codec) return tl::unexpected(codec.error());
    self->codec_ = std::move(*codec);
    self->codec_->pkt_timebase = self->stream_->time_base;
    auto frame = new_frame();
    if (!frame) return tl::unexpected(frame.error());
    self->frame_ = std::move(*frame);
    if (context.start_time != AV_NOPTS_VALUE) self->offset_us_ = context.start_time;
    if (context.duration != AV_NOPTS_VALUE) self->duration_us_ = std::max<std::int64_t>(context.duration, 0);
    return self;
}

std::int64_t StreamDecoder::to_stream(std::int64_t us) const noexcept {
    return av_rescale_q(us + offset_us_, micros, stream_->time_base);
}

std::int64_t StreamDecoder::from_stream(std::int64_t pts) const noexcept {
    return pts == AV_NOPTS_VALUE ? 0 : av_rescale_q(pts, stream_->time_base, micros) - offset_us_;
}

std::optional<std::int64_t> StreamDecoder::keyframe_before(std::int64_t pts) const {
    // Their seek puts every packet that it has looked at into the index, as a keyframe.
    if ((input_->context().iformat->flags & AVFMT_TS_DISCONT) != 0) return std::nullopt;
    const AVIndexEntry* entry = avformat_index_get_entry_from_timestamp(stream_, pts, AVSEEK_FLAG_BACKWARD);
    if (entry == nullptr || avformat_index_get_entries_count(stream_) < 2) return std::nullopt;
    return entry->timestamp;
}

bool StreamDecoder::seek(std::int64_t pts) {
    if (av_seek_frame(&input_->context(), stream_->index, pts, AVSEEK_FLAG_BACKWARD) < 0) return false;
    avcodec_flush_buffers(codec_.get());
    ahead_.clear();
    ended_ = draining_ = drained_ = false;
    last_packet_ = INT64_MAX;
    return true;
}

const AVPacket* StreamDecoder::peek(std::size_t further) {
    while (ahead_.size() <= further && !ended_) {
        auto packet = new_packet();
        const int code = packet ? av_read_frame(&input_->context(), packet->get()) : AVERROR(ENOMEM);
        if (code == AVERROR(EAGAIN)) continue;
        if (code < 0) {
            ended_ = true;
            break;
        }
        if ((*packet)->stream_index == stream_->index) ahead_.push_back(std::move(*packet));
    }
    return further < ahead_.size() ? ahead_[further].get() : nullptr;
}

void StreamDecoder::drop() noexcept {
    if (!ahead_.empty()) ahead_.pop_front();
}

void StreamDecoder::send(const AVPacket* packet) {
    // What the decoder says of a broken packet does not matter: the next may be whole. It never says EAGAIN here, since
    // receive() has just emptied it.
    static_cast<void>(avcodec_send_packet(codec_.get(), packet));
    if (packet == nullptr) {
        draining_ = true;
        return;
    }
    ++packets_;
    drop();
}

AVFrame* StreamDecoder::receive() {
    constexpr int most_faults = 64;  // broken pictures in a row: a decoder may fail for ever while it is drained
    for (int faults = 0; faults < most_faults; ++faults) {
        const int code = avcodec_receive_frame(codec_.get(), frame_.get());
        if (code >= 0) return frame_.get();
        if (code == AVERROR(EAGAIN) && !draining_) return nullptr;
        if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) break;
    }
    drained_ = draining_;
    return nullptr;
}

AVFrame* StreamDecoder::decode_alone(std::span<const AVPacket* const> packets) {
    avcodec_flush_buffers(codec_.get());
    for (const AVPacket* packet : packets) static_cast<void>(avcodec_send_packet(codec_.get(), packet));
    static_cast<void>(avcodec_send_packet(codec_.get(), nullptr));
    draining_ = true;
    AVFrame* frame = receive();
    avcodec_flush_buffers(codec_.get());  // frame_ has its own reference
    draining_ = drained_ = false;
    return frame;
}

}  // namespace understudy::media
