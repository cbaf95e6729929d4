// Commands to what somebody plays or looks at elsewhere: /Sessions/{sessionId}/…. They go to the sockets of that
// session, on whatever pod; where it has none the answer says so.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "http/jellyfin/dto/session_dto.h"
#include "http/jellyfin/dto/user_data_dto.h"
#include "http/jellyfin/dto/user_settings.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/jellyfin/sessions/session_presence.h"
#include "http/json_body.h"
#include "http/problem.h"
#include "http/request_rates.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

constexpr std::size_t most_sent_bytes = std::size_t{48} * 1024;  // it travels as an event
constexpr std::size_t most_played = 1'000;
/// What one user may send through a pod: commands of less than a KiB, larger ones count as so many. Each is kept in the
/// database for an hour: without a bound one client could fill it.
constexpr std::uint32_t most_per_minute = 300;
constexpr std::size_t bytes_of_one = 1'024;

struct Remote {
    explicit Remote(const Services& all) : services(all), rates(most_per_minute, all.clock) {}
    const Services& services;
    RequestRates rates;
};

/// nullopt: they may go on. Administrators are trusted.
std::optional<Response> charge(Remote& remote, const Caller& caller, std::uint32_t cost) {
    if (caller.admin || cost == 0 || remote.rates.take(caller.user.str(), cost)) return std::nullopt;
    return text_answer(429, "You send too many commands: at most " + std::to_string(most_per_minute) +
                                " a minute are taken, large ones count once more for each KiB.")
        .with("Retry-After", std::to_string(remote.rates.retry_after_s(cost)));
}

/// May the caller send to sessions of everybody?
core::Result<bool> controls_others(const Services& services, const Request& request) {
    if (request.caller->admin) return true;
    const auto user = services.users.accounts->find(request.caller->user);
    if (!user) return tl::unexpected(user.error());
    return *user && may_control(**user, {});
}

/// The session of the path. Errors: not_found where it is not there or the caller may not send to it, conflict where
/// nobody would hear.
core::Result<store::UserSession> target_of(const Services& services, const Request& request) {
    const auto id = path_id<store::SessionId>(request, "sessionId");
    const auto all = controls_others(services, request);
    if (!all) return tl::unexpected(all.error());
    store::SessionFilter filter;
    if (!*all) filter.user = request.caller->user;
    const auto sessions = services.users.sessions->all(filter);
    if (!sessions) return tl::unexpected(sessions.error());
    const auto found = std::ranges::find(*sessions, id, &store::UserSession::id);
    if (found == sessions->end()) {
        return core::fail(core::Errc::not_found,
                          "There is no session " + id.str() + " that you may control; GET /Sessions lists them.");
    }
    const auto present = sessions_with_socket(services);
    if (!present) return tl::unexpected(present.error());
    if (!present->contains(id)) {
        return core::fail(core::Errc::conflict, "Not delivered: " + printable(found->client.device) +
                                                    " has no event socket (/socket) open on any pod.");
    }
    return *found;
}

/// `data`: JSON.
Response deliver(Remote& remote, const Caller& caller, const store::UserSession& session, std::string_view type,
                 const std::string& data) {
    if (data.size() > most_sent_bytes) {
        return binding_problem("Arguments", "Arguments: a command of " + std::to_string(data.size()) +
                                                " bytes is too large; at most " + std::to_string(most_sent_bytes));
    }
    if (auto refusal = charge(remote, caller, static_cast<std::uint32_t>(data.size() / bytes_of_one)))
        return std::move(*refusal);
    JsonWriter out;
    out.begin_object().key("sessionId").value(session.id).key("message").begin_object();
    out.field("MessageType", type).name("Data").raw(data).end_object().end_object();
    const auto told = remote.services.events.publish("session.message", out.take());
    return told ? no_content() : problem(told.error());
}

using Arguments = std::vector<std::pair<std::string, std::optional<std::string>>>;

Response send_command(Remote& remote, const Request& request, std::string_view name, const Arguments& arguments) {
    const auto session = target_of(remote.services, request);
    if (!session) return problem(session.error());
    JsonWriter out;
    out.begin_object().field("Name", name).field("ControllingUserId", request.caller->user);
    out.name("Arguments").begin_object();
    for (const auto& [key, value] : arguments) {
        out.key(key);
        if (value) {
            out.value(*value);
        } else {
            out.null();
        }
    }
    out.end_object().end_object();
    return deliver(remote, *request.caller, *session, "GeneralCommand", out.take());
}

core::Result<std::string_view> checked_command(std::string_view field, std::string_view said) {
    const auto name = known_command(trim(said));
    if (!name.empty()) return name;
    return core::fail(core::Errc::invalid, std::string(field) + ": '" + printable(said) +
                                               "' is no command; use one of GeneralCommandType, as in GoHome or Mute");
}

/// `/Command/{command}` and `/System/{command}`.
Response plain_command(Remote& remote, const Request& request) {
    const auto name = checked_command("command", request.param("command"));
    if (!name) return binding_problem(name.error());
    return send_command(remote, request, *name, {});
}

/// Clients send a handful; each is looked for among all.
constexpr std::size_t most_arguments = 64;

Response full_command(Remote& remote, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto said = body->text("Name");
    if (!said) return binding_problem(said.error());
    const auto name = checked_command("Name", said->value_or(""));
    if (!name) return binding_problem(name.error());
    const auto given = body->object("Arguments");
    if (!given) return binding_problem(given.error());
    Arguments arguments;
    if (*given) {
        const auto keys = (*given)->keys();
        if (keys.size() > most_arguments)
            return binding_problem("Arguments", "Arguments: more than " + std::to_string(most_arguments));
        for (const auto& key : keys) {
            auto value = (*given)->text(key);
            if (!value) return binding_problem("Arguments", "Arguments: " + value.error().context);
            arguments.emplace_back(key, std::move(*value));
        }
    }
    return send_command(remote, request, *name, arguments);
}

Response message(Remote& remote, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto header = body->text("Header"), text = body->text("Text");
    if (!header) return binding_problem(header.error());
    if (!text) return binding_problem(text.error());
    if (trim(text->value_or("")).empty()) return binding_problem("Text", "Text: missing; say what is to be shown");
    const auto timeout = body->number("TimeoutMs");
    if (!timeout) return binding_problem(timeout.error());
    // As the reference: a message without a header gets one.
    const auto title = trim(header->value_or("")).empty() ? std::string("Message from Server") : **header;
    Arguments arguments{{"Header", title}, {"Text", **text}};
    if (*timeout) arguments.emplace_back("TimeoutMs", std::to_string(**timeout));
    return send_command(remote, request, "DisplayMessage", arguments);
}

Response viewing(Remote& remote, const Request& request) {
    const auto text = request.query.text("itemId");
    const auto id = core::ItemId::parse(trim(text));
    if (!id) return binding_problem(wrong_id("itemId", text));
    const auto item = requested_item(remote.services, *id, viewer_of(request));
    if (!item) return problem(item.error());
    const Arguments arguments{{"ItemId", id->str()},
                              {"ItemName", request.query.text("itemName")},
                              {"ItemType", request.query.text("itemType")}};
    return send_command(remote, request, "DisplayContent", arguments);
}

/// One of `words` in its own spelling. Errors: invalid, naming the field.
template <std::size_t count>
core::Result<std::string_view> one_of(const std::array<std::string_view, count>& words, std::string_view field,
                                      std::string_view said) {
    std::string all;
    for (const auto word : words) {
        if (iequals(trim(said), word)) return word;
        all += (all.empty() ? "" : ", ") + std::string(word);
    }
    return core::fail(core::Errc::invalid, std::string(field) + ": '" + printable(said) + "' is none of " + all);
}

Response playstate(Remote& remote, const Request& request) {
    constexpr std::array<std::string_view, 9> words{"Stop", "Pause",  "Unpause",     "NextTrack", "PreviousTrack",
                                                    "Seek", "Rewind", "FastForward", "PlayPause"};
    const auto command = one_of(words, "command", request.param("command"));
    if (!command) return binding_problem(command.error());
    const auto position = request.query.number("seekPositionTicks");
    if (!position) return binding_problem(position.error());
    const auto session = target_of(remote.services, request);
    if (!session) return problem(session.error());
    JsonWriter out;
    out.begin_object().field("Command", *command).field("SeekPositionTicks", *position);
    out.field("ControllingUserId", request.caller->user).end_object();
    return deliver(remote, *request.caller, *session, "Playstate", out.take());
}

/// What is to be played, folders as what is below them, 10,000 at most (of more a shuffle knows the first ones). What
/// the session's user may not see is left out.
core::Result<std::vector<core::ItemId>> played_items(const Services& services, const Request& request,
                                                     const store::UserSession& session) {
    auto items = requested_items(services, "itemIds", request.query.list("itemIds"), viewer_of(request));
    if (!items) return tl::unexpected(items.error());
    Caller player;
    player.admin = session.admin;
    player.user = session.user;
    player.libraries = open_libraries(session.policy);
    Request as_player;
    as_player.caller = player;
    std::erase_if(*items, [&](const store::ListedItem& each) { return !may_see(as_player, each.item.library); });
    auto found = playable_items(services, *items, viewer_of(player), most_items);
    if (found && found->empty()) {
        return core::fail(core::Errc::conflict,
                          "Not delivered: none of it can be played by " + printable(session.user_name) + ".");
    }
    return found;
}

struct StreamChoice {
    std::optional<std::int64_t> position, audio, subtitle, first;
};

core::Result<StreamChoice> read_choice(const Query& query) {
    StreamChoice choice;
    for (const auto& [field, kept] : {std::pair{"startPositionTicks", &choice.position},
                                      {"audioStreamIndex", &choice.audio},
                                      {"subtitleStreamIndex", &choice.subtitle},
                                      {"startIndex", &choice.first}}) {
        const auto number = query.number(field);
        if (!number) return tl::unexpected(number.error());
        *kept = *number;
    }
    return choice;
}

Response play(Remote& remote, const Request& request) {
    constexpr std::array<std::string_view, 5> words{"PlayNow", "PlayNext", "PlayLast", "PlayInstantMix", "PlayShuffle"};
    auto command = one_of(words, "playCommand", request.query.text("playCommand"));
    if (!command) return binding_problem(command.error());
    const auto choice = read_choice(request.query);
    if (!choice) return binding_problem(choice.error());
    const auto session = target_of(remote.services, request);
    if (!session) return problem(session.error());
    auto items = played_items(remote.services, request, *session);
    if (!items) return binding_problem(items.error());
    if (*command == "PlayShuffle") {  // as the reference: the order is the server's
        for (std::size_t i = items->size(); i > 1; --i)
            std::swap((*items)[i - 1],
                      (*items)[static_cast<std::size_t>(remote.services.random.uniform() * static_cast<double>(i))]);
        *command = "PlayNow";
    }
    if (items->size() > most_played) items->resize(most_played);
    JsonWriter out;
    out.begin_object().name("ItemIds").begin_array();
    for (const auto& id : *items) out.value(id);
    out.end_array().field("StartPositionTicks", choice->position).field("PlayCommand", *command);
    out.field("ControllingUserId", request.caller->user).field("SubtitleStreamIndex", choice->subtitle);
    out.field("AudioStreamIndex", choice->audio).text_if_any("MediaSourceId", request.query.text("mediaSourceId"));
    out.field("StartIndex", choice->first).end_object();
    return deliver(remote, *request.caller, *session, "Play", out.take());
}

}  // namespace

void add_remote_routes(Router& router, const Services& services) {
    const auto remote = std::make_shared<Remote>(services);
    const auto add = [&](const char* path, Response (*handler)(Remote&, const Request&)) {
        Route route;
        route.method = Method::post;
        route.path = path;
        route.access = Access::user;
        route.handler = [remote, handler](const Request& request) {
            const auto& users = remote->services.users;
            if (!users.accounts || !users.sessions)
                return problem({core::Errc::unsupported, "Logins are not kept here."});
            if (auto refusal = charge(*remote, *request.caller, 1)) return std::move(*refusal);
            return handler(*remote, request);
        };
        router.add(std::move(route));
    };
    add("/Sessions/{sessionId}/Command", full_command);
    add("/Sessions/{sessionId}/Command/{command}", plain_command);
    add("/Sessions/{sessionId}/System/{command}", plain_command);
    add("/Sessions/{sessionId}/Message", message);
    add("/Sessions/{sessionId}/Viewing", viewing);
    add("/Sessions/{sessionId}/Playing", play);
    add("/Sessions/{sessionId}/Playing/{command}", playstate);
}

}  // namespace understudy::http
