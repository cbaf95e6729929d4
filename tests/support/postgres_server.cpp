#include "support/postgres_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace understudy::testing {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;
using namespace std::chrono_literals;

// Debian keeps the server's programs out of PATH.
fs::path binary(const std::string& name) {
    if (const char* folder = std::getenv("UNDERSTUDY_POSTGRES_BIN")) return fs::path(folder) / name;
    for (const int version : {17, 16, 15, 14}) {
        const auto path = fs::path("/usr/lib/postgresql") / std::to_string(version) / "bin" / name;
        if (fs::exists(path)) return path;
    }
    throw std::runtime_error("no PostgreSQL server programs: install `postgresql` or set UNDERSTUDY_POSTGRES_BIN");
}

int free_port() {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const bool bound = ::bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                       ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    ::close(fd);
    if (!bound) throw std::runtime_error("no free loopback port");
    return ntohs(address.sin_port);
}

std::string file_end(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    const auto all = text.str();
    return all.size() > 1000 ? all.substr(all.size() - 1000) : all;
}

// The server refuses to run as root; then it runs as `postgres`.
const passwd* server_user() {
    return ::geteuid() == 0 ? ::getpwnam("postgres") : nullptr;
}

pid_t spawn(const std::vector<std::string>& command, const std::string& log) {
    std::vector<char*> argv;
    for (const auto& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const passwd* user = server_user();
    const uid_t uid = user != nullptr ? user->pw_uid : 0;
    const gid_t gid = user != nullptr ? user->pw_gid : 0;
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child != 0) return child;
    // Only calls that are safe after fork() in a program with threads.
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    ::dup2(out, 1);
    ::dup2(out, 2);
    const int in = ::open("/dev/null", O_RDONLY);
    ::dup2(in, 0);
    for (int fd = 3; fd < 256; ++fd) ::close(fd);
    if (uid != 0 && (::setgroups(0, nullptr) != 0 || ::setgid(gid) != 0 || ::setuid(uid) != 0)) ::_exit(126);
    ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
    if (::getppid() != parent) ::_exit(126);
    ::setsid();  // Ctrl-C in the terminal is for the test program, which then ends the server
    ::execv(argv[0], argv.data());
    ::_exit(127);
}

}  // namespace

PostgresServer::PostgresServer(const std::vector<std::string>& settings) : settings_(settings) {
    auto name = (fs::temp_directory_path() / "understudy-pg-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder " + name);
    folder_ = name;
    if (const auto* user = server_user();
        user != nullptr && ::chown(folder_.c_str(), user->pw_uid, user->pw_gid) != 0) {
        throw std::runtime_error("cannot give " + folder_ + " to " + user->pw_name);
    }
    try {
        const pid_t init = spawn({binary("initdb").string(), "-D", folder_ + "/data", "-U", "postgres", "-A", "trust",
                                  "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions"},
                                 folder_ + "/initdb.log");
        int status = 0;
        ::waitpid(init, &status, 0);
        if (status != 0) {
            throw std::runtime_error("initdb failed: " + file_end(folder_ + "/initdb.log"));
        }
        for (int attempt = 0;; ++attempt) {
            port_ = free_port();  // somebody may take it before the server does
            try {
                start();
                break;
            } catch (const std::exception&) {
                if (attempt == 3) throw;
            }
        }
    } catch (...) {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
        throw;
    }
}

PostgresServer::~PostgresServer() {
    thaw();
    end(SIGQUIT);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

PostgresServer& PostgresServer::shared() {
    static PostgresServer server;
    return server;
}

std::string PostgresServer::conninfo(const std::string& database) const {
    return "host=127.0.0.1 port=" + std::to_string(port_) + " user=postgres dbname=" + database;
}

std::string PostgresServer::make_database() {
    const auto name = "t" + std::to_string(++databases_);
    sql("CREATE DATABASE " + name);
    return conninfo(name);
}

std::string PostgresServer::sql(const std::string& text, const std::string& database) {
    const std::unique_ptr<PGconn, decltype(&PQfinish)> connection{PQconnectdb(conninfo(database).c_str()), &PQfinish};
    if (PQstatus(connection.get()) != CONNECTION_OK) throw std::runtime_error(PQerrorMessage(connection.get()));
    const std::unique_ptr<PGresult, decltype(&PQclear)> result{PQexec(connection.get(), text.c_str()), &PQclear};
    const auto status = PQresultStatus(result.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        throw std::runtime_error(PQerrorMessage(connection.get()));
    return PQntuples(result.get()) > 0 ? PQgetvalue(result.get(), 0, 0) : "";
}

void PostgresServer::start() {
    std::vector<std::string> command{binary("postgres").string(), "-D", folder_ + "/data"};
    const std::vector<std::string> own{"listen_addresses=127.0.0.1", "port=" + std::to_string(port_),
                                       "unix_socket_directories=",   "fsync=off",
                                       "full_page_writes=off",       "shared_buffers=64MB",
                                       "max_connections=100",        "log_min_messages=warning"};
    for (const auto* list : std::initializer_list<const std::vector<std::string>*>{&own, &settings_}) {
        for (const auto& setting : *list) {
            command.emplace_back("-c");
            command.push_back(setting);
        }
    }
    server_ = spawn(command, folder_ + "/server.log");
    await_ready();
}

void PostgresServer::await_ready() {
    const auto deadline = steady_clock::now() + 30s;
    while (PQping((conninfo() + " connect_timeout=2").c_str()) != PQPING_OK) {
        int status = 0;
        if (::waitpid(server_, &status, WNOHANG) == server_) {
            server_ = -1;
            throw std::runtime_error("PostgreSQL ended at its start: " + log_end());
        }
        if (steady_clock::now() > deadline) {
            end(SIGQUIT);
            throw std::runtime_error("PostgreSQL did not get ready: " + log_end());
        }
        std::this_thread::sleep_for(10ms);  // another process: there is nothing to wait on
    }
}

void PostgresServer::end(int signal) {
    if (server_ <= 0) return;
    ::kill(server_, signal);
    const auto deadline = steady_clock::now() + 10s;
    int status = 0;
    while (::waitpid(server_, &status, WNOHANG) == 0) {
        if (steady_clock::now() > deadline) ::kill(server_, SIGKILL);
        std::this_thread::sleep_for(2ms);
    }
    server_ = -1;
}

void PostgresServer::stop() {
    end(SIGINT);
}

void PostgresServer::kill() {
    const auto all = processes();
    end(SIGKILL);
    for (const auto pid : all) {
        // Its sessions notice by themselves, but only when they next look; the new server waits for them.
        if (pid != server_) ::kill(pid, SIGKILL);
    }
}

std::vector<pid_t> PostgresServer::processes() const {
    if (server_ <= 0) return {};
    std::vector<pid_t> all{server_};
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
        std::ifstream stat(entry.path() / "stat");
        std::string line;
        if (!std::getline(stat, line)) continue;
        const auto after_name = line.rfind(')');
        if (after_name == std::string::npos) continue;
        char state = 0;
        int parent = 0;
        if (std::sscanf(line.c_str() + after_name + 1, " %c %d", &state, &parent) == 2 && parent == server_) {
            all.push_back(std::atoi(entry.path().filename().c_str()));
        }
    }
    return all;
}

void PostgresServer::freeze() {
    if (server_ <= 0) return;
    ::kill(server_, SIGSTOP);  // first: then no new session appears behind our back
    for (const auto pid : processes()) ::kill(pid, SIGSTOP);
}

void PostgresServer::thaw() {
    for (const auto pid : processes()) ::kill(pid, SIGCONT);
}

std::string PostgresServer::log_end() const {
    return file_end(folder_ + "/server.log");
}

}  // namespace understudy::testing
