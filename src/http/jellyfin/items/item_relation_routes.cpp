// What belongs to an item beside what it is: what it is in, its theme music, its segments.
#include <algorithm>
#include <string>
#include <utility>

#include "http/entity_tags.h"
#include "http/jellyfin/dto/description_dto.h"
#include "http/jellyfin/items/item_pages.h"
#include "http/jellyfin/items/user_views.h"
#include "http/jellyfin/requests/user_requests.h"
#include "http/library_lookup.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

ItemFields all_fields() {
    ItemFields fields;
    fields.all = true;
    return fields;
}

/// `GET /Items/{id}/Ancestors`: from its parent up to the root.
Response list_ancestors(const Services& services, const Request& request) {
    const auto user = named_user(services, request);
    if (!user) return binding_problem(user.error());
    const auto item = requested_item(services, path_id<core::ItemId>(request), viewer_of(request));
    if (!item) return problem(item.error());
    std::vector<PageItem> above;
    for (auto parent = item->item.parent; !parent.empty() && above.size() < 8;) {  // no tree is that deep
        auto one = requested_item(services, parent, viewer_of(request));
        if (!one) break;
        parent = one->item.parent;
        above.push_back({std::move(*one), {}});
    }
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    JsonWriter out(request.spelling);
    out.begin_array();
    if (const auto written = write_items(out, services, request, above, all_fields(), *user); !written)
        return problem(written.error());
    if (const auto* library = find_library(*libraries, item->item.library))
        write_library(out, *library, all_fields(), services.info.server_id);
    write_root(out, services.info.server_id);
    out.end_array();
    return json_answer(out.take());
}

/// Where nothing is known that could be in it: there are no intros before films, and what a film has in parts is one
/// item with one source.
Response list_none(const Services& services, const Request& request) {
    const auto item = requested_item(services, path_id<core::ItemId>(request), viewer_of(request));
    if (!item) return problem(item.error());
    JsonWriter out(request.spelling);
    out.begin_object().name("Items").begin_array().end_array();
    out.field("TotalRecordCount", 0).field("StartIndex", 0).end_object();
    return json_answer(out.take());
}

/// No provider has a page of its own to show ids on.
Response list_external_ids(const Services& services, const Request& request) {
    const auto item = requested_item(services, path_id<core::ItemId>(request), viewer_of(request));
    if (!item) return problem(item.error());
    return json_answer("[]");
}

/// Theme music or videos of an item.
struct Themes {
    core::ItemId owner;
    std::vector<PageItem> items;
};

core::Result<Themes> themes_of(const Services& services, const Request& request, std::string_view extra_type,
                               bool inherited) {
    auto id = path_id<core::ItemId>(request);
    Themes themes{id, {}};
    while (!id.empty()) {
        const auto item = requested_item(services, id, viewer_of(request));
        if (!item) return tl::unexpected(item.error());
        store::ItemQuery query;
        query.parent = id;
        query.viewer = viewer_of(request);
        query.kinds = {model::ItemKind::extra};
        query.limit = largest_page;
        query.with_sources = true;
        auto extras = services.catalog.list(query);
        if (!extras) return tl::unexpected(extras.error());
        for (auto& extra : extras->items) {
            if (extra.item.extra_type == extra_type) themes.items.push_back({std::move(extra), {}});
        }
        if (!themes.items.empty()) themes.owner = id;
        if (!themes.items.empty() || !inherited) return themes;
        id = item->item.parent;
    }
    return themes;
}

core::Result<void> write_themes(JsonWriter& out, const Services& services, const Request& request, const Themes& themes,
                                const std::optional<store::User>& user) {
    out.begin_object().name("Items").begin_array();
    if (auto written = write_items(out, services, request, themes.items, all_fields(), user); !written) return written;
    out.end_array().field("TotalRecordCount", themes.items.size()).field("StartIndex", 0);
    out.field("OwnerId", themes.owner).end_object();
    return {};
}

core::Result<void> write_themes_of(JsonWriter& out, const Services& services, const Request& request,
                                   std::string_view extra_type) {
    const auto inherited = request.query.boolean("inheritFromParent");
    if (!inherited) return tl::unexpected(inherited.error());
    const auto user = named_user(services, request);
    if (!user) return tl::unexpected(user.error());
    const auto themes = themes_of(services, request, extra_type, inherited->value_or(false));
    if (!themes) return tl::unexpected(themes.error());
    return write_themes(out, services, request, *themes, *user);
}

Response list_theme_songs(const Services& services, const Request& request) {
    JsonWriter out(request.spelling);
    const auto written = write_themes_of(out, services, request, "theme_song");
    return written ? json_answer(out.take()) : binding_problem(written.error());
}

Response list_theme_videos(const Services& services, const Request& request) {
    JsonWriter out(request.spelling);
    const auto written = write_themes_of(out, services, request, "theme_video");
    return written ? json_answer(out.take()) : binding_problem(written.error());
}

Response list_theme_media(const Services& services, const Request& request) {
    JsonWriter out(request.spelling);
    out.begin_object().name("ThemeVideosResult");
    if (const auto written = write_themes_of(out, services, request, "theme_video"); !written)
        return binding_problem(written.error());
    out.name("ThemeSongsResult");
    if (const auto written = write_themes_of(out, services, request, "theme_song"); !written)
        return binding_problem(written.error());
    out.name("SoundtrackSongsResult");  // no album is known to belong to a film
    if (const auto written = write_themes(out, services, request, {path_id<core::ItemId>(request), {}}, std::nullopt);
        !written)
        return problem(written.error());
    out.end_object();
    return json_answer(out.take());
}

std::string_view segment_type(model::SegmentKind kind) {
    switch (kind) {
        case model::SegmentKind::intro:
            return "Intro";
        case model::SegmentKind::outro:
            return "Outro";
        case model::SegmentKind::recap:
            return "Recap";
        case model::SegmentKind::preview:
            return "Preview";
        case model::SegmentKind::commercial:
            return "Commercial";
    }
    return "Unknown";
}

void write_segment(JsonWriter& out, core::ItemId item, const store::ProvidedSegment& provided) {
    const auto& segment = provided.segment;
    const auto type = segment_type(segment.kind);
    const auto said = "segment:" + item.str() + ":" + provided.provider + ":" + std::string(type) + ":" +
                      std::to_string(segment.start.count());
    out.begin_object().field("Id", core::id_to_hex(id_of_text(said))).field("ItemId", item).field("Type", type);
    out.field("StartTicks", to_ticks(segment.start)).field("EndTicks", to_ticks(segment.end)).end_object();
}

Response list_segments(const Services& services, const Request& request) {
    const auto item = requested_item(services, path_id<core::ItemId>(request), viewer_of(request));
    if (!item) return problem(item.error());
    const auto id = item->item.id;
    std::vector<store::ProvidedSegment> segments;
    if (services.media.segments != nullptr) {
        auto found = services.media.segments->segments({id});
        if (!found) return problem(found.error());
        segments = std::move((*found)[id]);
    }
    const auto types = request.query.list("includeSegmentTypes");
    std::erase_if(segments, [&](const store::ProvidedSegment& one) {
        const auto type = segment_type(one.segment.kind);
        return !types.empty() &&
               std::ranges::none_of(types, [&](const std::string& wanted) { return iequals(wanted, type); });
    });
    std::ranges::stable_sort(segments, {}, [](const store::ProvidedSegment& one) { return one.segment.start; });
    JsonWriter out(request.spelling);
    out.begin_object().name("Items").begin_array();
    for (const auto& one : segments) write_segment(out, id, one);
    out.end_array().field("TotalRecordCount", segments.size()).field("StartIndex", 0).end_object();
    return json_answer(out.take());
}

}  // namespace

void add_item_relation_routes(Router& router, const Services& services) {
    const auto add = [&](const char* path, Handler handler) {
        add_route(router, services, Method::get, path, handler, Access::user);
    };
    add("/Items/{id}/Ancestors", list_ancestors);
    add("/Items/{id}/Intros", list_none);
    add("/Users/{userId}/Items/{id}/Intros", list_none);
    add("/Videos/{id}/AdditionalParts", list_none);
    add("/Items/{id}/ThemeMedia", list_theme_media);
    add("/Items/{id}/ThemeSongs", list_theme_songs);
    add("/Items/{id}/ThemeVideos", list_theme_videos);
    add("/MediaSegments/{id}", list_segments);
    add_route(router, services, Method::get, "/Items/{id}/ExternalIdInfos", list_external_ids);
}

}  // namespace understudy::http
