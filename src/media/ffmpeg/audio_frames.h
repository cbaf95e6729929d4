// media/ffmpeg/audio_frames.h: decodes the first audio stream of a file, frame by frame, in this thread and with
// libavcodec's own decoders alone. Used by loudness.cpp.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "core/result.h"
#include "media/byte_source.h"

struct AVCodecContext;
struct AVFrame;
struct AVStream;

namespace understudy::media {

class Input;

class AudioFrames {
public:
    /// Errors: unsupported (no audio, or a codec that we do not decode), corrupt, unavailable.
    [[nodiscard]] static core::Result<AudioFrames> open(ByteSource& bytes);
    ~AudioFrames();
    AudioFrames(AudioFrames&&) noexcept;
    AudioFrames& operator=(AudioFrames&&) = delete;

    /// Gives every frame that can be decoded to `use`, in order; what cannot is left out and counted. `use` returns
    /// false to end it.
    void each(const std::function<bool(const AVFrame&)>& use);

    /// As the header says; 0: it does not say, or guesses.
    [[nodiscard]] std::chrono::microseconds promised() const;
    [[nodiscard]] std::uint64_t broken_packets() const noexcept { return broken_; }
    [[nodiscard]] std::uint64_t packets() const noexcept { return packets_; }

private:
    struct CloseDecoder {
        void operator()(AVCodecContext* context) const noexcept;
    };

    AudioFrames(std::unique_ptr<Input> input, AVStream* stream);
    core::Result<void> open_decoder();

    std::unique_ptr<Input> input_;
    AVStream* stream_;
    std::unique_ptr<AVCodecContext, CloseDecoder> decoder_;
    std::uint64_t packets_ = 0, broken_ = 0;
};

}  // namespace understudy::media
