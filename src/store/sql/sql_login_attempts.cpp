// store/sql/sql_login_attempts.cpp: SqlLoginAttempts and SqlServerSettings.
#include <algorithm>
#include <utility>

#include "store/sql/bulk_rows.h"
#include "store/sql/sql_sessions.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {
namespace {

constexpr std::int64_t forgotten_after_ms = std::int64_t{15} * 60 * 1000;

core::Millis delay_after(std::int64_t failures, const AttemptLimit& limit) {
    if (failures < limit.free) return core::Millis{0};
    constexpr std::int64_t most_doublings = 20;
    const auto doublings = std::min(failures - limit.free, most_doublings);
    return std::min(limit.longest, core::Millis{std::int64_t{1000} << doublings});
}

}  // namespace

core::Result<CountedAttempt> SqlLoginAttempts::begin(const std::vector<AttemptLimit>& limits) {
    auto sorted = limits;  // everybody locks in the same order
    std::ranges::sort(sorted, {}, &AttemptLimit::subject);
    CountedAttempt attempt;
    auto done = database_.with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> core::Result<void> {
            attempt = {};
            auto old =
                session.execute("DELETE FROM login_failures WHERE failed_at_ms < {now_ms} - ?", {forgotten_after_ms});
            if (!old) return uncounted(old);
            for (const auto& limit : sorted) {
                auto read = session.query(
                    "SELECT failures, failed_at_ms, {now_ms} - failed_at_ms FROM login_failures WHERE subject = ? "
                    "{for_update}",
                    {repaired(limit.subject)}, [&](const Row& row) {
                        attempt.failed_before_ms[limit.subject] = row.integer(1);
                        const auto left = delay_after(row.integer(0), limit) - core::Millis{row.integer(2)};
                        attempt.wait = std::max(attempt.wait, left);
                    });
                if (!read) return read;
            }
            if (attempt.wait.count() > 0) return {};
            auto now =
                session.query("SELECT {now_ms}", {}, [&](const Row& row) { attempt.counted_at_ms = row.integer(0); });
            if (!now) return now;
            for (const auto& limit : sorted) {
                auto counted = session.execute(
                    "INSERT INTO login_failures (subject, failures, failed_at_ms) VALUES (?, 1, ?) ON CONFLICT "
                    "(subject) DO UPDATE SET failures = login_failures.failures + 1, failed_at_ms = "
                    "excluded.failed_at_ms",
                    {repaired(limit.subject), attempt.counted_at_ms});
                if (!counted) return uncounted(counted);
            }
            return {};
        });
    });
    if (!done) return tl::unexpected(done.error());
    return attempt;
}

core::Result<void> SqlLoginAttempts::succeeded(const CountedAttempt& attempt, const std::string& forgiven,
                                               const std::string& taken_back) {
    const auto at = attempt.failed_before_ms.find(taken_back);
    const auto before = at == attempt.failed_before_ms.end() ? attempt.counted_at_ms : at->second;
    return database_.with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> core::Result<void> {
            auto gone = session.execute("DELETE FROM login_failures WHERE subject = ?", {repaired(forgiven)});
            if (!gone) return uncounted(gone);
            // Somebody may have failed meanwhile: that time stays.
            return uncounted(session.execute(
                "UPDATE login_failures SET failures = failures - 1, failed_at_ms = CASE WHEN failed_at_ms = ? THEN ? "
                "ELSE failed_at_ms END WHERE subject = ? AND failures > 0",
                {attempt.counted_at_ms, before, repaired(taken_back)}));
        });
    });
}

core::Result<std::map<std::string, std::string>> SqlServerSettings::all() {
    std::map<std::string, std::string> values;
    auto done = database_.with(Access::read, [&](Session& session) {
        values.clear();
        return session.query("SELECT name, value FROM server_facts", {},
                             [&](const Row& row) { values[row.text(0)] = row.text(1); });
    });
    if (!done) return tl::unexpected(done.error());
    return values;
}

core::Result<void> SqlServerSettings::set(const std::map<std::string, std::string>& values) {
    return database_.with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> core::Result<void> {
            for (const auto& [name, value] : values) {
                auto put = session.execute(
                    "INSERT INTO server_facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = "
                    "excluded.value",
                    {name, repaired(value)});
                if (!put) return uncounted(put);
            }
            return {};
        });
    });
}

}  // namespace understudy::store::sql
