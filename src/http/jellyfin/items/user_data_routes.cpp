// What users did with items: /UserItems, /UserPlayedItems, /UserFavoriteItems.
#include <algorithm>
#include <utility>

#include "http/jellyfin/dto/user_data_dto.h"
#include "http/jellyfin/events/announcements.h"
#include "http/jellyfin/requests/named_subjects.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/json_body.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

constexpr std::size_t batch = 1'000;  // as UserData::change allows

/// The request's user, and the item, name or person that it speaks of; both are there.
struct Subject {
    store::User user;
    model::Item item;  ///< of a name or a person the id alone
    bool named = false;
};

core::Result<Subject> subject_of(const Services& services, const Request& request) {
    auto user = requested_user(services, request);
    if (!user) return tl::unexpected(user.error());
    const auto id = path_id<core::ItemId>(request);
    auto item = requested_item(services, id, viewer_of(request));
    if (item) return Subject{std::move(*user), std::move(item->item)};
    if (item.error().code != core::Errc::not_found) return tl::unexpected(item.error());
    const auto named = named_subjects(services, {id}, viewer_of(request));
    if (!named) return tl::unexpected(named.error());
    if (named->empty()) return tl::unexpected(no_item(id));
    if (!named->front().item.empty()) {
        item = requested_item(services, named->front().item, viewer_of(request));
        if (!item) return tl::unexpected(item.error());
        return Subject{std::move(*user), std::move(item->item)};
    }
    Subject subject{std::move(*user), {}, true};
    subject.item.id = id;
    return subject;
}

Response answer(const Services& services, const Request& request, const Subject& subject) {
    JsonWriter out(request.spelling);
    const auto id = subject.item.id;
    if (subject.named) {
        const auto data = named_data(services, subject.user.id, {id});
        if (!data) return problem(data.error());
        write_user_data(out, id, data->at(id));
        return json_answer(out.take());
    }
    const auto views = user_views(services, subject.user.id, {&subject.item}, viewer_of(request));
    if (!views) return problem(views.error());
    write_user_data(out, subject.item, views->at(id));
    return json_answer(out.take());
}

Response change_items(const Services& services, const Request& request, const Subject& subject,
                      const std::vector<core::ItemId>& items, const store::UserItemChange& change) {
    std::int64_t changed = 0;
    for (std::size_t from = 0; from < items.size(); from += batch) {
        const auto begin = items.begin() + static_cast<std::ptrdiff_t>(from);
        const auto end = begin + static_cast<std::ptrdiff_t>(std::min(batch, items.size() - from));
        const auto done = services.users.data->change(subject.user.id, {begin, end}, change);
        if (!done) return problem(done.error());
        changed += *done;
    }
    if (changed == 0) return problem(no_item(subject.item.id));  // it went meanwhile, or its user did
    auto touched = items;                                        // a folder's own view changes with what is below it
    if (touched.front() != subject.item.id) touched.insert(touched.begin(), subject.item.id);
    tell_user_data_changed(services, subject.user.id, touched);
    return answer(services, request, subject);
}

Response change_one(const Services& services, const Request& request, const store::UserItemChange& change) {
    const auto subject = subject_of(services, request);
    if (!subject) return binding_problem(subject.error());
    return change_items(services, request, *subject, {subject->item.id}, change);
}

/// A folder is marked by marking all that the caller may see and play below it.
Response change_playable(const Services& services, const Request& request, const store::UserItemChange& change) {
    const auto subject = subject_of(services, request);
    if (!subject) return binding_problem(subject.error());
    std::vector<core::ItemId> items;
    if (!subject->named && has_below(subject->item.kind)) {
        auto below = services.users.data->playable_below(subject->item.id, viewer_of(request), {});
        if (!below) return problem(below.error());
        std::ranges::sort(*below);  // everybody in the same order; a playlist may hold an item twice
        below->erase(std::unique(below->begin(), below->end()), below->end());
        items = std::move(*below);
    }
    if (items.empty()) items = {subject->item.id};
    return change_items(services, request, *subject, items, change);
}

/// ISO 8601, or `20261130101920` as old clients send it.
std::optional<core::UtcTime> parse_time(std::string_view text) {
    constexpr std::size_t digits = 14;
    if (text.size() != digits || text.find_first_not_of("0123456789") != std::string_view::npos)
        return core::from_iso8601(text);
    std::string iso(text);
    for (const auto& [at, mark] : {std::pair{12, ':'}, {10, ':'}, {8, 'T'}, {6, '-'}, {4, '-'}})
        iso.insert(static_cast<std::size_t>(at), 1, mark);
    return core::from_iso8601(iso + "Z");
}

core::Result<std::optional<core::UtcTime>> read_time(std::string_view field, std::string_view text) {
    if (trim(text).empty()) return std::optional<core::UtcTime>();
    const auto at = parse_time(trim(text));
    static const auto first = core::from_iso8601("0001-01-01T00:00:00Z");  // typed clients know no earlier time
    if (!at || *at < *first) {
        return core::fail(core::Errc::invalid, std::string(field) + ": '" + printable(text) +
                                                   "' is no time; use UTC as in 2026-11-30T10:19:20Z");
    }
    return at;
}

Response mark_played(const Services& services, const Request& request) {
    const auto played_at = read_time("datePlayed", request.query.text("datePlayed"));
    if (!played_at) return binding_problem(played_at.error());
    store::UserItemChange change;
    change.played = true;
    change.position = core::Millis{0};
    change.at_least_plays = 1;
    if (*played_at) {  // a play that is reported, as against a mark
        change.more_plays = 1;
        change.last_played_at = *played_at;
    } else {
        change.first_played_at = services.clock.utc_now();
    }
    return change_playable(services, request, change);
}

Response mark_unplayed(const Services& services, const Request& request) {
    store::UserItemChange change;
    change.played = false;
    change.position = core::Millis{0};
    change.play_count = 0;
    change.last_played_at = std::optional<core::UtcTime>();
    return change_playable(services, request, change);
}

Response set_favourite(const Services& services, const Request& request) {
    store::UserItemChange change;
    change.favourite = request.method == Method::post;
    return change_one(services, request, change);
}

// Reference: UserItemData.Likes.
double rating_of(bool likes) {
    return likes ? 10.0 : 1.0;
}

Response set_rating(const Services& services, const Request& request) {
    const auto likes = request.query.boolean("likes");
    if (!likes) return binding_problem(likes.error());
    store::UserItemChange change;
    change.rating = *likes ? std::optional(rating_of(**likes)) : std::nullopt;
    return change_one(services, request, change);
}

Response remove_rating(const Services& services, const Request& request) {
    store::UserItemChange change;
    change.rating = std::optional<double>();
    return change_one(services, request, change);
}

Response get_data(const Services& services, const Request& request) {
    const auto subject = subject_of(services, request);
    return subject ? answer(services, request, *subject) : binding_problem(subject.error());
}

tl::unexpected<core::Error> out_of_range(std::string_view field, std::string_view value, std::string_view range) {
    return core::fail(core::Errc::invalid,
                      std::string(field) + ": " + std::string(value) + " is out of range; use " + std::string(range));
}

core::Result<void> read_numbers(const JsonBody& body, store::UserItemChange& change) {
    const auto ticks = body.number("PlaybackPositionTicks");
    if (!ticks) return tl::unexpected(ticks.error());
    constexpr std::int64_t ticks_a_ms = 10'000;
    constexpr std::int64_t longest = std::int64_t{10'000} * 3'600'000 * ticks_a_ms;
    if (*ticks && (**ticks < 0 || **ticks > longest)) {
        return out_of_range("PlaybackPositionTicks", std::to_string(**ticks),
                            "0 to " + std::to_string(longest) + " (10,000 hours, in 100 ns)");
    }
    if (*ticks) change.position = core::Millis{**ticks / ticks_a_ms};
    const auto plays = body.number("PlayCount");
    if (!plays) return tl::unexpected(plays.error());
    constexpr std::int64_t most = 1'000'000;
    if (*plays && (**plays < 0 || **plays > most))
        return out_of_range("PlayCount", std::to_string(**plays), "0 to " + std::to_string(most));
    if (*plays) change.play_count = static_cast<int>(**plays);
    const auto rating = body.real("Rating");
    if (!rating) return tl::unexpected(rating.error());
    if (*rating && (**rating < 0 || **rating > 10)) {
        JsonWriter number;
        return out_of_range("Rating", number.value(**rating).take(), "0 to 10");
    }
    if (*rating) change.rating = **rating;
    return {};
}

core::Result<store::UserItemChange> read_change(const JsonBody& body) {
    store::UserItemChange change;
    const auto likes = body.boolean("Likes");
    if (!likes) return tl::unexpected(likes.error());
    if (*likes) change.rating = rating_of(**likes);  // Rating, where it is there, is more exact
    if (const auto read = read_numbers(body, change); !read) return tl::unexpected(read.error());
    const auto favourite = body.boolean("IsFavorite");
    if (!favourite) return tl::unexpected(favourite.error());
    change.favourite = *favourite;
    const auto played = body.boolean("Played");
    if (!played) return tl::unexpected(played.error());
    change.played = *played;
    const auto text = body.text("LastPlayedDate");
    if (!text) return tl::unexpected(text.error());
    const auto at = read_time("LastPlayedDate", text->value_or(""));
    if (!at) return tl::unexpected(at.error());
    if (*at) change.last_played_at = *at;
    return change;
}

Response set_data(const Services& services, const Request& request) {
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto change = read_change(*body);
    if (!change) return binding_problem(change.error());
    return change_one(services, request, *change);
}

}  // namespace

void add_user_data_routes(Router& router, const Services& services) {
    const auto add = [&](Method method, const char* path, const char* legacy_path, Handler handler) {
        add_user_route(router, services, method, path, handler, Access::user);
        add_user_route(router, services, method, legacy_path, handler, Access::user);
    };
    add(Method::get, "/UserItems/{id}/UserData", "/Users/{userId}/Items/{id}/UserData", get_data);
    add(Method::post, "/UserItems/{id}/UserData", "/Users/{userId}/Items/{id}/UserData", set_data);
    add(Method::post, "/UserItems/{id}/Rating", "/Users/{userId}/Items/{id}/Rating", set_rating);
    add(Method::del, "/UserItems/{id}/Rating", "/Users/{userId}/Items/{id}/Rating", remove_rating);
    add(Method::post, "/UserFavoriteItems/{id}", "/Users/{userId}/FavoriteItems/{id}", set_favourite);
    add(Method::del, "/UserFavoriteItems/{id}", "/Users/{userId}/FavoriteItems/{id}", set_favourite);
    add(Method::post, "/UserPlayedItems/{id}", "/Users/{userId}/PlayedItems/{id}", mark_played);
    add(Method::del, "/UserPlayedItems/{id}", "/Users/{userId}/PlayedItems/{id}", mark_unplayed);
}

}  // namespace understudy::http
