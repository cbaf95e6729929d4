// bench/store/bench_database.h: a database with one library and one run under a fence, to write and ask in bulk, and
// how its figures are printed. Used by the benchmarks of this folder but bench_store.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/fence.h"
#include "core/ids.h"
#include "core/result.h"
#include "model/library.h"
#include "store/sql/migrations.h"
#include "store/sql/session.h"
#include "store/sql/sql_library_store.h"
#include "support/databases.h"

namespace understudy::bench {

using testing::DatabaseKind;

[[noreturn]] inline void stop(const std::string& why) {
    fmt::print(stderr, "bench: {}\n", why);
    std::exit(1);
}
template <class T>
const core::Result<T>& must(const core::Result<T>& result) {
    if (!result) stop(result.error().context);
    return result;
}

/// Spread over the whole range, as random ids are.
template <class Id>
Id id_of(std::uint8_t kind, std::uint32_t number) {
    core::IdBytes bytes{};
    const std::uint64_t mixed = (number + 1) * 0x9e3779b97f4a7c15ULL;
    for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(mixed >> (8 * i));
    bytes[8] = kind;
    for (std::size_t i = 0; i < 4; ++i) bytes[12 + i] = static_cast<std::uint8_t>(number >> (8 * i));
    return Id{bytes};
}

/// The whole number at `index` of the command line; `otherwise` where there is none. Ends the program for anything
/// else.
inline std::uint32_t count_argument(int count, char** arguments, int index, std::uint32_t otherwise) {
    if (index >= count) return otherwise;
    const std::string_view text = arguments[index];
    std::uint32_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || number == 0)
        stop("'" + std::string(text) + "' is no count; use a whole number above 0");
    return number;
}

class BenchDatabase {
public:
    BenchDatabase(DatabaseKind kind, model::LibraryKind of)
        : kind_(kind), base_(testing::make_test_database(kind)), database_(base_->open()) {
        must(store::sql::migrate(*database_));
        sql("INSERT INTO task_runs (run_id, task, scope, kind, options, pod, boot_id, epoch, state, progress, cursor, "
            "cursor_seq, start_cursor, attempts, stuck_takeovers, cancel_requested, cancel_reason, started_at, beat, "
            "error, counts, warnings) VALUES ('" +
            fence_.run.str() +
            "', 'T', 'cluster', 'manual', '{}', 'a', '', 3, 'running', 0, '', 0, '', 1, 0, 0, '', 0, 0, '', '{}', "
            "'[]')");
        model::Library library;
        library.id = library_;
        library.name = "Library";
        library.kind = of;
        library.paths = {"/media"};
        must(store::sql::SqlLibraryStore(*database_).add(library));
    }

    /// The rows it touched.
    std::int64_t sql(const std::string& text) {
        std::int64_t touched = 0;
        must(database_->with(store::sql::Access::write, [&](store::sql::Session& session) -> core::Result<void> {
            session.set_limit(std::chrono::minutes{10});
            return session.transaction([&]() -> core::Result<void> {
                auto done = session.execute(text);
                if (!done) return tl::unexpected(done.error());
                touched = *done;
                return {};
            });
        }));
        return touched;
    }
    /// As the databases do by themselves after many writes.
    void analyse() { sql(sqlite() ? "PRAGMA optimize" : "ANALYZE"); }
    [[nodiscard]] const core::Fence& fence() const { return fence_; }
    /// What was done under the fence has moved its cursor.
    void passed() { ++fence_.cursor_seq; }
    [[nodiscard]] store::sql::Database& database() { return *database_; }
    [[nodiscard]] core::LibraryId library() const { return library_; }
    [[nodiscard]] bool sqlite() const { return kind_ == DatabaseKind::sqlite; }

    /// Prints a line; the milliseconds it took.
    double time(const std::string& what, const std::function<std::int64_t()>& work) {
        using std::chrono::steady_clock;
        const auto from = steady_clock::now();
        const auto count = work();
        const auto ms = std::chrono::duration<double, std::milli>(steady_clock::now() - from).count();
        fmt::print("{:<10} {:<58} {:>9.1f} ms {:>9}\n", sqlite() ? "SQLite" : "PostgreSQL", what, ms, count);
        std::fflush(stdout);
        return ms;
    }

private:
    DatabaseKind kind_;
    std::unique_ptr<testing::TestDatabase> base_;
    std::unique_ptr<store::sql::Database> database_;
    core::Fence fence_{core::RunId{core::IdBytes{1}}, 3, 0, std::nullopt};
    core::LibraryId library_ = id_of<core::LibraryId>(9, 1);
};

}  // namespace understudy::bench
