#include "library/segments/edl.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace understudy::library::segments {

namespace {

constexpr double longest_s = 7 * 24 * 3600.0;
constexpr std::size_t most_faults = 1000, most_segments = 10'000;

std::optional<double> decimal(std::string_view text) {
    if (text.empty() || text.front() == '-' || text.front() == '+') return std::nullopt;
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (fault != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<double> whole(std::string_view text) {
    if (text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
    return decimal(text);
}

/// Seconds, or why not.
struct Time {
    double seconds = 0;
    std::string fault;
};

Time time_of(std::string_view text, double frames_per_second) {
    const std::string quoted = "\"" + std::string(text.substr(0, 40)) + "\"";
    std::optional<double> seconds;
    if (text.starts_with('#')) {
        if (!(frames_per_second > 0)) return {0, "frame number " + quoted + " in a file whose frame rate is not known"};
        if (const auto frame = whole(text.substr(1))) seconds = *frame / frames_per_second;
    } else if (text.find(':') != std::string_view::npos) {
        // From the right: seconds with decimals, minutes, hours.
        double unit = 1, sum = 0;
        bool good = true;
        std::string_view left = text;
        for (int part = 0; good && part < 3; ++part, unit *= 60) {
            const auto colon = left.rfind(':');
            const auto piece = colon == std::string_view::npos ? left : left.substr(colon + 1);
            const auto value = part == 0 ? decimal(piece) : whole(piece);
            good = value && (*value < 60 || colon == std::string_view::npos);
            if (good) sum += *value * unit;
            if (colon == std::string_view::npos) {
                if (good) seconds = sum;
                break;
            }
            left = left.substr(0, colon);
        }
    } else {
        seconds = decimal(text);
    }
    if (!seconds) return {0, quoted + " is no time (63.2, 1:03.2 and #1580 are)"};
    if (*seconds > longest_s) return {0, quoted + " is later than any film"};
    return {*seconds, {}};
}

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    constexpr std::string_view blanks = " \t\r\f\v";
    for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos && words.size() < 5;
         at = line.find_first_not_of(blanks, at)) {
        const auto end = std::min(line.find_first_of(blanks, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

core::Millis millis(double seconds) {
    return core::Millis{std::llround(seconds * 1000)};
}

/// Empty: understood.
std::string read_line(const std::vector<std::string_view>& words, double frames_per_second, EdlList& list) {
    if (words.size() != 2 && words.size() != 3) return "a line is: start end action";
    const auto action_text = words.back();
    if (action_text.size() != 1 || action_text[0] < '0' || action_text[0] > '3')
        return "action \"" + std::string(action_text.substr(0, 40)) +
               "\" is none of 0 (cut), 1 (mute), 2 (scene marker), 3 (commercial break)";
    const char action = action_text[0];
    const Time start = time_of(words[0], frames_per_second);
    if (!start.fault.empty()) return start.fault;
    if (words.size() == 2) {
        if (action != '2') return "only a scene marker (2) stands without an end";
        ++list.not_skipped;
        return {};
    }
    const Time end = time_of(words[1], frames_per_second);
    if (!end.fault.empty()) return end.fault;
    if (action == '1' || action == '2') {
        ++list.not_skipped;
        return {};
    }
    const Segment segment{SegmentKind::commercial, millis(start.seconds), millis(end.seconds)};
    if (segment.end <= segment.start) return "it ends before it begins";
    if (list.segments.size() == most_segments) return "more cuts than a film can have";
    list.segments.push_back(segment);
    return {};
}

}  // namespace

EdlList parse_edl(std::string_view text, double frames_per_second) {
    EdlList list;
    text = text.substr(0, most_edl_bytes);
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        line = line.substr(0, std::min(line.find("##"), line.find("//")));
        const auto words = words_of(line);
        if (words.empty()) continue;
        std::string fault = read_line(words, frames_per_second, list);
        if (!fault.empty() && list.faults.size() < most_faults) list.faults.push_back({number, std::move(fault)});
    }
    return list;
}

}  // namespace understudy::library::segments
