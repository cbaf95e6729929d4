// media/ffmpeg/input.h: an open libavformat demuxer over a ByteSource. It can reach no other file. Used by
// the jobs of media/ffmpeg.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/result.h"
#include "media/byte_source.h"

struct AVFormatContext;
struct AVIOContext;
struct AVInputFormat;

namespace understudy::media {

/// How much libavformat may read to find out what the header does not say.
struct ReadLimits {
    std::int64_t bytes = 0;
    std::int64_t micros = 0;  ///< of the stream's own time
};

class Input {
public:
    /// `demuxer` empty: libavformat guesses. Errors: corrupt, unsupported, unavailable (a read failed).
    [[nodiscard]] static core::Result<std::unique_ptr<Input>> open(ByteSource& bytes, const std::string& demuxer,
                                                                   ReadLimits limits);
    ~Input();
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;

    [[nodiscard]] AVFormatContext& context() const noexcept { return *context_; }
    /// Reads packets within the limits of open() until each stream is known. Same errors.
    [[nodiscard]] core::Result<void> find_stream_info();
    /// From now on the file is not touched: reads give zeros. For a demuxer that knows all from its tables.
    void read_blanks();

private:
    explicit Input(ByteSource& bytes) : bytes_(bytes) {}
    static int read_packet(void* self, std::uint8_t* into, int length);
    static std::int64_t seek(void* self, std::int64_t offset, int whence);
    [[nodiscard]] tl::unexpected<core::Error> failed(const char* what, int code) const;

    ByteSource& bytes_;
    std::int64_t at_ = 0;
    bool sure_ = false;   ///< the magic number named the demuxer
    bool blank_ = false;  ///< see read_blanks
    AVIOContext* io_ = nullptr;
    AVFormatContext* context_ = nullptr;
};

/// Once per process, before the sandbox closes: silences libavformat, bounds its allocations.
void prepare_libav();

}  // namespace understudy::media
