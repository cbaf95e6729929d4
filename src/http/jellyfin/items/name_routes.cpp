// /Genres, /MusicGenres, /Studios, /Artists and /Years, which items share by name, and /Items/Filters: by what a list
// of them can be filtered.
#include <algorithm>
#include <utility>

#include "http/jellyfin/dto/name_dto.h"
#include "http/jellyfin/items/item_pages.h"
#include "http/jellyfin/items/name_pages.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/library_lookup.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

using store::NameKind;

Response list_names(const Services& services, const Request& request, NameKind kind, bool album_artists = false) {
    auto wanted = read_name_request(services, request);
    if (!wanted) return binding_problem(wanted.error());
    wanted->query.kinds = {kind};
    wanted->query.album_artists = album_artists;
    if (kind == NameKind::genre && wanted->query.items.library) {
        // As the reference: the genres of a library of music are those of music, whichever were asked for.
        const auto libraries = services.libraries.all();
        if (!libraries) return problem(libraries.error());
        const auto* library = find_library(*libraries, *wanted->query.items.library);
        if (library && library->kind == model::LibraryKind::music) wanted->query.kinds = {NameKind::music_genre};
    }
    return name_page(services, request, *wanted);
}

Response list_genres(const Services& services, const Request& request) {
    return list_names(services, request, NameKind::genre);
}
Response list_music_genres(const Services& services, const Request& request) {
    return list_names(services, request, NameKind::music_genre);
}
Response list_studios(const Services& services, const Request& request) {
    return list_names(services, request, NameKind::studio);
}
Response list_artists(const Services& services, const Request& request) {
    return list_names(services, request, NameKind::artist);
}
Response list_album_artists(const Services& services, const Request& request) {
    return list_names(services, request, NameKind::artist, true);
}

Response one_name(const Services& services, const Request& request, NameKind kind) {
    return one_by_name(services, request, name_id_of(kind, request.param("name")));
}
Response one_genre(const Services& services, const Request& request) {
    return one_name(services, request, NameKind::genre);
}
Response one_music_genre(const Services& services, const Request& request) {
    return one_name(services, request, NameKind::music_genre);
}
Response one_studio(const Services& services, const Request& request) {
    return one_name(services, request, NameKind::studio);
}
Response one_artist(const Services& services, const Request& request) {
    return one_name(services, request, NameKind::artist);
}

Response list_years(const Services& services, const Request& request) {
    auto wanted = read_name_request(services, request);
    if (!wanted) return binding_problem(wanted.error());
    std::vector<store::YearCount> years;
    if (!wanted->nothing && services.names != nullptr) {
        auto found = services.names->years(wanted->query.items);
        if (!found) return problem(found.error());
        years = std::move(*found);
    }
    return year_page(services, request, *wanted, std::move(years));
}

Response one_year(const Services& services, const Request& request) {
    const auto year = parse_int(request.param("year"));
    if (!year || services.names == nullptr)
        return problem(
            {core::Errc::not_found, "There is nothing of the year '" + printable(request.param("year")) + "'."});
    return one_by_name(services, request, name_id_of(NameKind::year, std::to_string(*year)));
}

core::Result<store::Facets> facets_of(const Services& services, const Request& request) {
    auto wanted = read_name_request(services, request);
    if (!wanted) return tl::unexpected(wanted.error());
    if (wanted->nothing || services.names == nullptr) return store::Facets{};
    return services.names->facets(wanted->query.items);
}

void write_texts(JsonWriter& out, std::string_view field, const std::vector<store::ListedName>& names) {
    out.name(field).begin_array();
    const std::string* last = nullptr;
    for (const auto& name : names) {  // a genre of films and of music may be called the same
        if (last == nullptr || *last != name.name) out.value(name.name);
        last = &name.name;
    }
    out.end_array();
}

/// QueryFiltersLegacy.
Response list_filters(const Services& services, const Request& request) {
    const auto facets = facets_of(services, request);
    if (!facets) return binding_problem(facets.error());
    JsonWriter out(request.spelling);
    out.begin_object();
    write_texts(out, "Genres", facets->genres);
    write_texts(out, "Tags", facets->tags);
    out.field("OfficialRatings", facets->official_ratings).name("Years").begin_array();
    for (const int year : facets->years) out.value(year);
    out.end_array().end_object();
    return json_answer(out.take());
}

/// QueryFilters.
Response list_filters_by_id(const Services& services, const Request& request) {
    const auto facets = facets_of(services, request);
    if (!facets) return binding_problem(facets.error());
    JsonWriter out(request.spelling);
    out.begin_object().name("Genres").begin_array();
    for (const auto& genre : facets->genres) write_pair(out, genre.name, genre.id);
    out.end_array();
    write_texts(out, "Tags", facets->tags);
    out.end_object();
    return json_answer(out.take());
}

}  // namespace

void add_name_routes(Router& router, const Services& services) {
    add_route(router, services, Method::get, "/Genres", list_genres, Access::user);
    add_route(router, services, Method::get, "/Genres/{name}", one_genre, Access::user);
    add_route(router, services, Method::get, "/MusicGenres", list_music_genres, Access::user);
    add_route(router, services, Method::get, "/MusicGenres/{name}", one_music_genre, Access::user);
    add_route(router, services, Method::get, "/Studios", list_studios, Access::user);
    add_route(router, services, Method::get, "/Studios/{name}", one_studio, Access::user);
    add_route(router, services, Method::get, "/Artists", list_artists, Access::user);
    add_route(router, services, Method::get, "/Artists/AlbumArtists", list_album_artists, Access::user);
    add_route(router, services, Method::get, "/Artists/{name}", one_artist, Access::user);
    add_route(router, services, Method::get, "/Years", list_years, Access::user);
    add_route(router, services, Method::get, "/Years/{year}", one_year, Access::user);
    add_route(router, services, Method::get, "/Items/Filters", list_filters, Access::user);
    add_route(router, services, Method::get, "/Items/Filters2", list_filters_by_id, Access::user);
}

}  // namespace understudy::http
