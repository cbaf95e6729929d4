#include "support/redis_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace understudy::testing {

namespace fs = std::filesystem;

int free_port() {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const bool good = fd >= 0 && ::bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    if (fd >= 0) ::close(fd);
    if (!good) throw std::runtime_error("no free loopback port");
    return ntohs(address.sin_port);
}

TestCertificates make_certificates(const fs::path& folder) {
    const auto file = [&](const char* name) { return folder / name; };
    const auto run = [&](const std::string& arguments) {
        const std::string line = "cd '" + folder.string() + "' && openssl " + arguments + " >openssl.log 2>&1";
        if (std::system(line.c_str()) != 0) throw std::runtime_error("openssl " + arguments);  // NOLINT(cert-env33-c)
    };
    const std::string key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes ";
    run("req -x509 " + key + "-keyout ca.key -out ca.crt -days 2 -subj '/CN=test authority'");
    const auto issue = [&](const std::string& name, const std::string& extra) {
        run("req " + key + "-keyout " + name + ".key -out " + name + ".csr -subj '/CN=" + name + "'" + extra);
        run("x509 -req -in " + name + ".csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out " + name +
            ".crt -copy_extensions copy");
    };
    issue("server", " -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1'");
    issue("client", "");
    return {file("ca.crt"), file("server.crt"), file("server.key"), file("client.crt"), file("client.key")};
}

/// Reads what the server prints, so that its pipe never fills, and tells when it is ready.
struct RedisServer::Output {
    explicit Output(int fd) : reader([this, fd] { read_all(fd); }) {}
    ~Output() {
        if (reader.joinable()) reader.join();  // ends with the server
    }

    void read_all(int fd) {
        std::array<char, 4096> chunk{};
        for (;;) {
            const auto length = ::read(fd, chunk.data(), chunk.size());
            if (length < 0 && errno == EINTR) continue;
            const std::lock_guard lock(mutex);
            if (length <= 0) {
                ended = true;
            } else {
                text.append(chunk.data(), static_cast<std::size_t>(length));
                ready = ready || text.find("Ready to accept connections") != std::string::npos;
            }
            changed.notify_all();
            if (ended) break;
        }
        ::close(fd);
    }

    bool await_ready() {
        std::unique_lock lock(mutex);
        changed.wait_for(lock, std::chrono::seconds{20}, [this] { return ready || ended; });
        return ready;
    }

    std::mutex mutex;
    std::condition_variable changed;
    std::string text;
    bool ready = false;
    bool ended = false;
    std::thread reader;
};

RedisServer::RedisServer(RedisOptions options) : options_(std::move(options)), folder_("understudy-redis") {
    if (options_.tls) certificates_ = make_certificates(folder_.path());
    start();
}

RedisServer::~RedisServer() {
    kill();
}

void RedisServer::start() {
    // Between free_port and the server's bind another process may take the port.
    for (int tries = 0; tries < 5; ++tries) {
        port_ = free_port();
        tls_port_ = options_.tls ? free_port() : 0;
        try {
            return start_on_ports();
        } catch (const std::runtime_error& error) {
            if (tries == 4 || std::string_view(error.what()).find("in use") == std::string_view::npos) throw;
        }
    }
}

void RedisServer::start_on_ports() {
    std::vector<std::string> words = {
        "redis-server", "--port", std::to_string(port_),   "--bind",      "127.0.0.1", "--save", "", "--appendonly",
        "no",           "--dir",  folder_.path().string(), "--daemonize", "no"};
    const auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
    if (options_.tls) {
        add({"--tls-port", std::to_string(tls_port_), "--tls-cert-file", certificates_.server_cert.string(),
             "--tls-key-file", certificates_.server_key.string(), "--tls-ca-cert-file", certificates_.ca.string(),
             "--tls-auth-clients", options_.ask_client_certificate ? "yes" : "no"});
    }
    words.insert(words.end(), options_.arguments.begin(), options_.arguments.end());
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);

    std::array<int, 2> pipe_ends{};
    if (::pipe2(pipe_ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that crashes leaves no server behind
        if (::getppid() != parent) ::_exit(127);
        ::dup2(pipe_ends[1], STDOUT_FILENO);
        ::dup2(pipe_ends[1], STDERR_FILENO);
        ::execvp(argv[0], argv.data());
        ::_exit(127);
    }
    ::close(pipe_ends[1]);
    if (pid_ < 0) {
        ::close(pipe_ends[0]);
        throw std::runtime_error("fork");
    }
    output_ = std::make_unique<Output>(pipe_ends[0]);
    if (!output_->await_ready()) {
        kill();
        const auto text = output_->text;
        throw std::runtime_error("redis-server did not start: " + text);
    }
}

void RedisServer::kill() {
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
        pid_ = -1;
    }
    if (output_ && output_->reader.joinable()) output_->reader.join();
}

void RedisServer::restart_empty() {
    kill();
    start_on_ports();
}

void RedisServer::freeze() {
    ::kill(pid_, SIGSTOP);
    ::waitpid(pid_, nullptr, WUNTRACED);
}

void RedisServer::thaw() {
    ::kill(pid_, SIGCONT);
    ::waitpid(pid_, nullptr, WCONTINUED);
}

namespace {

std::string text_of(const redisReply* reply) {
    switch (reply->type) {
        case REDIS_REPLY_INTEGER:
            return std::to_string(reply->integer);
        case REDIS_REPLY_NIL:
            return "(nil)";
        case REDIS_REPLY_ARRAY: {
            std::string all;
            for (std::size_t i = 0; i < reply->elements; ++i) all += (i == 0 ? "" : "\n") + text_of(reply->element[i]);
            return all;
        }
        default:
            return {reply->str, static_cast<std::size_t>(reply->len)};
    }
}

struct FreeReply {
    void operator()(redisReply* reply) const noexcept { freeReplyObject(reply); }
};

std::string ask(redisContext* context, const std::vector<std::string>& words) {
    std::vector<const char*> texts;
    std::vector<std::size_t> lengths;
    for (const auto& word : words) {
        texts.push_back(word.data());
        lengths.push_back(word.size());
    }
    const std::unique_ptr<redisReply, FreeReply> reply(static_cast<redisReply*>(
        redisCommandArgv(context, static_cast<int>(words.size()), texts.data(), lengths.data())));
    if (!reply) throw std::runtime_error("redis: " + words.front() + ": " + context->errstr);
    return text_of(reply.get());
}

}  // namespace

std::string RedisServer::command(const std::vector<std::string>& words) const {
    struct FreeContext {
        void operator()(redisContext* context) const noexcept { redisFree(context); }
    };
    const std::unique_ptr<redisContext, FreeContext> context(
        redisConnectWithTimeout("127.0.0.1", port_, timeval{10, 0}));
    if (!context || context->err != 0) throw std::runtime_error("redis: cannot connect to the test's own server");
    redisSetTimeout(context.get(), timeval{10, 0});
    if (!password_.empty()) ask(context.get(), {"AUTH", password_});
    return ask(context.get(), words);
}

}  // namespace understudy::testing
