#include "http/jellyfin/dto/user_data_dto.h"

#include "http/text.h"

namespace understudy::http {

bool has_below(model::ItemKind kind) noexcept {
    switch (kind) {
        case model::ItemKind::series:
        case model::ItemKind::season:
        case model::ItemKind::artist:
        case model::ItemKind::album:
        case model::ItemKind::box_set:
        case model::ItemKind::playlist:
            return true;
        case model::ItemKind::movie:
        case model::ItemKind::episode:
        case model::ItemKind::track:
        case model::ItemKind::extra:
            return false;
    }
    return false;
}

void write_user_data(JsonWriter& out, const model::Item& item, const UserView& view) {
    const auto& data = view.data;
    constexpr double percent = 100.0;
    bool played = data.played;
    out.begin_object().field("Rating", data.rating);
    if (view.below) {
        const auto& below = *view.below;
        played = below.unplayed == 0;
        out.field("PlayedPercentage",
                  percent * static_cast<double>(below.playable - below.unplayed) / static_cast<double>(below.playable));
        out.field("UnplayedItemCount", below.unplayed);
    } else if (data.position.count() > 0 && item.duration.count() > 0) {
        const auto part = static_cast<double>(data.position.count()) / static_cast<double>(item.duration.count());
        out.field("PlayedPercentage", std::min(percent * part, percent));
    }
    out.field("PlaybackPositionTicks", to_ticks(data.position)).field("PlayCount", data.play_count);
    out.field("IsFavorite", data.favourite);
    if (data.rating) out.field("Likes", *data.rating >= least_like);
    if (data.last_played_at) out.field("LastPlayedDate", to_jellyfin_time(*data.last_played_at));
    out.field("Played", played).field("Key", item.id).field("ItemId", item.id).end_object();
}

void write_user_data(JsonWriter& out, core::ItemId id, const store::UserItemData& data) {
    model::Item named;
    named.id = id;
    write_user_data(out, named, UserView{data, std::nullopt});
}

core::Result<std::map<core::ItemId, store::UserItemData>> named_data(const Services& services, core::UserId user,
                                                                     const std::vector<core::ItemId>& ids) {
    if (ids.empty()) return std::map<core::ItemId, store::UserItemData>{};
    if (!services.users.data) return core::fail(core::Errc::unsupported, "Data of users is not kept here.");
    auto data = services.users.data->get(user, ids);
    if (!data) return data;
    for (const auto& id : ids) data->try_emplace(id);
    return data;
}

core::Result<std::map<core::ItemId, UserView>> user_views(const Services& services, core::UserId user,
                                                          const std::vector<const model::Item*>& items,
                                                          const std::optional<store::Viewer>& viewer) {
    std::map<core::ItemId, UserView> views;
    if (items.empty()) return views;
    if (!services.users.data) return core::fail(core::Errc::unsupported, "Data of users is not kept here.");
    std::vector<core::ItemId> ids, folders;
    for (const auto* item : items) {
        ids.push_back(item->id);
        if (has_below(item->kind)) folders.push_back(item->id);
        views[item->id];
    }
    const auto data = services.users.data->get(user, ids);
    if (!data) return tl::unexpected(data.error());
    for (const auto& [id, one] : *data) views[id].data = one;
    if (folders.empty()) return views;
    const auto below = services.users.data->below(user, folders, viewer);
    if (!below) return tl::unexpected(below.error());
    for (const auto& [id, counts] : *below) views[id].below = counts;
    return views;
}

}  // namespace understudy::http
