// tests/unit/library/covers_fixture.h: real music with pictures in it, scanned by real workers, for the step that takes
// them out.
#pragma once

#include "library/embedded_covers.h"
#include "store/sql/sql_catalog.h"
#include "store/sql/sql_covers.h"
#include "unit/library/media_tasks_fixture.h"

namespace understudy::library {

class EmbeddedCoversTest : public MediaTasks {
protected:
    EmbeddedCoversTest()
        : covers(*database),
          catalog(*database),
          probing({.worker = UNDERSTUDY_MEDIA_WORKER, .workers = 2}, log),
          step(covers, analyses, blobs, pool, clock) {}

    core::LibraryId library(model::LibraryKind kind, const std::string& options = "{}") {
        model::Library made;
        made.id = core::LibraryId::make(random);
        made.name = "Library";
        made.kind = kind;
        made.paths = {tree.path("lib")};
        made.options = options;
        EXPECT_TRUE(library_store->add(made));
        return made.id;
    }
    /// Scans with workers of its own: what `pool` counts are pictures.
    core::Result<void> try_refresh(EmbeddedCovers& with) {
        run = std::make_unique<testing::FakeRun>();
        return refresh_as_set_up(with);
    }
    core::Result<void> refresh_as_set_up(EmbeddedCovers& with) {
        register_run();
        RefreshLibrary task(settings, *library_store, *scan_store, probing, clock, random, files, companions, &with);
        auto result = task.execute(*run);
        look();
        return result;
    }
    void refresh() {
        const auto done = try_refresh(step);
        ASSERT_TRUE(done) << done.error().context;
        EXPECT_TRUE(std::ranges::is_sorted(run->reports)) << "progress never goes back";
        EXPECT_EQ(run->reports.back(), 100.0);
    }
    /// A picture of one colour: other colours have other bytes.
    std::string picture(const std::string& colour, const std::string& size = "64x48", const char* kind = "png") {
        const auto out = folder.path() / (std::string("picture.") + kind);
        (void)test::output_of({"ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
                               "color=" + colour + ":size=" + size + ":duration=0.04", "-frames:v", "1", out.string()});
        return test::read_bytes(out);
    }
    /// A FLAC of one second with `picture` in it, whatever that is; empty: none.
    void track(const std::string& album, int number, const std::string& picture) {
        const auto title = std::to_string(number) + " Song.flac";
        const auto out = folder.path() / "made.flac";
        (void)test::output_of({"ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
                               "sine=frequency=" + std::to_string(200 + 10 * number) + ":duration=1", "-metadata",
                               "title=Song " + std::to_string(number), "-metadata", "artist=Artist", "-metadata",
                               "album=" + album, "-metadata", "track=" + std::to_string(number), out.string()});
        auto flac = test::read_bytes(out);
        constexpr std::size_t behind_streaminfo = 4 + 4 + 34;
        if (!picture.empty()) flac.insert(behind_streaminfo, picture_block(picture));
        tree.file("lib/Artist/" + album + "/" + title, flac);
    }
    /// What the catalogue shows of the one item of that name; empty: nothing.
    std::string shown(const std::string& name) {
        for (const auto& [id, item] : tables->items) {
            if (item.name != name) continue;
            const auto listed = catalog.find(id);
            EXPECT_TRUE(listed && *listed);
            if (!listed || !*listed || !(*listed)->cover) return {};
            const auto bytes = blobs.get((*listed)->cover->blob);
            EXPECT_TRUE(bytes && *bytes) << "a cover without its bytes";
            return bytes && *bytes ? **bytes : std::string{};
        }
        ADD_FAILURE() << "there is no " << name;
        return {};
    }
    /// By the file's name.
    std::map<std::string, std::string> problems() {
        std::map<std::string, std::string> reasons;
        const auto found = catalog.problems({});
        EXPECT_TRUE(found);
        for (const auto& one : *found) reasons[one.path.substr(one.path.rfind('/') + 1)] = one.reason;
        return reasons;
    }

    store::sql::SqlCovers covers;
    store::sql::SqlCatalog catalog;
    media::WorkerPool probing;
    EmbeddedCovers step;

private:
    static std::string number(std::size_t value, int bytes) {
        std::string text;
        for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>((value >> (8 * i)) & 0xFFU);
        return text;
    }
    /// METADATA_BLOCK_PICTURE (RFC 9639, 8.8).
    static std::string picture_block(const std::string& picture) {
        const std::string mime = picture.starts_with("\xFF\xD8") ? "image/jpeg" : "image/png";
        std::string block = number(3, 4) + number(mime.size(), 4) + mime;
        block += number(0, 4) + number(64, 4) + number(48, 4) + number(24, 4) + number(0, 4);
        block += number(picture.size(), 4) + picture;
        return number(6, 1) + number(block.size(), 3) + block;
    }
};

}  // namespace understudy::library
