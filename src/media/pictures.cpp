#include "media/pictures.h"

#include <algorithm>

#include "media/packed.h"
#include "media/text.h"

namespace understudy::media {

namespace {

constexpr std::uint64_t largest_side = 65'535;

}  // namespace

std::string encode(const PicturesParameters& parameters) {
    PackWriter out;
    out.number(parameters.times.size());
    std::chrono::microseconds before{0};
    for (const auto time : parameters.times) {
        out.signed_number((time - before).count());
        before = time;
    }
    out.number(static_cast<std::uint64_t>(parameters.max_width));
    out.number(static_cast<std::uint64_t>(parameters.format));
    out.number(static_cast<std::uint64_t>(parameters.quality));
    out.number(static_cast<std::uint64_t>(parameters.choice));
    return out.take();
}

core::Result<PicturesParameters> decode_pictures_parameters(std::string_view bytes) {
    PackReader in(bytes);
    PicturesParameters parameters;
    parameters.times.resize(in.count(1, PicturesParameters::most_times));
    std::int64_t before = 0;
    for (auto& time : parameters.times) {
        // Deltas are not negative: the times are sorted, and the pass over the file goes forward only.
        const std::int64_t delta = in.signed_number();
        if (delta < 0 || delta > INT64_MAX / 2 - before) in.fail();
        if (!in.good()) break;
        time = std::chrono::microseconds{before += delta};
    }
    parameters.max_width = static_cast<int>(in.number(PicturesParameters::widest));
    parameters.format = static_cast<PictureFormat>(in.number(static_cast<std::uint64_t>(PictureFormat::webp)));
    parameters.quality = static_cast<int>(in.number(100));
    parameters.choice = static_cast<PictureChoice>(in.number(static_cast<std::uint64_t>(PictureChoice::keyframe)));
    if (!in.whole() || parameters.max_width < 16 || parameters.quality < 1)
        return core::fail(core::Errc::corrupt, "parameters of pictures that do not decode");
    return parameters;
}

std::string encode(const PicturesResult& result) {
    PackWriter out;
    out.number(result.pictures.size());
    for (const auto& picture : result.pictures) {
        out.number(static_cast<std::uint64_t>(picture.width));
        out.number(static_cast<std::uint64_t>(picture.height));
        out.signed_number(picture.shown_at.count());
        out.text(picture.bytes);
        out.text(picture.reason);
    }
    return out.take();
}

core::Result<PicturesResult> decode_pictures_result(std::string_view bytes) {
    PackReader in(bytes);
    PicturesResult result;
    result.pictures.resize(in.count(5, PicturesParameters::most_times));
    for (auto& picture : result.pictures) {
        picture.width = static_cast<int>(in.number(largest_side));
        picture.height = static_cast<int>(in.number(largest_side));
        picture.shown_at = std::chrono::microseconds{in.signed_number()};
        picture.bytes = in.text(Picture::most_bytes);
        picture.reason = clean_text(in.text(max_text_bytes));
        const bool sized = picture.width > 0 && picture.height > 0;
        // A picture or a reason, never both or neither.
        if (sized == picture.bytes.empty() || picture.bytes.empty() == picture.reason.empty()) in.fail();
        if (!in.good()) break;
    }
    if (!in.whole()) return core::fail(core::Errc::corrupt, "a worker's pictures that do not decode");
    return result;
}

}  // namespace understudy::media
