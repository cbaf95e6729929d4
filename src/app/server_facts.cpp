#include "app/server_facts.h"

#include "app/version.h"

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

cluster::PodInfo pod_info(const Settings& settings, core::BootId boot, const tasks::Zone& zone) {
    cluster::PodInfo pod;
    pod.label = settings.pod;
    pod.boot = boot;
    pod.version = version_text();
    std::string gated;
    for (const auto& key : settings.scan_leader.gated) gated += (gated.empty() ? "" : ",") + key;
    pod.facts = {{"zone", zone.name()},
                 {"tzdata", tasks::Zone::tzdata_version()},
                 {"dead_after_ms", std::to_string(settings.tasks.dead_after.count())},
                 {"gated_tasks", gated}};
    return pod;
}

}  // namespace understudy::app
