#include "library/segment_provider.h"

#include <array>
#include <chrono>

#include "library/naming/parts.h"
#include "library/naming/text.h"

namespace understudy::library {

namespace {

/// Other muxers count a file's length by another stream.
constexpr core::Millis in_step{1'000};
constexpr std::size_t page = 200;

/// `Film cd2.avi` begins where `Film cd1.avi` ends, and may be as long.
bool is_later_part(std::string_view path) {
    const auto part = naming::find_part(naming::stem_of(naming::name_of(path)));
    return part && part->number > 1 && (part->certain || part->joined);
}

}  // namespace

std::string SegmentItem::shown() const {
    return naming::display_text(sources.front().path);
}

std::vector<const store::AnalysableSource*> SegmentItem::sources_in_step() const {
    std::vector<const store::AnalysableSource*> list;
    for (const auto& source : sources) {
        const bool known = source.duration > core::Millis{0} && runtime() > core::Millis{0};
        if (&source == sources.data() ||
            (known && std::chrono::abs(source.duration - runtime()) <= in_step && !is_later_part(source.path)))
            list.push_back(&source);
    }
    return list;
}

std::vector<SegmentGroup> pages_of(const std::vector<SegmentItem>& items) {
    std::vector<SegmentGroup> groups;
    for (const auto& item : items) {
        if (groups.empty() || groups.back().items.size() == page) groups.emplace_back();
        groups.back().items.push_back(&item);
    }
    return groups;
}

BasisHash& BasisHash::add(std::string_view text) {
    const auto eat = [this](std::uint8_t byte) {
        hash_ ^= byte;
        hash_ *= 1099511628211U;
    };
    for (const char c : text) eat(static_cast<std::uint8_t>(c));
    eat(0xFF);  // no UTF-8 has it: «ab», «c» is not «a», «bc»
    return *this;
}

BasisHash& BasisHash::add(std::int64_t number) {
    return add(std::to_string(number));
}

BasisHash& BasisHash::add(const store::AnalysableSource& source) {
    return add(source.content.sample).add(source.content.mtime_ns).add(std::int64_t{source.duration.count()});
}

std::string BasisHash::str() const {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) text += digits[(hash_ >> shift) & 15U];
    return text;
}

}  // namespace understudy::library
