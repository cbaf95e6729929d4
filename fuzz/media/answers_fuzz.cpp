// fuzz/media/answers_fuzz.cpp: bytes from a worker that is not to be trusted, in pieces of any length: frames first,
// then each payload through the decoders of all jobs.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "media/keyframes.h"
#include "media/loudness.h"
#include "media/media_info_codec.h"
#include "media/text.h"
#include "media/wire.h"

namespace {

using namespace understudy::media;

void require(bool holds) {
    if (!holds) std::abort();
}

void check_media_info(std::string_view payload) {
    const auto info = decode_media_info(payload);
    if (!info) return;
    require(info->streams.size() <= 1000 && info->chapters.size() <= 10'000);
    require(clean_text(info->tags.title) == info->tags.title);
    const auto again = encode_media_info(*info);
    const auto decoded = decode_media_info(again);
    require(decoded && encode_media_info(*decoded) == again);
}

/// What decodes, encodes to something that decodes to the same.
void check_jobs(std::string_view payload) {
    if (const auto keyframes = decode_keyframes(payload)) require(decode_keyframes(encode(*keyframes)) == *keyframes);
    if (const auto loudness = decode_loudness(payload)) {
        require(decode_loudness(encode(*loudness)) == *loudness);
        const auto album = integrated_lufs(loudness->histogram);
        require(!album || (*album >= -71 && *album <= 6));
    }
    static_cast<void>(decode_loudness_parameters(payload));
}

void check(std::string_view payload) {
    check_media_info(payload);
    check_jobs(payload);
}

/// What was understood, written down again.
std::pair<std::string, bool> read_all(std::string_view bytes, std::size_t step) {
    wire::AnswerReader reader;
    std::string again;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        const auto piece = bytes.substr(at, step);
        reader.add({piece.data(), piece.size()});
        while (const auto answer = reader.next()) {
            wire::append_answer(again, answer->id, answer->payload);
            if (answer->payload) check(*answer->payload);
        }
    }
    return {again, reader.broken()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const auto pieces = read_all(bytes, 1U + (data[0] & 63U));
    require(pieces == read_all(bytes, bytes.size() + 1));  // the pieces must not change what they say
    require(read_all(pieces.first, 4096).first == pieces.first);
    check(bytes);
    return 0;
}
