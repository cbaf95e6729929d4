#include "media/byte_source.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace understudy::media {

ByteSource::ByteSource() : pages_(2 * page_bytes) {}

void ByteSource::open(int fd, std::int64_t size_bytes) {
    fd_ = fd;
    fault_ = 0;
    size_ = std::max<std::int64_t>(size_bytes, 0);
    head_loaded_ = tail_loaded_ = false;
    head_length_ = tail_length_ = 0;
}

std::size_t ByteSource::pull(std::int64_t offset, std::span<std::uint8_t> into) {
    std::size_t done = 0;
    while (done < into.size()) {
        const ssize_t got =
            ::pread(fd_, into.data() + done, into.size() - done, offset + static_cast<std::int64_t>(done));
        if (got == 0) break;
        if (got < 0) {
            if (errno == EINTR) continue;
            if (fault_ == 0) fault_ = errno;
            break;
        }
        done += static_cast<std::size_t>(got);
    }
    return done;
}

void ByteSource::load_head() {
    if (head_loaded_) return;
    head_loaded_ = true;
    const auto all = static_cast<std::uint64_t>(size_);
    const bool whole = all <= pages_.size();
    head_length_ = pull(0, std::span(pages_).first(whole ? static_cast<std::size_t>(all) : page_bytes));
    if (whole) tail_loaded_ = true;
}

void ByteSource::load_tail() {
    load_head();
    if (tail_loaded_) return;
    tail_loaded_ = true;
    tail_length_ = pull(size_ - static_cast<std::int64_t>(page_bytes), std::span(pages_).subspan(page_bytes));
}

std::span<const std::uint8_t> ByteSource::head() {
    load_head();
    return std::span<const std::uint8_t>(pages_).first(std::min(head_length_, page_bytes));
}

std::span<const std::uint8_t> ByteSource::tail() {
    load_tail();
    const std::span<const std::uint8_t> pages(pages_);
    if (static_cast<std::uint64_t>(size_) > pages_.size()) return pages.subspan(page_bytes, tail_length_);
    return pages.first(head_length_).last(std::min(head_length_, page_bytes));
}

ByteSource::Ends ByteSource::ends() {
    load_tail();
    const std::span<const std::uint8_t> pages(pages_);
    return {pages.first(head_length_), pages.subspan(page_bytes, tail_length_)};
}

std::size_t ByteSource::read(std::int64_t offset, std::span<std::uint8_t> into) {
    if (offset < 0 || offset >= size_ || into.empty()) return 0;
    load_head();
    const auto left = static_cast<std::uint64_t>(size_ - offset);
    into = into.first(static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), left)));

    std::size_t done = 0;
    const auto head = static_cast<std::int64_t>(head_length_);
    if (offset < head) {
        done = std::min(into.size(), static_cast<std::size_t>(head - offset));
        std::memcpy(into.data(), pages_.data() + offset, done);
        if (done == into.size()) return done;
    }
    const std::int64_t tail_start = size_ - static_cast<std::int64_t>(page_bytes);
    std::int64_t at = offset + static_cast<std::int64_t>(done);
    if (static_cast<std::uint64_t>(size_) <= pages_.size()) return done;  // all there is was head
    if (at < tail_start) {
        const auto before_tail = static_cast<std::uint64_t>(tail_start - at);
        const auto part =
            into.subspan(done, static_cast<std::size_t>(std::min<std::uint64_t>(into.size() - done, before_tail)));
        const std::size_t got = pull(at, part);
        done += got;
        at += static_cast<std::int64_t>(got);
        if (got < part.size() || done == into.size()) return done;
    }
    load_tail();
    const auto skip = static_cast<std::size_t>(at - tail_start);
    if (skip >= tail_length_) return done;
    const std::size_t length = std::min(into.size() - done, tail_length_ - skip);
    std::memcpy(into.data() + done, pages_.data() + page_bytes + skip, length);
    return done + length;
}

}  // namespace understudy::media
