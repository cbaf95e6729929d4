// http/jellyfin/dto/description_dto.h: what an item is about, what it looks like and who made it, as properties of
// BaseItemDto. Used by the item DTO and the handlers of people.
#pragma once

#include <string_view>
#include <vector>

#include "http/jellyfin/dto/item_dto.h"
#include "http/json_writer.h"
#include "store/catalog.h"
#include "store/people.h"
#include "store/user_data.h"

namespace understudy::http {

/// Overview, ratings, dates, studios, …: as far as `fields` asks where the reference waits to be asked.
void write_description(JsonWriter& out, const model::Item& item, const ItemFields& fields);
/// ImageTags, BackdropImageTags and those of ancestors, as far as `fields` takes them. ImageBlurHashes is left out: it
/// may be absent, but the contract wants every kind of picture in one that is there.
void write_images(JsonWriter& out, const store::ListedItem& listed, const ItemFields& fields);
/// LocalTrailerCount and SpecialFeatureCount.
void write_extra_counts(JsonWriter& out, const store::ListedItem& listed, const ItemFields& fields);
/// `Actor`, `GuestStar`, …: Jellyfin's PersonKind.
[[nodiscard]] std::string_view person_type(model::CreditKind kind) noexcept;
/// People.
void write_people(JsonWriter& out, const std::vector<store::ListedCredit>& credits);
/// A person as BaseItemDto. `data`: of the user who is named; null: nobody is.
void write_person(JsonWriter& out, const store::Person& person, const ItemFields& fields, std::string_view server_id,
                  const store::UserItemData* data);

/// A trailer, and what goes as special feature: everything but trailers and what plays by itself.
[[nodiscard]] bool is_trailer(std::string_view extra_type) noexcept;
[[nodiscard]] bool is_special_feature(std::string_view extra_type) noexcept;
/// `BehindTheScenes`, …: Jellyfin's ExtraType.
[[nodiscard]] std::string_view extra_type_name(std::string_view extra_type) noexcept;

}  // namespace understudy::http
