#include "media/pictures.h"

#include <algorithm>

#include "media/job_bytes.h"
#include "media/text.h"

namespace understudy::media {

namespace {

constexpr std::uint64_t largest_side = 65'535;

}  // namespace

std::string encode(const PicturesParameters& parameters) {
    packed::Writer out;
    out.count(parameters.times.size());
    std::chrono::microseconds before{0};
    for (const auto time : parameters.times) {
        out.micros(time - before);
        before = time;
    }
    out.count(static_cast<std::uint64_t>(parameters.max_width));
    out.count(static_cast<std::uint64_t>(parameters.format));
    out.count(static_cast<std::uint64_t>(parameters.quality));
    out.count(static_cast<std::uint64_t>(parameters.choice));
    return out.take();
}

core::Result<PicturesParameters> decode_pictures_parameters(std::string_view bytes) {
    packed::Reader in(bytes);
    PicturesParameters parameters;
    parameters.times.resize(in.elements(PicturesParameters::most_times, 1));
    std::int64_t before = 0;
    for (auto& time : parameters.times) {
        // Deltas are not negative: the times are sorted, and the pass over the file goes forward only.
        const std::int64_t delta = in.number();
        if (delta < 0 || delta > INT64_MAX / 2 - before) in.refuse();
        if (!in.good()) break;
        time = std::chrono::microseconds{before += delta};
    }
    parameters.max_width = static_cast<int>(in.count(PicturesParameters::widest));
    parameters.format = static_cast<PictureFormat>(in.count(static_cast<std::uint64_t>(PictureFormat::webp)));
    parameters.quality = static_cast<int>(in.count(100));
    parameters.choice = static_cast<PictureChoice>(in.count(static_cast<std::uint64_t>(PictureChoice::keyframe)));
    if (!in.whole() || parameters.max_width < 16 || parameters.quality < 1)
        return core::fail(core::Errc::corrupt, "parameters of pictures that do not decode");
    return parameters;
}

std::string encode(const PicturesResult& result) {
    packed::Writer out;
    out.count(result.pictures.size());
    for (const auto& picture : result.pictures) {
        out.count(static_cast<std::uint64_t>(picture.width));
        out.count(static_cast<std::uint64_t>(picture.height));
        out.micros(picture.shown_at);
        out.bytes(picture.bytes);
        out.bytes(picture.reason);
    }
    return out.take();
}

core::Result<PicturesResult> decode_pictures_result(std::string_view bytes) {
    packed::Reader in(bytes);
    PicturesResult result;
    result.pictures.resize(in.elements(PicturesParameters::most_times, 5));
    for (auto& picture : result.pictures) {
        picture.width = static_cast<int>(in.count(largest_side));
        picture.height = static_cast<int>(in.count(largest_side));
        picture.shown_at = in.micros();
        picture.bytes = in.bytes(Picture::most_bytes);
        picture.reason = clean_text(in.bytes(max_text_bytes));
        const bool sized = picture.width > 0 && picture.height > 0;
        // A picture or a reason, never both or neither.
        if (sized == picture.bytes.empty() || picture.bytes.empty() == picture.reason.empty()) in.refuse();
        if (!in.good()) break;
    }
    if (!in.whole()) return core::fail(core::Errc::corrupt, "a worker's pictures that do not decode");
    return result;
}

}  // namespace understudy::media
