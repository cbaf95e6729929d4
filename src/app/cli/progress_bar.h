// app/cli/progress_bar.h: progress of one or several runs on a terminal: lines that change in place and never wrap.
// Used by `tasks run --wait`.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::app {

struct BarStyle {
    bool colour = false, unicode = false;
    /// NO_COLOR and the locale, from the environment.
    [[nodiscard]] static BarStyle of_environment();
};

struct BarText {
    std::string name;
    double percent = 0;               ///< 0 .. 100
    std::string where, pace, counts;  ///< the last go first where there is no room
};

/// At most `columns` wide, escapes not counted. Too narrow for a bar: words alone.
[[nodiscard]] std::string bar_line(const BarText& text, std::size_t columns, const BarStyle& style);
/// Cut to `columns` code points; escapes of bar_line count nothing.
[[nodiscard]] std::string cut_to(std::string_view text, std::size_t columns);
[[nodiscard]] std::size_t visible_width(std::string_view text);

/// The lines at the cursor. Does nothing where `err` is no terminal.
class ProgressScreen {
public:
    ProgressScreen(std::ostream& err, bool terminal) : err_(err), terminal_(terminal) {}

    /// Is standard error a terminal that can move its cursor (TERM is not `dumb`)?
    [[nodiscard]] static bool on_terminal();
    /// Of the terminal now: it may have been resized since the last look. 80 where it does not say.
    [[nodiscard]] static std::size_t columns_now();

    [[nodiscard]] bool terminal() const noexcept { return terminal_; }
    void show(std::vector<std::string> lines, std::size_t columns);
    void clear(std::size_t columns);

private:
    std::ostream& err_;
    bool terminal_;
    std::vector<std::string> shown_;
};

}  // namespace understudy::app
