// /cluster/problems, /cluster/items/{id}/media, chapter pictures, /Library/Missing/Remove.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include "http/json_writer.h"
#include "http/library_lookup.h"
#include "http/pictures/picture_answer.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"
#include "library/audio_normalization.h"
#include "library/keyframe_extraction.h"
#include "media/keyframes.h"
#include "media/loudness.h"

namespace understudy::http {
namespace {

Response list_problems(const Services& services, const Request& request) {
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    std::optional<core::LibraryId> only;
    if (const auto text = request.query.text("library"); !text.empty()) {
        const auto* library = find_library(*libraries, text);
        if (!library) return problem(no_library(*libraries, text));
        only = library->id;
    }
    const auto problems = services.catalog.problems(only);
    if (!problems) return problem(problems.error());
    JsonWriter out(Spelling::camel);
    out.begin_object().name("Items").begin_array();
    for (const auto& each : *problems) {
        const auto* library = find_library(*libraries, each.library);
        out.begin_object().field("Path", each.path);
        out.field("Library", library ? library->name : each.library.str());
        out.field("Task", each.task)
            .field("Reason", each.reason)
            .field("Since", core::to_iso8601(each.since))
            .end_object();
    }
    out.end_array().field("Total", problems->size()).end_object();
    return json_answer(out.take());
}

// Each part of the answer, null where no task has found it out yet.

/// What was found out of an item's first file; nullopt: nothing, or the file is broken.
core::Result<std::optional<std::string>> found_in_file(store::Analyses* analyses, const char* kind,
                                                       const model::Item& item) {
    if (analyses == nullptr || item.sources.empty()) return std::optional<std::string>{};
    const auto& source = item.sources.front();
    auto found = analyses->get(kind, {{source.info.content_sample, source.file.mtime_ns}});
    if (!found) return tl::unexpected(found.error());
    if (found->empty() || !found->front().failure.empty()) return std::optional<std::string>{};
    return std::optional(std::move(found->front().payload));
}

core::Result<void> write_keyframes(JsonWriter& out, store::Analyses* analyses, const model::Item& item) {
    out.name("KeyframesMs");
    const auto found = found_in_file(analyses, library::KeyframeExtraction::kind, item);
    if (!found) return tl::unexpected(found.error());
    const auto index = *found ? media::decode_keyframes(**found) : core::fail(core::Errc::not_found, "");
    if (!index) {
        out.null();
        return {};
    }
    out.begin_array();
    for (const auto& time : index->times) out.value(std::chrono::floor<core::Millis>(time).count());
    out.end_array();
    return {};
}

core::Result<void> write_loudness(JsonWriter& out, const MediaFindings& media, const store::ListedItem& listed) {
    const auto& item = listed.item;
    auto* store = media.loudness;
    const auto album = item.kind == model::ItemKind::album ? item.id : listed.album_id;
    const auto rows =
        store != nullptr ? store->loudness({item.id, album}) : core::Result<std::map<core::ItemId, store::Loudness>>{};
    if (!rows) return tl::unexpected(rows.error());
    const auto row = [&](core::ItemId id) {
        const auto found = rows->find(id);
        return found == rows->end() ? store::Loudness{} : found->second;
    };
    // The peak that is kept with the gain may be one of the samples alone.
    const auto measured = found_in_file(media.analyses, library::AudioNormalization::true_peak_kind, item);
    if (!measured) return tl::unexpected(measured.error());
    const auto loudness =
        *measured ? media::decode_loudness(**measured) : core::Result<media::Loudness>(media::Loudness{});
    const auto peak = loudness ? loudness->true_peak : std::optional<double>{};
    out.field_or_null("LoudnessLufs",
                      item.kind == model::ItemKind::album ? std::optional<double>{} : row(item.id).lufs);
    out.field_or_null("AlbumLoudnessLufs", row(album).lufs);
    out.field_or_null("TruePeakDb",
                      peak && *peak > 0 ? std::optional(20 * std::log10(*peak)) : std::optional<double>{});
    return {};
}

core::Result<void> write_segments(JsonWriter& out, store::MediaSegments* store, core::ItemId item) {
    out.name("Segments");
    using Found = std::map<core::ItemId, std::vector<store::ProvidedSegment>>;
    const auto found = store != nullptr ? store->segments({item}) : core::Result<Found>{};
    if (!found) return tl::unexpected(found.error());
    const auto its = found->find(item);
    if (its == found->end()) {
        out.null();
    } else {
        out.begin_array();
        for (const auto& [provider, segment] : its->second) {
            out.begin_object()
                .field("Type", model::to_string(segment.kind))
                .field("StartMs", segment.start.count())
                .field("EndMs", segment.end.count())
                .field("Provider", provider)
                .end_object();
        }
        out.end_array();
    }
    return {};
}

core::Result<void> write_chapters(JsonWriter& out, store::ChapterPictures* store, const model::Item& item) {
    out.name("Chapters");
    if (item.sources.empty()) {
        out.null();
        return {};
    }
    using Found = std::map<std::pair<core::ItemId, int>, std::vector<store::ChapterPicture>>;
    const auto found = store != nullptr ? store->pictures({item.id}) : core::Result<Found>{};
    if (!found) return tl::unexpected(found.error());
    const auto its = found->find({item.id, 0});
    const auto& chapters = item.sources.front().info.chapters;
    out.begin_array();
    for (std::size_t i = 0; i < chapters.size(); ++i) {
        out.begin_object().field("StartMs", chapters[i].start.count()).field("Name", chapters[i].name).name("Image");
        const auto pictured = its != found->end() && std::ranges::any_of(its->second, [&](const auto& picture) {
                                  return picture.number == static_cast<int>(i);
                              });
        if (pictured)
            out.value("/Items/" + item.id.str() + "/Images/Chapter/" + std::to_string(i));
        else
            out.null();
        out.end_object();
    }
    out.end_array();
    return {};
}

Response item_media(const Services& services, const Request& request) {
    const auto id = path_id<core::ItemId>(request);
    const auto found = services.catalog.find(id);
    if (!found) return problem(found.error());
    if (!*found) return problem({core::Errc::not_found, "There is no item " + id.str() + "."});
    const auto& item = (*found)->item;
    JsonWriter out(Spelling::camel);
    out.begin_object();
    auto written = write_keyframes(out, services.media.analyses, item);
    if (written) written = write_loudness(out, services.media, **found);
    if (written) written = write_segments(out, services.media.segments, item.id);
    if (written) written = write_chapters(out, services.media.pictures, item);
    if (!written) return problem(written.error());
    out.end_object();
    return json_answer(out.take());
}

std::optional<int> whole_number(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// A chapter's picture. Its tag is its content: what has once been seen never changes under it.
Response chapter_picture(const Services& services, const Request& request) {
    const auto none = [&](const std::string& what) { return problem({core::Errc::not_found, what}); };
    const auto id = path_id<core::ItemId>(request);
    const auto& text = request.param("index");
    const auto number = whole_number(text);
    if (!number || *number < 0)
        return binding_problem("index", "index: '" + printable(text) + "' is no chapter; the first is 0");
    const auto wish = read_picture_wish(request);
    if (!wish) return binding_problem(wish.error());
    const auto& media = services.media;
    if (media.pictures == nullptr || media.blobs == nullptr)
        return none("There is no picture '" + printable(text) + "' of item " + id.str() + ".");
    const auto found = media.pictures->pictures({id});
    if (!found) return problem(found.error());
    const auto its = found->find({id, 0});
    if (its != found->end()) {
        for (const auto& picture : its->second) {
            if (picture.number != *number) continue;
            auto answer =
                answer_with_blob(services, request, *wish, picture.blob, Freshness::content, "image/" + picture.format);
            if (answer) return std::move(*answer);
            if (answer.error().code != core::Errc::not_found) return problem(answer.error());
            break;
        }
    }
    return none("Chapter " + std::to_string(*number) + " of item " + id.str() +
                " has no picture: RefreshChapterImages makes them where the library's EnableChapterImageExtraction is "
                "on.");
}

Response remove_missing(const Services& services, const Request& request) {
    const auto confirm = request.query.boolean("confirm");
    if (!confirm) return binding_problem(confirm.error());
    if (!confirm->value_or(false)) {
        return binding_problem(
            "confirm",
            "confirm: missing; this removes all items whose files are gone, with their history: repeat the "
            "request with confirm=true");
    }
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    std::vector<core::LibraryId> chosen;
    if (const auto text = request.query.text("library"); !text.empty()) {
        const auto* library = find_library(*libraries, text);
        if (!library) return problem(no_library(*libraries, text));
        chosen.push_back(library->id);
    } else {
        for (const auto& library : *libraries) chosen.push_back(library.id);
    }
    std::int64_t removed = 0;
    for (const auto& id : chosen) {
        const auto gone = services.scans.remove_missing(id);
        if (!gone) return problem(gone.error());
        removed += *gone;
    }
    if (removed > 0) {
        services.log.info("missing items were removed as asked",
                          {{"removed", std::to_string(removed)}, {"by", request.caller ? request.caller->name : ""}});
        const auto told = services.events.publish("library.changed", R"({"change":"missing_removed"})");
        if (!told) services.log.debug("an event was not published", {{"cause", told.error().context}});
    }
    JsonWriter out(Spelling::camel);
    out.begin_object().field("Removed", removed).end_object();
    return json_answer(out.take());
}

}  // namespace

void add_media_routes(Router& router, const Services& services) {
    add_route(router, services, Method::get, "/cluster/problems", list_problems);
    add_route(router, services, Method::get, "/cluster/items/{id}/media", item_media);
    // Open as in the reference: a browser's <img> sends no token.
    for (const char* path :
         {"/Items/{id}/Images/Chapter/{index}",
          "/Items/{id}/Images/Chapter/{index}/{tag}/{format}/{maxWidth}/{maxHeight}/{percentPlayed}/{unplayedCount}"}) {
        Route route;
        route.path = path;
        route.access = Access::open;
        route.where = Where::pictures;
        route.handler = [&services](const Request& request) { return chapter_picture(services, request); };
        router.add(std::move(route));
    }
    add_route(router, services, Method::post, "/Library/Missing/Remove", remove_missing);
}

}  // namespace understudy::http
