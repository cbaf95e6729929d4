// bench_cleanup BUILD_FOLDER [ROWS, default 1000000]: the tasks CleanupUserDataTask and CleanCollectionsAndPlaylists,
// whole and under the fence, against one set-based statement for the same work, on SQLite and PostgreSQL. Prints a
// table; ends with 1 if a ratio is over budget.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/random.h"
#include "library/clean_collections.h"
#include "library/cleanup_user_data.h"
#include "store/sql/sql_collections.h"
#include "store/sql/sql_library_store.h"
#include "store/sql/sql_user_data.h"
#include "support/databases.h"
#include "support/library/fake_run.h"

namespace {

using namespace understudy;
using std::chrono::steady_clock;
using store::sql::Session;
using understudy::testing::DatabaseKind;

constexpr double budget = 2.0;

[[noreturn]] void stop(const std::string& why) {
    fmt::print(stderr, "bench_cleanup: {}\n", why);
    std::exit(1);
}
template <class T>
void must(const core::Result<T>& result) {
    if (!result) stop(result.error().context);
}

class Bench {
public:
    explicit Bench(DatabaseKind kind)
        : kind_(kind), base_(understudy::testing::make_test_database(kind)), database_(base_->open()) {
        must(store::sql::migrate(*database_));
    }
    void sql(const std::string& text) {
        must(database_->with(store::sql::Access::write, [&](Session& session) {
            session.set_limit(std::chrono::minutes{10});
            return session.transaction([&]() -> core::Result<void> {
                auto done = session.execute(text);
                if (!done) return tl::unexpected(done.error());
                return {};
            });
        }));
    }
    /// Without dead rows, which one way of cleaning might read and the other not.
    void empty(const std::string& table) { sql((sqlite() ? "DELETE FROM " : "TRUNCATE ") + table); }
    [[nodiscard]] double seconds(const std::string& text) {
        const auto from = steady_clock::now();
        sql(text);
        return std::chrono::duration<double>(steady_clock::now() - from).count();
    }
    [[nodiscard]] double seconds(tasks::ScheduledTask& task, const std::string& counted, std::int64_t expected) {
        understudy::testing::FakeRun run;
        sql("DELETE FROM task_runs");
        sql("INSERT INTO task_runs (run_id, task, scope, kind, options, pod, boot_id, epoch, state, progress, cursor, "
            "cursor_seq, start_cursor, attempts, stuck_takeovers, cancel_requested, cancel_reason, started_at, beat, "
            "error, counts, warnings) VALUES ('" +
            run.id().str() +
            "', 'T', 'cluster', 'manual', '{}', 'a', '', 1, 'running', 0, '', 0, '', 1, 0, 0, '', 0, 0, '', '{}', "
            "'[]')");
        const auto from = steady_clock::now();
        must(task.execute(run));
        const auto took = std::chrono::duration<double>(steady_clock::now() - from).count();
        if (run.counts[counted] != expected) stop(counted + ": " + std::to_string(run.counts[counted]));
        return took;
    }
    [[nodiscard]] bool sqlite() const { return kind_ == DatabaseKind::sqlite; }
    [[nodiscard]] store::sql::Database& database() { return *database_; }
    [[nodiscard]] std::string name() const { return sqlite() ? "SQLite" : "PostgreSQL"; }
    /// A table n(x) of 0 … count - 1, for INSERT.
    [[nodiscard]] std::string numbers(std::int64_t count) const {
        if (!sqlite()) return fmt::format("WITH n(x) AS (SELECT generate_series(0, {})) ", count - 1);
        return fmt::format("WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n WHERE x < {}) ", count - 1);
    }
    /// 16 bytes that belong to a number and come in no order.
    [[nodiscard]] std::string key(const std::string& number) const {
        const auto text = "'0123456789abcdef' || ((" + number + ") * 7919 % 1000003)";
        return sqlite() ? "CAST(substr(" + text + ", -16) AS BLOB)" : "convert_to(right(" + text + ", 16), 'UTF8')";
    }

private:
    DatabaseKind kind_;
    std::unique_ptr<understudy::testing::TestDatabase> base_;
    std::unique_ptr<store::sql::Database> database_;
};

bool line(const Bench& bench, const std::string& what, double peer, double ours) {
    fmt::print("| {} | {} | one statement: {:.2f} s | {:.2f} s | {:.2f} of {:.2f}{} |\n", bench.name(), what, peer,
               ours, ours / peer, budget, ours > budget * peer ? ": NO" : ": ok");
    return ours <= budget * peer;
}

bool user_data(Bench& bench, std::int64_t rows) {
    bench.sql(bench.numbers(10) + "INSERT INTO users (id, name, name_key, created_at_ms) SELECT " + bench.key("x") +
              ", 'u' || x, 'u' || x, 0 FROM n");
    const auto fill = [&] {
        bench.empty("user_data");
        bench.empty("vanished_items");
        bench.sql(bench.numbers(rows) + "INSERT INTO user_data SELECT " + bench.key("x % 10") + ", " +
                  bench.key("x / 10") + ", 1, 1, 0, 0, NULL, 5, NULL, NULL FROM n");
        bench.sql("INSERT INTO vanished_items SELECT DISTINCT item_id, 1000 FROM user_data");
        // As autovacuum does within a minute.
        if (!bench.sqlite()) bench.sql("ANALYZE user_data, vanished_items");
    };
    fill();
    const auto peer = bench.seconds(
        "DELETE FROM user_data WHERE item_id IN (SELECT item_id FROM vanished_items WHERE vanished_at_ms < 5000)");
    fill();
    store::sql::SqlUserData data(bench.database());
    core::SystemClock clock;
    library::CleanupUserData task(std::chrono::days{90}, data, clock);
    const auto ours = bench.seconds(task, "rows_removed", rows);
    const bool good = line(bench, fmt::format("{} rows of user data", rows), peer, ours);
    fmt::print("| {} | a second run | | {:.3f} s | |\n", bench.name(), bench.seconds(task, "rows_removed", 0));
    return good;
}

// One member of ten is gone with its library, which a person removed.
void members(Bench& bench, std::int64_t rows) {
    const auto fill = [&] {
        bench.empty("collection_members");
        bench.sql(bench.numbers(rows) + "INSERT INTO collection_members SELECT " + bench.key("x / 2000") + ", x, " +
                  bench.key("x") + ", " + bench.key("x") + ", " + bench.key("x % 10") + " FROM n");
        if (!bench.sqlite()) bench.sql("ANALYZE collection_members");
    };
    bench.sql("DELETE FROM libraries");
    bench.sql(bench.numbers(9) +
              "INSERT INTO libraries (id, name, name_key, kind, options, created_at_ms, removing) SELECT " +
              bench.key("x + 1") + ", 'L' || x, 'l' || x, 'movies', '{}', 0, 0 FROM n");
    fill();
    const auto peer = bench.seconds(
        "DELETE FROM collection_members WHERE NOT EXISTS (SELECT 1 FROM items i WHERE i.id = item_id) AND NOT EXISTS "
        "(SELECT 1 FROM libraries l WHERE l.id = library_id)");
    fill();
    store::sql::SqlLibraryStore libraries(bench.database());
    core::SystemRandom random;
    store::sql::SqlCollections collections(bench.database(), random);
    library::CleanCollections task(libraries, collections, std::make_shared<library::PosixFileSystem>());
    const auto ours = bench.seconds(task, "members_dropped", rows / 10);
    // Every member is looked at, in steps that each wait for the disc: no ratio was promised, and none is judged.
    fmt::print("| {} | {} members, a tenth gone | one statement: {:.2f} s | {:.2f} s | {:.2f} |\n", bench.name(), rows,
               peer, ours, ours / peer);
    fmt::print("| {} | a second run | | {:.3f} s | |\n", bench.name(), bench.seconds(task, "members_dropped", 0));
}

}  // namespace

int main(int argc, char** argv) {
    const auto rows = argc > 2 ? std::max(1'000LL, std::atoll(argv[2])) : 1'000'000LL;
    bool good = true;
    fmt::print("| database | what | peer | ours | ratio |\n|---|---|---|---|---|\n");
    for (const auto kind : {DatabaseKind::sqlite, DatabaseKind::postgresql}) {
        Bench bench(kind);
        good &= user_data(bench, rows);
        members(bench, rows / 5);
    }
    return good ? 0 : 1;
}
