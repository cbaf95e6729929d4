#include "store/sql/vanished_items.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "store/sql/item_rows.h"
#include "store/sql/statement.h"
#include "store/sql/tags_json.h"

namespace understudy::store::sql {
namespace {

using Pairs = std::vector<std::pair<core::ItemId, core::ItemId>>;

// A track names its album and artist too, an episode may name its series: only ids of the item itself tell it apart.
bool identifies(model::ItemKind kind, std::string_view provider) {
    switch (kind) {
        case model::ItemKind::movie:
        case model::ItemKind::series:
            return !provider.starts_with("MusicBrainz");
        case model::ItemKind::artist:
            return provider == "MusicBrainzArtist";
        case model::ItemKind::album:
            return provider == "MusicBrainzAlbum";
        case model::ItemKind::track:
            return provider == "MusicBrainzTrack" || provider == "MusicBrainzReleaseTrack";
        case model::ItemKind::season:
        case model::ItemKind::episode:
        case model::ItemKind::box_set:
        case model::ItemKind::playlist:
        case model::ItemKind::extra:
            return false;
    }
    return false;
}

std::string hex_of(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        text += digits[static_cast<unsigned char>(c) >> 4U];
        text += digits[static_cast<unsigned char>(c) & 15U];
    }
    return text;
}

bool has_file(model::ItemKind kind) {
    return kind == model::ItemKind::movie || kind == model::ItemKind::episode || kind == model::ItemKind::track ||
           kind == model::ItemKind::extra;
}

core::Result<void> lock_items(Session& session, const std::vector<core::ItemId>& ids) {
    if (session.dialect() == Dialect::sqlite) return {};
    // Whoever is writing user data under one of them holds its row; what they write is seen by the next statement.
    auto rows = bulk_ids(session.dialect(), ids);
    return Statement{}
        .add_in("SELECT 1 FROM items WHERE ", "id", rows)
        .add(" ORDER BY id {for_update}")
        .query(session, [](const Row&) {});
}

struct Vanishing {
    model::Item item;
    std::string parent_key;
};

// Those of `ids` that somebody's data or a collection names, as far as identities need them.
core::Result<std::unordered_map<core::ItemId, Vanishing>> named_items(Session& session,
                                                                      const std::vector<core::ItemId>& ids) {
    std::unordered_map<core::ItemId, Vanishing> found;
    auto rows = bulk_ids(session.dialect(), ids);
    Statement select;
    select.add_in(
        "SELECT i.id, i.library_id, i.kind, i.original_key, i.provider_ids, p.original_key FROM items i LEFT JOIN "
        "items "
        "p ON p.id = i.parent_id WHERE ",
        "i.id", rows);
    select.add(
        " AND (EXISTS (SELECT 1 FROM user_data u WHERE u.item_id = i.id) OR EXISTS (SELECT 1 FROM collection_members m "
        "WHERE m.item_id = i.id))");
    auto read = select.query(session, [&](const Row& row) {
        Vanishing one;
        one.item.id = id_from_bytes<core::ItemId>(row.bytes(0));
        one.item.library = id_from_bytes<core::LibraryId>(row.bytes(1));
        one.item.kind = model::parse_item_kind(row.text(2)).value_or(model::ItemKind::movie);
        one.item.original_key = row.bytes(3);
        one.item.provider_ids = map_from_json(row.text(4));
        one.parent_key = row.bytes(5);
        const auto id = one.item.id;
        found.emplace(id, std::move(one));
    });
    if (!read) return tl::unexpected(read.error());
    if (found.empty()) return found;
    std::vector<core::ItemId> named;
    named.reserve(found.size());
    for (const auto& [id, one] : found) named.push_back(id);
    auto sources = bulk_ids(session.dialect(), named);
    auto samples = Statement{}
                       .add_in("SELECT item_id, content_sample FROM media_sources WHERE content_sample <> '' AND ",
                               "item_id", sources)
                       .query(session, [&](const Row& row) {
                           model::MediaSource source;
                           source.info.content_sample = row.text(1);
                           found[id_from_bytes<core::ItemId>(row.bytes(0))].item.sources.push_back(std::move(source));
                       });
    if (!samples) return tl::unexpected(samples.error());
    return found;
}

core::Result<void> remember(Session& session, const std::unordered_map<core::ItemId, Vanishing>& items) {
    std::vector<core::ItemId> ids;
    BulkRows identities(session.dialect(), {{"identity", ColumnType::text}, {"item_id", ColumnType::bytes}});
    for (const auto& [id, one] : items) {
        ids.push_back(id);
        auto own = identities_of(one.item, one.parent_key);
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        for (const auto& identity : own) {
            if (identity.size() <= longest_identity) identities.text(identity).id(id);
        }
    }
    auto rows = bulk_ids(session.dialect(), ids);
    Statement insert;
    insert.add_from("INSERT INTO vanished_items (item_id, vanished_at_ms) SELECT id, {now_ms} FROM ", rows);
    insert.add(" WHERE true ON CONFLICT (item_id) DO UPDATE SET vanished_at_ms = excluded.vanished_at_ms");
    if (auto done = insert.execute(session); !done || identities.empty()) return uncounted(done);
    Statement more;
    more.add_from("INSERT INTO vanished_identities (identity, item_id) SELECT identity, item_id FROM ", identities);
    return uncounted(more.add(" WHERE true ON CONFLICT (identity, item_id) DO NOTHING").execute(session));
}

// For each vanishing item another one of its kind with the same bytes: a file that was found elsewhere before it was
// missed.
core::Result<Pairs> twins(Session& session, const std::unordered_map<core::ItemId, Vanishing>& items,
                          const std::vector<core::ItemId>& going) {
    const std::unordered_set<core::ItemId> all_going(going.begin(), going.end());
    std::map<std::pair<std::string, model::ItemKind>, core::ItemId> by_sample;
    BulkRows samples(session.dialect(), {{"sample", ColumnType::text}});
    for (const auto& [id, one] : items) {
        for (const auto& source : one.item.sources) {
            by_sample[{source.info.content_sample, one.item.kind}] = id;
            samples.text(source.info.content_sample);
        }
    }
    Pairs pairs;
    if (by_sample.empty()) return pairs;
    std::set<core::ItemId> from, to;
    Statement select;
    select.add_in("SELECT s.content_sample, i.kind, i.id FROM media_sources s JOIN items i ON i.id = s.item_id WHERE ",
                  "s.content_sample", samples);
    auto read = select.query(session, [&](const Row& row) {
        const auto kind = model::parse_item_kind(row.text(1)).value_or(model::ItemKind::movie);
        const auto id = id_from_bytes<core::ItemId>(row.bytes(2));
        const auto at = by_sample.find({row.text(0), kind});
        if (at == by_sample.end() || all_going.contains(id)) return;
        if (from.insert(at->second).second && to.insert(id).second) pairs.emplace_back(at->second, id);
    });
    if (!read) return tl::unexpected(read.error());
    return pairs;
}

core::Result<std::unordered_map<core::ItemId, std::string>> parent_keys(Session& session,
                                                                        const std::vector<model::Item>& items) {
    std::unordered_map<core::ItemId, std::string> keys;
    std::vector<core::ItemId> ids;
    for (const auto& item : items) {
        if (!item.parent.empty()) ids.push_back(item.parent);
    }
    if (ids.empty()) return keys;
    auto rows = bulk_ids(session.dialect(), ids);
    auto read =
        Statement{}.add_in("SELECT id, original_key FROM items WHERE ", "id", rows).query(session, [&](const Row& row) {
            keys[id_from_bytes<core::ItemId>(row.bytes(0))] = row.bytes(1);
        });
    if (!read) return tl::unexpected(read.error());
    return keys;
}

constexpr std::string_view merged_data =
    "played = CASE WHEN excluded.played > user_data.played THEN excluded.played ELSE user_data.played END, "
    "play_count = user_data.play_count + excluded.play_count, "
    "favourite = CASE WHEN excluded.favourite > user_data.favourite THEN excluded.favourite ELSE user_data.favourite "
    "END, rating = COALESCE(user_data.rating, excluded.rating), "
    "position_ms = CASE WHEN COALESCE(excluded.last_played_at_ms, 0) > COALESCE(user_data.last_played_at_ms, 0) THEN "
    "excluded.position_ms ELSE user_data.position_ms END, "
    "last_played_at_ms = CASE WHEN COALESCE(excluded.last_played_at_ms, 0) > COALESCE(user_data.last_played_at_ms, 0) "
    "THEN excluded.last_played_at_ms ELSE user_data.last_played_at_ms END, "
    "audio_index = COALESCE(user_data.audio_index, excluded.audio_index), "
    "subtitle_index = COALESCE(user_data.subtitle_index, excluded.subtitle_index)";

BulkRows pair_rows(Dialect dialect, const Pairs& pairs) {
    BulkRows rows(dialect, {{"gone", ColumnType::bytes}, {"taker", ColumnType::bytes}});
    for (const auto& [gone, taker] : pairs) rows.id(gone).id(taker);
    return rows;
}

core::Result<void> forget(Session& session, const std::vector<core::ItemId>& ids) {
    for (const char* table : {"vanished_items", "vanished_identities"}) {
        auto rows = bulk_ids(session.dialect(), ids);
        auto gone =
            Statement{}.add_in("DELETE FROM " + std::string(table) + " WHERE ", "item_id", rows).execute(session);
        if (!gone) return uncounted(gone);
    }
    return {};
}

}  // namespace

std::vector<std::string> identities_of(const model::Item& item, const std::string& parent_key) {
    std::vector<std::string> identities;
    const std::string kind(model::to_string(item.kind));
    for (const auto& source : item.sources) {
        if (!source.info.content_sample.empty()) {
            identities.push_back("content:" + kind + ":" + source.info.content_sample);
        }
    }
    for (const auto& [provider, id] : item.provider_ids) {
        if (identifies(item.kind, provider)) identities.push_back(repaired("id:" + kind + ":" + provider + ":" + id));
    }
    // A season or album is named below its parent: without that it could be anybody's.
    const bool needs_parent = item.kind == model::ItemKind::season || item.kind == model::ItemKind::album;
    if (!has_file(item.kind) && !item.original_key.empty() && (!needs_parent || !parent_key.empty())) {
        identities.push_back("name:" + kind + ":" + item.library.str() + ":" + hex_of(parent_key) + ":" +
                             hex_of(item.original_key));
    }
    return identities;
}

core::Result<void> note_vanishing(Session& session, const std::vector<core::ItemId>& ids) {
    if (ids.empty()) return {};
    if (auto locked = lock_items(session, ids); !locked) return locked;
    const auto items = named_items(session, ids);
    if (!items) return tl::unexpected(items.error());
    if (items->empty()) return {};
    if (auto done = remember(session, *items); !done) return done;
    const auto pairs = twins(session, *items, ids);
    if (!pairs) return tl::unexpected(pairs.error());
    return take_over(session, *pairs);
}

core::Result<void> welcome_back(Session& session, const std::vector<model::Item>& items) {
    bool any = false;
    auto looked = session.query("SELECT 1 FROM vanished_items LIMIT 1", {}, [&](const Row&) { any = true; });
    if (!looked || !any) return looked;
    const auto keys = parent_keys(session, items);
    if (!keys) return tl::unexpected(keys.error());
    std::map<std::string, std::vector<std::pair<std::size_t, core::ItemId>>> wanted;  // rank of the identity, item
    BulkRows identities(session.dialect(), {{"identity", ColumnType::text}});
    for (const auto& item : items) {
        const auto key = keys->find(item.parent);
        const auto own = identities_of(item, key == keys->end() ? std::string{} : key->second);
        for (std::size_t rank = 0; rank < own.size(); ++rank) {
            wanted[own[rank]].emplace_back(rank, item.id);
            identities.text(own[rank]);
        }
    }
    if (wanted.empty()) return {};
    struct Match {
        std::size_t rank;
        std::int64_t vanished_at_ms;
        core::ItemId gone, taker;
    };
    std::vector<Match> matches;
    Statement select;
    select.add_in(
        "SELECT n.identity, n.item_id, v.vanished_at_ms FROM vanished_identities n JOIN vanished_items v ON v.item_id "
        "= "
        "n.item_id WHERE ",
        "n.identity", identities);
    auto read = select.query(session, [&](const Row& row) {
        for (const auto& [rank, taker] : wanted[row.text(0)]) {
            matches.push_back({rank, row.integer(2), id_from_bytes<core::ItemId>(row.bytes(1)), taker});
        }
    });
    if (!read) return read;
    std::stable_sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) {
        const bool a_same = a.gone == a.taker, b_same = b.gone == b.taker;  // back under its old id
        if (a_same != b_same) return a_same;
        if (a.rank != b.rank) return a.rank < b.rank;
        return a.vanished_at_ms > b.vanished_at_ms;
    });
    Pairs pairs;
    std::set<core::ItemId> from, to;
    for (const auto& match : matches) {
        if (from.contains(match.gone) || to.contains(match.taker)) continue;
        from.insert(match.gone);
        to.insert(match.taker);
        pairs.emplace_back(match.gone, match.taker);
    }
    return take_over(session, pairs);
}

core::Result<void> take_over(Session& session, const Pairs& pairs) {
    if (pairs.empty()) return {};
    Pairs moved;
    std::vector<core::ItemId> forgotten, emptied;
    for (const auto& pair : pairs) {
        forgotten.push_back(pair.first);
        if (pair.first == pair.second) continue;
        moved.push_back(pair);
        emptied.push_back(pair.first);
    }
    if (!moved.empty()) {
        const std::string rest =
            "played, play_count, position_ms, favourite, rating, last_played_at_ms, audio_index, subtitle_index";
        auto rows = pair_rows(session.dialect(), moved);
        Statement insert;
        insert.add_from("INSERT INTO user_data (user_id, item_id, " + rest + ") SELECT u.user_id, r.taker, " + rest +
                            " FROM user_data u JOIN ",
                        rows);
        insert.add(" ON u.item_id = r.gone WHERE true ON CONFLICT (user_id, item_id) DO UPDATE SET " +
                   std::string(merged_data));
        if (auto done = insert.execute(session); !done) return uncounted(done);
        auto ids = bulk_ids(session.dialect(), emptied);
        auto gone = Statement{}.add_in("DELETE FROM user_data WHERE ", "item_id", ids).execute(session);
        if (!gone) return uncounted(gone);
        auto members = pair_rows(session.dialect(), moved);
        Statement update;
        update.add_from(
            "UPDATE collection_members SET item_id = r.taker, library_id = (SELECT i.library_id FROM items i WHERE "
            "i.id "
            "= r.taker) FROM ",
            members);
        update.add(" WHERE collection_members.item_id = r.gone");
        if (auto done = update.execute(session); !done) return uncounted(done);
    }
    return forget(session, forgotten);
}

}  // namespace understudy::store::sql
