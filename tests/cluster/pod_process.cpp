#include "cluster/pod_process.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "cluster/eventually.h"

namespace understudy::testing {
namespace {

using namespace std::chrono_literals;

std::string read_all(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

std::string environment_name(std::string key) {
    std::string name;
    for (const char c : key) name += c == ':' ? std::string("__") : std::string(1, c);
    return name;
}

/// Of a forked child: what it mounts from now on is seen by nobody else.
bool leave_mounts() {
    return ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

char state_of(pid_t pid) {
    const auto text = read_all("/proc/" + std::to_string(pid) + "/stat");
    const auto end = text.rfind(')');
    return end == std::string::npos || end + 2 >= text.size() ? '?' : text[end + 2];
}

/// The address in the last `ready` or `listening` line of a JSON log.
std::string address_in(const std::string& log, std::size_t from) {
    std::string address;
    std::istringstream lines(log.substr(std::min(from, log.size())));
    for (std::string line; std::getline(lines, line);) {
        boost::system::error_code error;
        const auto entry = boost::json::parse(line, error);
        if (error || !entry.is_object()) continue;
        if (const auto* listen = entry.get_object().if_contains("listen"); listen != nullptr && listen->is_string()) {
            address = std::string(listen->get_string());
        }
    }
    return address;
}

}  // namespace

PodProcess::PodProcess(Options options) : options_(std::move(options)) {
    std::filesystem::create_directories(options_.folder);
}

PodProcess::~PodProcess() {
    kill();
}

void PodProcess::start() {
    if (pid_ > 0) throw std::logic_error(name() + " runs already");
    std::vector<std::string> words{UNDERSTUDY_BINARY,        "serve",    "--data-dir",
                                   options_.folder.string(), "--listen", "127.0.0.1:0"};
    words.insert(words.end(), options_.arguments.begin(), options_.arguments.end());
    std::vector<std::string> variables{"PATH=/usr/bin:/bin", "HOME=" + options_.folder.string(), "TZ=UTC"};
    auto settings = options_.settings;
    settings.emplace("Jellyfin:ScanLeader:PodName", name());
    settings.emplace("Jellyfin:Api:BootstrapKey", options_.key);
    settings.emplace("Jellyfin:Log:Format", "json");
    for (const auto& [key, value] : settings) variables.push_back(environment_name(key) + "=" + value);

    std::vector<char*> argv, envp;
    for (auto& word : words) argv.push_back(word.data());
    for (auto& variable : variables) envp.push_back(variable.data());
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    const auto log_file = options_.folder / "process.log";
    const auto log_from = log().size();
    const int out = ::open(log_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test or benchmark that is killed leaves no pod behind
        if (::getppid() != parent) ::_exit(127);
        ::setpgid(0, 0);
        if (options_.own_mounts && !leave_mounts()) ::_exit(126);
        ::dup2(out, STDOUT_FILENO);
        ::dup2(out, STDERR_FILENO);
        ::execve(argv[0], argv.data(), envp.data());
        ::_exit(127);
    }
    ::close(out);
    if (pid_ < 0) throw std::runtime_error("fork failed");
    url_.clear();
    const bool listens = eventually(60s, [&] {
        const auto address = address_in(log(), log_from);
        if (!address.empty()) url_ = "http://" + address;
        return !url_.empty() || !running();
    });
    if (!listens || url_.empty()) {
        const auto text = log();
        throw std::runtime_error(name() + " did not come up; its log ends with:\n" +
                                 text.substr(text.size() > 2000 ? text.size() - 2000 : 0));
    }
}

bool PodProcess::running() const {
    return pid_ > 0 && state_of(pid_) != 'Z' && ::kill(pid_, 0) == 0;
}

void PodProcess::kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
}

std::vector<pid_t> PodProcess::children() const {
    std::vector<pid_t> found;
    if (pid_ <= 0) return found;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(pid_) + "/task")) {
        std::istringstream pids(read_all(thread.path() / "children"));
        for (pid_t child = 0; pids >> child;) found.push_back(child);
    }
    return found;
}

void PodProcess::freeze() {
    for (const auto child : children()) ::kill(child, SIGSTOP);
    ::kill(pid_, SIGSTOP);
    if (!eventually(5s, [&] { return state_of(pid_) == 'T'; })) throw std::runtime_error(name() + " does not stop");
}

void PodProcess::thaw() {
    ::kill(pid_, SIGCONT);
    for (const auto child : children()) ::kill(child, SIGCONT);
}

bool PodProcess::can_hide() {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(leave_mounts() ? 0 : 1);
    int status = 1;
    return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void PodProcess::hide(const std::filesystem::path& folder) const {
    mount_there(folder, true);
}
void PodProcess::show(const std::filesystem::path& folder) const {
    mount_there(folder, false);
}

void PodProcess::mount_there(const std::filesystem::path& folder, bool hidden) const {
    const auto empty = options_.folder / "empty";
    std::filesystem::create_directories(empty);
    const int mounts = ::open(("/proc/" + std::to_string(pid_) + "/ns/mnt").c_str(), O_RDONLY | O_CLOEXEC);
    const pid_t child = ::fork();
    if (child == 0) {
        const bool inside = ::setns(mounts, CLONE_NEWNS) == 0;
        const int done = hidden ? ::mount(empty.c_str(), folder.c_str(), nullptr, MS_BIND, nullptr)
                                : ::umount2(folder.c_str(), MNT_DETACH);
        ::_exit(inside && done == 0 ? 0 : 1);
    }
    ::close(mounts);
    int status = 1;
    if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw std::runtime_error(name() + ": its mounts could not be changed");
}

void PodProcess::terminate() const {
    ::kill(pid_, SIGTERM);
}

int PodProcess::await_exit(core::Millis at_most) {
    int status = 0;
    const bool ended = eventually(at_most, [&] { return ::waitpid(pid_, &status, WNOHANG) == pid_; });
    if (!ended) throw std::runtime_error(name() + " did not end in time");
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string PodProcess::log() const {
    return read_all(options_.folder / "process.log");
}

app::Reply PodProcess::request(const std::string& method, const std::string& target, const std::string& body,
                               std::chrono::seconds at_most) const {
    const app::Client client(url_, options_.key);
    auto reply = client.request(method, target, body, at_most);
    return reply ? std::move(*reply) : app::Reply{};
}

boost::json::value PodProcess::get(const std::string& target) const {
    const auto reply = request("GET", target);
    return reply.ok() ? reply.json() : boost::json::value(nullptr);
}

}  // namespace understudy::testing
