#include "http/jellyfin/dto/description_dto.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "http/entity_tags.h"
#include "http/jellyfin/dto/name_dto.h"
#include "http/jellyfin/dto/user_data_dto.h"
#include "http/text.h"

namespace understudy::http {
namespace {

using model::ImageKind;

std::optional<std::string> time_text(const std::optional<core::UtcTime>& at) {
    if (!at) return std::nullopt;
    return to_jellyfin_time(*at);
}

// A client opens them: nothing but the web's own schemes.
bool is_web_address(std::string_view url) {
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (url.size() > scheme.size() && iequals(url.substr(0, scheme.size()), scheme)) return true;
    }
    return false;
}

const model::ItemImage* first_of(const std::vector<model::ItemImage>& images, ImageKind kind) {
    const auto found = std::ranges::find(images, kind, &model::ItemImage::kind);
    return found == images.end() ? nullptr : &*found;
}

// Of the picture beside the files, else of the one in them.
std::optional<std::string> primary_tag(const std::vector<model::ItemImage>& images,
                                       const std::optional<store::Cover>& cover) {
    if (const auto* image = first_of(images, ImageKind::primary)) return image_tag(*image);
    return cover ? std::optional(cover->blob.str()) : std::nullopt;
}

void write_backdrop_tags(JsonWriter& out, std::string_view name, const std::vector<model::ItemImage>& images,
                         const ItemFields& fields) {
    auto left = fields.image_limit.value_or(images.size());
    out.name(name).begin_array();
    for (const auto& image : images) {
        if (image.kind != ImageKind::backdrop || !fields.shows(ImageKind::backdrop) || left == 0) continue;
        out.value(image_tag(image));
        --left;
    }
    out.end_array();
}

// A picture of the nearest ancestor that has one, where the item has none of its own.
void write_of_ancestor(JsonWriter& out, const store::ListedItem& listed, ImageKind kind, std::string_view id_name,
                       std::string_view tag_name, const ItemFields& fields) {
    if (!fields.shows(kind) || first_of(listed.item.images, kind)) return;
    for (const auto& ancestor : listed.ancestors) {
        const auto* image = first_of(ancestor.images, kind);
        if (!image) continue;
        out.field(id_name, ancestor.id);
        if (kind == ImageKind::backdrop)
            write_backdrop_tags(out, tag_name, ancestor.images, fields);
        else
            out.field(tag_name, image_tag(*image));
        return;
    }
}

}  // namespace

void write_description(JsonWriter& out, const model::Item& item, const ItemFields& fields) {
    const auto& about = item.about;
    if (fields.wants("settings")) out.text_if_any("ForcedSortName", about.sort_title);
    if (fields.wants("originaltitle")) out.text_if_any("OriginalTitle", about.original_title);
    if (fields.wants("overview")) out.text_if_any("Overview", about.overview);
    if (fields.wants("taglines")) {
        out.name("Taglines").begin_array();
        if (!about.tagline.empty()) out.value(about.tagline);
        out.end_array();
    }
    out.text_if_any("OfficialRating", about.official_rating).field("CommunityRating", about.community_rating);
    out.field("PremiereDate", time_text(about.premiered)).field("EndDate", time_text(about.ended));
    if (item.kind == model::ItemKind::series) out.text_if_any("Status", about.status);
    out.field("AirsBeforeSeasonNumber", about.airs_before_season);
    out.field("AirsBeforeEpisodeNumber", about.airs_before_episode);
    out.field("AirsAfterSeasonNumber", about.airs_after_season);
    if (fields.wants("studios")) {
        out.name("Studios").begin_array();
        for (const auto& studio : about.studios) {
            write_pair(out, studio, name_id_of(store::NameKind::studio, studio));
        }
        out.end_array();
    }
    if (fields.wants("tags")) out.field("Tags", about.tags);
    if (fields.wants("productionlocations")) out.field("ProductionLocations", about.countries);
    if (fields.wants("remotetrailers")) {
        out.name("RemoteTrailers").begin_array();
        for (const auto& url : about.trailers) {
            if (is_web_address(url)) out.begin_object().field("Url", url).end_object();
        }
        out.end_array();
    }
}

void write_images(JsonWriter& out, const store::ListedItem& listed, const ItemFields& fields) {
    if (!fields.images) return;
    const auto& images = listed.item.images;
    out.name("ImageTags").begin_object();
    if (const auto tag = primary_tag(images, listed.cover); tag && fields.shows(ImageKind::primary))
        out.key(to_string(ImageKind::primary)).value(*tag);
    for (const auto& image : images) {
        if (image.kind != ImageKind::backdrop && image.kind != ImageKind::primary && fields.shows(image.kind))
            out.key(to_string(image.kind)).value(image_tag(image));
    }
    out.end_object();
    write_backdrop_tags(out, "BackdropImageTags", images, fields);
    write_of_ancestor(out, listed, ImageKind::backdrop, "ParentBackdropItemId", "ParentBackdropImageTags", fields);
    write_of_ancestor(out, listed, ImageKind::logo, "ParentLogoItemId", "ParentLogoImageTag", fields);
    write_of_ancestor(out, listed, ImageKind::art, "ParentArtItemId", "ParentArtImageTag", fields);
    write_of_ancestor(out, listed, ImageKind::thumb, "ParentThumbItemId", "ParentThumbImageTag", fields);
    for (const auto& ancestor : listed.ancestors) {
        const auto tag = primary_tag(ancestor.images, ancestor.cover);
        if (!tag || !fields.shows(ImageKind::primary)) continue;
        if (ancestor.kind == model::ItemKind::series) out.field("SeriesPrimaryImageTag", *tag);
        if (ancestor.kind == model::ItemKind::album) out.field("AlbumPrimaryImageTag", *tag);
    }
}

void write_extra_counts(JsonWriter& out, const store::ListedItem& listed, const ItemFields& fields) {
    using model::ItemKind;
    const auto kind = listed.item.kind;
    if (kind != ItemKind::movie && kind != ItemKind::series && kind != ItemKind::season && kind != ItemKind::episode)
        return;
    std::int64_t trailers = 0, features = 0;
    for (const auto& [type, count] : listed.extra_counts) {
        if (is_trailer(type)) trailers += count;
        if (is_special_feature(type)) features += count;
    }
    if (fields.wants("localtrailercount")) out.field("LocalTrailerCount", trailers);
    if (fields.wants("specialfeaturecount")) out.field("SpecialFeatureCount", features);
}

std::string_view person_type(model::CreditKind kind) noexcept {
    switch (kind) {
        case model::CreditKind::actor:
            return "Actor";
        case model::CreditKind::guest_star:
            return "GuestStar";
        case model::CreditKind::director:
            return "Director";
        case model::CreditKind::writer:
            return "Writer";
        case model::CreditKind::producer:
            return "Producer";
        case model::CreditKind::creator:
            return "Creator";
        case model::CreditKind::composer:
            return "Composer";
        case model::CreditKind::conductor:
            return "Conductor";
        case model::CreditKind::lyricist:
            return "Lyricist";
        case model::CreditKind::arranger:
            return "Arranger";
        case model::CreditKind::artist:
            return "Artist";
        case model::CreditKind::album_artist:
            return "AlbumArtist";
    }
    return "Unknown";
}

void write_people(JsonWriter& out, const std::vector<store::ListedCredit>& credits) {
    out.name("People").begin_array();
    for (const auto& credit : credits) {
        out.begin_object().field("Name", credit.name).field("Id", credit.person);
        out.text_if_any("Role", credit.role).field("Type", person_type(credit.kind));
        if (!credit.image.empty()) out.field("PrimaryImageTag", credit.image.str());
        out.end_object();
    }
    out.end_array();
}

void write_person(JsonWriter& out, const store::Person& person, const ItemFields& fields, std::string_view server_id,
                  const store::UserItemData* data) {
    out.begin_object();
    out.field("Name", person.name).field("ServerId", server_id).field("Id", person.id);
    if (fields.wants("datecreated")) out.field("DateCreated", to_jellyfin_time(person.created_at));
    if (fields.wants("candelete")) out.field("CanDelete", false);
    if (fields.wants("sortname")) out.text_if_any("SortName", person.sort_name);
    if (fields.wants("overview")) out.text_if_any("Overview", person.overview);
    if (fields.wants("providerids")) {
        out.name("ProviderIds").begin_object();
        for (const auto& [name, value] : person.provider_ids) out.key(name).value(value);
        out.end_object();
    }
    out.field("IsFolder", false).field("Type", "Person");
    if (data != nullptr) write_user_data(out.name("UserData"), core::ItemId(person.id.bytes()), *data);
    out.name("ImageTags").begin_object();
    if (!person.image.empty()) out.key("Primary").value(person.image.str());
    out.end_object();
    out.name("BackdropImageTags").begin_array().end_array();
    out.field("LocationType", "FileSystem").field("MediaType", "Unknown").end_object();
}

bool is_trailer(std::string_view extra_type) noexcept {
    return extra_type == "trailer";
}

bool is_special_feature(std::string_view extra_type) noexcept {
    return !extra_type.empty() && !is_trailer(extra_type) && !extra_type.starts_with("theme_");
}

std::string_view extra_type_name(std::string_view extra_type) noexcept {
    using Name = std::pair<std::string_view, std::string_view>;
    constexpr std::array names{Name{"trailer", "Trailer"},
                               Name{"behind_the_scenes", "BehindTheScenes"},
                               Name{"deleted_scene", "DeletedScene"},
                               Name{"featurette", "Featurette"},
                               Name{"interview", "Interview"},
                               Name{"scene", "Scene"},
                               Name{"short_film", "Short"},
                               Name{"clip", "Clip"},
                               Name{"sample", "Sample"},
                               Name{"theme_song", "ThemeSong"},
                               Name{"theme_video", "ThemeVideo"}};
    for (const auto& [stored, name] : names) {
        if (stored == extra_type) return name;
    }
    return "Unknown";
}

}  // namespace understudy::http
