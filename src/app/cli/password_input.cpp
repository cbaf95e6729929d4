#include "app/cli/password_input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

#include "app/cli/command.h"
#include "core/text.h"
#include "http/auth/passwords.h"
#include "media/unique_fd.h"

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

CommandFailure useless(const std::string& file, const std::string& why) {
    return {Exit::usage, "--password-file: " + printable(file) + " " + why + "; nothing was changed"};
}

/// A file or a pipe, and no more of it than a password can be long: /dev/zero has no end. An empty line is a slip: who
/// wants no password says so at the terminal.
std::string line_of_file(const std::string& file) {
    const int descriptor = file == "-" ? ::dup(STDIN_FILENO) : ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw useless(file, std::string("cannot be read (") + std::strerror(errno) + ")");
    const media::UniqueFd opened(descriptor);
    struct stat about {};
    if (::fstat(descriptor, &about) == 0 && S_ISDIR(about.st_mode)) throw useless(file, "is a folder");
    std::string line;
    constexpr std::size_t room = http::longest_password + 5;  // with a byte order mark and the line's end
    while (line.size() < room) {
        char c = 0;
        const auto got = ::read(descriptor, &c, 1);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw useless(file, std::string("cannot be read (") + std::strerror(errno) + ")");
        if (got == 0 || c == '\n') break;
        line += c;
    }
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) throw useless(file, "has an empty first line, which is no password");
    if (line.size() > http::longest_password)
        throw useless(file, "has a first line of more than " + std::to_string(http::longest_password) + " bytes");
    for (std::size_t at = 0, length = 0; at < line.size(); at += length) {
        length = core::utf8_length(line, at);
        if (length == 0 || line[at] == 0) throw useless(file, "has a first line that is no UTF-8 text");
    }
    return line;
}

}  // namespace

std::optional<std::string> read_password(const std::string& file, const std::string& whose, std::ostream& err) {
    if (!file.empty()) return line_of_file(file);
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
