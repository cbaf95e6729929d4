#include "app/server_facts.h"

#include "core/ids.h"

namespace understudy::app {

core::Result<std::string> server_id(store::sql::Database& database, core::Random& random) {
    std::string id;
    const auto done = database.with(store::sql::Access::write, [&](store::sql::Session& session) {
        return session.transaction([&]() -> core::Result<void> {
            const auto made = session.execute(
                "INSERT INTO server_facts (name, value) VALUES ('server_id', ?) ON CONFLICT (name) DO NOTHING",
                {core::BootId::make(random).str()});
            if (!made) return tl::unexpected(made.error());
            return session.query("SELECT value FROM server_facts WHERE name = 'server_id'", {},
                                 [&](const store::sql::Row& row) { id = row.text(0); });
        });
    });
    if (!done) return tl::unexpected(done.error());
    return id;
}

}  // namespace understudy::app
