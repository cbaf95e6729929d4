// http/jellyfin/dto/item_dto.h: an item or a library as BaseItemDto. Used by the item handlers.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "http/json_writer.h"
#include "model/library.h"
#include "store/catalog.h"
#include "store/people.h"

namespace understudy::http {

/// Which of the properties that clients must ask for they asked for (`fields=`, lower case), or all of them.
struct ItemFields {
    bool all = false;
    std::set<std::string, std::less<>> names;
    bool images = true;                         ///< `enableImages`: tags of pictures at all
    std::vector<model::ImageKind> image_kinds;  ///< `enableImageTypes`; empty: all
    std::optional<std::size_t> image_limit;     ///< `imageTypeLimit`: of one kind

    [[nodiscard]] bool wants(std::string_view lower_name) const { return all || names.contains(lower_name); }
    /// Media sources and streams cost a query.
    [[nodiscard]] bool needs_sources() const {
        return wants("mediasources") || wants("mediastreams") || wants("chapters") || wants("mediasourcecount") ||
               wants("width") || wants("height") || wants("ishd");
    }
    [[nodiscard]] bool shows(model::ImageKind kind) const {
        const bool named = image_kinds.empty() || std::ranges::find(image_kinds, kind) != image_kinds.end();
        return images && named && image_limit != std::size_t{0};
    }
    /// So do counts of extras.
    [[nodiscard]] bool needs_extra_counts() const { return wants("localtrailercount") || wants("specialfeaturecount"); }
};

/// `Movie`, `MusicAlbum`, …: Jellyfin's BaseItemKind.
[[nodiscard]] std::string_view item_type(model::ItemKind kind) noexcept;
/// `Video`, `Audio` or `Unknown`.
[[nodiscard]] std::string_view media_type(const model::Item& item) noexcept;

struct UserView;  // user_data_dto.h

/// What an answer adds to an item: what its user did with it, which entry of a playlist it is, who made
/// it.
struct ItemContext {
    const UserView* user = nullptr;
    core::EntryId entry;
    const std::vector<store::ListedCredit>* credits = nullptr;        ///< who made it; null: nobody was asked
    bool can_delete = false;                                          ///< by whoever asks
    const std::map<model::ItemKind, std::int64_t>* counts = nullptr;  ///< of what an artist did, by kind
    std::optional<std::int64_t> child_count = {};  ///< said in any case; nullopt: the item's own, if asked
};

void write_item(JsonWriter& out, const store::ListedItem& listed, const ItemFields& fields, std::string_view server_id,
                const ItemContext& context = {});
/// A library as the folder that clients see at the top.
void write_library(JsonWriter& out, const model::Library& library, const ItemFields& fields,
                   std::string_view server_id);

}  // namespace understudy::http
