// tests/contract/scan_store/store_fixture.h: a migrated database with a live run, and builders of items and files. Used
// by the suites of scan store, libraries and catalogue.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/random.h"
#include "store/sql/sql_catalog.h"
#include "store/sql/sql_library_store.h"
#include "store/sql/sql_scan_store.h"
#include "support/databases.h"

namespace understudy::testing {

using core::Errc;
using core::Result;
using namespace std::chrono_literals;

inline core::ItemId item_id(std::uint32_t number) {
    core::IdBytes bytes{0xaa};
    for (std::size_t i = 0; i < 4; ++i) bytes[12 + i] = static_cast<std::uint8_t>(number >> (8 * (3 - i)));
    return core::ItemId{bytes};
}
inline core::LibraryId library_id(std::uint8_t number) {
    return core::LibraryId{core::IdBytes{0xbb, number}};
}

/// Letters and digits that no database compresses; not the same twice.
inline std::string noise(std::size_t bytes) {
    static core::SeededRandom random(11);
    std::vector<std::uint8_t> raw(bytes);
    random.fill(raw);
    std::string text;
    for (const auto byte : raw) text += "abcdefghijklmnopqrstuvwxyz012345"[byte % 32U];
    return text;
}

/// What the suites have in common, whatever their parameter is.
class StoreHouse {
protected:
    void use_database(DatabaseKind kind) {
        base_ = make_test_database(kind);
        database_ = base_->open();
        const auto migrated = store::sql::migrate(*database_);
        ASSERT_TRUE(migrated) << migrated.error().context;
        ok(sql(
            "INSERT INTO task_runs (run_id, task, scope, kind, options, pod, boot_id, epoch, state, progress, cursor, "
            "cursor_seq, start_cursor, attempts, stuck_takeovers, cancel_requested, cancel_reason, started_at, beat, "
            "error, "
            "counts, warnings) VALUES ('" +
            fence_.run.str() +
            "', 'RefreshLibrary', 'cluster', 'manual', '{}', 'a', '', 3, 'running', 0, '', 0, '', 1, 0, 0, '', 0, 0, "
            "'', "
            "'{}', '[]')"));
        libraries_ = std::make_unique<store::sql::SqlLibraryStore>(*database_);
        scans_ = std::make_unique<store::sql::SqlScanStore>(*database_);
        catalog_ = std::make_unique<store::sql::SqlCatalog>(*database_);
    }

    template <class T>
    static void ok(const Result<T>& result) {
        ASSERT_TRUE(result) << to_string(result.error().code) << ": " << result.error().context;
    }
    Result<void> sql(const std::string& text) {
        return database_->with(store::sql::Access::write, [&](store::sql::Session& session) -> Result<void> {
            auto done = session.execute(text);
            if (!done) return tl::unexpected(done.error());
            return {};
        });
    }
    std::int64_t count(const std::string& table) {
        std::int64_t found = -1;
        ok(database_->with(store::sql::Access::read, [&](store::sql::Session& session) {
            return session.query("SELECT count(*) FROM " + table, {},
                                 [&](const store::sql::Row& row) { found = row.integer(0); });
        }));
        return found;
    }

    model::Library add_library(std::uint8_t number, const std::string& name, std::vector<std::string> paths) {
        model::Library library;
        library.id = library_id(number);
        library.name = name;
        library.paths = std::move(paths);
        library.created_at = core::from_unix_ms(1'700'000'000'000);
        ok(libraries_->add(library));
        return library;
    }
    static model::Item item(std::uint32_t number, model::ItemKind kind, const std::string& name,
                            std::uint32_t parent = 0, std::uint8_t library = 1) {
        model::Item item;
        item.id = item_id(number);
        item.kind = kind;
        item.library = library_id(library);
        if (parent != 0) item.parent = item_id(parent);
        item.name = item.sort_name = name;
        item.original_key = "key of " + name;
        item.created_at = core::from_unix_ms(1'700'000'000'000 + number);
        return item;
    }
    static model::MediaSource source(const std::string& path) {
        model::MediaSource source;
        source.file = {path, 1'000, 1'600'000'000'123'456'789, 42, 7};
        source.info.container = "matroska,webm";
        source.info.duration = 90min;
        return source;
    }
    static model::Item movie(std::uint32_t number, const std::string& name, std::uint8_t library = 1) {
        auto made = item(number, model::ItemKind::movie, name, 0, library);
        made.sources.push_back(source("/media/" + name + ".mkv"));
        return made;
    }
    static store::StoredFile file(const std::string& path, std::uint32_t item = 0) {
        store::StoredFile file;
        file.file = {path, 5, 6, 7, 8};
        if (item != 0) file.item = item_id(item);
        return file;
    }
    static store::ScanBatch batch(std::uint8_t library = 1) {
        store::ScanBatch batch;
        batch.library = library_id(library);
        return batch;
    }
    /// Under the live run's fence, which moves on.
    Result<void> apply(const store::ScanBatch& batch) {
        auto applied = scans_->apply(batch, fence_);
        if (applied) ++fence_.cursor_seq;
        return applied;
    }
    Result<void> apply_items(std::vector<model::Item> items, std::uint8_t library = 1) {
        auto all = batch(library);
        all.upsert_items = std::move(items);
        return apply(all);
    }

    core::Fence fence_{core::RunId{core::IdBytes{1}}, 3, 0, std::nullopt};
    std::unique_ptr<TestDatabase> base_;
    std::unique_ptr<store::sql::Database> database_;
    std::unique_ptr<store::LibraryStore> libraries_;
    std::unique_ptr<store::ScanStore> scans_;
    std::unique_ptr<store::Catalog> catalog_;
};

class StoreFixture : public ::testing::TestWithParam<DatabaseKind>, protected StoreHouse {
protected:
    void SetUp() override { use_database(GetParam()); }
};

}  // namespace understudy::testing
