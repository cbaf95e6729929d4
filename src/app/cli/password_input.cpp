#include "app/cli/password_input.h"

#include <termios.h>
#include <unistd.h>

#include <fstream>
#include <iostream>

#include "app/cli/command.h"

namespace understudy::app {
namespace {

/// The terminal shows nothing of what is typed, until the end of its life.
class Unseen {
public:
    Unseen() {
        if (::tcgetattr(STDIN_FILENO, &before_) != 0) return;
        auto unseen = before_;
        unseen.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        changed_ = ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &unseen) == 0;
    }
    Unseen(const Unseen&) = delete;
    Unseen& operator=(const Unseen&) = delete;
    ~Unseen() {
        if (changed_) ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
    }
    [[nodiscard]] bool works() const noexcept { return changed_; }

private:
    termios before_{};
    bool changed_ = false;
};

std::string first_line(std::istream& in) {
    std::string line;
    std::getline(in, line);
    if (line.ends_with('\r')) line.pop_back();
    return line;
}

}  // namespace

std::optional<std::string> read_password(const std::string& file, const std::string& whose, std::ostream& err) {
    if (file == "-") return first_line(std::cin);
    if (!file.empty()) {
        std::ifstream in(file);
        if (!in) throw CommandFailure{Exit::usage, "--password-file: " + printable(file) + " cannot be read"};
        return first_line(in);
    }
    if (::isatty(STDIN_FILENO) == 0) return std::nullopt;
    const Unseen unseen;
    if (!unseen.works()) return std::nullopt;
    const auto ask = [&](const std::string& words) {
        err << words << std::flush;
        auto line = first_line(std::cin);
        err << '\n';
        return line;
    };
    auto typed = ask("Password for " + printable(whose) + " (empty: none): ");
    if (!typed.empty() && ask("Once more: ") != typed)
        throw CommandFailure{Exit::usage, "the two passwords differ; nothing was changed"};
    return typed;
}

}  // namespace understudy::app
