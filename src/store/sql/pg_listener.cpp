// store/sql/pg_listener.cpp: listen_postgresql: LISTEN on a connection of its own.
#include <sys/eventfd.h>
#include <unistd.h>

#include <poll.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <string>

#include "store/sql/pg_connection.h"
#include "store/sql/session.h"

namespace understudy::store::sql {
namespace {

using std::chrono::steady_clock;

class PgListener final : public Listener {
public:
    PgListener(const std::string& conninfo, const std::string& channel)
        : settings_(conninfo), channel_(channel), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (wake_ < 0) throw std::runtime_error("no descriptor for listening on PostgreSQL");
    }
    PgListener(const PgListener&) = delete;
    PgListener& operator=(const PgListener&) = delete;
    ~PgListener() override { ::close(wake_); }

    [[nodiscard]] Heard wait(core::Millis at_most) override {
        const auto deadline = steady_clock::now() + at_most;
        if (!connection_) return reconnect(deadline);
        switch (connection_->wait_notice(deadline, wake_)) {
            case PgConnection::Waited::notice:
                return Heard::notice;
            case PgConnection::Waited::timeout:
                return Heard::timeout;
            case PgConnection::Waited::interrupted:
                return interrupted();
            case PgConnection::Waited::lost:
                break;
        }
        connection_.reset();
        return reconnect(deadline);
    }

    void interrupt() noexcept override {
        const std::uint64_t one = 1;
        (void)!::write(wake_, &one, sizeof one);
    }

private:
    Heard interrupted() {
        std::uint64_t count = 0;
        (void)!::read(wake_, &count, sizeof count);
        return Heard::interrupted;
    }

    // One try a call; what is left of the time is waited out, so that a server that refuses at once is not asked in a
    // loop.
    Heard reconnect(Deadline deadline) {
        auto connection = PgConnection::open(settings_, deadline, wake_);
        if (connection) {
            std::string name;  // quoted: channel names come from configuration
            for (const char c : channel_) name += c == '"' ? std::string("\"\"") : std::string(1, c);
            const auto sql = "LISTEN \"" + name + "\"";
            if ((*connection)->simple(sql.c_str(), std::max(deadline, steady_clock::now() + std::chrono::seconds{1}))) {
                connection_ = std::move(*connection);
                return Heard::reconnected;
            }
        } else if (connection.error().code == core::Errc::cancelled) {
            return interrupted();
        }
        pollfd fd{wake_, POLLIN, 0};
        const auto left = std::chrono::ceil<core::Millis>(deadline - steady_clock::now()).count();
        if (::poll(&fd, 1, static_cast<int>(std::clamp<long long>(left, 0, 3'600'000))) > 0) return interrupted();
        return Heard::no_connection;
    }

    const PgSettings settings_;
    const std::string channel_;
    const int wake_;
    std::unique_ptr<PgConnection> connection_;
};

}  // namespace

std::unique_ptr<Listener> listen_postgresql(const std::string& conninfo, const std::string& channel) {
    return std::make_unique<PgListener>(conninfo, channel);
}

}  // namespace understudy::store::sql
