// The tasks that clean and merge, on real folders and both databases: what goes, what stays, what a second run does.
#include <chrono>

#include "library/actor_folders.h"
#include "library/clean_collections.h"
#include "library/cleanup_user_data.h"
#include "library/optimize_database.h"
#include "library/refresh_people.h"
#include "media/worker_pool.h"
#include "store/sql/sql_analyses.h"
#include "store/sql/sql_blobs.h"
#include "store/sql/sql_catalog.h"
#include "store/sql/sql_collections.h"
#include "store/sql/sql_maintenance.h"
#include "store/sql/sql_people.h"
#include "store/sql/sql_user_data.h"
#include "store/sql/sql_users.h"
#include "support/media_files.h"
#include "unit/library/scan_fixture.h"

namespace understudy::library {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::film;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CleanTasks : public ScanTest {
protected:
    CleanTasks()
        : catalog(*database),
          collections(*database, random),
          users(*database),
          data(*database),
          analyses(*database),
          blobs(*database),
          references(*database),
          maintenance(*database),
          people(*database, random),
          pool({.worker = UNDERSTUDY_MEDIA_WORKER, .workers = 1, .idle = true}, log) {
        prober.say(".mkv", film(180, 60s));
        user.id = core::UserId::make(random);
        user.name = "Anna";
        EXPECT_TRUE(users.add(user));
    }

    core::LibraryId films(const std::vector<std::string>& names) {
        for (const auto& name : names) tree.file("lib/" + name + "/" + name + ".mkv", name);
        const auto id = add_library(model::LibraryKind::movies, {tree.path("lib")});
        scan();
        return id;
    }
    core::Result<void> execute(tasks::ScheduledTask& task, const std::string& cursor = {}) {
        run = std::make_unique<testing::FakeRun>("{}", cursor);
        register_run();
        auto done = task.execute(*run);
        EXPECT_TRUE(std::ranges::is_sorted(run->reports)) << "progress never goes back";
        return done;
    }
    void sql(const std::string& text) {
        const auto done = database->with(store::sql::Access::write, [&](store::sql::Session& session) {
            return session.query(text, {}, [](const store::sql::Row&) {});
        });
        ASSERT_TRUE(done) << done.error().context;
    }
    std::int64_t number(const std::string& text) {
        std::int64_t found = -1;
        const auto done = database->with(store::sql::Access::read, [&](store::sql::Session& session) {
            return session.query(text, {}, [&](const store::sql::Row& row) { found = row.integer(0); });
        });
        EXPECT_TRUE(done) << done.error().context;
        return found;
    }
    void write(const std::function<core::Result<void>(const core::Fence&)>& what) {
        run = std::make_unique<testing::FakeRun>();
        register_run();
        const auto done = run->commit(std::nullopt, what);
        ASSERT_TRUE(done) << done.error().context;
    }

    core::NullLog log;
    store::sql::SqlCatalog catalog;
    store::sql::SqlCollections collections;
    store::sql::SqlUsers users;
    store::sql::SqlUserData data;
    store::sql::SqlAnalyses analyses;
    store::sql::SqlBlobs blobs;
    store::sql::SqlBlobReferences references;
    store::sql::SqlMaintenance maintenance;
    store::sql::SqlPeople people;
    media::WorkerPool pool;
    store::User user;
};

class CollectionsTask : public CleanTasks {
protected:
    CollectionsTask() : task(*library_store, collections, files) {}
    core::ItemId collection_of(const std::vector<std::string>& names) {
        store::Collection made;
        made.id = core::ItemId::make(random);
        made.kind = model::ItemKind::box_set;
        made.name = "Set";
        std::vector<core::ItemId> members;
        for (const auto& name : names) members.push_back(ids(model::ItemKind::movie)[name]);
        EXPECT_TRUE(collections.create(made, members));
        return made.id;
    }
    std::vector<core::ItemId> members(core::ItemId id) {
        std::vector<core::ItemId> found;
        const auto listed = collections.members(id, 0, 0);
        EXPECT_TRUE(listed);
        for (const auto& member : *listed) found.push_back(member.item);
        return found;
    }
    CleanCollections task;
};

TEST_P(CollectionsTask, a_collection_is_whole_and_in_order_after_its_disc_was_away) {  // C3
    films({"A (2001)", "B (2002)", "C (2003)"});
    const auto set = collection_of({"C", "A", "B"});
    const auto before = members(set);
    ASSERT_EQ(before.size(), 3U);
    tree.rename("lib", "away");
    tree.folder("lib");
    scan();
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("members_dropped"), 0);
    EXPECT_EQ(members(set), before);
    tree.remove("lib");
    tree.rename("away", "lib");
    scan();
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(members(set), before);
    EXPECT_EQ(run->reports.back(), 100);
}

TEST_P(CollectionsTask, nothing_is_dropped_at_start_up_before_the_discs_are_there) {  // C4
    films({"A (2001)", "B (2002)"});
    const auto set = collection_of({"A", "B"});
    tree.remove("lib/B (2002)");
    scan();
    tree.rename("lib", "away");  // the last scan saw it online
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("members_dropped"), 0);
    EXPECT_EQ(count("libraries_offline"), 1);
    EXPECT_THAT(run->warnings, ElementsAre(HasSubstr("is offline")));
    EXPECT_EQ(members(set).size(), 2U);
    tree.rename("away", "lib");
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("members_dropped"), 1);
    EXPECT_THAT(members(set), ElementsAre(ids(model::ItemKind::movie)["A"]));
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("members_dropped"), 0);
}

TEST_P(CollectionsTask, members_of_a_removed_library_go_and_the_collection_stays) {  // C16
    const auto library = films({"A (2001)", "B (2002)"});
    const auto set = collection_of({"A", "B"});
    ASSERT_TRUE(library_store->remove(library));
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("members_dropped"), 2);
    EXPECT_THAT(members(set), IsEmpty());
    EXPECT_TRUE(*collections.find(set));
}

TEST_P(CollectionsTask, a_run_that_lost_its_task_drops_nothing) {
    const auto library = films({"A (2001)"});
    const auto set = collection_of({"A"});
    ASSERT_TRUE(library_store->remove(library));
    run = std::make_unique<testing::FakeRun>();  // not the one the database knows
    const auto done = task.execute(*run);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, core::Errc::fenced);
    EXPECT_EQ(members(set).size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Stores, CollectionsTask, ::testing::Values(StoreKind::sqlite, StoreKind::postgresql),
                         store_name);

class UserDataTask : public CleanTasks {
protected:
    UserDataTask() : task(days{90}, data, clock) {}
    void play(const std::string& name) {
        store::UserItemChange change;
        change.played = true;
        EXPECT_EQ(data.change(user.id, {ids(model::ItemKind::movie)[name]}, change).value(), 1);
    }
    void vanished_for(days since) {
        sql("UPDATE vanished_items SET vanished_at_ms = " + std::to_string(core::to_unix_ms(clock.utc_now() - since)));
    }
    std::int64_t rows() { return number("SELECT count(*) FROM user_data"); }
    CleanupUserData task;
};

TEST_P(UserDataTask, what_users_did_stays_for_90_days_after_the_item_and_then_goes) {
    films({"A (2001)", "B (2002)"});
    play("A");
    play("B");
    tree.remove("lib/B (2002)");
    scan();
    ASSERT_EQ(rows(), 2);
    vanished_for(days{89});
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("rows_removed"), 0);
    vanished_for(days{91});
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("rows_removed"), 1);
    EXPECT_EQ(count("items_forgotten"), 1);
    EXPECT_EQ(run->reports.back(), 100);
    EXPECT_EQ(rows(), 1) << "what was done with A stays";
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("rows_removed"), 0);
}

TEST_P(UserDataTask, nothing_goes_while_the_disc_is_away_however_long) {
    films({"A (2001)"});
    play("A");
    tree.rename("lib", "away");
    scan();
    clock.advance(days{400});
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("rows_removed"), 0);
    EXPECT_EQ(rows(), 1);
}

TEST_P(UserDataTask, many_rows_go_in_bounded_steps_and_progress_moves) {
    sql(std::string("INSERT INTO user_data (user_id, item_id, played, play_count, position_ms, favourite) ") +
        (GetParam() == StoreKind::sqlite
             ? "WITH RECURSIVE n(x) AS (SELECT 100000 UNION ALL SELECT x + 1 FROM n WHERE x < 249999) SELECT "
               "CAST('0123456789abcdef' AS BLOB), CAST('0123456789' || x AS BLOB), 1, 1, 0, 0 FROM n"
             : "SELECT CAST('0123456789abcdef' AS BYTEA), CAST('0123456789' || x AS BYTEA), 1, 1, 0, 0 FROM "
               "generate_series(100000, 249999) AS n(x)"));
    sql("INSERT INTO vanished_items SELECT item_id, 1000 FROM user_data");
    for (int i = 0; i < 10; ++i) {  // each could have a row an item: a step has fewer items
        const auto name = "u" + std::to_string(i);
        sql("INSERT INTO users (id, name, name_key, created_at_ms) VALUES (CAST('" + name +
            (GetParam() == StoreKind::sqlite ? "' AS BLOB), '" : "' AS BYTEA), '") + name + "', '" + name + "', 0)");
    }
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("rows_removed"), 150'000);
    EXPECT_GE(run->commits, 3);
    EXPECT_GE(run->reports.size(), 3U);
    EXPECT_EQ(rows(), 0);
}

INSTANTIATE_TEST_SUITE_P(Stores, UserDataTask, ::testing::Values(StoreKind::sqlite, StoreKind::postgresql), store_name);

/// A folder of blobs whose mount went away.
class AwayBlobs final : public store::BlobStore {
public:
    [[nodiscard]] core::Result<store::BlobHash> put(std::string_view) override { return away(); }
    [[nodiscard]] core::Result<std::optional<std::string>> get(const store::BlobHash&) override { return away(); }
    [[nodiscard]] core::Result<bool> exists(const store::BlobHash&) override { return away(); }
    [[nodiscard]] core::Result<store::BlobTotals> totals() override { return away(); }
    [[nodiscard]] core::Result<store::CleanStep> remove_unreferenced(const std::string&, store::BlobReferences&,
                                                                     core::Millis) override {
        return away();
    }

private:
    static tl::unexpected<core::Error> away() { return core::fail(core::Errc::unavailable, "the mount is gone"); }
};

class OptimizeTask : public CleanTasks {
protected:
    OptimizeTask() : task(analyses, blobs, references, maintenance) {}
    void put_analysis(const std::string& sample) {
        write([&](const core::Fence& fence) {
            store::Analysis row;
            row.kind = "keyframes";
            row.content = {sample, 1};
            row.payload = "p";
            return analyses.put({row}, fence);
        });
    }
    OptimizeDatabase task;
};

TEST_P(OptimizeTask, what_nothing_names_goes_and_the_rest_stays) {
    films({"A (2001)"});
    put_analysis("0123456789abcdef0123456789abcdef");
    const auto old = blobs.put("old");
    ASSERT_TRUE(old);
    sql("UPDATE blobs SET touched_at_ms = touched_at_ms - 86400001");
    const auto fresh = blobs.put("fresh");
    ASSERT_TRUE(fresh);
    const auto done = execute(task);
    ASSERT_TRUE(done) << done.error().context;
    EXPECT_EQ(count("analyses_removed"), 1);
    EXPECT_EQ(count("blobs_removed"), 1);
    EXPECT_FALSE(blobs.exists(*old).value());
    EXPECT_TRUE(blobs.exists(*fresh).value()) << "somebody may be about to name it";
    EXPECT_EQ(number("SELECT count(*) FROM items WHERE kind = 'movie'"), 1);
    EXPECT_EQ(run->reports.back(), 100);
    EXPECT_THAT(run->warnings, IsEmpty());
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("analyses_removed"), 0);
    EXPECT_EQ(count("blobs_removed"), 0);
    EXPECT_EQ(count("vacuumed"), 0);
}

TEST_P(OptimizeTask, a_folder_of_blobs_that_is_away_is_said_and_the_database_cared_for) {
    AwayBlobs away;
    OptimizeDatabase with_away(analyses, away, references, maintenance);
    ASSERT_TRUE(execute(with_away));
    EXPECT_THAT(run->warnings, ElementsAre(HasSubstr("the mount is gone")));
    EXPECT_THAT(run->cursors, Contains("blobs:"));
    EXPECT_EQ(run->reports.back(), 100);
}

TEST_P(OptimizeTask, a_run_goes_on_in_the_phase_where_the_one_before_it_died) {
    put_analysis("0123456789abcdef0123456789abcdef");
    ASSERT_TRUE(execute(task, "database:"));
    EXPECT_EQ(number("SELECT count(*) FROM analyses"), 1) << "that phase was over";
    ASSERT_TRUE(execute(task, "nonsense of another version"));
    EXPECT_EQ(number("SELECT count(*) FROM analyses"), 0);
}

TEST_P(OptimizeTask, it_stops_between_two_steps_and_as_soon_as_it_is_no_longer_the_run) {
    run = std::make_unique<testing::FakeRun>();
    register_run();
    run->on_commit = [&](int commits) { run->stop = commits == 1; };
    const auto stopped = task.execute(*run);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, core::Errc::cancelled);
    run = std::make_unique<testing::FakeRun>("{}", "blobs:");
    sql("DELETE FROM task_runs");  // it is another pod's now
    const auto fenced = task.execute(*run);
    ASSERT_FALSE(fenced);
    EXPECT_EQ(fenced.error().code, core::Errc::fenced);
}

INSTANTIATE_TEST_SUITE_P(Stores, OptimizeTask, ::testing::Values(StoreKind::sqlite, StoreKind::postgresql), store_name);

class PeopleTask : public CleanTasks {
protected:
    PeopleTask() : task(people, catalog, blobs, pool, files, clock) {}
    void credit(core::ItemId item, const std::vector<std::string>& names) {
        store::ItemCredits credits{item, {}};
        for (const auto& name : names) credits.credits.push_back({name, {}, model::CreditKind::actor, "Self"});
        write([&](const core::Fence& fence) -> core::Result<void> {
            const auto put = people.put_credits({credits}, fence);
            if (!put) return tl::unexpected(put.error());
            return {};
        });
    }
    void picture(const std::string& below, const std::string& size = "300x450") {
        const auto made = folder.path() / "made.jpg";
        (void)test::output_of({"ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=" + size, "-frames:v",
                               "1", made.string()});
        tree.file(below, test::read_bytes(made));
    }
    store::Person only_person(const std::string& name) {
        const auto found = people.list(name, 0, 10).value();
        EXPECT_EQ(found.size(), 1U) << name;
        return found.empty() ? store::Person{} : found.front();
    }
    core::ItemId movie(const std::string& name) { return ids(model::ItemKind::movie)[name]; }

    test::TempFolder folder;
    RefreshPeople task;
};

TEST_P(PeopleTask, duplicates_are_merged_and_people_without_a_credit_go) {  // F20
    films({"A (2001)"});
    credit(movie("A"), {"Anna Ash", "Bob Birch"});
    credit(movie("A"), {"Anna Ash"});
    for (const char* id : {"0123456789abcde0", "0123456789abcde1"}) {
        sql(std::string("INSERT INTO people (id, name, name_key, sort_name, provider_ids, overview, created_at_ms, "
                        "refreshed_at_ms) VALUES (CAST('") +
            id + "' AS " + (GetParam() == StoreKind::sqlite ? "BLOB" : "BYTEA") +
            "), 'Zoe', 'zoe', 'Zoe', '{}', '', 0, 0)");
    }
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("merged"), 1);
    EXPECT_EQ(count("removed"), 2) << "Bob, and the one that Zoe has become";
    EXPECT_EQ(number("SELECT count(*) FROM people"), 1);
    EXPECT_EQ(run->reports.back(), 100);
    EXPECT_THAT(run->reports, Contains(100.0 / 3));
    EXPECT_THAT(run->reports, Contains(2 * (100.0 / 3)));
    ASSERT_TRUE(execute(task));
    for (const char* name : {"merged", "removed", "refreshed", "pictures"}) EXPECT_EQ(count(name), 0) << name;
}

TEST_P(PeopleTask, a_picture_beside_the_film_becomes_the_persons) {
    films({"A (2001)"});
    picture("lib/A (2001)/.actors/Anna_Ash.jpg", "1200x1800");
    credit(movie("A"), {"Anna Ash", "Bob Birch"});
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("refreshed"), 2);
    EXPECT_EQ(count("pictures"), 1);
    const auto bytes = blobs.get(only_person("Anna Ash").image);
    ASSERT_TRUE(bytes && *bytes);
    EXPECT_TRUE((*bytes)->starts_with("\xff\xd8\xff"));
    EXPECT_TRUE(only_person("Bob Birch").image.empty());

    const auto messages = pool.counts().messages;
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("refreshed"), 0);
    EXPECT_EQ(pool.counts().messages, messages);
}

TEST_P(PeopleTask, a_person_without_a_picture_is_looked_for_once_in_30_days) {  // F19
    films({"A (2001)"});
    credit(movie("A"), {"Bob Birch"});
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("refreshed"), 1);
    picture("lib/A (2001)/.actors/bob_birch.PNG");
    files->forget();
    clock.advance(days{29});
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("refreshed"), 0);
    EXPECT_THAT(files->folders_opened(), IsEmpty());
    clock.advance(days{2});
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("pictures"), 1);
    EXPECT_FALSE(only_person("Bob Birch").image.empty());
}

TEST_P(PeopleTask, a_series_keeps_its_actors_beside_its_seasons) {
    prober.say(".mkv", film(180, 60s));
    tree.file("tv/Show (2010)/Season 01/Show - S01E01 - One.mkv", "one");
    add_library(model::LibraryKind::tvshows, {tree.path("tv")});
    scan();
    picture("tv/Show (2010)/.actors/Anna_Ash.jpg");
    picture("tv/Show (2010)/.actors/Guest_Star.jpg");
    credit(only(model::ItemKind::series).id, {"Anna Ash"});
    credit(only(model::ItemKind::episode).id, {"Guest Star"});
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("pictures"), 2);
}

TEST_P(PeopleTask, a_disc_that_is_away_leaves_people_due) {
    films({"A (2001)"});
    picture("lib/A (2001)/.actors/Anna_Ash.jpg");
    credit(movie("A"), {"Anna Ash"});
    tree.rename("lib", "away");
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("offline"), 1);
    EXPECT_EQ(count("refreshed"), 0);
    tree.rename("away", "lib");
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("pictures"), 1);
}

TEST_P(PeopleTask, a_broken_picture_is_named_and_not_tried_again_at_once) {
    films({"A (2001)"});
    tree.file("lib/A (2001)/.actors/Anna_Ash.jpg", "no picture at all");
    credit(movie("A"), {"Anna Ash"});
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("failed"), 1);
    EXPECT_THAT(run->warnings, ElementsAre(HasSubstr("Anna_Ash.jpg")));
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("failed"), 0);
}

TEST_P(PeopleTask, a_run_that_goes_on_begins_with_the_third_that_was_at_work) {
    films({"A (2001)"});
    credit(movie("A"), {"Anna Ash", "Bob Birch"});
    credit(movie("A"), {"Anna Ash"});
    ASSERT_TRUE(execute(task, "refresh:"));
    EXPECT_EQ(count("removed"), 0);
    EXPECT_EQ(number("SELECT count(*) FROM people"), 2);
    ASSERT_TRUE(execute(task, "remove:a cursor of another version"));
    EXPECT_EQ(count("removed"), 1);
}

INSTANTIATE_TEST_SUITE_P(Stores, PeopleTask, ::testing::Values(StoreKind::sqlite, StoreKind::postgresql), store_name);

TEST(ActorFiles, are_called_as_kodi_calls_them) {
    EXPECT_EQ(actor_file_key("Anna Ash"), "anna_ash");
    EXPECT_EQ(actor_file_key("AC/DC: Live?"), "ac_dc__live_");
    EXPECT_EQ(actor_file_key("Zoë"), "zoë");
}

}  // namespace
}  // namespace understudy::library
