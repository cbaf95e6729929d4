#include "http/jellyfin/items/user_views.h"

#include <algorithm>
#include <utility>

#include "http/json_body.h"
#include "http/text.h"
#include "store/collections.h"

namespace understudy::http {
namespace {

std::vector<core::LibraryId> ids_of(const JsonBody& configuration, std::string_view name) {
    std::vector<core::LibraryId> ids;
    const auto texts = configuration.texts(name);
    if (!texts || !*texts) return ids;
    for (const auto& text : **texts) {
        if (const auto id = core::LibraryId::parse(text)) ids.push_back(*id);
    }
    return ids;
}

/// Is there one that `viewer` may see?
core::Result<bool> any_of_kind(const Services& services, model::ItemKind kind,
                               const std::optional<store::Viewer>& viewer) {
    store::ItemQuery query;
    query.viewer = viewer;
    query.library = store::collections_library;
    query.kinds = {kind};
    query.limit = 1;
    const auto page = services.catalog.list(query);
    if (!page) return tl::unexpected(page.error());
    return !page->items.empty();
}

std::string_view name_of(core::LibraryId id) {
    return id == box_sets_view ? "Collections" : "Playlists";
}

void end_folder(JsonWriter& out) {
    out.name("ImageTags").begin_object().end_object();
    out.name("BackdropImageTags").begin_array().end_array();
    out.field("LocationType", "FileSystem").field("MediaType", "Unknown").end_object();
}

}  // namespace

HomeSettings home_settings(const std::optional<store::User>& user) {
    HomeSettings settings;
    if (!user) return settings;
    const auto configuration = JsonBody::parse(user->configuration);
    if (!configuration) return settings;
    settings.order = ids_of(*configuration, "OrderedViews");
    settings.hidden = ids_of(*configuration, "MyMediaExcludes");
    settings.not_in_latest = ids_of(*configuration, "LatestItemsExcludes");
    if (const auto hide = configuration->boolean("HidePlayedInLatest"); hide && *hide) settings.hide_played = **hide;
    return settings;
}

core::Result<std::vector<View>> views_of(const Services& services, std::vector<model::Library> libraries,
                                         const HomeSettings& settings, const std::optional<store::Viewer>& viewer,
                                         bool with_hidden) {
    std::vector<View> views;
    for (auto& library : libraries) {
        const auto id = library.id;
        views.push_back({id, std::move(library)});
    }
    for (const auto& [kind, id] :
         {std::pair{model::ItemKind::box_set, box_sets_view}, {model::ItemKind::playlist, playlists_view}}) {
        const auto any = any_of_kind(services, kind, viewer);
        if (!any) return tl::unexpected(any.error());
        if (*any) views.push_back({id, std::nullopt});
    }
    if (!with_hidden) {
        std::erase_if(views, [&](const View& view) {
            return std::ranges::find(settings.hidden, view.id) != settings.hidden.end();
        });
    }
    std::ranges::stable_sort(views, {}, [&](const View& view) {  // libraries come by name
        return std::ranges::find(settings.order, view.id) - settings.order.begin();
    });
    return views;
}

void write_view(JsonWriter& out, const View& view, const ItemFields& fields, std::string_view server_id) {
    if (view.library) return write_library(out, *view.library, fields, server_id);
    const bool box_sets = view.id == box_sets_view;
    out.begin_object().field("Name", name_of(view.id)).field("ServerId", server_id).field("Id", view.id);
    if (fields.wants("sortname")) out.field("SortName", to_lower(name_of(view.id)));
    out.field("IsFolder", true).field("Type", box_sets ? "CollectionFolder" : "ManualPlaylistsFolder");
    out.field("CollectionType", box_sets ? "boxsets" : "playlists");
    end_folder(out);
}

void write_root(JsonWriter& out, std::string_view server_id) {
    out.begin_object().field("Name", "Media Folders").field("ServerId", server_id).field("Id", root_folder);
    out.field("IsFolder", true).field("Type", "UserRootFolder");
    end_folder(out);
}

bool write_top_level(JsonWriter& out, core::ItemId id, const ItemFields& fields, std::string_view server_id) {
    if (id == root_folder) {
        write_root(out, server_id);
        return true;
    }
    const core::LibraryId view(id.bytes());
    if (view != box_sets_view && view != playlists_view) return false;
    write_view(out, {view, std::nullopt}, fields, server_id);
    return true;
}

}  // namespace understudy::http
