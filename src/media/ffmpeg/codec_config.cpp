#include "media/ffmpeg/codec_config.h"

#include <algorithm>
#include <array>
#include <vector>

namespace understudy::media {

namespace {

using Bytes = std::span<const std::uint8_t>;

class BitReader {
public:
    explicit BitReader(Bytes bytes) : bytes_(bytes) {}
    std::uint32_t bits(unsigned count) {
        std::uint32_t value = 0;
        for (; count > 0; --count) {
            const std::size_t byte = at_ / 8;
            if (byte >= bytes_.size()) {
                good_ = false;
                return 0;
            }
            const auto eight = std::uint32_t{bytes_[byte]};
            value = (value << 1) | ((eight >> (7 - at_ % 8)) & 1u);
            ++at_;
        }
        return value;
    }
    /// Exp-Golomb code ue(v).
    std::uint32_t golomb() {
        unsigned zeros = 0;
        while (good_ && bits(1) == 0)
            if (++zeros > 31) good_ = false;
        return good_ ? (1u << zeros) - 1 + bits(zeros) : 0;
    }
    [[nodiscard]] bool good() const { return good_; }

private:
    Bytes bytes_;
    std::size_t at_ = 0;
    bool good_ = true;
};

/// Planar YUV (or gray) as libavutil names it. `chroma`: 0 none, 1 4:2:0, 2 4:2:2, 3 4:4:4.
std::string yuv_name(unsigned chroma, int depth) {
    constexpr std::array<const char*, 4> names{"gray", "yuv420p", "yuv422p", "yuv444p"};
    if (chroma >= names.size()) return {};
    std::string name = names[chroma];
    if (depth > 8) name += std::to_string(depth) + "le";
    return name;
}

/// NAL unit without its emulation prevention bytes (00 00 03): ISO 14496-10, 7.4.1. The first bytes are all we need.
std::vector<std::uint8_t> unescaped(Bytes nal) {
    std::vector<std::uint8_t> plain;
    unsigned zeros = 0;
    for (const std::uint8_t byte : nal.first(std::min<std::size_t>(nal.size(), 64))) {
        if (zeros >= 2 && byte == 3) {
            zeros = 0;
            continue;
        }
        zeros = byte == 0 ? zeros + 1 : 0;
        plain.push_back(byte);
    }
    return plain;
}

/// avcC: ISO 14496-15, 5.2.4.1; the sequence parameter set in it: ISO 14496-10, 7.3.2.1.1.
std::optional<CodecConfig> read_avcc(Bytes r) {
    if (r.size() < 11 || r[0] != 1 || (r[5] & 0x1F) == 0) return std::nullopt;
    const std::size_t length = static_cast<std::size_t>(r[6] << 8 | r[7]);
    if (r.size() < 8 + length || length < 5) return std::nullopt;
    const auto sps = unescaped(r.subspan(9, length - 1));
    BitReader in(sps);
    const auto profile = static_cast<int>(in.bits(8));
    const auto constraints = in.bits(8);
    CodecConfig config{.profile = profile, .level = static_cast<int>(in.bits(8)), .bit_depth = 8};
    // libavcodec's flags: constrained (set 1) for Baseline, intra (set 3) for the high bit depth profiles.
    if (profile == 66 && (constraints & 0x40) != 0) config.profile |= 1 << 9;
    if ((profile == 110 || profile == 122 || profile == 244) && (constraints & 0x10) != 0) config.profile |= 1 << 11;
    in.golomb();  // seq_parameter_set_id
    unsigned chroma = 1;
    constexpr std::array high{100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135};
    if (std::find(high.begin(), high.end(), profile) != high.end()) {
        chroma = in.golomb();
        if (chroma == 3 && in.bits(1) != 0) return std::nullopt;  // three separate planes: rare, left to the decoder
        config.bit_depth = 8 + static_cast<int>(in.golomb());
    }
    if (!in.good() || config.bit_depth > 14) return std::nullopt;
    config.pixel_format = yuv_name(chroma, config.bit_depth);
    return config;
}

/// hvcC: ISO 14496-15, 8.3.3.1.
std::optional<CodecConfig> read_hvcc(Bytes r) {
    if (r.size() < 23 || r[0] != 1) return std::nullopt;
    CodecConfig config{.profile = r[1] & 0x1F, .level = r[12], .bit_depth = 8 + (r[17] & 0x07)};
    config.pixel_format = yuv_name(r[16] & 0x03, config.bit_depth);
    return config;
}

/// av1C: AV1 Codec ISO Media File Format Binding, 2.3.
std::optional<CodecConfig> read_av1c(Bytes r) {
    if (r.size() < 4 || r[0] != 0x81) return std::nullopt;
    const bool high = (r[2] & 0x40) != 0, twelve = (r[2] & 0x20) != 0, gray = (r[2] & 0x10) != 0;
    const bool half_width = (r[2] & 0x08) != 0, half_height = (r[2] & 0x04) != 0;
    CodecConfig config{.profile = r[1] >> 5, .level = r[1] & 0x1F, .bit_depth = twelve ? 12 : high ? 10 : 8};
    config.pixel_format = yuv_name(gray ? 0 : half_height ? 1 : half_width ? 2 : 3, config.bit_depth);
    return config;
}

/// AudioSpecificConfig: ISO 14496-3, 1.6.2.1.
std::optional<CodecConfig> read_aac(Bytes r) {
    BitReader in(r);
    auto type = in.bits(5);
    if (type == 31) type = 32 + in.bits(6);
    if (in.bits(4) == 15) in.bits(24);  // sampling rate, spelled out
    CodecConfig config{.channel_config = static_cast<int>(in.bits(4))};
    if (!in.good() || type == 0) return std::nullopt;
    config.profile = static_cast<int>(type) - 1;  // libavcodec counts profiles from the object types less one
    return config;
}

}  // namespace

std::optional<CodecConfig> read_codec_config(AVCodecID codec, Bytes record) {
    switch (static_cast<int>(codec)) {
        case AV_CODEC_ID_H264:
            return read_avcc(record);
        case AV_CODEC_ID_HEVC:
            return read_hvcc(record);
        case AV_CODEC_ID_AV1:
            return read_av1c(record);
        case AV_CODEC_ID_VP8:
            return CodecConfig{.bit_depth = 8, .pixel_format = "yuv420p"};
        case AV_CODEC_ID_AAC:
            return read_aac(record);
        default:
            return std::nullopt;
    }
}

}  // namespace understudy::media
