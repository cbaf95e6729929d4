#include "store/sql/item_rows.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>
#include <utility>

#include "core/search_fold.h"
#include "store/sql/description_rows.h"
#include "store/sql/row_sets.h"
#include "store/sql/tags_json.h"
#include "store/sql/vanished_items.h"

namespace understudy::store::sql {
namespace {

using Type = ColumnType;

const std::vector<BulkColumn>& item_bulk_columns() {
    static const std::vector<BulkColumn> columns{{"id", Type::bytes},
                                                 {"library_id", Type::bytes},
                                                 {"kind", Type::text},
                                                 {"parent_id", Type::bytes},
                                                 {"name", Type::text},
                                                 {"sort_name", Type::text},
                                                 {"name_key", Type::text},
                                                 {"sort_key", Type::text},
                                                 {"original_key", Type::bytes},
                                                 {"year", Type::integer},
                                                 {"season_number", Type::integer},
                                                 {"episode_number", Type::integer},
                                                 {"episode_number_end", Type::integer},
                                                 {"track_number", Type::integer},
                                                 {"disc_number", Type::integer},
                                                 {"album", Type::text},
                                                 {"album_artist", Type::text},
                                                 {"album_key", Type::text},
                                                 {"artists", Type::text},
                                                 {"genres", Type::text},
                                                 {"provider_ids", Type::text},
                                                 {"duration_ms", Type::integer},
                                                 {"available", Type::integer},
                                                 {"created_at_ms", Type::integer},
                                                 {"folder", Type::bytes},
                                                 {"extra_type", Type::text},
                                                 {"beside", Type::integer}};
    return columns;
}

const std::vector<BulkColumn>& source_bulk_columns() {
    static const std::vector<BulkColumn> columns{{"item_id", Type::bytes},
                                                 {"number", Type::integer},
                                                 {"path", Type::bytes},
                                                 {"size_bytes", Type::integer},
                                                 {"mtime_ns", Type::integer},
                                                 {"inode", Type::integer},
                                                 {"device", Type::integer},
                                                 {"version_name", Type::text},
                                                 {"container", Type::text},
                                                 {"duration_ms", Type::integer},
                                                 {"bitrate_bps", Type::integer},
                                                 {"has_embedded_picture", Type::integer},
                                                 {"content_sample", Type::text},
                                                 {"probed_size_bytes", Type::integer},
                                                 {"probed_mtime_ns", Type::integer},
                                                 {"tags", Type::text}};
    return columns;
}

const std::vector<BulkColumn>& stream_bulk_columns() {
    static const std::vector<BulkColumn> columns{{"item_id", Type::bytes},
                                                 {"source", Type::integer},
                                                 {"number", Type::integer},
                                                 {"kind", Type::integer},
                                                 {"stream_index", Type::integer},
                                                 {"codec", Type::text},
                                                 {"profile", Type::text},
                                                 {"level", Type::integer},
                                                 {"bitrate_bps", Type::integer},
                                                 {"language", Type::text},
                                                 {"title", Type::text},
                                                 {"width", Type::integer},
                                                 {"height", Type::integer},
                                                 {"frame_rate", Type::real},
                                                 {"hdr", Type::text},
                                                 {"bit_depth", Type::integer},
                                                 {"pixel_format", Type::text},
                                                 {"channels", Type::integer},
                                                 {"channel_layout", Type::text},
                                                 {"sample_rate_hz", Type::integer},
                                                 {"flags", Type::integer}};
    return columns;
}

const std::vector<BulkColumn>& chapter_bulk_columns() {
    static const std::vector<BulkColumn> columns{{"item_id", Type::bytes},
                                                 {"source", Type::integer},
                                                 {"number", Type::integer},
                                                 {"start_ms", Type::integer},
                                                 {"name", Type::text}};
    return columns;
}

// Every column but the first and created_at_ms takes the new value.
std::string item_updates() {
    std::string updates;
    for (const auto& column : item_bulk_columns()) {
        if (column.name == "id" || column.name == "created_at_ms") continue;
        if (!updates.empty()) updates += ", ";
        updates += std::string(column.name) + " = excluded." + std::string(column.name);
    }
    return updates + ", saved_at_ms = excluded.saved_at_ms";
}

core::Result<void> delete_below(Session& session, const std::vector<core::ItemId>& ids) {
    const auto sources = delete_where_in(session, "media_sources", "item_id", ids);
    if (!sources) return tl::unexpected(sources.error());
    if (*sources == 0) return {};  // streams and chapters belong to a source
    for (const char* table : {"media_streams", "media_chapters"}) {
        if (auto gone = delete_where_in(session, table, "item_id", ids); !gone) return tl::unexpected(gone.error());
    }
    return {};
}

int as_int(std::int64_t number) {
    return static_cast<int>(number);
}

std::optional<int> optional_int(const Row& row, std::size_t column) {
    if (row.is_null(column)) return std::nullopt;
    return as_int(row.integer(column));
}

void add_stream(BulkRows& rows, core::ItemId item, std::int64_t source, std::int64_t number,
                const model::MediaStream& stream) {
    rows.id(item).integer(source).integer(number);
    rows.integer(std::int64_t{static_cast<int>(stream.kind)}).integer(std::int64_t{stream.index});
    rows.text(stream.codec).text(stream.profile).integer(std::int64_t{stream.level}).integer(stream.bitrate_bps);
    rows.text(stream.language).text(stream.title);
    rows.integer(std::int64_t{stream.width}).integer(std::int64_t{stream.height}).real(stream.frame_rate);
    rows.text(stream.hdr).integer(std::int64_t{stream.bit_depth}).text(stream.pixel_format);
    rows.integer(std::int64_t{stream.channels}).text(stream.channel_layout);
    rows.integer(std::int64_t{stream.sample_rate_hz}).integer(flags_of(stream));
}

model::MediaStream read_stream(const Row& row, std::size_t column) {
    model::MediaStream stream;
    stream.kind = stream_kind(row.integer(column++));
    stream.index = as_int(row.integer(column++));
    stream.codec = row.text(column++);
    stream.profile = row.text(column++);
    stream.level = as_int(row.integer(column++));
    stream.bitrate_bps = row.integer(column++);
    stream.language = row.text(column++);
    stream.title = row.text(column++);
    stream.width = as_int(row.integer(column++));
    stream.height = as_int(row.integer(column++));
    stream.frame_rate = row.real(column++);
    stream.hdr = row.text(column++);
    stream.bit_depth = as_int(row.integer(column++));
    stream.pixel_format = row.text(column++);
    stream.channels = as_int(row.integer(column++));
    stream.channel_layout = row.text(column++);
    stream.sample_rate_hz = as_int(row.integer(column++));
    set_flags(stream, row.integer(column));
    return stream;
}

model::MediaSource read_source(const Row& row, std::size_t column) {
    model::MediaSource source;
    source.file.path = row.bytes(column++);
    source.file.size_bytes = row.integer(column++);
    source.file.mtime_ns = row.integer(column++);
    source.file.inode = as_unsigned(row.integer(column++));
    source.file.device = as_unsigned(row.integer(column++));
    source.version_name = row.text(column++);
    source.info.container = row.text(column++);
    source.info.duration = core::Millis{row.integer(column++)};
    source.info.bitrate_bps = row.integer(column++);
    source.info.has_embedded_picture = row.integer(column++) != 0;
    source.info.content_sample = row.text(column++);
    source.info.size_bytes = row.integer(column++);
    source.info.mtime_ns = row.integer(column++);
    source.info.tags = tags_from_json(row.text(column));
    return source;
}

}  // namespace

std::int64_t flags_of(const model::MediaStream& stream) noexcept {
    return (stream.is_default ? 1 : 0) | (stream.is_forced ? 2 : 0) | (stream.is_attached_picture ? 4 : 0) |
           (stream.is_hearing_impaired ? 8 : 0);
}

void set_flags(model::MediaStream& stream, std::int64_t flags) noexcept {
    stream.is_default = (flags & 1) != 0;
    stream.is_forced = (flags & 2) != 0;
    stream.is_attached_picture = (flags & 4) != 0;
    stream.is_hearing_impaired = (flags & 8) != 0;
}

model::StreamKind stream_kind(std::int64_t number) noexcept {
    const bool known = number >= 0 && number <= static_cast<int>(model::StreamKind::data);
    return known ? static_cast<model::StreamKind>(number) : model::StreamKind::video;
}

std::string_view item_columns() noexcept {
    return "i.id, i.library_id, i.kind, i.parent_id, i.name, i.sort_name, i.original_key, i.year, i.season_number, "
           "i.episode_number, i.episode_number_end, i.track_number, i.disc_number, i.album, i.album_artist, i.artists, "
           "i.genres, i.provider_ids, i.duration_ms, i.available, i.created_at_ms, i.folder, "
           "i.extra_type, i.beside, i.saved_at_ms";
}

model::Item read_item(const Row& row, std::size_t column) {
    model::Item item;
    item.id = id_from_bytes<core::ItemId>(row.bytes(column++));
    item.library = id_from_bytes<core::LibraryId>(row.bytes(column++));
    item.kind = model::parse_item_kind(row.text(column++)).value_or(model::ItemKind::movie);
    item.parent = id_from_bytes<core::ItemId>(row.bytes(column++));
    item.name = row.text(column++);
    item.sort_name = row.text(column++);
    item.original_key = row.bytes(column++);
    item.year = optional_int(row, column++);
    item.season_number = optional_int(row, column++);
    item.episode_number = optional_int(row, column++);
    item.episode_number_end = optional_int(row, column++);
    item.track_number = optional_int(row, column++);
    item.disc_number = optional_int(row, column++);
    item.album = row.text(column++);
    item.album_artist = row.text(column++);
    item.artists = list_from_json(row.text(column++));
    item.genres = list_from_json(row.text(column++));
    item.provider_ids = map_from_json(row.text(column++));
    item.duration = core::Millis{row.integer(column++)};
    item.available = row.integer(column++) != 0;
    item.created_at = core::from_unix_ms(row.integer(column++));
    item.folder = row.bytes(column++);
    item.extra_type = row.text(column);
    return item;
}

std::int64_t read_beside(const Row& row, std::size_t first_column) {
    return row.integer(first_column + item_column_count - 2);
}

core::UtcTime read_saved(const Row& row, std::size_t first_column) {
    constexpr std::size_t created = 20, last = item_column_count - 1;
    const auto at = row.integer(first_column + last);
    return core::from_unix_ms(at != 0 ? at : row.integer(first_column + created));
}

core::Result<void> load_sources(Session& session, std::span<model::Item*> items) {
    std::unordered_map<core::ItemId, model::Item*> by_id;
    std::vector<core::ItemId> ids;
    for (auto* item : items) {
        by_id[item->id] = item;
        ids.push_back(item->id);
    }
    if (ids.empty()) return {};
    const auto read = [&](const std::string& columns, const std::string& table, const std::string& order,
                          const std::function<void(model::Item&, const Row&)>& each) {
        auto rows = bulk_ids(session.dialect(), ids);
        return session.query("SELECT item_id, " + columns + " FROM " + table + " WHERE " + rows.in("item_id") +
                                 " ORDER BY item_id, " + order,
                             rows.take(), [&](const Row& row) {
                                 const auto found = by_id.find(id_from_bytes<core::ItemId>(row.bytes(0)));
                                 if (found != by_id.end()) each(*found->second, row);
                             });
    };
    auto done = read(
        "path, size_bytes, mtime_ns, inode, device, version_name, container, duration_ms, bitrate_bps, "
        "has_embedded_picture, content_sample, probed_size_bytes, probed_mtime_ns, tags",
        "media_sources", "number",
        [](model::Item& item, const Row& row) { item.sources.push_back(read_source(row, 1)); });
    if (!done) return done;
    const bool any = std::any_of(items.begin(), items.end(), [](const auto* item) { return !item->sources.empty(); });
    if (!any) return {};
    const auto source_of = [](model::Item& item, const Row& row) -> model::MediaSource* {
        const auto number = row.integer(1);
        return number >= 0 && number < static_cast<std::int64_t>(item.sources.size())
                   ? &item.sources[static_cast<std::size_t>(number)]
                   : nullptr;
    };
    done = read(
        "source, kind, stream_index, codec, profile, level, bitrate_bps, language, title, width, height, frame_rate, "
        "hdr, "
        "bit_depth, pixel_format, channels, channel_layout, sample_rate_hz, flags",
        "media_streams", "source, number", [&](model::Item& item, const Row& row) {
            if (auto* source = source_of(item, row)) source->info.streams.push_back(read_stream(row, 2));
        });
    if (!done) return done;
    return read("source, start_ms, name", "media_chapters", "source, number", [&](model::Item& item, const Row& row) {
        if (auto* source = source_of(item, row)) {
            source->info.chapters.push_back({core::Millis{row.integer(2)}, row.text(3)});
        }
    });
}

core::Result<void> write_items(Session& session, const std::vector<model::Item>& items,
                               const core::CaseFolder& folder) {
    if (items.empty()) return {};
    const auto dialect = session.dialect();
    BulkRows item_rows(dialect, item_bulk_columns());
    BulkRows sources(dialect, source_bulk_columns());
    BulkRows streams(dialect, stream_bulk_columns());
    BulkRows chapters(dialect, chapter_bulk_columns());
    std::vector<core::ItemId> ids;
    std::vector<const model::Item*> written_items;
    // An item that is named twice counts as it is named last: PostgreSQL refuses to touch a row twice in one statement.
    std::unordered_map<core::ItemId, std::size_t> last;
    for (std::size_t i = 0; i < items.size(); ++i) last[items[i].id] = i;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto& item = items[i];
        if (last[item.id] != i) continue;
        ids.push_back(item.id);
        written_items.push_back(&item);
        item_rows.id(item.id).id(item.library).text(model::to_string(item.kind)).id(item.parent);
        item_rows.text(item.name)
            .text(item.sort_name)
            .text(core::search_fold(item.name))
            .text(core::search_fold(item.sort_name));
        item_rows.bytes(item.original_key).integer(item.year).integer(item.season_number).integer(item.episode_number);
        item_rows.integer(item.episode_number_end).integer(item.track_number).integer(item.disc_number);
        item_rows.text(item.album).text(item.album_artist).text(folder.fold(item.album));
        item_rows.text(list_to_json(item.artists)).text(list_to_json(item.genres)).text(map_to_json(item.provider_ids));
        item_rows.integer(std::int64_t{item.duration.count()}).flag(item.available);
        item_rows.integer(core::to_unix_ms(item.created_at));
        item.folder.empty() ? item_rows.null() : item_rows.bytes(item.folder);
        item_rows.text(item.extra_type).integer(beside_of(item));
        for (std::size_t s = 0; s < item.sources.size(); ++s) {
            const auto& source = item.sources[s];
            const auto& info = source.info;
            const auto number = static_cast<std::int64_t>(s);
            sources.id(item.id).integer(number).bytes(source.file.path).integer(source.file.size_bytes);
            sources.integer(source.file.mtime_ns).integer(as_signed(source.file.inode));
            sources.integer(as_signed(source.file.device)).text(source.version_name).text(info.container);
            sources.integer(std::int64_t{info.duration.count()})
                .integer(info.bitrate_bps)
                .flag(info.has_embedded_picture);
            sources.text(info.content_sample).integer(info.size_bytes).integer(info.mtime_ns);
            sources.text(tags_to_json(info.tags));
            for (std::size_t n = 0; n < info.streams.size(); ++n) {
                add_stream(streams, item.id, number, static_cast<std::int64_t>(n), info.streams[n]);
            }
            for (std::size_t n = 0; n < info.chapters.size(); ++n) {
                chapters.id(item.id).integer(number).integer(static_cast<std::int64_t>(n));
                chapters.integer(std::int64_t{info.chapters[n].start.count()}).text(info.chapters[n].name);
            }
        }
    }
    if (auto done = write_beside(session, written_items, folder); !done) return done;
    const auto names = names_of(item_bulk_columns());
    auto written =
        session.execute("INSERT INTO items (" + names + ", saved_at_ms) SELECT " + names + ", {now_ms} FROM " +
                            item_rows.from() + " WHERE true ON CONFLICT (id) DO UPDATE SET " + item_updates(),
                        item_rows.take());
    if (!written) return tl::unexpected(written.error());
    if (auto below = delete_below(session, ids); !below) return below;
    if (auto done = insert_rows(session, "media_sources", source_bulk_columns(), sources); !done) return done;
    if (auto done = insert_rows(session, "media_streams", stream_bulk_columns(), streams); !done) return done;
    if (auto done = insert_rows(session, "media_chapters", chapter_bulk_columns(), chapters); !done) return done;
    return welcome_back(session, items);
}

core::Result<std::unordered_set<core::ItemId>> hold_items(Session& session, const std::vector<core::ItemId>& ids) {
    std::unordered_set<core::ItemId> there;
    if (ids.empty()) return there;
    auto rows = bulk_ids(session.dialect(), ids);
    auto read = session.query("SELECT id FROM items WHERE " + rows.in("id") + " {for_key_share}", rows.take(),
                              [&](const Row& row) { there.insert(id_from_bytes<core::ItemId>(row.bytes(0))); });
    if (!read) return tl::unexpected(read.error());
    return there;
}

core::Result<std::int64_t> delete_items(Session& session, const std::vector<core::ItemId>& ids) {
    if (ids.empty()) return 0;
    if (auto noted = note_vanishing(session, ids); !noted) return tl::unexpected(noted.error());
    if (auto below = delete_below(session, ids); !below) return tl::unexpected(below.error());
    if (auto gone = delete_beside(session, ids); !gone) return tl::unexpected(gone.error());
    // Not in delete_below: these belong to the item and not to its files, so they outlive a new version of it.
    for (const char* table : {"segment_searches", "media_segments", "item_loudness", "item_covers", "credits"}) {
        if (auto gone = delete_where_in(session, table, "item_id", ids); !gone) return gone;
    }
    return delete_where_in(session, "items", "id", ids);
}

}  // namespace understudy::store::sql
