#include "app/cli/progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ostream>

#include "core/text.h"

namespace understudy::app {
namespace {

constexpr std::size_t widest_bar = 40, narrowest_bar = 10;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string{} : value;
}

bool begins_code_point(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

/// Where an escape sequence at `at` ends; `at` itself where there is none.
std::size_t behind_escape(std::string_view text, std::size_t at) {
    if (text.substr(at, 2) != "\x1b[") return at;
    auto end = at + 2;
    while (end < text.size() && !(text[end] >= '@' && text[end] <= '~')) ++end;
    return std::min(end + 1, text.size());
}

std::string bar_of(double percent, std::size_t width, const BarStyle& style) {
    const auto share = std::clamp(percent, 0.0, 100.0) / 100.0 * static_cast<double>(width);
    const auto full = static_cast<std::size_t>(share);
    std::string done, rest;
    for (std::size_t i = 0; i < full; ++i) done += style.unicode ? "█" : "#";
    for (std::size_t i = full; i < width; ++i) rest += style.unicode ? "░" : "-";
    if (style.colour) done = "\x1b[32m" + done + "\x1b[0m";
    return style.unicode ? done + rest : "[" + done + rest + "]";
}

}  // namespace

BarStyle BarStyle::of_environment() {
    auto locale = variable("LC_ALL");
    if (locale.empty()) locale = variable("LC_CTYPE");
    if (locale.empty()) locale = variable("LANG");
    locale = core::to_lower_ascii(locale);
    const bool utf8 = locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
    return {variable("NO_COLOR").empty(), utf8};
}

std::size_t visible_width(std::string_view text) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < text.size();) {
        if (const auto behind = behind_escape(text, i); behind != i) {
            i = behind;
            continue;
        }
        if (begins_code_point(text[i])) ++width;
        ++i;
    }
    return width;
}

std::string cut_to(std::string_view text, std::size_t columns) {
    if (visible_width(text) <= columns) return std::string(text);
    std::string result;
    std::size_t width = 0;
    for (std::size_t i = 0; i < text.size();) {
        if (const auto behind = behind_escape(text, i); behind != i) {  // colours are ended behind the cut too
            result += text.substr(i, behind - i);
            i = behind;
            continue;
        }
        if (begins_code_point(text[i])) ++width;
        if (width <= columns) result += text[i];
        ++i;
    }
    return result;
}

std::string bar_line(const BarText& text, std::size_t columns, const BarStyle& style) {
    const auto percent = fmt::format("{:5.1f} %", std::clamp(text.percent, 0.0, 100.0));
    std::vector<std::string> parts;
    for (const auto& part : {text.where, text.pace, text.counts}) {
        if (!part.empty()) parts.push_back(part);
    }
    const auto frame = style.unicode ? 0U : 2U;
    for (;; parts.pop_back()) {
        std::string rest = "  " + percent;
        for (const auto& part : parts) rest += "  " + part;
        const auto needed = visible_width(text.name) + 2 + frame + visible_width(rest);
        if (needed + narrowest_bar <= columns) {
            const auto width = std::min(widest_bar, columns - needed);
            return text.name + "  " + bar_of(text.percent, width, style) + rest;
        }
        if (parts.empty()) return cut_to(text.name + rest, columns);
    }
}

bool ProgressScreen::on_terminal() {
    return ::isatty(STDERR_FILENO) != 0 && variable("TERM") != "dumb";
}

std::size_t ProgressScreen::columns_now() {
    winsize size{};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

void ProgressScreen::clear(std::size_t columns) {
    if (!terminal_ || shown_.empty()) return;
    // A terminal that has become narrower has wrapped what was one line.
    std::size_t rows = 0;
    for (const auto& line : shown_) rows += std::max<std::size_t>(1, (visible_width(line) + columns - 1) / columns);
    if (rows > 1) err_ << "\x1b[" << rows - 1 << 'A';
    err_ << "\r\x1b[J" << std::flush;
    shown_.clear();
}

void ProgressScreen::show(std::vector<std::string> lines, std::size_t columns) {
    if (!terminal_) return;
    clear(columns);
    for (auto& line : lines) line = cut_to(line, columns > 1 ? columns - 1 : 1);  // the last column may wrap
    for (std::size_t i = 0; i < lines.size(); ++i) err_ << (i == 0 ? "" : "\n") << lines[i];
    err_ << std::flush;
    shown_ = std::move(lines);
}

}  // namespace understudy::app
