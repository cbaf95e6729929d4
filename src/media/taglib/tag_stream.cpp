#include "media/taglib/tag_stream.h"

#include <algorithm>
#include <cstdint>

namespace understudy::media {

TagLib::ByteVector TagStream::readBlock(unsigned long length) {
    const long left = bytes_.size() - at_;
    if (at_ < 0 || left <= 0) return {};
    // A length out of a hostile header must not allocate more than the file has.
    const auto wanted = std::min<unsigned long>(length, static_cast<unsigned long>(std::min<long>(left, INT32_MAX)));
    TagLib::ByteVector block(static_cast<unsigned int>(wanted), '\0');
    const std::size_t got =
        bytes_.read(at_, {reinterpret_cast<std::uint8_t*>(block.data()), static_cast<std::size_t>(wanted)});
    if (got < wanted) block.resize(static_cast<unsigned int>(got));
    at_ += static_cast<long>(got);
    return block;
}

void TagStream::seek(long offset, Position from) {
    switch (from) {
        case Beginning:
            at_ = offset;
            break;
        case Current:
            at_ += offset;
            break;
        case End:
            at_ = bytes_.size() + offset;
            break;
    }
    at_ = std::max(at_, 0L);
}

}  // namespace understudy::media
