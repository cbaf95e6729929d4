#include "http/jellyfin/requests/user_requests.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/text.h"
#include "http/jellyfin/dto/user_data_dto.h"
#include "http/jellyfin/dto/user_settings.h"
#include "http/problem.h"
#include "http/text.h"

namespace understudy::http {
namespace {

constexpr const char* not_kept = "Users, their data and collections are not kept here.";

}  // namespace

void add_user_route(Router& router, const Services& services, Method method, const char* path, Handler handler,
                    Access access, bool others) {
    Route route;
    route.method = method;
    route.path = path;
    route.access = access;
    route.others = others;
    route.handler = [&services, handler](const Request& request) {
        const auto& users = services.users;
        if (!users.accounts || !users.data || !users.collections) return problem({core::Errc::unsupported, not_kept});
        return handler(services, request);
    };
    router.add(std::move(route));
}

void add_account_route(Router& router, const Services& services, Method method, const char* path, Handler handler,
                       Access access) {
    Route route;
    route.method = method;
    route.path = path;
    route.access = access;
    route.handler = [&services, handler](const Request& request) {
        const auto& users = services.users;
        if (!users.accounts || !users.sessions || !users.attempts || !users.settings || !users.passwords)
            return problem({core::Errc::unsupported, "Logins are not kept here."});
        return handler(services, request);
    };
    router.add(std::move(route));
}

bool may_act_for(const Request& request, core::UserId user) {
    if (!request.caller) return false;
    return request.caller->admin || (!user.empty() && request.caller->user == user);
}

std::optional<Response> refuse_preferences(const Request& request, const store::User& user) {
    if (request.caller->admin || policy_flag(user, "EnableUserPreferenceAccess")) return std::nullopt;
    return text_answer(403, "An administrator keeps this user's settings (EnableUserPreferenceAccess is false).");
}

std::optional<store::Viewer> viewer_of(const Caller& caller) {
    if (caller.admin && !caller.libraries) return std::nullopt;
    return store::Viewer{caller.admin ? core::UserId{} : caller.user, caller.libraries};
}

std::optional<store::Viewer> viewer_of(const Request& request) {
    return request.caller ? viewer_of(*request.caller) : std::nullopt;
}

bool may_see(const Request& request, core::LibraryId library) {
    if (!request.caller || !request.caller->libraries || library == store::collections_library) return true;
    return std::ranges::find(*request.caller->libraries, library) != request.caller->libraries->end();
}

core::Result<std::optional<store::User>> named_user(const Services& services, const Request& request,
                                                    const std::string& in_body) {
    auto text = request.param("userId");
    if (text.empty()) text = std::string(trim(request.query.text("userId")));
    if (text.empty()) text = std::string(trim(in_body));
    auto id = core::UserId::parse(text);
    if (text.empty()) {
        if (!request.caller || request.caller->user.empty()) return std::optional<store::User>();
        id = request.caller->user;
    }
    if (!id) return tl::unexpected(wrong_id("userId", text));
    if (!services.users.accounts) return core::fail(core::Errc::unsupported, not_kept);
    auto user = services.users.accounts->find(*id);
    if (user && !*user) return core::fail(core::Errc::not_found, "There is no user " + id->str() + ".");
    return user;
}

core::Result<store::User> requested_user(const Services& services, const Request& request, const std::string& in_body) {
    auto named = named_user(services, request, in_body);
    if (!named) return tl::unexpected(named.error());
    if (*named) return std::move(**named);
    if (!services.users.accounts) return core::fail(core::Errc::unsupported, not_kept);
    auto all = services.users.accounts->all();
    if (!all) return tl::unexpected(all.error());
    if (all->empty()) {
        return core::fail(core::Errc::invalid,
                          "userId: there is no user yet; make one with POST /Users/New or `understudy users add NAME`");
    }
    if (all->size() > 1) {
        return core::fail(core::Errc::invalid, "userId: missing, and there are " + std::to_string(all->size()) +
                                                   " users; say which one (GET /Users lists them)");
    }
    return std::move(all->front());
}

core::Error no_item(core::ItemId id) {
    return {core::Errc::not_found, "There is no item " + id.str() + "."};
}

core::Result<store::ListedItem> requested_item(const Services& services, core::ItemId id,
                                               const std::optional<store::Viewer>& viewer) {
    store::ItemQuery query;
    query.ids = {id};
    query.viewer = viewer;
    query.limit = 2;  // more than there can be: no total is asked for
    auto page = services.catalog.list(query);
    if (!page) return tl::unexpected(page.error());
    if (page->items.empty()) return tl::unexpected(no_item(id));
    return std::move(page->items.front());
}

core::Result<std::vector<store::ListedItem>> requested_items(const Services& services, std::string_view field,
                                                             const std::vector<std::string>& ids,
                                                             const std::optional<store::Viewer>& viewer) {
    std::vector<core::ItemId> wanted;
    for (const auto& text : ids) {
        // What the others are for would be half done: a list that replaces another would lose what it cannot read.
        const auto id = core::ItemId::parse(text);
        if (!id) return tl::unexpected(wrong_id(field, text));
        wanted.push_back(*id);
    }
    if (wanted.empty())
        return core::fail(core::Errc::invalid, std::string(field) + ": missing; name at least one item by its id");
    if (wanted.size() > most_items) {
        return core::fail(core::Errc::invalid, std::string(field) + ": " + std::to_string(wanted.size()) +
                                                   " items are too many for one request; send at most " +
                                                   std::to_string(most_items));
    }
    store::ItemQuery query;
    query.ids = wanted;
    query.viewer = viewer;
    query.limit = wanted.size() + 1;
    auto page = services.catalog.list(query);
    if (!page) return tl::unexpected(page.error());
    std::unordered_map<core::ItemId, const store::ListedItem*> found;
    for (const auto& listed : page->items) found[listed.item.id] = &listed;
    std::vector<store::ListedItem> items;
    for (const auto& id : wanted) {
        const auto at = found.find(id);
        if (at == found.end()) return tl::unexpected(no_item(id));
        items.push_back(*at->second);
    }
    return items;
}

core::Result<std::vector<core::ItemId>> playable_items(const Services& services,
                                                       const std::vector<store::ListedItem>& items,
                                                       const std::optional<store::Viewer>& viewer, std::size_t most) {
    std::vector<core::ItemId> found;
    std::map<core::ItemId, std::vector<core::ItemId>> below;
    for (const auto& listed : items) {
        const auto id = listed.item.id;
        if (found.size() >= most) break;
        if (!has_below(listed.item.kind)) {
            found.push_back(id);
            continue;
        }
        if (!below.contains(id)) {
            auto read = services.users.data->playable_below(id, viewer, most);
            if (!read) return tl::unexpected(read.error());
            below[id] = std::move(*read);
        }
        const auto& more = below[id];
        const auto taken = std::min(more.size(), most - found.size());
        found.insert(found.end(), more.begin(), more.begin() + static_cast<std::ptrdiff_t>(taken));
    }
    return found;
}

core::Result<std::string> checked_name(std::string_view field, std::string_view name) {
    const std::string trimmed(trim(name));
    const std::string where(field);
    if (trimmed.empty()) return core::fail(core::Errc::invalid, where + ": missing; a name is needed");
    if (printable(trimmed) != trimmed) {
        return core::fail(core::Errc::invalid,
                          where + ": must be at most 200 bytes of UTF-8 without control characters");
    }
    return trimmed;
}

namespace {

/// Spaces and marks without a width, those that turn the direction of writing, and spaces that look like others: with
/// them two names look the same. The joiners U+200C and U+200D are letters' business and stay.
bool is_unseen(std::string_view character) {
    constexpr std::string_view unseen[] = {
        "\xC2\xA0",     "\xC2\xAD",     "\xE2\x80\x8B", "\xE2\x80\x8E", "\xE2\x80\x8F", "\xE2\x80\xA8",
        "\xE2\x80\xA9", "\xE2\x80\xAA", "\xE2\x80\xAB", "\xE2\x80\xAC", "\xE2\x80\xAD", "\xE2\x80\xAE",
        "\xE2\x81\xA0", "\xE2\x81\xA1", "\xE2\x81\xA2", "\xE2\x81\xA3", "\xE2\x81\xA4", "\xE2\x81\xA6",
        "\xE2\x81\xA7", "\xE2\x81\xA8", "\xE2\x81\xA9", "\xE3\x80\x80", "\xEF\xBB\xBF"};
    return std::ranges::find(unseen, character) != std::end(unseen);
}

/// Accents, Korean vowels and finals, and Japanese voice marks that Unicode joins with the letter before them (NFC): a
/// name with one would be another than the same name of whole letters. UTF-8 sorts as its characters do.
bool joins_the_letter_before(std::string_view character) {
    const auto within = [&](std::string_view first, std::string_view last) {
        return character >= first && character <= last;
    };
    return within("\xCC\x80", "\xCD\xAF") || within("\xE1\x85\xA1", "\xE1\x87\x82") ||
           within("\xE3\x82\x99", "\xE3\x82\x9A");
}

}  // namespace

core::Result<std::string> checked_user_name(std::string_view field, std::string_view name) {
    auto checked = checked_name(field, name);
    if (!checked) return checked;
    if (core::UserId::parse(*checked)) {
        return core::fail(core::Errc::invalid, std::string(field) + ": '" + *checked +
                                                   "' looks like an id, and users are named by id too; choose another");
    }
    for (std::size_t at = 0, length = 0; at < checked->size(); at += length) {
        length = core::utf8_length(*checked, at);
        const auto character = std::string_view(*checked).substr(at, length);
        if (is_unseen(character)) {
            return core::fail(core::Errc::invalid, std::string(field) + ": has a character that nobody sees at byte " +
                                                       std::to_string(at) + "; leave it out");
        }
        if (joins_the_letter_before(character)) {
            return core::fail(core::Errc::invalid, std::string(field) + ": '" + *checked +
                                                       "' has an accent that is a character of its own at byte " +
                                                       std::to_string(at) +
                                                       "; write it and its letter as one character (NFC)");
        }
    }
    return checked;
}

}  // namespace understudy::http
