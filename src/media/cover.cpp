#include "media/cover.h"

#include "media/packed.h"

namespace understudy::media {

namespace {

constexpr std::uint64_t largest_stored_side = 1u << 20;  // an image format may say more than we would ever decode

}  // namespace

std::string_view mime_type(ImageKind kind) noexcept {
    switch (kind) {
        case ImageKind::jpeg:
            return "image/jpeg";
        case ImageKind::png:
            return "image/png";
        case ImageKind::webp:
            return "image/webp";
        case ImageKind::gif:
            return "image/gif";
        case ImageKind::bmp:
            return "image/bmp";
        case ImageKind::tiff:
            return "image/tiff";
        case ImageKind::avif:
            return "image/avif";
    }
    return "application/octet-stream";
}

std::string encode(const CoverParameters& parameters) {
    PackWriter out;
    out.number(static_cast<std::uint64_t>(parameters.max_side));
    out.number(static_cast<std::uint64_t>(parameters.quality));
    out.number(static_cast<std::uint64_t>(parameters.original_bytes));
    return out.take();
}

core::Result<CoverParameters> decode_cover_parameters(std::string_view bytes) {
    PackReader in(bytes);
    CoverParameters parameters;
    parameters.max_side = static_cast<int>(in.number(CoverParameters::largest_side));
    parameters.quality = static_cast<int>(in.number(100));
    parameters.original_bytes = static_cast<std::int64_t>(in.number(CoverParameters::largest_original));
    if (!in.whole() || parameters.max_side < 16 || parameters.quality < 1)
        return core::fail(core::Errc::corrupt, "parameters of a cover that do not decode");
    return parameters;
}

std::string encode(const CoverResult& result) {
    PackWriter out;
    out.number(static_cast<std::uint64_t>(result.kind));
    for (const int side : {result.width, result.height, result.original_width, result.original_height})
        out.number(static_cast<std::uint64_t>(side));
    out.number(result.is_original ? 1 : 0);
    out.text(result.bytes);
    return out.take();
}

core::Result<CoverResult> decode_cover_result(std::string_view bytes) {
    PackReader in(bytes);
    CoverResult result;
    result.kind = static_cast<ImageKind>(in.number(static_cast<std::uint64_t>(ImageKind::avif)));
    for (int* side : {&result.width, &result.height, &result.original_width, &result.original_height}) {
        *side = static_cast<int>(in.number(largest_stored_side));
        if (*side == 0) in.fail();
    }
    result.is_original = in.number(1) != 0;
    result.bytes = in.text(CoverResult::most_bytes);
    if (!in.whole() || result.bytes.empty())
        return core::fail(core::Errc::corrupt, "a worker's cover that does not decode");
    return result;
}

}  // namespace understudy::media
