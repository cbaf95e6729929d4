#include "media/ffmpeg/content_sample.h"

extern "C" {
#include <libavutil/mem.h>
#include <libavutil/murmur3.h>
}

#include <array>
#include <cstdint>
#include <memory>

namespace understudy::media {

namespace {

struct Free {
    void operator()(void* memory) const noexcept { av_free(memory); }
};

}  // namespace

std::string content_sample(ByteSource& bytes) {
    const auto ends = bytes.ends();
    const std::unique_ptr<AVMurMur3, Free> hash(av_murmur3_alloc());
    if (hash == nullptr || bytes.fault() != 0) return {};
    av_murmur3_init(hash.get());
    av_murmur3_update(hash.get(), ends.first.data(), ends.first.size());
    av_murmur3_update(hash.get(), ends.last.data(), ends.last.size());
    std::array<std::uint8_t, 8> size{};
    for (std::size_t i = 0; i < size.size(); ++i) size[i] = static_cast<std::uint8_t>(bytes.size() >> (8 * i));
    av_murmur3_update(hash.get(), size.data(), size.size());
    std::array<std::uint8_t, 16> digest{};
    av_murmur3_final(hash.get(), digest.data());

    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const auto byte : digest) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

}  // namespace understudy::media
