// fuzz/media/jobs_fuzz.cpp: results and parameters of worker jobs from bytes that are not to be trusted, and image
// headers. The first byte chooses the decoder; what is understood must be the same when it is written and read again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "media/cover.h"
#include "media/edges.h"
#include "media/fingerprint.h"
#include "media/image_header.h"
#include "media/pictures.h"
#include "media/scaled.h"

namespace {

using namespace understudy::media;

void require(bool holds) {
    if (!holds) std::abort();
}

template <class Decode>
void again(std::string_view bytes, Decode decode) {
    const auto value = decode(bytes);
    if (!value) return;
    const auto written = encode(*value);
    const auto second = decode(written);
    require(second.has_value());
    require(encode(*second) == written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0] % 10) {
        case 0:
            again(bytes, decode_pictures_parameters);
            break;
        case 1:
            again(bytes, decode_pictures_result);
            break;
        case 2:
            again(bytes, decode_cover_parameters);
            break;
        case 3:
            again(bytes, decode_cover_result);
            break;
        case 4:
            again(bytes, decode_fingerprint_parameters);
            break;
        case 5:
            again(bytes, decode_fingerprint_result);
            break;
        case 6:
            again(bytes, decode_edges_parameters);
            break;
        case 7:
            again(bytes, decode_edges_result);
            break;
        case 9:
            if (const auto parameters = decode_scale_parameters(bytes)) {
                again(bytes, decode_scale_parameters);
                const auto scaled = scaled_size(1 + data[size - 1], 3000, *parameters);
                require(scaled.width >= 1 && scaled.height >= 1);
                require(std::max(scaled.width, scaled.height) <= ScaleParameters::largest_side);
            }
            break;
        default:
            if (const auto header = read_image_header({data + 1, size - 1}))
                require(header->kind == ImageKind::avif || (header->width > 0 && header->height > 0));
    }
    return 0;
}
