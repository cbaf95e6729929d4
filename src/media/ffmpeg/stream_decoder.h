// media/ffmpeg/stream_decoder.h: one stream of a file, frame by frame, in this thread alone. Used by the jobs that
// decode: pictures, edges, fingerprint.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/result.h"
#include "media/byte_source.h"
#include "media/ffmpeg/input.h"

struct AVCodecContext;
struct AVCodecParameters;
struct AVFrame;
struct AVPacket;
struct AVStream;

namespace understudy::media {

struct FreeCodec {
    void operator()(AVCodecContext* context) const noexcept;
};
struct FreeFrame {
    void operator()(AVFrame* frame) const noexcept;
};
struct FreePacket {
    void operator()(AVPacket* packet) const noexcept;
};
using CodecPtr = std::unique_ptr<AVCodecContext, FreeCodec>;
using FramePtr = std::unique_ptr<AVFrame, FreeFrame>;
using PacketPtr = std::unique_ptr<AVPacket, FreePacket>;

/// More pixels are refused from the header: 8K UHD, with the rows that codecs add. A decoder may hold 17 pictures.
inline constexpr std::int64_t most_video_pixels = std::int64_t{8192} * 4352;

/// A decoder that starts no thread and refuses pictures of more than `most_pixels` before it allocates them.
/// `halvings`: of both sides while it decodes, for codecs that can (JPEG, up to 3).
/// Errors: unsupported (no decoder), corrupt (it does not like the header).
[[nodiscard]] core::Result<CodecPtr> open_decoder(const AVCodecParameters& parameters, std::int64_t most_pixels,
                                                  int halvings = 0);
[[nodiscard]] core::Result<FramePtr> new_frame();
[[nodiscard]] core::Result<PacketPtr> new_packet();
/// libav's word for an error code.
[[nodiscard]] std::string words_of(int code);

class StreamDecoder {
public:
    enum class Kind { video, audio };

    /// The default stream of that kind, else the first; attached pictures are no video. All others are not even read
    /// where the container allows it. Errors: corrupt, unsupported, unavailable.
    [[nodiscard]] static core::Result<std::unique_ptr<StreamDecoder>> open(ByteSource& bytes, Kind kind);

    [[nodiscard]] AVStream& stream() const noexcept { return *stream_; }
    [[nodiscard]] AVCodecContext& codec() const noexcept { return *codec_; }
    /// Of the file or its longest stream, in microseconds; 0: unknown.
    [[nodiscard]] std::int64_t duration_us() const noexcept { return duration_us_; }
    /// Stream time of a time from the start of the file, and back.
    [[nodiscard]] std::int64_t to_stream(std::int64_t us) const noexcept;
    [[nodiscard]] std::int64_t from_stream(std::int64_t pts) const noexcept;

    /// The last keyframe at or before `pts` that the container's index knows; nullopt: no index, or
    /// one that libavformat fills with guesses (transport and program streams).
    [[nodiscard]] std::optional<std::int64_t> keyframe_before(std::int64_t pts) const;
    /// To the last keyframe at or before `pts`; what was decoded is forgotten. False: the container cannot.
    [[nodiscard]] bool seek(std::int64_t pts);

    /// The stream's next packet, given to nobody yet: next() takes it. nullptr: the end, or a fault (see fault()). With
    /// `further` the one so many packets behind it; all up to it are held in memory.
    [[nodiscard]] const AVPacket* peek(std::size_t further = 0);
    /// Leaves the packet that peek() showed out.
    void drop() noexcept;
    /// The packet that peek() shows is the last that the decoder gets before the next seek(): next() then gives what it
    /// holds, without waiting for packets behind it, and ends.
    void finish_here() noexcept { last_packet_ = packets_ + 1; }
    /// The next frame of the packets from here on, valid until the next call. nullptr: the end, or packets() has
    /// reached `limit`. A broken packet is passed over. `before_packet` may set skip_frame by what comes.
    template <class BeforePacket>
    [[nodiscard]] AVFrame* next(BeforePacket&& before_packet, std::int64_t limit = INT64_MAX) {
        for (;;) {
            if (AVFrame* frame = receive()) return frame;
            if (drained_ || packets_ >= limit) return nullptr;
            const AVPacket* packet = packets_ < last_packet_ ? peek() : nullptr;
            if (packet != nullptr) before_packet(*packet);
            send(packet);
        }
    }
    [[nodiscard]] AVFrame* next() {
        return next([](const AVPacket&) {});
    }
    /// The first frame of these packets alone; the decoder starts anew before and after. nullptr: they gave no frame.
    [[nodiscard]] AVFrame* decode_alone(std::span<const AVPacket* const> packets);
    /// Packets of the stream taken so far.
    [[nodiscard]] std::int64_t packets() const noexcept { return packets_; }
    /// errno of a read that failed; 0: none.
    [[nodiscard]] int fault() const noexcept { return bytes_.fault(); }

private:
    explicit StreamDecoder(ByteSource& bytes) : bytes_(bytes) {}
    AVFrame* receive();
    void send(const AVPacket* packet);  ///< nullptr: no more come

    ByteSource& bytes_;
    std::unique_ptr<Input> input_;
    AVStream* stream_ = nullptr;
    CodecPtr codec_;
    FramePtr frame_;
    std::deque<PacketPtr> ahead_;  ///< read, not yet decoded
    bool ended_ = false;
    bool draining_ = false, drained_ = false;  ///< the decoder knows of the end; it has given all it had
    std::int64_t duration_us_ = 0, offset_us_ = 0;
    std::int64_t packets_ = 0, last_packet_ = INT64_MAX;
};

}  // namespace understudy::media
