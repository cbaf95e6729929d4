// media/byte_source.h: the bytes of one file for parsers, by pread on a descriptor. Its first and last 64 KiB are read
// once and serve the parser, the format sniffer and the content sample alike. Used by media/ffmpeg, media/taglib and
// the worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace understudy::media {

/// One thread at a time. Made once, opened on file after file: its two pages are kept.
class ByteSource {
public:
    /// Length of the first and of the last page kept, in bytes.
    static constexpr std::size_t page_bytes = 64 * 1024;

    ByteSource();
    /// Starts over on a file of `size_bytes`; `fd` stays the caller's and must outlive the reads.
    void open(int fd, std::int64_t size_bytes);

    [[nodiscard]] std::int64_t size() const noexcept { return size_; }
    /// Copies what is at `offset` into `into`. Less than asked only at the end of the file or at a fault (see fault()).
    std::size_t read(std::int64_t offset, std::span<std::uint8_t> into);
    /// The first 64 KiB, or all of a smaller file.
    [[nodiscard]] std::span<const std::uint8_t> head();
    /// The last 64 KiB, or all of a smaller file.
    [[nodiscard]] std::span<const std::uint8_t> tail();
    /// The first and last 64 KiB without a byte twice: all of a file of up to 128 KiB as head, nothing as tail.
    struct Ends {
        std::span<const std::uint8_t> first, last;
    };
    [[nodiscard]] Ends ends();
    /// errno of the first read that failed; 0: none did.
    [[nodiscard]] int fault() const noexcept { return fault_; }

private:
    std::size_t pull(std::int64_t offset, std::span<std::uint8_t> into);
    void load_head();
    void load_tail();

    std::vector<std::uint8_t> pages_;
    int fd_ = -1;
    int fault_ = 0;
    std::int64_t size_ = 0;
    bool head_loaded_ = false, tail_loaded_ = false;
    std::size_t head_length_ = 0;  ///< bytes of pages_ that hold the file's start
    std::size_t tail_length_ = 0;  ///< bytes from page_bytes on that hold its end; 0 for a file that is all head
};

}  // namespace understudy::media
