#include "cluster/database/lead_history.h"

namespace understudy::cluster {
namespace {

using store::sql::Access;
using store::sql::Row;
using store::sql::Session;

constexpr std::int64_t kept_for_ms = 90LL * 24 * 3600 * 1000;

}  // namespace

core::Result<bool> DatabaseLeadHistory::note(const std::string& pod, core::BootId boot, std::int64_t term,
                                             core::Millis led_for) {
    bool fresh = false;
    auto done = database_.with(Access::write, [&](Session& session) -> core::Result<void> {
        fresh = false;  // asked again after a conflict
        auto known = session.execute(
            "UPDATE leads SET seen_at_ms = {now_ms}, ended_at_ms = NULL "
            "WHERE boot_id = ? AND term = ?",
            {boot.str(), term});
        if (!known) return tl::unexpected(known.error());
        if (*known > 0) return {};
        fresh = true;
        const std::int64_t ago = led_for.count();
        auto closed = session.execute(
            "UPDATE leads SET ended_at_ms = {now_ms} - ? WHERE boot_id = ? AND ended_at_ms IS NULL", {ago, boot.str()});
        if (!closed) return tl::unexpected(closed.error());
        auto swept = session.execute("DELETE FROM leads WHERE began_at_ms < {now_ms} - ?", {kept_for_ms});
        if (!swept) return tl::unexpected(swept.error());
        auto added = session.execute(
            "INSERT INTO leads (boot_id, term, pod, began_at_ms, seen_at_ms) "
            "VALUES (?, ?, ?, {now_ms} - ?, {now_ms})",
            {boot.str(), term, pod, ago});
        if (!added) return tl::unexpected(added.error());
        return {};
    });
    if (!done) return tl::unexpected(done.error());
    return fresh;
}

core::Result<void> DatabaseLeadHistory::end(core::BootId boot, std::int64_t term) {
    return database_.with(Access::write, [&](Session& session) -> core::Result<void> {
        auto ended = session.execute(
            "UPDATE leads SET seen_at_ms = {now_ms}, ended_at_ms = {now_ms} "
            "WHERE boot_id = ? AND term = ? AND ended_at_ms IS NULL",
            {boot.str(), term});
        if (!ended) return tl::unexpected(ended.error());
        return {};
    });
}

core::Result<std::vector<Lead>> DatabaseLeadHistory::newest(std::size_t limit) {
    std::vector<Lead> found;
    auto done = database_.with(Access::read, [&](Session& session) {
        found.clear();
        return session.query(
            "SELECT pod, boot_id, term, began_at_ms, seen_at_ms, ended_at_ms FROM leads "
            "ORDER BY began_at_ms DESC, boot_id, term DESC LIMIT ?",
            {static_cast<std::int64_t>(limit)}, [&](const Row& row) {
                Lead lead;
                lead.pod = row.text(0);
                lead.boot = core::BootId::parse(row.text(1)).value_or(core::BootId{});
                lead.term = row.integer(2);
                lead.began_at = core::from_unix_ms(row.integer(3));
                lead.seen_at = core::from_unix_ms(row.integer(4));
                if (!row.is_null(5)) lead.ended_at = core::from_unix_ms(row.integer(5));
                found.push_back(std::move(lead));
            });
    });
    if (!done) return tl::unexpected(done.error());
    return found;
}

}  // namespace understudy::cluster
