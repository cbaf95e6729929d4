#include "media/sniff.h"

#include <array>
#include <span>

namespace understudy::media {

namespace {

using Bytes = std::span<const std::uint8_t>;

bool has(Bytes bytes, std::size_t at, std::string_view magic) {
    if (bytes.size() < at + magic.size()) return false;
    for (std::size_t i = 0; i < magic.size(); ++i)
        if (bytes[at + i] != static_cast<std::uint8_t>(magic[i])) return false;
    return true;
}

/// Four packets in a row begin with the sync byte: chance does that once in 4 billion files.
bool is_transport_stream(Bytes bytes, std::size_t first, std::size_t packet) {
    for (std::size_t i = 0; i < 4; ++i)
        if (bytes.size() <= first + i * packet || bytes[first + i * packet] != 0x47) return false;
    return true;
}

/// ID3v2: ten bytes, the length in four times seven bits, a footer of ten more if flag 0x10 is set.
std::int64_t id3_length(Bytes bytes) {
    if (!has(bytes, 0, "ID3") || bytes.size() < 10) return 0;
    std::int64_t length = 0;
    for (std::size_t i = 6; i < 10; ++i) length = (length << 7) | (bytes[i] & 0x7F);
    return length + ((bytes[5] & 0x10) != 0 ? 20 : 10);
}

std::string_view ogg_variant(Bytes bytes) {
    if (bytes.size() < 28) return {};
    const std::size_t packet = 27u + bytes[26];  // page header and its segment table
    if (has(bytes, packet, "\x01vorbis")) return "vorbis";
    if (has(bytes, packet, "OpusHead")) return "opus";
    if (has(bytes, packet,
            "\x7F"
            "FLAC"))
        return "flac";
    if (has(bytes, packet, "Speex   ")) return "speex";
    return {};
}

std::string_view audio_after_tag(Bytes bytes) {
    if (has(bytes, 0, "fLaC")) return "flac";
    if (has(bytes, 0, "MAC ")) return "ape";
    if (has(bytes, 0, "TTA1")) return "tta";
    if (has(bytes, 0, "MPCK")) return "mpc8";
    if (has(bytes, 0, "MP+")) return "mpc";
    if (has(bytes, 0, "wvpk")) return "wv";
    if (bytes.size() < 4 || bytes[0] != 0xFF) return {};
    if ((bytes[1] & 0xF6) == 0xF0) return "aac";  // ADTS: layer bits are 0
    const bool frame = (bytes[1] & 0xE0) == 0xE0 && (bytes[1] & 0x18) != 0x08 && (bytes[1] & 0x06) != 0 &&
                       (bytes[2] & 0xF0) != 0xF0 && (bytes[2] & 0x0C) != 0x0C;
    return frame ? "mp3" : std::string_view{};
}

}  // namespace

Sniffed sniff(ByteSource& source) {
    const Bytes bytes = source.head();
    if (has(bytes, 0, "\x1A\x45\xDF\xA3")) return {.demuxer = "matroska"};
    for (const auto box : {"ftyp", "moov", "mdat", "wide", "pnot", "styp"})
        if (has(bytes, 4, box)) return {.demuxer = "mov"};
    if (has(bytes, 0, "OggS")) return {.demuxer = "ogg", .variant = ogg_variant(bytes)};
    if (has(bytes, 0, "RIFF") || has(bytes, 0, "RF64")) {
        if (has(bytes, 8, "WAVE")) return {.demuxer = "wav"};
        if (has(bytes, 8, "AVI ")) return {.demuxer = "avi"};
        return {};
    }
    if (has(bytes, 0, "FORM") && (has(bytes, 8, "AIFF") || has(bytes, 8, "AIFC"))) return {.demuxer = "aiff"};
    if (has(bytes, 0, "\x30\x26\xB2\x75\x8E\x66\xCF\x11")) return {.demuxer = "asf"};
    if (has(bytes, 0, "FLV\x01")) return {.demuxer = "flv"};
    if (is_transport_stream(bytes, 0, 188) || is_transport_stream(bytes, 4, 192)) return {.demuxer = "mpegts"};
    if (has(bytes, 0, std::string_view("\0\0\x01\xBA", 4))) return {.demuxer = "mpeg"};

    const std::int64_t tag = id3_length(bytes);
    if (tag == 0) return {.demuxer = audio_after_tag(bytes)};
    std::array<std::uint8_t, 16> start{};
    const std::size_t got = source.read(tag, start);
    const auto inner = audio_after_tag(Bytes(start).first(got));
    return {.demuxer = inner.empty() ? "mp3" : inner, .tag_bytes = tag};  // padding may stand before the first frame
}

}  // namespace understudy::media
