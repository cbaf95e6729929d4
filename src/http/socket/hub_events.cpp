// What each kind of event means to those who are connected.
#include <algorithm>
#include <map>
#include <utility>

#include "http/jellyfin/requests/user_requests.h"
#include "http/json_body.h"
#include "http/json_writer.h"
#include "http/socket/hub.h"
#include "store/collections.h"

namespace understudy::http {
namespace {

constexpr std::size_t most_ids = 500;  // of one kind in one message

/// A text of an event; empty where it is not there.
std::string text_of(const JsonBody& body, std::string_view key) {
    const auto text = body.text(key);
    return text ? text->value_or("") : std::string();
}

std::vector<std::string> ids_of(const JsonBody& body, std::string_view key) {
    auto texts = body.texts(key);
    auto ids = texts ? texts->value_or(std::vector<std::string>{}) : std::vector<std::string>{};
    if (ids.size() > most_ids) ids.resize(most_ids);
    return ids;
}

bool admins(const Caller& who) {
    return who.admin;
}

/// May they look into that library? What people put together is in one that is open to all.
bool is_open(const Caller& who, const std::string& library) {
    const auto id = core::LibraryId::parse(library);
    if (!who.libraries || (id && *id == store::collections_library)) return true;
    return id && std::ranges::find(*who.libraries, *id) != who.libraries->end();
}

/// LibraryUpdateInfo.
struct LibraryNews {
    std::vector<std::string> libraries, added, removed, updated;
    bool folders_added = false, folders_removed = false;

    [[nodiscard]] std::string json() const {
        const std::vector<std::string> none;
        const bool empty = added.empty() && removed.empty() && updated.empty() && !folders_added && !folders_removed;
        JsonWriter out;
        out.begin_object().field("FoldersAddedTo", folders_added ? libraries : none);
        out.field("FoldersRemovedFrom", folders_removed ? libraries : none);
        out.field("ItemsAdded", added).field("ItemsRemoved", removed).field("ItemsUpdated", updated);
        out.field("CollectionFolders", libraries).field("IsEmpty", empty).end_object();
        return out.take();
    }
};

LibraryNews read_news(const JsonBody& body) {
    LibraryNews news;
    if (auto library = text_of(body, "library"); !library.empty()) news.libraries.push_back(std::move(library));
    news.added = ids_of(body, "added");
    news.removed = ids_of(body, "removed");
    news.updated = ids_of(body, "updated");
    const auto change = text_of(body, "change");
    const auto item = text_of(body, "item");
    news.folders_added = !news.added.empty() || change == "added";
    news.folders_removed = !news.removed.empty() || change == "removed" || change == "missing_removed";
    if (!item.empty()) (change == "added" ? news.added : change == "removed" ? news.removed : news.updated) = {item};
    return news;
}

}  // namespace

SocketHub::Done SocketHub::handle(const cluster::Event& event) {
    const auto body = JsonBody::parse(event.payload);
    if (!body) {
        log_.warning("an event cannot be read", {{"kind", event.kind}, {"reason", body.error().context}});
        return Done::yes;
    }
    const auto& kind = event.kind;
    if (kind.starts_with("run.")) return on_run(event, *body);
    if (kind == "task.edited" || kind == "timers") {
        changed(Feed::tasks, true);
    } else if (kind == "library.changed") {
        return on_library(*body);
    } else if (kind == "user_data.changed") {
        return on_user_data(*body);
    } else if (kind == "user.changed" || kind == "user.removed") {
        return on_user(*body, kind == "user.removed");
    } else if (kind == "session.tokens") {
        on_tokens(*body);
    } else if (kind == "session.changed") {
        changed(Feed::sessions, true);
    } else if (kind == "session.message") {
        on_session_message(*body);
    } else if (kind == "activity.added") {
        changed(Feed::activity, true);
    } else if (kind == "log.caught_up") {
        doubt_everything();
    }
    return Done::yes;
}

SocketHub::Done SocketHub::on_run(const cluster::Event& event, const JsonBody& body) {
    const bool progress = event.kind == "run.progress", ended = event.kind == "run.ended";
    const auto to = wires(admins);
    if (ended && !to.empty()) {
        const auto run = core::RunId::parse(text_of(body, "run"));
        const auto result = run ? feeds_.run_result(*run) : std::optional<std::string>();
        if (!result && failed(result.error(), "the end of a run")) return Done::later;
        if (result && *result) tell(to, "ScheduledTaskEnded", **result);
    }
    changed(Feed::tasks, !progress);
    if ((!progress && !ended) || to.empty() || text_of(body, "task") != "RefreshLibrary") return Done::yes;
    const auto libraries = feeds_.libraries();
    if (!libraries && failed(libraries.error(), "libraries")) return Done::later;
    if (!libraries) return Done::yes;
    const auto percent = body.real("progress");
    const auto text = JsonWriter().value(percent ? percent->value_or(0) : 0).take();
    for (const auto& library : *libraries) {
        JsonWriter out;  // a dictionary of texts
        out.begin_object().field("ItemId", library).field("Progress", text).end_object();
        tell(to, "RefreshProgress", out.take());
    }
    return Done::yes;
}

SocketHub::Done SocketHub::on_library(const JsonBody& body) {
    auto all = read_news(body);
    std::map<std::string, Wires> groups;  // by what they may see of it
    std::vector<std::pair<Caller, std::shared_ptr<SocketWire>>> open;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [number, connection] : connections_.all()) {
            if (connection.wire) open.emplace_back(connection.caller.who, connection.wire);
        }
    }
    if (open.empty()) return Done::yes;
    if (all.libraries.empty()) {  // of all libraries
        const auto libraries = feeds_.libraries();
        if (!libraries && failed(libraries.error(), "libraries")) return Done::later;
        if (!libraries) return Done::yes;
        for (const auto& library : *libraries) all.libraries.push_back(library.str());
    }
    // Private playlists are in a library that is open to all: their ids are said to those alone who may see them.
    const auto item = core::ItemId::parse(text_of(body, "item"));
    std::map<core::UserId, bool> sees;
    for (const auto& [who, wire] : open) {
        auto news = all;
        std::erase_if(news.libraries, [&who = who](const std::string& library) { return !is_open(who, library); });
        if (news.libraries.empty()) continue;
        if (const auto viewer = viewer_of(who); item && viewer) {
            if (!sees.contains(who.user)) {
                const auto seen = feeds_.may_see(*item, *viewer);
                if (!seen && failed(seen.error(), "a collection")) return Done::later;
                sees[who.user] = seen && *seen;
            }
            if (!sees[who.user]) news.added = news.removed = news.updated = {};
            if (!sees[who.user] && !news.folders_removed) continue;
        }
        groups[news.json()].push_back(wire);
    }
    for (const auto& [json, to] : groups) tell(to, "LibraryChanged", json);
    return Done::yes;
}

SocketHub::Done SocketHub::on_user_data(const JsonBody& body) {
    const auto user = core::UserId::parse(text_of(body, "userId"));
    if (!user) return Done::yes;
    const auto theirs = [&](const Caller& who) { return who.user == *user; };
    const auto to = wires(theirs);
    if (to.empty()) return Done::yes;
    std::optional<store::Viewer> viewer;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [number, connection] : connections_.all()) {
            if (theirs(connection.caller.who)) viewer = viewer_of(connection.caller.who);
        }
    }
    std::vector<core::ItemId> items;
    for (const auto& text : ids_of(body, "itemIds")) {
        if (const auto id = core::ItemId::parse(text)) items.push_back(*id);
    }
    const auto list = feeds_.user_data(*user, items, viewer);
    if (!list && failed(list.error(), "user data")) return Done::later;
    if (!list || *list == "[]") return Done::yes;
    JsonWriter out;
    out.begin_object().field("UserId", *user).name("UserDataList").raw(*list).end_object();
    tell(to, "UserDataChanged", out.take());
    return Done::yes;
}

SocketHub::Done SocketHub::on_user(const JsonBody& body, bool removed) {
    const auto user = core::UserId::parse(text_of(body, "userId"));
    if (!user) return Done::yes;
    const auto theirs = [&](const Caller& who) { return who.user == *user; };
    const auto to = wires([&](const Caller& who) { return who.admin || theirs(who); });
    if (removed) {
        JsonWriter out;
        tell(to, "UserDeleted", out.value(*user).take());
    } else if (!to.empty()) {
        const auto now = feeds_.user(*user);
        if (!now && failed(now.error(), "a user")) return Done::later;
        if (now && *now) tell(to, "UserUpdated", **now);
    }
    doubt(theirs);
    changed(Feed::sessions, true);
    return Done::yes;
}

/// Tokens of a user, on a device, or API keys may be gone or in other hands.
void SocketHub::on_tokens(const JsonBody& body) {
    const auto user = core::UserId::parse(text_of(body, "userId"));
    const auto device = text_of(body, "deviceId");
    const auto keys = body.boolean("keys");
    doubt([&](const Caller& who) {
        if (user) return who.user == *user;
        if (!device.empty()) return who.device_id == device;
        return keys && keys->value_or(false) && who.key != 0;
    });
    changed(Feed::sessions, true);
}

void SocketHub::on_session_message(const JsonBody& body) {
    const auto session = store::SessionId::parse(text_of(body, "sessionId"));
    const auto message = body.object("message");
    if (!session || session->empty() || !message || !*message) return;
    const auto type = text_of(**message, "MessageType");
    if (type.empty()) return;
    const auto to = wires([&](const Caller& who) { return who.session == *session; });
    tell(to, type, (*message)->json("Data").value_or(std::string()));
}

}  // namespace understudy::http
