// tests/support/postgres_server.h: a real PostgreSQL on a free loopback port, in a folder of its own. Used by contract
// and cluster tests; several tests of one program share it and take a database each.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace understudy::testing {

/// Started in the constructor, gone with the object; should the test program be killed, the kernel ends the server too.
/// Throws std::runtime_error with the end of the server's log.
class PostgresServer {
public:
    explicit PostgresServer(const std::vector<std::string>& settings = {});  ///< `name=value` each
    PostgresServer(const PostgresServer&) = delete;
    PostgresServer& operator=(const PostgresServer&) = delete;
    ~PostgresServer();

    [[nodiscard]] int port() const noexcept { return port_; }
    /// libpq keywords for the superuser.
    [[nodiscard]] std::string conninfo(const std::string& database = "postgres") const;
    /// A new empty database; returns its conninfo.
    [[nodiscard]] std::string make_database();
    /// Runs SQL as the superuser; returns the first column of the first row.
    std::string sql(const std::string& text, const std::string& database = "postgres");

    void stop();   ///< as `pg_ctl stop -m fast`: sessions are thrown out
    void kill();   ///< SIGKILL: as if the power failed
    void start();  ///< same port, same data
    void restart() {
        stop();
        start();
    }
    /// SIGSTOP / SIGCONT to the server and all its sessions.
    void freeze();
    void thaw();

    /// One for the whole program, made on first use and ended with it.
    static PostgresServer& shared();

private:
    [[nodiscard]] std::vector<pid_t> processes() const;
    [[nodiscard]] std::string log_end() const;
    void await_ready();
    void end(int signal);

    std::string folder_;
    std::vector<std::string> settings_;
    int port_ = 0;
    pid_t server_ = -1;
    int databases_ = 0;
};

}  // namespace understudy::testing
