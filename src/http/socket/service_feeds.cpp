#include "http/socket/service_feeds.h"

#include <algorithm>
#include <utility>

#include "http/auth/token_owners.h"
#include "http/jellyfin/dto/session_dto.h"
#include "http/jellyfin/dto/task_dto.h"
#include "http/jellyfin/dto/user_data_dto.h"
#include "http/jellyfin/dto/user_dto.h"
#include "http/jellyfin/events/announcements.h"
#include "http/jellyfin/requests/named_subjects.h"
#include "http/jellyfin/sessions/session_presence.h"
#include "http/json_writer.h"
#include "store/open_sockets.h"

namespace understudy::http {

core::Result<std::string> ServiceFeeds::tasks() {
    auto views = services_.tasks.tasks();
    if (!views) return tl::unexpected(views.error());
    JsonWriter out;
    write_tasks(out, std::move(*views));
    return out.take();
}

core::Result<std::vector<SessionEntry>> ServiceFeeds::sessions() {
    std::vector<SessionEntry> entries;
    if (services_.users.sessions == nullptr) return entries;
    const auto sessions = services_.users.sessions->all({});
    if (!sessions) return tl::unexpected(sessions.error());
    const auto present = sessions_with_socket(services_);
    if (!present) return tl::unexpected(present.error());
    for (const auto& session : *sessions) {
        JsonWriter out;
        write_session(out, session, present->contains(session.id), services_.info.server_id, services_.clock.utc_now());
        entries.push_back({session.user, out.take()});
    }
    return entries;
}

core::Result<std::optional<std::string>> ServiceFeeds::run_result(core::RunId run) {
    const auto row = services_.ledger.find_run(run);
    if (!row) return tl::unexpected(row.error());
    if (!*row || tasks::is_live((*row)->state)) return std::optional<std::string>();
    const auto* entry = tasks::find_task((*row)->task.task);
    if (entry == nullptr) return std::optional<std::string>();
    JsonWriter out;
    write_task_result(out, *entry, **row);
    return std::optional(out.take());
}

core::Result<void> ServiceFeeds::add_named_data(JsonWriter& out, core::UserId user,
                                                const std::vector<core::ItemId>& items,
                                                const std::vector<const model::Item*>& seen,
                                                const std::optional<store::Viewer>& viewer) {
    std::vector<core::ItemId> others;
    for (const auto& id : items) {
        if (std::ranges::find(seen, id, &model::Item::id) == seen.end()) others.push_back(id);
    }
    const auto named = named_subjects(services_, others, viewer);
    if (!named) return tl::unexpected(named.error());
    std::vector<core::ItemId> ids;
    for (const auto& one : *named) ids.push_back(one.id);
    const auto data = named_data(services_, user, ids);
    if (!data) return tl::unexpected(data.error());
    for (const auto& [id, one] : *data) write_user_data(out, id, one);
    return {};
}

core::Result<std::string> ServiceFeeds::user_data(core::UserId user, const std::vector<core::ItemId>& items,
                                                  const std::optional<store::Viewer>& viewer) {
    JsonWriter out;
    out.begin_array();
    if (!items.empty()) {
        store::ItemQuery query;
        query.viewer = viewer;
        query.ids = items;
        query.limit = items.size();
        const auto page = services_.catalog.list(query);
        if (!page) return tl::unexpected(page.error());
        std::vector<const model::Item*> seen;
        for (const auto& listed : page->items) seen.push_back(&listed.item);
        const auto views = user_views(services_, user, seen, viewer);
        if (!views) return tl::unexpected(views.error());
        for (const auto* item : seen) write_user_data(out, *item, views->at(item->id));
        if (auto named = add_named_data(out, user, items, seen, viewer); !named) return tl::unexpected(named.error());
    }
    return out.end_array().take();
}

core::Result<std::optional<std::string>> ServiceFeeds::user(core::UserId id) {
    if (services_.users.accounts == nullptr) return std::optional<std::string>();
    const auto user = services_.users.accounts->find(id);
    if (!user) return tl::unexpected(user.error());
    if (!*user) return std::optional<std::string>();
    JsonWriter out;
    write_user(out, **user, services_.info.server_id);
    return std::optional(out.take());
}

core::Result<bool> ServiceFeeds::may_see(core::ItemId item, const store::Viewer& viewer) {
    store::ItemQuery query;
    query.viewer = viewer;
    query.ids = {item};
    query.limit = 1;
    const auto page = services_.catalog.list(query);
    if (!page) return tl::unexpected(page.error());
    return !page->items.empty();
}

core::Result<std::vector<core::LibraryId>> ServiceFeeds::libraries() {
    const auto libraries = services_.libraries.all();
    if (!libraries) return tl::unexpected(libraries.error());
    std::vector<core::LibraryId> ids;
    for (const auto& library : *libraries) ids.push_back(library.id);
    return ids;
}

core::Result<std::optional<Caller>> ServiceFeeds::owner(const std::string& token_hash) {
    if (services_.users.sessions == nullptr) return core::fail(core::Errc::unsupported, "Logins are not kept here.");
    const auto owner = services_.users.sessions->find(token_hash);
    if (!owner) return tl::unexpected(owner.error());
    if (!*owner) return std::optional<Caller>();
    return std::optional(caller_of(**owner));
}

core::Result<void> ServiceFeeds::clear_away() {
    const auto pods = services_.pods.pods(std::chrono::days{1});
    if (!pods) return tl::unexpected(pods.error());
    std::vector<core::BootId> living{services_.info.boot};
    for (const auto& pod : *pods) living.push_back(pod.boot);
    return services_.users.sockets->keep_only(living);
}

core::Result<void> ServiceFeeds::note_presence(const std::vector<store::SessionId>& opened,
                                               const std::vector<store::SessionId>& closed) {
    if (services_.users.sockets == nullptr) return {};
    if (!cleared_) {
        if (auto done = clear_away(); !done) return done;
        cleared_ = true;
    }
    if (auto noted = services_.users.sockets->change(services_.info.boot, opened, closed); !noted) return noted;
    tell_sessions_changed(services_);
    return {};
}

}  // namespace understudy::http
