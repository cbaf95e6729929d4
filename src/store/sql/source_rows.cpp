#include "store/sql/source_rows.h"

#include <unordered_map>
#include <utility>

#include "store/sql/item_rows.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {
namespace {

struct SourceKeyHash {
    std::size_t operator()(const SourceKey& key) const noexcept {
        return std::hash<core::ItemId>{}(key.item) + static_cast<std::size_t>(key.number);
    }
};

}  // namespace

core::Result<std::vector<AnalysableSource>> read_sources(Session& session, std::span<const SourceKey> keys) {
    std::unordered_map<SourceKey, AnalysableSource, SourceKeyHash> found;
    std::vector<core::ItemId> items;
    for (const auto& key : keys) {
        if (items.empty() || items.back() != key.item) items.push_back(key.item);
    }
    auto ids = bulk_ids(session.dialect(), items);
    Statement select;
    select.add_in(
        "SELECT s.item_id, s.number, i.parent_id, i.library_id, i.kind, s.path, s.content_sample, s.mtime_ns, "
        "s.size_bytes, s.duration_ms FROM media_sources s JOIN items i ON i.id = s.item_id WHERE ",
        "s.item_id", ids);
    auto read = select.query(session, [&](const Row& row) {
        AnalysableSource source;
        source.item = id_from_bytes<core::ItemId>(row.bytes(0));
        source.number = static_cast<int>(row.integer(1));
        source.parent = id_from_bytes<core::ItemId>(row.bytes(2));
        source.library = id_from_bytes<core::LibraryId>(row.bytes(3));
        source.kind = model::parse_item_kind(row.text(4)).value_or(model::ItemKind::movie);
        source.path = row.bytes(5);
        source.content = {row.text(6), row.integer(7)};
        source.size_bytes = row.integer(8);
        source.duration = core::Millis{row.integer(9)};
        const SourceKey key{source.item, source.number};
        found.emplace(key, std::move(source));
    });
    if (!read) return tl::unexpected(read.error());
    std::vector<AnalysableSource> page;
    for (const auto& key : keys) {
        const auto at = found.find(key);
        if (at == found.end()) continue;
        page.push_back(std::move(at->second));
        found.erase(at);
    }
    return page;
}

}  // namespace understudy::store::sql
