#include "store/sql/sql_media_facts.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "core/check.h"
#include "store/sql/blob_value.h"
#include "store/sql/item_rows.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {
namespace {

using SegmentsByItem = std::map<core::ItemId, std::vector<model::Segment>>;
constexpr std::int64_t bases_a_page = 10'000;

std::vector<model::Segment> in_order(std::vector<model::Segment> segments) {
    std::erase_if(segments, [](const auto& segment) { return segment.end <= segment.start; });
    std::stable_sort(segments.begin(), segments.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
    return segments;
}

core::Result<SegmentsByItem> stored_segments(Session& session, const std::string& provider,
                                             const std::vector<core::ItemId>& ids) {
    SegmentsByItem stored;
    auto rows = bulk_ids(session.dialect(), ids);
    Statement select;
    select.add("SELECT item_id, kind, start_ms, end_ms FROM media_segments WHERE provider = ?", {provider});
    select.add_in(" AND ", "item_id", rows).add(" ORDER BY item_id, number");
    auto read = select.query(session, [&](const Row& row) {
        stored[id_from_bytes<core::ItemId>(row.bytes(0))].push_back(
            {model::parse_segment_kind(row.text(1)).value_or(model::SegmentKind::intro), core::Millis{row.integer(2)},
             core::Millis{row.integer(3)}});
    });
    if (!read) return tl::unexpected(read.error());
    return stored;
}

core::Result<void> write_searches(Session& session, const std::string& provider,
                                  const std::map<core::ItemId, std::string>& bases) {
    if (bases.empty()) return {};
    BulkRows rows(session.dialect(), {{"item_id", ColumnType::bytes}, {"basis", ColumnType::text}});
    for (const auto& [item, basis] : bases) rows.id(item).text(basis);
    Statement insert;
    insert.add("INSERT INTO segment_searches (provider, item_id, basis) SELECT CAST(? AS TEXT), item_id, basis FROM ",
               {provider});
    insert.add_from("", rows);
    insert.add(
        " WHERE true ON CONFLICT (item_id, provider) DO UPDATE SET basis = excluded.basis WHERE "
        "segment_searches.basis <> excluded.basis");
    return uncounted(insert.execute(session));
}

core::Result<void> replace_segments(Session& session, const std::string& provider, const SegmentsByItem& changed) {
    if (changed.empty()) return {};
    std::vector<core::ItemId> ids;
    BulkRows rows(session.dialect(), {{"item_id", ColumnType::bytes},
                                      {"number", ColumnType::integer},
                                      {"kind", ColumnType::text},
                                      {"start_ms", ColumnType::integer},
                                      {"end_ms", ColumnType::integer}});
    for (const auto& [item, segments] : changed) {
        ids.push_back(item);
        std::int64_t number = 0;
        for (const auto& segment : segments) {
            rows.id(item).integer(number++).text(model::to_string(segment.kind));
            rows.integer(std::int64_t{segment.start.count()}).integer(std::int64_t{segment.end.count()});
        }
    }
    auto old = bulk_ids(session.dialect(), ids);
    Statement remove;
    remove.add("DELETE FROM media_segments WHERE provider = ?", {provider}).add_in(" AND ", "item_id", old);
    if (auto gone = remove.execute(session); !gone) return uncounted(gone);
    if (rows.empty()) return {};
    Statement insert;
    insert.add(
        "INSERT INTO media_segments (provider, item_id, number, kind, start_ms, end_ms) SELECT CAST(? AS TEXT), "
        "item_id, number, kind, start_ms, end_ms FROM ",
        {provider});
    insert.add_from("", rows);
    return uncounted(insert.execute(session));
}

std::string_view to_string(LoudnessOrigin origin) {
    switch (origin) {
        case LoudnessOrigin::measured:
            return "measured";
        case LoudnessOrigin::replaygain:
            return "replaygain";
        case LoudnessOrigin::r128:
            return "r128";
    }
    return "measured";
}
LoudnessOrigin origin_of(const std::string& text) {
    if (text == "replaygain") return LoudnessOrigin::replaygain;
    return text == "r128" ? LoudnessOrigin::r128 : LoudnessOrigin::measured;
}

void add_real(BulkRows& rows, const std::optional<double>& number) {
    if (!number) {
        rows.null();
        return;
    }
    CHECK(std::isfinite(*number));  // silence has no number, never minus infinity
    rows.real(*number);
}
std::optional<double> optional_real(const Row& row, std::size_t column) {
    if (row.is_null(column)) return std::nullopt;
    return row.real(column);
}

// Streams `columns` (item_id first) of a table whose rows are found by item_id alone under `where`, in pages.
core::Result<void> stream_by_item(Database& database, const std::string& columns, const std::string& table,
                                  const std::vector<Value>& where_values, const std::string& where,
                                  const std::function<void(const Row&, std::vector<std::function<void()>>&)>& each) {
    std::string last;
    for (bool more = true; more;) {
        std::vector<std::function<void()>> page;
        auto values = where_values;
        values.emplace_back(Bytes{last});
        values.emplace_back(bases_a_page);
        std::int64_t count = 0;
        auto read = database.with(Access::read, [&](Session& session) {
            page.clear();
            count = 0;
            return session.query(
                "SELECT " + columns + " FROM " + table + " WHERE " + where + "item_id > ? ORDER BY item_id LIMIT ?",
                values, [&](const Row& row) {
                    last = row.bytes(0);
                    ++count;
                    each(row, page);
                });
        });
        if (!read) return read;
        more = count == bases_a_page;
        for (auto& hand_on : page) hand_on();
    }
    return {};
}

}  // namespace

core::Result<std::int64_t> SqlMediaFacts::put_segments(const std::string& provider,
                                                       const std::vector<ItemSegments>& items,
                                                       const core::Fence& fence) {
    std::int64_t count = 0;
    auto written = write_under(database_, fence, [&](Session& session) -> core::Result<void> {
        std::vector<core::ItemId> ids;
        ids.reserve(items.size());
        for (const auto& item : items) ids.push_back(item.item);
        const auto there = hold_items(session, ids);
        if (!there) return tl::unexpected(there.error());
        auto stored = stored_segments(session, provider, ids);
        if (!stored) return tl::unexpected(stored.error());
        SegmentsByItem changed;
        std::map<core::ItemId, std::string> bases;
        for (const auto& item : items) {
            if (!there->contains(item.item)) continue;
            bases[item.item] = item.basis;
            auto segments = in_order(item.segments);
            if (segments == (*stored)[item.item]) {
                changed.erase(item.item);
            } else {
                changed[item.item] = std::move(segments);
            }
        }
        count = static_cast<std::int64_t>(changed.size());
        if (auto done = write_searches(session, provider, bases); !done) return done;
        return replace_segments(session, provider, changed);
    });
    if (!written) return tl::unexpected(written.error());
    return count;
}

core::Result<std::map<core::ItemId, std::vector<ProvidedSegment>>> SqlMediaFacts::segments(
    const std::vector<core::ItemId>& items) {
    std::map<core::ItemId, std::vector<ProvidedSegment>> found;
    auto read = database_.with(Access::read, [&](Session& session) {
        found.clear();
        auto rows = bulk_ids(session.dialect(), items);
        Statement select;
        select.add_in("SELECT item_id, provider, kind, start_ms, end_ms FROM media_segments WHERE ", "item_id", rows);
        select.add(" ORDER BY item_id, provider, number");
        return select.query(session, [&](const Row& row) {
            found[id_from_bytes<core::ItemId>(row.bytes(0))].push_back(
                {row.text(1),
                 {model::parse_segment_kind(row.text(2)).value_or(model::SegmentKind::intro),
                  core::Millis{row.integer(3)}, core::Millis{row.integer(4)}}});
        });
    });
    if (!read) return tl::unexpected(read.error());
    return found;
}

core::Result<void> SqlMediaFacts::segment_bases(const std::string& provider,
                                                const std::function<void(core::ItemId, std::string&&)>& each) {
    return stream_by_item(database_, "item_id, basis", "segment_searches", {provider}, "provider = ? AND ",
                          [&](const Row& row, std::vector<std::function<void()>>& page) {
                              page.emplace_back([&each, item = id_from_bytes<core::ItemId>(row.bytes(0)),
                                                 basis = row.text(1)]() mutable { each(item, std::move(basis)); });
                          });
}

core::Result<void> SqlMediaFacts::put_loudness(const std::vector<Loudness>& rows, const core::Fence& fence) {
    return write_under(database_, fence, [&](Session& session) -> core::Result<void> {
        std::map<core::ItemId, const Loudness*> last;
        std::vector<core::ItemId> ids;
        for (const auto& row : rows) {
            last[row.item] = &row;
            ids.push_back(row.item);
        }
        const auto there = hold_items(session, ids);
        if (!there) return tl::unexpected(there.error());
        BulkRows bulk(session.dialect(), {{"item_id", ColumnType::bytes},
                                          {"origin", ColumnType::text},
                                          {"basis", ColumnType::text},
                                          {"lufs", ColumnType::real},
                                          {"peak", ColumnType::real},
                                          {"gain_db", ColumnType::real}});
        for (const auto& [item, row] : last) {
            if (!there->contains(item)) continue;
            bulk.id(item).text(to_string(row->origin)).text(row->basis);
            add_real(bulk, row->lufs);
            add_real(bulk, row->peak);
            add_real(bulk, row->gain_db);
        }
        if (bulk.empty()) return {};
        const std::string names = "item_id, origin, basis, lufs, peak, gain_db";
        Statement insert;
        insert.add_from("INSERT INTO item_loudness (" + names + ") SELECT " + names + " FROM ", bulk);
        insert.add(
            " WHERE true ON CONFLICT (item_id) DO UPDATE SET origin = excluded.origin, basis = excluded.basis, lufs = "
            "excluded.lufs, peak = excluded.peak, gain_db = excluded.gain_db");
        return uncounted(insert.execute(session));
    });
}

core::Result<std::map<core::ItemId, Loudness>> SqlMediaFacts::loudness(const std::vector<core::ItemId>& items) {
    std::map<core::ItemId, Loudness> found;
    auto read = database_.with(Access::read, [&](Session& session) {
        found.clear();
        auto rows = bulk_ids(session.dialect(), items);
        Statement select;
        select.add_in("SELECT item_id, origin, basis, lufs, peak, gain_db FROM item_loudness WHERE ", "item_id", rows);
        return select.query(session, [&](const Row& row) {
            const auto item = id_from_bytes<core::ItemId>(row.bytes(0));
            found[item] = {item,
                           origin_of(row.text(1)),
                           row.text(2),
                           optional_real(row, 3),
                           optional_real(row, 4),
                           optional_real(row, 5)};
        });
    });
    if (!read) return tl::unexpected(read.error());
    return found;
}

core::Result<void> SqlMediaFacts::loudness_bases(
    const std::function<void(core::ItemId, LoudnessOrigin, std::string&&)>& each) {
    return stream_by_item(
        database_, "item_id, origin, basis", "item_loudness", {}, "",
        [&](const Row& row, std::vector<std::function<void()>>& page) {
            page.emplace_back([&each, item = id_from_bytes<core::ItemId>(row.bytes(0)), origin = origin_of(row.text(1)),
                               basis = row.text(2)]() mutable { each(item, origin, std::move(basis)); });
        });
}

core::Result<void> SqlMediaFacts::put_pictures(const std::map<ContentKey, std::vector<ChapterPicture>>& pictures,
                                               const core::Fence& fence) {
    return write_under(database_, fence, [&](Session& session) -> core::Result<void> {
        if (pictures.empty()) return {};
        BulkRows contents(session.dialect(), {{"sample", ColumnType::text}, {"mtime", ColumnType::integer}});
        BulkRows rows(session.dialect(), {{"content_sample", ColumnType::text},
                                          {"mtime_ns", ColumnType::integer},
                                          {"number", ColumnType::integer},
                                          {"blob", ColumnType::bytes},
                                          {"width", ColumnType::integer},
                                          {"height", ColumnType::integer},
                                          {"format", ColumnType::text}});
        for (const auto& [content, list] : pictures) {
            contents.text(content.sample).integer(content.mtime_ns);
            std::map<int, const ChapterPicture*> last;
            for (const auto& picture : list) last[picture.number] = &picture;
            for (const auto& [number, picture] : last) {
                rows.text(content.sample).integer(content.mtime_ns).integer(std::int64_t{number});
                rows.bytes(bytes_of(picture->blob)).integer(std::int64_t{picture->width});
                rows.integer(std::int64_t{picture->height}).text(picture->format);
            }
        }
        Statement remove;
        remove.add_from("DELETE FROM chapter_pictures WHERE (content_sample, mtime_ns) IN (SELECT sample, mtime FROM ",
                        contents);
        if (auto gone = remove.add(")").execute(session); !gone) return uncounted(gone);
        if (rows.empty()) return {};
        const std::string names = "content_sample, mtime_ns, number, blob, width, height, format";
        Statement insert;
        insert.add_from("INSERT INTO chapter_pictures (" + names + ") SELECT " + names + " FROM ", rows);
        return uncounted(insert.execute(session));
    });
}

core::Result<std::map<std::pair<core::ItemId, int>, std::vector<ChapterPicture>>> SqlMediaFacts::pictures(
    const std::vector<core::ItemId>& items) {
    std::map<std::pair<core::ItemId, int>, std::vector<ChapterPicture>> found;
    auto read = database_.with(Access::read, [&](Session& session) {
        found.clear();
        auto rows = bulk_ids(session.dialect(), items);
        Statement select;
        select.add_in(
            "SELECT s.item_id, s.number, p.number, p.blob, p.width, p.height, p.format FROM media_sources s JOIN "
            "chapter_pictures p ON p.content_sample = s.content_sample AND p.mtime_ns = s.mtime_ns WHERE ",
            "s.item_id", rows);
        select.add(" ORDER BY s.item_id, s.number, p.number");
        return select.query(session, [&](const Row& row) {
            found[{id_from_bytes<core::ItemId>(row.bytes(0)), static_cast<int>(row.integer(1))}].push_back(
                {static_cast<int>(row.integer(2)), hash_from_bytes(row.bytes(3)), static_cast<int>(row.integer(4)),
                 static_cast<int>(row.integer(5)), row.text(6)});
        });
    });
    if (!read) return tl::unexpected(read.error());
    return found;
}

}  // namespace understudy::store::sql
