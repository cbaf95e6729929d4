#include "http/jellyfin/libraries/library_options.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "core/text.h"
#include "http/text.h"

namespace understudy::http {
namespace json = boost::json;
namespace {

enum class Kind { flag, number, text, nullable_text, texts, nullable_texts };

struct Property {
    std::string_view name;
    Kind kind;
    std::string_view standard;  ///< JSON; empty: left out
};

/// What Jellyfin 10.11 sends for a library nobody has set up, but EnableLUFSScan and EnableRealtimeMonitor, which are
/// on here because measuring and watching are cheap (library/library_options.h); non-nullable properties all have a
/// value.
constexpr std::array properties{
    Property{"Enabled", Kind::flag, "true"},
    Property{"EnablePhotos", Kind::flag, "true"},
    Property{"EnableRealtimeMonitor", Kind::flag, "true"},
    Property{"EnableLUFSScan", Kind::flag, "true"},
    Property{"EnableChapterImageExtraction", Kind::flag, "false"},
    Property{"ExtractChapterImagesDuringLibraryScan", Kind::flag, "false"},
    Property{"EnableTrickplayImageExtraction", Kind::flag, "false"},
    Property{"ExtractTrickplayImagesDuringLibraryScan", Kind::flag, "false"},
    Property{"SaveLocalMetadata", Kind::flag, "false"},
    Property{"EnableInternetProviders", Kind::flag, "false"},
    Property{"EnableAutomaticSeriesGrouping", Kind::flag, "true"},
    Property{"EnableEmbeddedTitles", Kind::flag, "false"},
    Property{"EnableEmbeddedExtrasTitles", Kind::flag, "false"},
    Property{"EnableEmbeddedEpisodeInfos", Kind::flag, "false"},
    Property{"AutomaticRefreshIntervalDays", Kind::number, "0"},
    Property{"PreferredMetadataLanguage", Kind::nullable_text, ""},
    Property{"MetadataCountryCode", Kind::nullable_text, ""},
    Property{"SeasonZeroDisplayName", Kind::text, "\"Specials\""},
    Property{"MetadataSavers", Kind::nullable_texts, ""},
    Property{"DisabledLocalMetadataReaders", Kind::texts, "[]"},
    Property{"LocalMetadataReaderOrder", Kind::nullable_texts, ""},
    Property{"DisabledSubtitleFetchers", Kind::texts, "[]"},
    Property{"SubtitleFetcherOrder", Kind::texts, "[]"},
    Property{"DisabledMediaSegmentProviders", Kind::texts, "[]"},
    Property{"MediaSegmentProviderOrder", Kind::texts, "[]"},
    Property{"SkipSubtitlesIfEmbeddedSubtitlesPresent", Kind::flag, "false"},
    Property{"SkipSubtitlesIfAudioTrackMatches", Kind::flag, "true"},
    Property{"SubtitleDownloadLanguages", Kind::nullable_texts, ""},
    Property{"RequirePerfectSubtitleMatch", Kind::flag, "true"},
    Property{"SaveSubtitlesWithMedia", Kind::flag, "true"},
    Property{"SaveLyricsWithMedia", Kind::flag, "false"},
    Property{"SaveTrickplayWithMedia", Kind::flag, "false"},
    Property{"DisabledLyricFetchers", Kind::texts, "[]"},
    Property{"LyricFetcherOrder", Kind::texts, "[]"},
    Property{"PreferNonstandardArtistsTag", Kind::flag, "false"},
    Property{"UseCustomTagDelimiters", Kind::flag, "false"},
    Property{"CustomTagDelimiters", Kind::texts, R"(["/","|",";","\\"])"},
    Property{"DelimiterWhitelist", Kind::texts, "[]"},
    Property{"AutomaticallyAddToCollection", Kind::flag, "false"},
    Property{"AllowEmbeddedSubtitles", Kind::text, "\"AllowAll\""},
    Property{"RemoveMissingAfterDays", Kind::number, ""},
};

constexpr std::array fetcher_lists{"MetadataFetchers", "MetadataFetcherOrder", "ImageFetchers", "ImageFetcherOrder"};

core::Result<std::optional<json::value>> read_texts(const JsonBody& body, std::string_view name) {
    const auto text = body.json(name);
    if (!text) return std::optional<json::value>();
    boost::system::error_code error;
    auto list = json::parse(*text, error);
    const bool good = !error && list.is_array() &&
                      std::ranges::all_of(list.get_array(), [](const auto& each) { return each.is_string(); });
    if (!good)
        return core::fail(core::Errc::invalid,
                          std::string(name) + ": " + printable(*text) + " is not valid; use an array of texts");
    return std::optional<json::value>(std::move(list));
}

core::Result<std::optional<json::value>> read_property(const JsonBody& body, const Property& property) {
    switch (property.kind) {
        case Kind::flag: {
            const auto flag = body.boolean(property.name);
            if (!flag) return tl::unexpected(flag.error());
            return *flag ? std::optional<json::value>(**flag) : std::nullopt;
        }
        case Kind::number: {
            const auto number = body.number(property.name);
            if (!number) return tl::unexpected(number.error());
            return *number ? std::optional<json::value>(**number) : std::nullopt;
        }
        case Kind::text:
        case Kind::nullable_text: {
            const auto text = body.text(property.name);
            if (!text) return tl::unexpected(text.error());
            return *text ? std::optional<json::value>(json::string(**text)) : std::nullopt;
        }
        case Kind::texts:
        case Kind::nullable_texts:
            return read_texts(body, property.name);
    }
    return std::optional<json::value>();
}

core::Result<json::array> read_type_options(const JsonBody& body) {
    json::array all;
    const auto types = body.objects("TypeOptions");
    if (!types) return tl::unexpected(types.error());
    for (const auto& type : *types) {
        json::object stored;
        const auto name = type.text("Type");
        if (!name) return tl::unexpected(name.error());
        if (*name) stored["Type"] = **name;
        for (const char* list : fetcher_lists) {
            auto texts = read_texts(type, list);
            if (!texts) return tl::unexpected(texts.error());
            if (*texts) stored[list] = std::move(**texts);
        }
        const auto images = type.objects("ImageOptions");
        if (!images) return tl::unexpected(images.error());
        json::array image_options;
        for (const auto& image : *images) {
            const auto image_type = image.text("Type");
            if (!image_type) return tl::unexpected(image_type.error());
            const auto limit = image.number("Limit");
            if (!limit) return tl::unexpected(limit.error());
            const auto width = image.number("MinWidth");
            if (!width) return tl::unexpected(width.error());
            json::object option;
            option["Type"] = image_type->value_or("Primary");
            option["Limit"] = limit->value_or(0);
            option["MinWidth"] = width->value_or(0);
            image_options.push_back(std::move(option));
        }
        if (type.has("ImageOptions")) stored["ImageOptions"] = std::move(image_options);
        all.push_back(std::move(stored));
    }
    return all;
}

/// Property names in the asked spelling; there are no dictionaries in LibraryOptions.
void write_value(JsonWriter& out, const json::value& value) {
    if (value.is_object()) {
        out.begin_object();
        for (const auto& member : value.get_object()) {
            out.name(std::string_view(member.key().data(), member.key().size()));
            write_value(out, member.value());
        }
        out.end_object();
    } else if (value.is_array()) {
        out.begin_array();
        for (const auto& each : value.get_array()) write_value(out, each);
        out.end_array();
    } else {
        out.raw(json::serialize(value));
    }
}

std::vector<std::string> property_names() {
    std::vector<std::string> names{"TypeOptions", "PathInfos"};
    for (const auto& property : properties) names.emplace_back(property.name);
    return names;
}

}  // namespace

core::Result<LibraryOptionsInput> read_library_options(const JsonBody& body) {
    LibraryOptionsInput input;
    json::object stored;
    for (const auto& property : properties) {
        auto value = read_property(body, property);
        if (!value) return tl::unexpected(value.error());
        if (*value) stored[property.name] = std::move(**value);
    }
    auto types = read_type_options(body);
    if (!types) return tl::unexpected(types.error());
    if (!types->empty()) stored["TypeOptions"] = std::move(*types);
    const auto infos = body.objects("PathInfos");
    if (!infos) return tl::unexpected(infos.error());
    for (const auto& info : *infos) {
        const auto path = info.text("Path");
        if (!path) return tl::unexpected(path.error());
        if (*path && !(*path)->empty()) input.paths.push_back(**path);
    }
    const auto days = body.number("RemoveMissingAfterDays");
    if (!days) return tl::unexpected(days.error());
    if (*days) {
        constexpr std::int64_t most = 3650;
        if (**days < 0 || **days > most) {
            return core::fail(core::Errc::invalid,
                              "RemoveMissingAfterDays: " + std::to_string(**days) +
                                  " is not valid; use 0 to 3650, or leave it out to keep missing items for ever");
        }
        input.remove_missing_after = std::chrono::days(**days);
    }
    input.json = json::serialize(stored);
    return input;
}

core::Result<void> check_option_names(const JsonBody& body) {
    const auto known = property_names();
    for (const auto& key : body.keys()) {
        if (std::ranges::any_of(known, [&](const auto& name) { return iequals(name, key); })) continue;
        const auto near = core::nearest(key, known);
        return core::fail(core::Errc::invalid, printable(key) + ": is no option of a library" +
                                                   (near ? "; did you mean " + *near + "?" : "."));
    }
    return {};
}

core::Result<std::string> changed_library_options(std::string_view stored, const JsonBody& body) {
    if (const auto known = check_option_names(body); !known) return tl::unexpected(known.error());
    if (body.has("PathInfos"))
        return core::fail(core::Errc::invalid, "PathInfos: the folders of a library are not changed with its options");
    const auto read = read_library_options(body);
    if (!read) return tl::unexpected(read.error());
    boost::system::error_code error;
    auto merged = json::parse(stored, error);
    if (error || !merged.is_object()) merged = json::object();
    auto changes = json::parse(read->json).get_object();
    for (const auto& name : property_names()) {
        if (!body.has(name)) continue;
        if (auto* value = changes.if_contains(name))
            merged.get_object()[name] = std::move(*value);
        else
            merged.get_object().erase(name);
    }
    return json::serialize(merged);
}

void write_library_options(JsonWriter& out, std::string_view stored, const std::vector<std::string>& paths) {
    boost::system::error_code error;
    const auto parsed = json::parse(stored, error);
    const json::object none;
    const auto& options = !error && parsed.is_object() ? parsed.get_object() : none;
    out.begin_object();
    for (const auto& property : properties) {
        if (const auto* value = options.if_contains(property.name)) {
            out.name(property.name);
            write_value(out, *value);
        } else if (!property.standard.empty()) {
            out.name(property.name).raw(property.standard);
        }
    }
    out.name("PathInfos").begin_array();
    for (const auto& path : paths) out.begin_object().field("Path", path).end_object();
    out.end_array();
    out.name("TypeOptions");
    if (const auto* types = options.if_contains("TypeOptions")) {
        write_value(out, *types);
    } else {
        out.begin_array().end_array();
    }
    out.end_object();
}

}  // namespace understudy::http
