#include "store/sql/sql_blobs.h"

#include <algorithm>
#include <array>
#include <utility>

#include "store/blobs/hash_bytes.h"
#include "store/sql/blob_value.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 20U;
constexpr std::int64_t blobs_a_step = 1'000;

struct Reference {
    std::string_view table, column;
};
constexpr std::array references_to_blobs{Reference{"chapter_pictures", "blob"}, Reference{"covers", "blob"},
                                         Reference{"people", "image"}, Reference{"users", "image"}};

BulkRows hash_rows(Dialect dialect, const std::vector<BlobHash>& hashes) {
    BulkRows rows(dialect, {{"hash", ColumnType::bytes}});
    for (const auto& hash : hashes) rows.bytes(bytes_of(hash));
    return rows;
}

core::Result<std::vector<BlobHash>> read_hashes(Session& session, const Statement& statement) {
    std::vector<BlobHash> hashes;
    auto read = statement.query(session, [&](const Row& row) { hashes.push_back(hash_from_bytes(row.bytes(0))); });
    if (!read) return tl::unexpected(read.error());
    return hashes;
}

// Old at this moment, by the database's clock; a put that comes later makes them young again.
core::Result<std::vector<BlobHash>> old_blobs(Session& session, const std::string& after, core::Millis grace,
                                              CleanStep& step) {
    std::vector<BlobHash> old;
    std::string last;
    step = {};
    auto read = session.query(
        "SELECT hash, CASE WHEN touched_at_ms <= {now_ms} - ? THEN 1 ELSE 0 END FROM blobs WHERE hash > ? ORDER BY "
        "hash "
        "LIMIT ?",
        {std::int64_t{grace.count()}, Bytes{after}, blobs_a_step}, [&](const Row& row) {
            ++step.looked_at;
            last = row.bytes(0);
            if (row.integer(1) != 0) old.push_back(hash_from_bytes(last));
        });
    if (!read) return tl::unexpected(read.error());
    if (step.looked_at == blobs_a_step) step.cursor = hash_from_bytes(last).str();
    return old;
}

core::Result<std::int64_t> delete_old(Session& session, const std::vector<BlobHash>& hashes, core::Millis grace) {
    auto candidates = hash_rows(session.dialect(), hashes);
    Statement select;
    select.add("SELECT hash FROM blobs WHERE touched_at_ms <= {now_ms} - ?", {std::int64_t{grace.count()}});
    select.add_in(" AND ", "hash", candidates).add(" {for_update}");
    const auto still_old = read_hashes(session, select);
    if (!still_old) return tl::unexpected(still_old.error());
    if (still_old->empty()) return 0;
    auto chunks = hash_rows(session.dialect(), *still_old);
    auto blobs = hash_rows(session.dialect(), *still_old);
    auto below = Statement{}.add_in("DELETE FROM blob_chunks WHERE ", "hash", chunks).execute(session);
    if (!below) return below;
    return Statement{}.add_in("DELETE FROM blobs WHERE ", "hash", blobs).execute(session);
}

}  // namespace

core::Result<BlobHash> SqlBlobs::put(std::string_view bytes) {
    const auto hash = hash_bytes(bytes);
    const auto key = Bytes{std::string(bytes_of(hash))};
    auto written = database_.with(Access::write, [&](Session& session) {
        session.set_limit(batch_limit);
        return session.transaction([&]() -> core::Result<void> {
            auto touched = session.execute("UPDATE blobs SET touched_at_ms = {now_ms} WHERE hash = ?", {key});
            if (!touched) return uncounted(touched);
            if (*touched > 0) return {};
            // Of two that put the same bytes at once the second waits here for the first, and finds its chunks.
            auto added = session.execute(
                "INSERT INTO blobs (hash, size_bytes, touched_at_ms) VALUES (?, ?, {now_ms}) ON CONFLICT (hash) DO "
                "UPDATE SET touched_at_ms = excluded.touched_at_ms",
                {key, static_cast<std::int64_t>(bytes.size())});
            if (!added) return uncounted(added);
            std::int64_t number = 0;
            for (std::size_t at = 0; at < bytes.size(); at += chunk_bytes) {
                auto chunk = session.execute(
                    "INSERT INTO blob_chunks (hash, number, bytes) VALUES (?, ?, ?) ON CONFLICT (hash, number) DO "
                    "NOTHING",
                    {key, number++, Bytes{std::string(bytes.substr(at, chunk_bytes))}});
                if (!chunk) return uncounted(chunk);
            }
            return {};
        });
    });
    if (!written) return tl::unexpected(written.error());
    return hash;
}

core::Result<std::optional<std::string>> SqlBlobs::get(const BlobHash& hash) {
    std::optional<std::string> bytes;
    std::int64_t size = -1;
    auto read = database_.with(Access::read, [&](Session& session) {
        const auto key = Bytes{std::string(bytes_of(hash))};
        return session.snapshot([&]() -> core::Result<void> {
            bytes.reset();
            size = -1;
            auto looked = session.query("SELECT size_bytes FROM blobs WHERE hash = ?", {key},
                                        [&](const Row& row) { size = row.integer(0); });
            if (!looked || size < 0) return looked;
            bytes.emplace();
            bytes->reserve(static_cast<std::size_t>(size));
            return session.query("SELECT bytes FROM blob_chunks WHERE hash = ? ORDER BY number", {key},
                                 [&](const Row& row) { *bytes += row.bytes(0); });
        });
    });
    if (!read) return tl::unexpected(read.error());
    if (bytes && hash_bytes(*bytes) != hash) {
        return core::fail(core::Errc::corrupt, "the blob " + hash.str() + " in the database is damaged");
    }
    return bytes;
}

core::Result<bool> SqlBlobs::exists(const BlobHash& hash) {
    bool there = false;
    auto read = database_.with(Access::read, [&](Session& session) {
        return session.query("SELECT 1 FROM blobs WHERE hash = ?", {Bytes{std::string(bytes_of(hash))}},
                             [&](const Row&) { there = true; });
    });
    if (!read) return tl::unexpected(read.error());
    return there;
}

core::Result<BlobTotals> SqlBlobs::totals() {
    BlobTotals totals;
    auto read = database_.with(Access::read, [&](Session& session) {
        session.set_limit(batch_limit);
        return session.query("SELECT count(*), CAST(COALESCE(sum(size_bytes), 0) AS BIGINT) FROM blobs", {},
                             [&](const Row& row) {
                                 totals = {row.integer(0), row.integer(1)};
                             });
    });
    if (!read) return tl::unexpected(read.error());
    return totals;
}

core::Result<CleanStep> SqlBlobs::remove_unreferenced(const std::string& cursor, BlobReferences& references,
                                                      core::Millis grace) {
    std::string after;
    if (!cursor.empty()) {
        const auto hash = BlobHash::parse(cursor);
        if (!hash) return core::fail(core::Errc::invalid, "no cursor of remove_unreferenced: " + cursor);
        after = bytes_of(*hash);
    }
    CleanStep step;
    std::vector<BlobHash> old;
    auto read = database_.with(Access::read, [&](Session& session) -> core::Result<void> {
        auto found = old_blobs(session, after, grace, step);
        if (!found) return tl::unexpected(found.error());
        old = std::move(*found);
        return {};
    });
    if (!read) return tl::unexpected(read.error());
    if (old.empty()) return step;
    const auto used = references.referenced(old);
    if (!used) return tl::unexpected(used.error());
    std::erase_if(old, [&](const BlobHash& hash) { return used->contains(hash); });
    if (old.empty()) return step;
    auto removed = database_.with(Access::write, [&](Session& session) {
        session.set_limit(batch_limit);
        return session.transaction([&]() -> core::Result<void> {
            const auto gone = delete_old(session, old, grace);
            if (!gone) return tl::unexpected(gone.error());
            step.removed = *gone;
            return {};
        });
    });
    if (!removed) return tl::unexpected(removed.error());
    return step;
}

core::Result<std::unordered_set<BlobHash>> SqlBlobReferences::referenced(const std::vector<BlobHash>& hashes) {
    std::unordered_set<BlobHash> found;
    auto read = database_.with(Access::read, [&](Session& session) -> core::Result<void> {
        for (const auto& reference : references_to_blobs) {
            const std::string column(reference.column);
            auto rows = hash_rows(session.dialect(), hashes);
            Statement select;
            select.add_in("SELECT DISTINCT " + column + " FROM " + std::string(reference.table) + " WHERE ", column,
                          rows);
            const auto used = read_hashes(session, select);
            if (!used) return tl::unexpected(used.error());
            found.insert(used->begin(), used->end());
        }
        // The splash screen is one picture of the whole server: a setting of http's names it, in hex.
        return session.query("SELECT value FROM server_facts WHERE name = 'splash_screen'", {}, [&](const Row& row) {
            const auto hash = BlobHash::parse(row.text(0));
            if (hash && std::ranges::find(hashes, *hash) != hashes.end()) found.insert(*hash);
        });
    });
    if (!read) return tl::unexpected(read.error());
    return found;
}

core::Result<std::optional<std::string>> SqlBlobFolderRegistry::token() {
    std::optional<std::string> token;
    auto read = database_.with(Access::read, [&](Session& session) {
        return session.query("SELECT token FROM blob_folder", {}, [&](const Row& row) { token = row.text(0); });
    });
    if (!read) return tl::unexpected(read.error());
    return token;
}

core::Result<std::string> SqlBlobFolderRegistry::agree(const std::string& proposed) {
    auto added = database_.with(Access::write, [&](Session& session) {
        return uncounted(session.execute(
            "INSERT INTO blob_folder (id, token) VALUES (1, ?) ON CONFLICT (id) DO NOTHING", {proposed}));
    });
    if (!added) return tl::unexpected(added.error());
    const auto agreed = token();
    if (!agreed) return tl::unexpected(agreed.error());
    return agreed->value_or("");
}

}  // namespace understudy::store::sql
