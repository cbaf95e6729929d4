#include "store/sql/description_rows.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>

#include "store/sql/bulk_rows.h"
#include "store/sql/item_rows.h"
#include "store/sql/name_rows.h"
#include "store/sql/row_sets.h"
#include "store/sql/tags_json.h"

namespace understudy::store::sql {
namespace {

using Type = ColumnType;

const std::vector<BulkColumn>& description_columns() {
    static const std::vector<BulkColumn> columns{{"item_id", Type::bytes},
                                                 {"original_title", Type::text},
                                                 {"overview", Type::text},
                                                 {"tagline", Type::text},
                                                 {"official_rating", Type::text},
                                                 {"status", Type::text},
                                                 {"community_rating", Type::real},
                                                 {"premiered_ms", Type::integer},
                                                 {"ended_ms", Type::integer},
                                                 {"studios", Type::text},
                                                 {"tags", Type::text},
                                                 {"countries", Type::text},
                                                 {"trailers", Type::text},
                                                 {"sort_title", Type::text},
                                                 {"airs_before_season", Type::integer},
                                                 {"airs_before_episode", Type::integer},
                                                 {"airs_after_season", Type::integer}};
    return columns;
}

const std::vector<BulkColumn>& image_columns() {
    static const std::vector<BulkColumn> columns{{"item_id", Type::bytes},      {"number", Type::integer},
                                                 {"kind", Type::integer},       {"path", Type::bytes},
                                                 {"size_bytes", Type::integer}, {"mtime_ns", Type::integer}};
    return columns;
}

const std::vector<BulkColumn>& external_columns() {
    static const std::vector<BulkColumn> columns{
        {"item_id", Type::bytes}, {"source", Type::integer},       {"number", Type::integer},
        {"path", Type::bytes},    {"size_bytes", Type::integer},   {"mtime_ns", Type::integer},
        {"kind", Type::integer},  {"stream_index", Type::integer}, {"codec", Type::text},
        {"language", Type::text}, {"title", Type::text},           {"flags", Type::integer}};
    return columns;
}

struct BesideTable {
    std::int64_t bit;
    const char* name;
};
constexpr std::array tables{
    BesideTable{beside::description, "item_descriptions"}, BesideTable{beside::images, "item_images"},
    BesideTable{beside::external, "media_external_streams"}, BesideTable{beside::names, "item_names"}};

using Bits = std::unordered_map<core::ItemId, std::int64_t>;

core::Result<Bits> stored_bits(Session& session, const std::vector<core::ItemId>& ids) {
    Bits bits;
    auto rows = bulk_ids(session.dialect(), ids);
    auto read =
        session.query("SELECT id, beside FROM items WHERE " + rows.in("id") + " AND beside <> 0", rows.take(),
                      [&](const Row& row) { bits[id_from_bytes<core::ItemId>(row.bytes(0))] = row.integer(1); });
    if (!read) return tl::unexpected(read.error());
    return bits;
}

core::Result<void> delete_by(Session& session, const Bits& bits) {
    for (const auto& table : tables) {
        std::vector<core::ItemId> ids;
        for (const auto& [id, mask] : bits) {
            if ((mask & table.bit) != 0) ids.push_back(id);
        }
        if (ids.empty()) continue;
        std::sort(ids.begin(), ids.end());
        if (auto gone = delete_where_in(session, table.name, "item_id", ids); !gone)
            return tl::unexpected(gone.error());
    }
    return {};
}

BulkRows& time(BulkRows& rows, const std::optional<core::UtcTime>& at) {
    return at ? rows.integer(core::to_unix_ms(*at)) : rows.null();
}

void add_description(BulkRows& rows, core::ItemId item, const model::Description& about) {
    rows.id(item).text(about.original_title).text(about.overview).text(about.tagline).text(about.official_rating);
    rows.text(about.status);
    about.community_rating ? rows.real(*about.community_rating) : rows.null();
    time(time(rows, about.premiered), about.ended);
    rows.text(list_to_json(about.studios)).text(list_to_json(about.tags)).text(list_to_json(about.countries));
    rows.text(list_to_json(about.trailers)).text(about.sort_title);
    rows.integer(about.airs_before_season).integer(about.airs_before_episode).integer(about.airs_after_season);
}

void add_image(BulkRows& rows, core::ItemId item, std::int64_t number, const model::ItemImage& image) {
    rows.id(item).integer(number).integer(std::int64_t{static_cast<int>(image.kind)}).bytes(image.path);
    rows.integer(image.size_bytes).integer(image.mtime_ns);
}

void add_external(BulkRows& rows, core::ItemId item, std::int64_t source, std::int64_t number,
                  const model::ExternalStream& external) {
    const auto& stream = external.stream;
    rows.id(item).integer(source).integer(number).bytes(external.path);
    rows.integer(external.size_bytes).integer(external.mtime_ns);
    rows.integer(std::int64_t{static_cast<int>(stream.kind)}).integer(std::int64_t{stream.index});
    rows.text(stream.codec).text(stream.language).text(stream.title).integer(flags_of(stream));
}

std::optional<core::UtcTime> read_time(const Row& row, std::size_t column) {
    if (row.is_null(column)) return std::nullopt;
    return core::from_unix_ms(row.integer(column));
}

std::optional<int> read_number(const Row& row, std::size_t column) {
    if (row.is_null(column)) return std::nullopt;
    return static_cast<int>(row.integer(column));
}

model::Description read_description(const Row& row, std::size_t column) {
    model::Description about;
    about.original_title = row.text(column++);
    about.overview = row.text(column++);
    about.tagline = row.text(column++);
    about.official_rating = row.text(column++);
    about.status = row.text(column++);
    if (!row.is_null(column)) about.community_rating = row.real(column);
    ++column;
    about.premiered = read_time(row, column++);
    about.ended = read_time(row, column++);
    about.studios = list_from_json(row.text(column++));
    about.tags = list_from_json(row.text(column++));
    about.countries = list_from_json(row.text(column++));
    about.trailers = list_from_json(row.text(column++));
    about.sort_title = row.text(column++);
    about.airs_before_season = read_number(row, column++);
    about.airs_before_episode = read_number(row, column++);
    about.airs_after_season = read_number(row, column);
    return about;
}

model::ExternalStream read_external(const Row& row, std::size_t column) {
    model::ExternalStream external;
    external.path = row.bytes(column++);
    external.size_bytes = row.integer(column++);
    external.mtime_ns = row.integer(column++);
    external.stream.kind = stream_kind(row.integer(column++));
    external.stream.index = static_cast<int>(row.integer(column++));
    external.stream.codec = row.text(column++);
    external.stream.language = row.text(column++);
    external.stream.title = row.text(column++);
    set_flags(external.stream, row.integer(column));
    return external;
}

std::vector<core::ItemId> ids_with(std::span<const ReadItem> items, std::int64_t bit) {
    std::vector<core::ItemId> ids;
    for (const auto& read : items) {
        if ((read.beside & bit) != 0) ids.push_back(read.item->id);
    }
    return ids;
}

// `columns` of the rows of `ids` after their item_id.
core::Result<void> read_rows(Session& session, const std::vector<core::ItemId>& ids, const std::string& columns,
                             const std::string& table, const std::string& order,
                             const std::function<void(core::ItemId, const Row&)>& each) {
    if (ids.empty()) return {};
    auto rows = bulk_ids(session.dialect(), ids);
    return session.query("SELECT item_id, " + columns + " FROM " + table + " WHERE " + rows.in("item_id") +
                             (order.empty() ? "" : " ORDER BY item_id, " + order),
                         rows.take(), [&](const Row& row) { each(id_from_bytes<core::ItemId>(row.bytes(0)), row); });
}

}  // namespace

std::int64_t beside_of(const model::Item& item) noexcept {
    const bool external =
        std::ranges::any_of(item.sources, [](const model::MediaSource& source) { return !source.external.empty(); });
    return (item.about == model::Description{} ? 0 : beside::description) | (item.images.empty() ? 0 : beside::images) |
           (external ? beside::external : 0) | (has_names(item) ? beside::names : 0);
}

core::Result<void> write_beside(Session& session, const std::vector<const model::Item*>& items,
                                const core::CaseFolder& folder) {
    const auto dialect = session.dialect();
    BulkRows descriptions(dialect, description_columns());
    BulkRows images(dialect, image_columns());
    BulkRows external(dialect, external_columns());
    std::vector<core::ItemId> ids;
    Bits added;
    for (const auto* item : items) {
        ids.push_back(item->id);
        const auto bits = beside_of(*item);
        if (bits == 0) continue;
        added[item->id] = bits;
        if ((bits & beside::description) != 0) add_description(descriptions, item->id, item->about);
        for (std::size_t i = 0; i < item->images.size(); ++i) {
            add_image(images, item->id, static_cast<std::int64_t>(i), item->images[i]);
        }
        for (std::size_t s = 0; s < item->sources.size(); ++s) {
            const auto& streams = item->sources[s].external;
            for (std::size_t n = 0; n < streams.size(); ++n) {
                add_external(external, item->id, static_cast<std::int64_t>(s), static_cast<std::int64_t>(n),
                             streams[n]);
            }
        }
    }
    auto gone = stored_bits(session, ids);
    if (!gone) return tl::unexpected(gone.error());
    // Also where nothing should be: a pod of the version before deletes an item without these rows.
    for (const auto& [id, bits] : added) (*gone)[id] |= bits;
    if (auto done = delete_by(session, *gone); !done) return done;
    if (auto done = insert_rows(session, "item_descriptions", description_columns(), descriptions); !done) return done;
    if (auto done = insert_rows(session, "item_images", image_columns(), images); !done) return done;
    if (auto done = insert_rows(session, "media_external_streams", external_columns(), external); !done) return done;
    return insert_names(session, items, folder);
}

core::Result<void> delete_beside(Session& session, const std::vector<core::ItemId>& ids) {
    const auto bits = stored_bits(session, ids);
    if (!bits) return tl::unexpected(bits.error());
    return delete_by(session, *bits);
}

core::Result<void> load_descriptions(Session& session, std::span<const ReadItem> items) {
    std::unordered_map<core::ItemId, model::Description> found;
    auto read = read_rows(session, ids_with(items, beside::description),
                          "original_title, overview, tagline, official_rating, status, community_rating, premiered_ms, "
                          "ended_ms, studios, tags, countries, trailers, sort_title, airs_before_season, "
                          "airs_before_episode, airs_after_season",
                          "item_descriptions", "",
                          [&](core::ItemId id, const Row& row) { found.emplace(id, read_description(row, 1)); });
    if (!read) return read;
    for (const auto& item : items) {
        if (const auto at = found.find(item.item->id); at != found.end()) item.item->about = std::move(at->second);
    }
    return {};
}

core::Result<void> load_external(Session& session, std::span<const ReadItem> items) {
    std::unordered_map<core::ItemId, model::Item*> by_id;
    for (const auto& item : items) by_id[item.item->id] = item.item;
    return read_rows(session, ids_with(items, beside::external),
                     "source, path, size_bytes, mtime_ns, kind, stream_index, codec, language, title, flags",
                     "media_external_streams", "source, number", [&](core::ItemId id, const Row& row) {
                         const auto at = by_id.find(id);
                         const auto source = row.integer(1);
                         if (at == by_id.end() || source < 0) return;
                         auto& sources = at->second->sources;
                         if (source >= static_cast<std::int64_t>(sources.size())) return;
                         sources[static_cast<std::size_t>(source)].external.push_back(read_external(row, 2));
                     });
}

core::Result<ImagesByItem> read_images(Session& session, const std::vector<core::ItemId>& ids) {
    ImagesByItem images;
    auto read = read_rows(
        session, ids, "kind, path, size_bytes, mtime_ns", "item_images", "number",
        [&](core::ItemId id, const Row& row) {
            const auto kind = row.integer(1);
            if (kind < 0 || kind > static_cast<int>(model::ImageKind::disc)) return;  // a later one's
            images[id].push_back({static_cast<model::ImageKind>(kind), row.bytes(2), row.integer(3), row.integer(4)});
        });
    if (!read) return tl::unexpected(read.error());
    return images;
}

core::Result<void> load_images(Session& session, std::span<const ReadItem> items) {
    auto images = read_images(session, ids_with(items, beside::images));
    if (!images) return tl::unexpected(images.error());
    for (const auto& item : items) {
        if (const auto at = images->find(item.item->id); at != images->end()) item.item->images = at->second;
    }
    return {};
}

}  // namespace understudy::store::sql
