#include "model/description.h"

#include <algorithm>
#include <array>

namespace understudy::model {
namespace {

constexpr std::array<std::string_view, 7> image_names{"Primary", "Backdrop", "Logo", "Art", "Banner", "Thumb", "Disc"};

bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

std::string_view to_string(ImageKind kind) noexcept {
    return image_names[static_cast<std::size_t>(kind)];
}

std::optional<ImageKind> parse_image_kind(std::string_view text) noexcept {
    for (std::size_t i = 0; i < image_names.size(); ++i) {
        if (equal_ignoring_case(image_names[i], text)) return static_cast<ImageKind>(i);
    }
    return std::nullopt;
}

}  // namespace understudy::model
