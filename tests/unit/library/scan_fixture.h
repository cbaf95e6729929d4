// tests/unit/library/scan_fixture.h: a real folder, a memory store, a fake prober and RefreshLibrary over them.
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
#include "support/library/fake_prober.h"
#include "support/library/fake_run.h"
#include "support/library/faulty_file_system.h"
#include "support/library/media_tree.h"
#include "support/manual_clock.h"

namespace understudy::library {

class ScanTest : public ::testing::Test {
protected:
    ScanTest() {
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
        EXPECT_TRUE(libraries.add(made));
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
        RefreshLibrary refresh(settings, libraries, store, prober, clock, random, files);
        return refresh.execute(*run);
    }

    [[nodiscard]] std::vector<model::Item> items(model::ItemKind kind) const {
        std::vector<model::Item> found;
        for (const auto& [id, item] : tables->items) {
            if (item.kind == kind) found.push_back(item);
        }
        std::ranges::sort(found, [](const model::Item& a, const model::Item& b) {
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
    std::shared_ptr<store::MemoryTables> tables = std::make_shared<store::MemoryTables>();
    std::unique_ptr<testing::FakeRun> run;
    store::MemoryLibraryStore libraries{tables};
    store::MemoryScanStore store{tables, [this](const core::Fence& fence) -> core::Result<void> {
                                     if (fence.run == run->id() && !run->fenced) return {};
                                     return core::fail(core::Errc::fenced, "another run");
                                 }};
    RefreshLibrary::Settings settings;
    std::vector<std::string> announced;
};

}  // namespace understudy::library
