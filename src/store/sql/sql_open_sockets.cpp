#include "store/sql/sql_open_sockets.h"

#include <algorithm>

#include "store/sql/item_rows.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {

core::Result<void> SqlOpenSockets::change(core::BootId boot, const std::vector<SessionId>& opened,
                                          const std::vector<SessionId>& closed) {
    return database_.with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> core::Result<void> {
            if (!closed.empty()) {
                auto rows = bulk_ids(session.dialect(), closed);
                Statement remove;
                remove.add("DELETE FROM open_sockets WHERE boot_id = ?", {boot.str()});
                if (auto done = remove.add_in(" AND ", "session_id", rows).execute(session); !done)
                    return uncounted(done);
            }
            if (opened.empty()) return {};
            BulkRows rows(session.dialect(), {{"session_id", ColumnType::bytes}, {"boot_id", ColumnType::text}});
            for (const auto& id : opened) rows.id(id).text(boot.str());
            Statement add;
            add.add_from("INSERT INTO open_sockets (session_id, boot_id) SELECT r.session_id, r.boot_id FROM ", rows);
            return uncounted(add.add(" WHERE true ON CONFLICT (session_id, boot_id) DO NOTHING").execute(session));
        });
    });
}

core::Result<std::vector<OpenSocket>> SqlOpenSockets::all() {
    std::vector<OpenSocket> found;
    auto done = database_.with(Access::read, [&](Session& session) {
        found.clear();
        return session.query("SELECT session_id, boot_id FROM open_sockets ORDER BY session_id, boot_id", {},
                             [&](const Row& row) {
                                 found.push_back({id_from_bytes<SessionId>(row.bytes(0)),
                                                  core::BootId::parse(row.text(1)).value_or(core::BootId{})});
                             });
    });
    if (!done) return tl::unexpected(done.error());
    return found;
}

core::Result<void> SqlOpenSockets::keep_only(const std::vector<core::BootId>& living) {
    return database_.with(Access::write, [&](Session& session) {
        return session.transaction([&]() -> core::Result<void> {
            std::vector<std::string> gone;
            auto read = session.query("SELECT DISTINCT boot_id FROM open_sockets", {}, [&](const Row& row) {
                const auto boot = core::BootId::parse(row.text(0));
                if (!boot || std::ranges::find(living, *boot) == living.end()) gone.push_back(row.text(0));
            });
            if (!read) return read;
            for (const auto& boot : gone) {
                auto removed = session.execute("DELETE FROM open_sockets WHERE boot_id = ?", {boot});
                if (!removed) return uncounted(removed);
            }
            return {};
        });
    });
}

}  // namespace understudy::store::sql
