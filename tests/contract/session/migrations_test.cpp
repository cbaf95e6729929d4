// Migrations: once each, in order, under a lock; a newer database is refused.
#include "store/sql/migrations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include "support/databases.h"

namespace understudy::testing {

using namespace understudy::store::sql;
using core::Errc;

class MigrationsContract : public ::testing::TestWithParam<DatabaseKind> {
protected:
    std::unique_ptr<TestDatabase> base_ = make_test_database(GetParam());
    std::unique_ptr<Database> database_ = base_->open();

    static constexpr EmbeddedMigration one{1, "one", "CREATE TABLE a (id BIGINT); -- a; b\nINSERT INTO a VALUES (1);"};
    static constexpr EmbeddedMigration two{2, "two", "INSERT INTO a VALUES (2); INSERT INTO a VALUES (3)"};
    static constexpr EmbeddedMigration broken{3, "broken", "INSERT INTO a VALUES (4); INSERT INTO nowhere VALUES (1)"};

    std::int64_t rows() {
        std::int64_t found = -1;
        (void)database_->with(Access::read, [&](Session& session) {
            return session.query("SELECT count(*) FROM a", {}, [&](const Row& row) { found = row.integer(0); });
        });
        return found;
    }
};

TEST_P(MigrationsContract, apply_what_is_missing_once_each) {
    const std::array first{one};
    const std::array both{one, two};
    auto before = migrations(*database_, both);
    ASSERT_TRUE(before) << before.error().context;
    ASSERT_EQ(before->size(), 2U);
    EXPECT_FALSE((*before)[0].applied);
    EXPECT_EQ(migrate(*database_, first).value_or(-1), 1);
    EXPECT_EQ(migrate(*database_, both).value_or(-1), 1);
    EXPECT_EQ(migrate(*database_, both).value_or(-1), 0);
    EXPECT_EQ(rows(), 3);
    auto after = migrations(*database_, both);
    ASSERT_TRUE(after);
    EXPECT_TRUE((*after)[1].applied);
    EXPECT_EQ((*after)[1].name, "two");
    EXPECT_TRUE((*after)[1].applied_at.has_value());
}

TEST_P(MigrationsContract, a_number_that_was_left_out_comes_in_later) {
    const std::array late{EmbeddedMigration{3, "three", "CREATE TABLE c (id BIGINT)"}};
    const std::array all{one, two, late[0]};
    EXPECT_EQ(migrate(*database_, late).value_or(-1), 1);
    EXPECT_EQ(migrate(*database_, all).value_or(-1), 2);
}

TEST_P(MigrationsContract, one_that_fails_leaves_nothing) {
    const std::array good{one};
    const std::array all{one, two, broken};
    ASSERT_TRUE(migrate(*database_, good));
    const auto result = migrate(*database_, all);
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().context.find("0003 (broken)"), std::string::npos) << result.error().context;
    EXPECT_EQ(rows(), 1);
}

TEST_P(MigrationsContract, a_newer_database_is_refused_with_both_versions) {
    const std::array both{one, two};
    const std::array old{one};
    ASSERT_TRUE(migrate(*database_, both));
    const auto result = migrate(*database_, old);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Errc::conflict);
    EXPECT_NE(result.error().context.find("0002"), std::string::npos);
    EXPECT_NE(result.error().context.find("0001"), std::string::npos);
}

TEST_P(MigrationsContract, an_edited_file_is_noticed) {
    const std::array before{one}, after{EmbeddedMigration{1, "one", "CREATE TABLE a (id BIGINT, more TEXT)"}};
    ASSERT_TRUE(migrate(*database_, before));
    const auto result = migrate(*database_, after);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Errc::conflict);
}

TEST_P(MigrationsContract, pods_that_start_together_apply_them_once) {
    const std::array both{one, two};
    std::atomic<int> applied{0}, failed{0};
    std::vector<std::thread> pods;
    for (int i = 0; i < 4; ++i) {
        pods.emplace_back([&] {
            const auto own = base_->open(2);
            const auto count = migrate(*own, both);
            if (count) {
                applied += *count;
            } else {
                ++failed;
            }
        });
    }
    for (auto& pod : pods) pod.join();
    EXPECT_EQ(failed, 0);
    EXPECT_EQ(applied, 2);
    EXPECT_EQ(rows(), 3);
}

TEST_P(MigrationsContract, those_in_the_binary_apply) {
    const auto count = migrate(*database_);
    ASSERT_TRUE(count) << count.error().context;
    EXPECT_EQ(*count, static_cast<int>(embedded_migrations().size()));
    EXPECT_GT(*count, 0);
    int last = 0;
    for (const auto& migration : embedded_migrations()) {
        EXPECT_GT(migration.number, last);
        last = migration.number;
    }
}

TEST_P(MigrationsContract, fold_the_keys_of_what_is_there) {
    const auto all = embedded_migrations();
    const auto at = std::ranges::find(all, 26, &EmbeddedMigration::number);
    ASSERT_NE(at, all.end());
    ASSERT_TRUE(migrate(*database_, all.first(static_cast<std::size_t>(at - all.begin()))));
    const bool sqlite = GetParam() == DatabaseKind::sqlite;
    const std::string numbers = sqlite
                                    ? "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 6000) "
                                    : "WITH n(x) AS (SELECT generate_series(1, 6000)) ";
    const std::string id =
        sqlite ? "CAST(substr('0000000000000000' || x, -16) AS BLOB)" : "convert_to(lpad(x::text, 16, '0'), 'UTF8')";
    const auto execute = [&](const std::string& sql) {
        const auto done = database_->with(Access::write, [&](Session& session) -> core::Result<void> {
            auto result = session.execute(sql);
            if (!result) return tl::unexpected(result.error());
            return {};
        });
        ASSERT_TRUE(done) << done.error().context;
    };
    execute(numbers +
            "INSERT INTO items (id, library_id, kind, name, sort_name, name_key, sort_key, original_key, album, "
            "album_artist, album_key, artists, genres, provider_ids, duration_ms, available, created_at_ms) SELECT " +
            id + ", " + id + ", 'movie', 'Straße É', 'É', CASE WHEN x % 3 = 0 THEN 'plain' ELSE 'straße é' END, CASE " +
            "WHEN x % 3 = 1 THEN 'plain' ELSE 'é' END, " + id + ", '', '', 'é', '[]', '[]', '{}', 0, 1, 0 FROM n");
    execute(numbers + "INSERT INTO names (id, kind, name, name_key) SELECT " + id +
            ", 0, 'N', CASE WHEN x = 7 THEN 'é' WHEN x = 8 THEN 'в' ELSE 'e' END FROM n");
    execute(numbers +
            "INSERT INTO people (id, name, name_key, sort_name, provider_ids, overview, created_at_ms, "
            "refreshed_at_ms) SELECT " +
            id + ", 'P', CASE WHEN x = 7 THEN 'zoë' ELSE 'zoe' END, 'P', '{}', '', 0, 0 FROM n");
    ASSERT_TRUE(migrate(*database_));
    const auto count = [&](const std::string& from) {
        std::int64_t found = -1;
        (void)database_->with(Access::read, [&](Session& session) {
            return session.query("SELECT count(*) FROM " + from, {}, [&](const Row& row) { found = row.integer(0); });
        });
        return found;
    };
    EXPECT_EQ(count("items WHERE name_key = 'strasse e'"), 4'000);
    EXPECT_EQ(count("items WHERE name_key = 'plain' AND sort_key = 'e'"), 2'000);
    EXPECT_EQ(count("items WHERE sort_key = 'e'"), 4'000);
    EXPECT_EQ(count("items WHERE sort_key = 'plain' AND album_key = 'é'"), 2'000) << "others stay";
    EXPECT_EQ(count("names WHERE search_key = 'e' AND name_key = 'é'"), 1);
    EXPECT_EQ(count("names WHERE search_key IS NULL"), 5'999) << "where it is name_key itself";
    EXPECT_EQ(count("people WHERE search_key = 'zoe' AND name_key = 'zoë'"), 1);
    EXPECT_EQ(count("people WHERE search_key IS NULL"), 5'999);
}

INSTANTIATE_TEST_SUITE_P(databases, MigrationsContract, both_databases(), database_name);

}  // namespace understudy::testing
