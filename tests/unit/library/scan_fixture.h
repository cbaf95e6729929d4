// tests/unit/library/scan_fixture.h: a real folder, a store of each kind, a fake prober and RefreshLibrary over them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <fstream>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "library/refresh_library.h"
#include "store/memory/memory_library_store.h"
#include "store/memory/memory_scan_store.h"
#include "store/sql/sql_library_store.h"
#include "store/sql/sql_scan_store.h"
#include "support/databases.h"
#include "support/library/fake_prober.h"
#include "support/library/fake_run.h"
#include "support/library/faulty_file_system.h"
#include "support/library/media_tree.h"
#include "support/manual_clock.h"

namespace understudy::library {

enum class StoreKind { memory, sqlite, postgresql };
inline std::string store_name(const ::testing::TestParamInfo<StoreKind>& info) {
    return info.param == StoreKind::memory ? "memory" : info.param == StoreKind::sqlite ? "sqlite" : "postgresql";
}
inline auto all_stores() {
    return ::testing::Values(StoreKind::memory, StoreKind::sqlite, StoreKind::postgresql);
}

class ScanTest : public ::testing::TestWithParam<StoreKind> {
protected:
    ScanTest() {
        if (GetParam() == StoreKind::memory) {
            auto memory = std::make_shared<store::MemoryTables>();
            library_store = std::make_unique<store::MemoryLibraryStore>(memory);
            scan_store = std::make_unique<store::MemoryScanStore>(
                memory, [this](const core::Fence& fence) -> core::Result<void> {
                    if (fence.run == run->id() && !run->fenced) return {};
                    return core::fail(core::Errc::fenced, "another run");
                });
        } else {
            base = testing::make_test_database(GetParam() == StoreKind::sqlite ? testing::DatabaseKind::sqlite
                                                                               : testing::DatabaseKind::postgresql);
            database = base->open();
            EXPECT_TRUE(store::sql::migrate(*database));
            library_store = std::make_unique<store::sql::SqlLibraryStore>(*database);
            scan_store = std::make_unique<store::sql::SqlScanStore>(*database);
        }
        settings.on_changed = [this](const std::string& payload) { announced.push_back(payload); };
        settings.walk_threads = 2;
    }
    // A thread that hangs in a test's folder must find it released.
    ~ScanTest() override { files->release(); }

    core::LibraryId add_library(model::LibraryKind kind, std::vector<std::string> paths) {
        model::Library made;
        made.id = core::LibraryId::make(random);
        made.name = "Library " + std::to_string(tables->libraries.size() + 1);
        made.kind = kind;
        made.paths = std::move(paths);
        EXPECT_TRUE(library_store->add(made));
        look();
        return made.id;
    }

    /// Scans and expects it to end well.
    testing::FakeRun& scan(const std::string& options = "{}") {
        const auto result = try_scan(options);
        EXPECT_TRUE(result) << (result ? "" : result.error().context);
        return *run;
    }
    core::Result<void> try_scan(const std::string& options = "{}") {
        run = std::make_unique<testing::FakeRun>(options);
        return scan_as_set_up();
    }
    /// With `run` as a test prepared it.
    core::Result<void> scan_as_set_up() {
        if (database) register_run();
        RefreshLibrary refresh(settings, *library_store, *scan_store, prober, clock, random, files, companions);
        auto result = refresh.execute(*run);
        look();
        return result;
    }
    /// Reads all that is stored into `tables`, through the ports.
    void look() {
        tables = std::make_shared<store::MemoryTables>();
        const auto known = library_store->all();
        ASSERT_TRUE(known) << known.error().context;
        for (const auto& library : *known) {
            tables->libraries.emplace(library.id, library);
            std::vector<core::ItemId> wanted;
            ASSERT_TRUE(scan_store->items(library.id, [&](store::StoredItem&& item) { wanted.push_back(item.id); }));
            const auto loaded = scan_store->load(wanted);
            ASSERT_TRUE(loaded) << loaded.error().context;
            for (const auto& item : *loaded) tables->items.emplace(item.id, item);
            ASSERT_TRUE(scan_store->files(library.id, [&](store::StoredFile&& file) {
                tables->files[library.id].emplace(file.file.path, file);
            }));
            ASSERT_TRUE(scan_store->problems(library.id, [&](store::StoredProblem&& problem) {
                tables->problems[library.id].emplace(problem.path, problem);
            }));
            ASSERT_TRUE(scan_store->directories(library.id, [&](store::StoredDirectory&& directory) {
                tables->directories[library.id].emplace(directory.path, directory);
            }));
        }
        const auto roots = library_store->roots();
        ASSERT_TRUE(roots) << roots.error().context;
        tables->roots = *roots;
    }
    void register_run() {
        const auto done =
            database->with(store::sql::Access::write, [&](store::sql::Session& session) -> core::Result<void> {
                for (const auto& text : {std::string("DELETE FROM task_runs"),
                                         "INSERT INTO task_runs (run_id, task, scope, kind, options, pod, boot_id, "
                                         "epoch, state, progress, cursor, "
                                         "cursor_seq, start_cursor, attempts, stuck_takeovers, cancel_requested, "
                                         "cancel_reason, started_at, beat, "
                                         "error, counts, warnings) VALUES ('" +
                                             run->id().str() +
                                             "', 'RefreshLibrary', 'cluster', 'manual', '{}', 'a', '', 1, 'running', "
                                             "0, '', 0, '', 1, 0, 0, '', 0, "
                                             "0, '', '{}', '[]')"}) {
                    if (auto step = session.execute(text); !step) return tl::unexpected(step.error());
                }
                return {};
            });
        ASSERT_TRUE(done) << done.error().context;
    }

    [[nodiscard]] std::vector<model::Item> items(model::ItemKind kind) const {
        std::vector<model::Item> found;
        for (const auto& [id, item] : tables->items) {
            if (item.kind == kind) found.push_back(item);
        }
        std::ranges::stable_sort(found, [](const model::Item& a, const model::Item& b) {
            return std::tie(a.season_number, a.episode_number, a.track_number, a.name) <
                   std::tie(b.season_number, b.episode_number, b.track_number, b.name);
        });
        return found;
    }
    [[nodiscard]] std::vector<std::string> names(model::ItemKind kind) const {
        std::vector<std::string> found;
        for (const auto& item : items(kind)) found.push_back(item.name);
        return found;
    }
    [[nodiscard]] std::map<std::string, core::ItemId> ids(model::ItemKind kind) const {
        std::map<std::string, core::ItemId> found;
        for (const auto& item : items(kind)) found.emplace(item.name, item.id);
        return found;
    }
    [[nodiscard]] std::map<core::ItemId, model::Item> all() const { return tables->items; }
    [[nodiscard]] model::Item only(model::ItemKind kind) const {
        const auto found = items(kind);
        EXPECT_EQ(found.size(), 1U);
        return found.empty() ? model::Item{} : found.front();
    }
    [[nodiscard]] std::vector<std::string> paths_of(const model::Item& item) const {
        std::vector<std::string> paths;
        for (const auto& source : item.sources) paths.push_back(source.file.path.substr(tree.root().size() + 1));
        return paths;
    }
    [[nodiscard]] std::int64_t count(const std::string& name) const {
        const auto found = run->counts.find(name);
        return found == run->counts.end() ? 0 : found->second;
    }

    testing::MediaTree tree;
    testing::FakeProber prober;
    std::shared_ptr<testing::FaultyFileSystem> files = std::make_shared<testing::FaultyFileSystem>();
    testing::ManualClock clock;
    core::SeededRandom random{1};
    std::unique_ptr<testing::TestDatabase> base;
    std::unique_ptr<store::sql::Database> database;
    std::unique_ptr<store::LibraryStore> library_store;
    std::unique_ptr<store::ScanStore> scan_store;
    std::unique_ptr<testing::FakeRun> run;
    std::shared_ptr<store::MemoryTables> tables = std::make_shared<store::MemoryTables>();  ///< as of the last look()
    RefreshLibrary::Settings settings;
    ScanCompanions companions;
    std::vector<std::string> announced;
};

}  // namespace understudy::library
