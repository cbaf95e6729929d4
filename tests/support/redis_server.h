// tests/support/redis_server.h: a real redis-server of a test's own, on free loopback ports, gone with the object.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "support/temp_folder.h"

namespace understudy::testing {

/// PEM files made by openssl: an authority, a server for `localhost` and 127.0.0.1, and a client.
struct TestCertificates {
    std::filesystem::path ca, server_cert, server_key, client_cert, client_key;
};
[[nodiscard]] TestCertificates make_certificates(const std::filesystem::path& folder);

struct RedisOptions {
    std::vector<std::string> arguments;  ///< as on the command line: "--maxclients", "5"
    bool tls = false;                    ///< a TLS port beside the plain one
    bool ask_client_certificate = false;
};

/// Saves nothing, so that a restart is empty. Throws std::runtime_error where it cannot start. One thread.
class RedisServer {
public:
    explicit RedisServer(RedisOptions options = {});
    ~RedisServer();
    RedisServer(const RedisServer&) = delete;
    RedisServer& operator=(const RedisServer&) = delete;

    [[nodiscard]] int port() const noexcept { return port_; }
    [[nodiscard]] int tls_port() const noexcept { return tls_port_; }
    [[nodiscard]] std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
    [[nodiscard]] const TestCertificates& certificates() const noexcept { return certificates_; }
    [[nodiscard]] pid_t pid() const noexcept { return pid_; }

    /// SIGKILL, and waits until it is gone.
    void kill();
    /// On the same ports, without data. Kills first where it runs.
    void restart_empty();
    void freeze();  ///< SIGSTOP, and waits until it stands
    void thaw();    ///< SIGCONT

    /// Runs a command on a connection of its own as the `default` user, with `password` if one was set by set_password.
    /// Lines of the answer joined by '\n'; an error reply comes back as its text, nil as "(nil)".
    std::string command(const std::vector<std::string>& words) const;
    void set_password(std::string password) { password_ = std::move(password); }

private:
    struct Output;
    void start();
    void start_on_ports();

    RedisOptions options_;
    TempFolder folder_;
    TestCertificates certificates_;
    std::unique_ptr<Output> output_;
    std::string password_;
    pid_t pid_ = -1;
    int port_ = 0;
    int tls_port_ = 0;
};

/// A loopback port that was free a moment ago.
[[nodiscard]] int free_port();

}  // namespace understudy::testing
