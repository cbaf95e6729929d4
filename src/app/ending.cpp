#include "app/ending.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace understudy::app {

RequestedEnding::RequestedEnding() {
    std::error_code error;
    program_ = std::filesystem::read_symlink("/proc/self/exe", error).string();
    std::ifstream in("/proc/self/cmdline", std::ios::binary);
    const std::string line(std::istreambuf_iterator<char>(in), {});
    for (std::size_t at = 0; at < line.size();) {
        const auto end = line.find('\0', at);
        arguments_.push_back(line.substr(at, end - at));
        if (end == std::string::npos) break;
        at = end + 1;
    }
}

void RequestedEnding::begin(bool restart) noexcept {
    if (!restart) stop_ = true;
    if (begun_.exchange(true)) return;
    ::kill(::getpid(), SIGTERM);
}

void RequestedEnding::begin_anew(core::Log& log) const {
    std::vector<char*> arguments;
    // execv takes them as not const, and changes nothing.
    for (const auto& argument : arguments_) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    log.info("beginning anew", {{"program", program_}});
    // Log files are opened by a library that does not say so.
    constexpr unsigned first = 3;
    (void)::close_range(first, ~0U, CLOSE_RANGE_CLOEXEC);
    ::execv(program_.c_str(), arguments.data());
    log.error("this server could not begin anew; whatever watches over it has to",
              {{"program", program_}, {"cause", std::generic_category().message(errno)}});
}

}  // namespace understudy::app
