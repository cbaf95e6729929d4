#include "cluster/cli_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "cluster/eventually.h"

namespace understudy::testing {

std::string read_file(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

std::vector<std::string> lines_of(const std::filesystem::path& file) {
    std::vector<std::string> lines;
    std::istringstream text(read_file(file));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

bool alive(pid_t pid) {
    const auto stat = read_file("/proc/" + std::to_string(pid) + "/stat");
    const auto end = stat.rfind(')');
    return end != std::string::npos && end + 2 < stat.size() && stat[end + 2] != 'Z';
}

CliProcess::CliProcess(Options options) {
    static int number = 0;
    log_ = options.folder / ("cli-" + std::to_string(++number) + ".log");
    std::vector<std::string> words{UNDERSTUDY_BINARY};
    words.insert(words.end(), options.words.begin(), options.words.end());
    std::vector<std::string> variables{"PATH=/usr/bin:/bin", "HOME=" + options.folder.string(), "TZ=UTC"};
    for (const auto& [key, value] : options.settings) {
        std::string name;
        for (const char c : key) name += c == ':' ? std::string("__") : std::string(1, c);
        variables.push_back(name + "=" + value);
    }
    std::vector<char*> argv, envp;
    for (auto& word : words) argv.push_back(word.data());
    for (auto& variable : variables) envp.push_back(variable.data());
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    const int out = ::open(log_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(120);
        ::setpgid(0, 0);
        // A shell's background jobs are born with it ignored, and an ignored signal stays so.
        ::signal(SIGINT, SIG_DFL);
        if (::chdir(options.folder.c_str()) != 0) ::_exit(121);
        ::dup2(out, STDOUT_FILENO);
        ::dup2(out, STDERR_FILENO);
        ::execve(argv[0], argv.data(), envp.data());
        ::_exit(122);
    }
    ::close(out);
    if (pid_ < 0) throw std::runtime_error("fork failed");
}

CliProcess::~CliProcess() {
    kill();
}

void CliProcess::signal(int number) const {
    if (!code_) ::kill(pid_, number);
}

void CliProcess::reap() {
    int status = 0;
    if (code_ || ::waitpid(pid_, &status, WNOHANG) != pid_) return;
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool CliProcess::ended() {
    reap();
    return code_.has_value();
}

void CliProcess::kill() {
    if (code_) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    code_ = 128 + SIGKILL;
}

std::optional<int> CliProcess::await_exit(core::Millis at_most) {
    (void)eventually(at_most, [&] { return ended(); });
    return code_;
}

std::string CliProcess::said() const {
    return read_file(log_);
}

}  // namespace understudy::testing
