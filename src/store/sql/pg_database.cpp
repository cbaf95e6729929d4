// store/sql/pg_database.cpp: open_postgresql: a pool of sessions with PostgreSQL.
#include <algorithm>
#include <atomic>
#include <chrono>

#include "store/sql/pg_session.h"
#include "store/sql/session.h"
#include "store/sql/session_pool.h"

namespace understudy::store::sql {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds wait_for_session{10}, ping_limit{2};

class PgDatabase final : public Database {
public:
    PgDatabase(const std::string& conninfo, std::size_t connections)
        : settings_(conninfo), pool_(connections, "database sessions", [this](Deadline deadline) {
              return PgSession::open(settings_, deadline);
          }) {}

    [[nodiscard]] Dialect dialect() const noexcept override { return Dialect::postgresql; }

    [[nodiscard]] core::Result<void> with(Access, const std::function<core::Result<void>(Session&)>& work) override {
        return with_session(pool_, holders_, steady_clock::now() + wait_for_session, [&](PgSession& session) {
            auto result = work(session);
            if (session.usable()) last_answer_ = steady_clock::now().time_since_epoch().count();
            return result;
        });
    }

    [[nodiscard]] core::Result<void> ping() override {
        bool got_session = false;
        auto result = with_session(pool_, holders_, steady_clock::now() + ping_limit, [&](PgSession& session) {
            got_session = true;
            session.set_limit(core::Millis{1'500});
            return session.query("SELECT 1", {}, [](const Row&) {});
        });
        // All sessions busy for two seconds, but with answers coming: busy is not away.
        const steady_clock::time_point last{steady_clock::duration{last_answer_.load()}};
        if (!result && !got_session && pool_.all_busy() && steady_clock::now() - last < ping_limit) return {};
        return result;
    }

private:
    const PgSettings settings_;
    Holders holders_;
    SessionPool<PgSession> pool_;
    std::atomic<steady_clock::rep> last_answer_{0};
};

}  // namespace

std::string postgresql_address(const std::string& conninfo) {
    std::string text = "PostgreSQL";
    std::string database;
    const PgSettings settings(conninfo);
    for (const auto& host : settings.hosts()) {
        for (const auto& [name, value] : host) {
            if (name == "host" || name == "hostaddr" || name == "port") text += " " + name + "=" + value;
            if (name == "dbname") database = " dbname=" + value;
        }
    }
    return text + database;
}

std::unique_ptr<Database> open_postgresql(const std::string& conninfo, std::size_t connections) {
    return std::make_unique<PgDatabase>(conninfo, connections);
}

}  // namespace understudy::store::sql
