// /Shows: what to watch next, what comes, and the seasons and episodes of a series. The rules: docs/api.md.
#include <algorithm>
#include <iterator>
#include <limits>
#include <unordered_map>
#include <utility>

#include "http/jellyfin/home/show_order.h"
#include "http/jellyfin/items/item_pages.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/library_lookup.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

using Episodes = std::vector<store::ShowEpisode>;
constexpr std::size_t series_a_query = 100;  // a page of next up is then one query, whatever its user has begun

core::Result<void> read_flag(const Query& query, std::string_view name, bool& flag) {
    const auto read = query.boolean(name);
    if (!read) return tl::unexpected(read.error());
    if (*read) flag = **read;
    return {};
}

/// A time in UTC, or a day. Errors: invalid.
core::Result<std::optional<core::UtcTime>> read_time(const Query& query, std::string_view name) {
    const std::string text(trim(query.text(name)));
    if (text.empty()) return std::optional<core::UtcTime>();
    for (const auto* end : {"", "Z", "T00:00:00Z"}) {
        if (const auto at = core::from_iso8601(text + end)) return at;
    }
    return core::fail(core::Errc::invalid,
                      std::string(name) + ": '" + printable(text) + "' is no time; use UTC as in 2026-11-30T10:19:20Z");
}

/// An id of the query; nullopt where there is none. Errors: invalid.
core::Result<std::optional<core::ItemId>> read_id(const Query& query, std::string_view name) {
    const std::string text(trim(query.text(name)));
    if (text.empty()) return std::optional<core::ItemId>();
    const auto id = core::ItemId::parse(text);
    if (!id) return tl::unexpected(wrong_id(name, text));
    return id;
}

struct NextUpRequest {
    NextUpRules rules;
    bool rewatching = false, counted = true;
};

core::Result<NextUpRequest> read_next_up(const Query& query) {
    NextUpRequest wanted;
    bool no_first = false;
    for (const auto& [name, flag] : {std::pair<const char*, bool*>{"enableResumable", &wanted.rules.resumable},
                                     {"enableRewatching", &wanted.rewatching},
                                     {"enableTotalRecordCount", &wanted.counted},
                                     {"disableFirstEpisode", &no_first}}) {
        if (const auto read = read_flag(query, name, *flag); !read) return tl::unexpected(read.error());
    }
    wanted.rules.first_episode = !no_first;
    return wanted;
}

/// Which series to look at, the one last watched first: all that `user` has begun, or the one that is named.
core::Result<std::vector<store::BegunSeries>> series_wanted(const Services& services, const Request& request,
                                                            ItemRequest& wanted, core::UserId user) {
    const auto named = read_id(request.query, "seriesId");
    if (!named) return tl::unexpected(named.error());
    if (*named) {
        const auto series = requested_item(services, **named, viewer_of(request));
        if (!series) return tl::unexpected(series.error());
        return std::vector<store::BegunSeries>{{**named, {}}};
    }
    store::ShowsFilter filter;
    filter.viewer = viewer_of(request);
    const auto since = read_time(request.query, "nextUpDateCutoff");
    if (!since) return tl::unexpected(since.error());
    filter.since = *since;
    if (wanted.parent) {
        const auto libraries = services.libraries.all();
        if (!libraries) return tl::unexpected(libraries.error());
        if (const auto set = set_parent(wanted, *libraries); !set) return tl::unexpected(set.error());
        filter.library = wanted.query.library;
        filter.series = wanted.query.parent;
    }
    return services.shows->begun(user, filter);
}

struct Found {
    core::ItemId episode;
    core::UtcTime last_watched_at{};
};

/// What comes next in each of `series`, in their order; then what comes next of those that are watched again. Looks no
/// further than `enough`.
core::Result<std::vector<Found>> find_next(const Services& services, const Request& request, core::UserId user,
                                           const std::vector<store::BegunSeries>& series, const NextUpRequest& wanted,
                                           std::size_t enough) {
    std::vector<Found> found, again;
    for (std::size_t from = 0; from < series.size() && found.size() < enough; from += series_a_query) {
        const auto to = std::min(from + series_a_query, series.size());
        std::vector<core::ItemId> ids;
        for (auto i = from; i < to; ++i) ids.push_back(series[i].series);
        auto episodes = services.shows->episodes(user, ids, viewer_of(request));
        if (!episodes) return tl::unexpected(episodes.error());
        std::unordered_map<core::ItemId, Episodes> by_series;
        for (auto& episode : *episodes) by_series[episode.series].push_back(episode);
        for (auto i = from; i < to; ++i) {
            auto& own = by_series[series[i].series];
            sort_as_aired(own);
            if (const auto next = next_up(own, wanted.rules)) found.push_back({*next, series[i].last_watched_at});
            if (!wanted.rewatching) continue;
            if (const auto next = next_to_rewatch(own)) again.push_back({next->next, next->last_watched_at});
        }
    }
    found.insert(found.end(), again.begin(), again.end());
    if (wanted.rewatching)
        std::ranges::stable_sort(found,
                                 [](const Found& a, const Found& b) { return a.last_watched_at > b.last_watched_at; });
    return found;
}

/// The page of `ids` that the request wants.
Response answer_page(const Services& services, const Request& request, const ItemRequest& wanted,
                     const std::optional<store::User>& user, const std::vector<core::ItemId>& ids, std::size_t total) {
    auto items = items_by_id(services, wanted, ids, viewer_of(request));
    if (!items) return problem(items.error());
    return write_page(services, request, wanted, user, {std::move(*items), total});
}

std::vector<core::ItemId> page_of(const std::vector<core::ItemId>& ids, const store::ItemQuery& query) {
    const auto start = std::min(query.start_index, ids.size());
    const auto end = start + std::min(query.limit, ids.size() - start);
    return {ids.begin() + static_cast<std::ptrdiff_t>(start), ids.begin() + static_cast<std::ptrdiff_t>(end)};
}

Response list_next_up(const Services& services, const Request& request) {
    auto wanted = read_item_request(request.query);
    if (!wanted) return binding_problem(wanted.error());
    const auto rules = read_next_up(request.query);
    if (!rules) return binding_problem(rules.error());
    const auto user = requested_user(services, request);
    if (!user) return binding_problem(user.error());
    const auto series = series_wanted(services, request, *wanted, user->id);
    if (!series) return binding_problem(series.error());
    const bool all = rules->counted || rules->rewatching;
    const auto enough = all ? series->size() + 1 : wanted->query.start_index + wanted->query.limit;
    const auto found = find_next(services, request, user->id, *series, *rules, enough);
    if (!found) return problem(found.error());
    std::vector<core::ItemId> ids;
    for (const auto& one : *found) ids.push_back(one.episode);
    return answer_page(services, request, *wanted, *user, page_of(ids, wanted->query), rules->counted ? ids.size() : 0);
}

Response list_upcoming(const Services& services, const Request& request) {
    auto wanted = read_item_request(request.query);
    if (!wanted) return binding_problem(wanted.error());
    const auto user = named_user(services, request);
    if (!user) return binding_problem(user.error());
    store::ShowsFilter filter;
    filter.viewer = viewer_of(request);
    // Dates are midnight UTC: what is on air today has not been missed yet, wherever one is.
    constexpr std::int64_t day_ms = 86'400'000;
    filter.since = core::from_unix_ms((core::to_unix_ms(services.clock.utc_now()) / day_ms - 1) * day_ms);
    if (wanted->parent) {
        const auto libraries = services.libraries.all();
        if (!libraries) return problem(libraries.error());
        if (const auto set = set_parent(*wanted, *libraries); !set) return binding_problem(set.error());
        filter.library = wanted->query.library;
        filter.series = wanted->query.parent;
    }
    const auto found = services.shows->upcoming(filter, wanted->query.start_index, wanted->query.limit);
    if (!found) return problem(found.error());
    return answer_page(services, request, *wanted, *user, found->episodes, found->total);
}

/// The neighbours of `id` and itself; nothing where it is not there.
std::vector<core::ItemId> around(const std::vector<core::ItemId>& ids, core::ItemId id) {
    const auto at = std::ranges::find(ids, id);
    if (at == ids.end()) return {};
    return {at == ids.begin() ? at : std::prev(at), std::next(at) == ids.end() ? ids.end() : at + 2};
}

/// What both lists of a series begin with: the series is there for the caller, and is one.
core::Result<core::ItemId> series_of(const Services& services, const Request& request) {
    const auto id = path_id<core::ItemId>(request, "seriesId");
    const auto series = requested_item(services, id, viewer_of(request));
    if (!series) return tl::unexpected(series.error());
    if (series->item.kind != model::ItemKind::series)
        return core::fail(core::Errc::not_found, "There is no series " + id.str() + ".");
    return id;
}

Response list_seasons(const Services& services, const Request& request) {
    auto wanted = read_item_request(request.query);
    if (!wanted) return binding_problem(wanted.error());
    const auto special = request.query.boolean("isSpecialSeason"), missing = request.query.boolean("isMissing");
    if (!special || !missing) return binding_problem((!special ? special : missing).error());
    const auto neighbour = read_id(request.query, "adjacentTo");
    if (!neighbour) return binding_problem(neighbour.error());
    const auto user = named_user(services, request);
    if (!user) return binding_problem(user.error());
    const auto series = series_of(services, request);
    if (!series) return binding_problem(series.error());
    store::ItemQuery query;
    query.viewer = viewer_of(request);
    query.parent = *series;
    query.kinds = {model::ItemKind::season};
    query.sort_by = {store::ItemSort::index_number, store::ItemSort::name};
    query.limit = largest_page;
    query.with_extra_counts = wanted->query.with_extra_counts;
    auto page = services.catalog.list(query);
    if (!page) return problem(page.error());
    std::vector<core::ItemId> ids;
    std::unordered_map<core::ItemId, store::ListedItem> by_id;
    for (auto& listed : page->items) {
        const bool is_special = listed.item.season_number == 0;
        if (missing->value_or(false) || (*special && **special != is_special)) continue;  // nothing here is missing
        ids.push_back(listed.item.id);
        by_id.emplace(listed.item.id, std::move(listed));
    }
    if (*neighbour) ids = around(ids, **neighbour);
    ItemsFound found;
    found.total = ids.size();
    for (const auto& id : ids) found.items.push_back({std::move(by_id.at(id)), {}});
    wanted->query.start_index = 0;
    return write_page(services, request, *wanted, *user, found);
}

/// Those that `season` or `seasonId` ask for. Errors: invalid, not_found for a seasonId that is not there.
core::Result<Episodes> chosen(const Services& services, const Request& request, Episodes episodes) {
    const auto season = read_id(request.query, "seasonId");
    if (!season) return tl::unexpected(season.error());
    const auto number = request.query.number("season");
    if (!number) return tl::unexpected(number.error());
    if (*season) {
        const auto item = requested_item(services, **season, viewer_of(request));
        if (!item) return tl::unexpected(item.error());
        if (item->item.season_number) {
            const auto within = of_season(episodes, *item->item.season_number);
            // Of two folders of one season only this one's, beside the specials shown within it.
            std::erase_if(episodes, [&](const auto& one) { return one.season != **season; });
            for (const auto& one : within)
                if (is_special(one) && one.season != **season) episodes.push_back(one);
            sort_as_aired(episodes);
            return *item->item.season_number == 0 ? of_season(episodes, 0) : episodes;
        }
        std::erase_if(episodes, [&](const auto& one) { return one.season != **season; });
        return episodes;
    }
    if (!*number) return episodes;
    if (**number < 0 || **number > std::numeric_limits<int>::max()) return Episodes{};
    return of_season(episodes, static_cast<int>(**number));
}

Response list_episodes(const Services& services, const Request& request) {
    auto wanted = read_item_request(request.query);
    if (!wanted) return binding_problem(wanted.error());
    const auto missing = request.query.boolean("isMissing");
    if (!missing) return binding_problem(missing.error());
    const auto start = read_id(request.query, "startItemId"), neighbour = read_id(request.query, "adjacentTo");
    if (!start || !neighbour) return binding_problem((!start ? start : neighbour).error());
    const auto user = named_user(services, request);
    if (!user) return binding_problem(user.error());
    const auto series = series_of(services, request);
    if (!series) return binding_problem(series.error());
    auto all = services.shows->episodes({}, {*series}, viewer_of(request));
    if (!all) return problem(all.error());
    sort_as_aired(*all);
    const auto episodes = chosen(services, request, std::move(*all));
    if (!episodes) return binding_problem(episodes.error());
    std::vector<core::ItemId> ids;
    if (!missing->value_or(false)) std::ranges::transform(*episodes, std::back_inserter(ids), &store::ShowEpisode::id);
    if (*start) ids.erase(ids.begin(), std::ranges::find(ids, **start));
    if (*neighbour) ids = around(ids, **neighbour);
    const auto& sorts = wanted->query.sort_by;
    if (std::ranges::find(sorts, store::ItemSort::random) != sorts.end()) {
        for (auto left = ids.size(); left > 1; --left) {
            const auto any = static_cast<std::size_t>(services.random.uniform() * static_cast<double>(left));
            std::swap(ids[left - 1], ids[any]);
        }
    }
    return answer_page(services, request, *wanted, *user, page_of(ids, wanted->query), ids.size());
}

/// Where shows are not kept: 501.
template <Response (*handler)(const Services&, const Request&)>
Response with_shows(const Services& services, const Request& request) {
    if (!services.shows) return problem({core::Errc::unsupported, "What is watched of series is not kept here."});
    return handler(services, request);
}

}  // namespace

void add_show_routes(Router& router, const Services& services) {
    const auto add = [&](const char* path, Handler handler) {
        add_route(router, services, Method::get, path, handler, Access::user);
    };
    add("/Shows/NextUp", with_shows<list_next_up>);
    add("/Shows/Upcoming", with_shows<list_upcoming>);
    add("/Shows/{seriesId}/Seasons", list_seasons);
    add("/Shows/{seriesId}/Episodes", with_shows<list_episodes>);
}

}  // namespace understudy::http
