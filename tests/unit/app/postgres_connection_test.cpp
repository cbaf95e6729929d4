#include "app/config/postgres_connection.h"

#include <gtest/gtest.h>

namespace understudy::app {
namespace {

TEST(PostgresConnection, translates_what_dotnet_servers_write) {
    const auto parsed =
        parse_postgres_connection("Host=db;Port=5433;Database=media;User ID=u;Password='p;w''x';SSL Mode=VerifyFull");
    ASSERT_TRUE(parsed) << parsed.error().context;
    EXPECT_EQ(parsed->conninfo,
              R"(host='db' port='5433' dbname='media' user='u' password='p;w\'x' sslmode='verify-full')");
}

TEST(PostgresConnection, takes_urls_and_libpq_keywords_as_they_are) {
    for (const auto* text : {"postgresql://u:p@db/media", "postgres://db", "host=db dbname=media password='a b'"}) {
        const auto parsed = parse_postgres_connection(text);
        ASSERT_TRUE(parsed);
        EXPECT_EQ(parsed->conninfo, text);
    }
}

TEST(PostgresConnection, accepts_known_words_without_effect_with_a_warning) {
    const auto parsed = parse_postgres_connection("Host=db;Maximum Pool Size=20");
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->conninfo, "host='db'");
    EXPECT_EQ(parsed->warnings.size(), 1U);
}

TEST(PostgresConnection, shows_no_part_of_a_password_that_lost_its_quotes_or_its_form) {
    for (const auto* text :
         {"Host=db;Password=a;geheim=b", "Host=db;Password=a;b=geheim;c", "Postgresql://u:geheim@db/media?sslmode=x",
          "postgis://u:geheim@db/media", "Host=db;Port=5432 Password=geheim", "Host=db;SSL Mode=Require Pwd=geheim"}) {
        const auto parsed = parse_postgres_connection(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(parsed.error().context.find("geheim"), std::string::npos) << parsed.error().context;
    }
    EXPECT_NE(parse_postgres_connection("Host=db;Password=a;Poolng=true").error().context.find("'pooling'"),
              std::string::npos);
    EXPECT_NE(parse_postgres_connection("Host=db;Port=5x").error().context.find("'5x'"), std::string::npos);
}

TEST(PostgresConnection, names_a_slip_and_never_the_password) {
    const auto parsed = parse_postgres_connection("Host=db;Pasword=geheim");
    ASSERT_FALSE(parsed);
    EXPECT_NE(parsed.error().context.find("'password'"), std::string::npos);
    EXPECT_EQ(parsed.error().context.find("geheim"), std::string::npos);
}

TEST(PostgresConnection, refuses_what_is_incomplete) {
    for (const auto* text : {"Database=x;Username=y", "Host=db;Password='open", "Host=db;nonsense", "Host=db;Port=abc",
                             "Host=db;SSL Mode=maybe"}) {
        EXPECT_FALSE(parse_postgres_connection(text)) << text;
    }
}

TEST(SqliteFile, is_a_path_or_a_data_source) {
    EXPECT_EQ(*sqlite_file("", "/d/x.db"), "/d/x.db");
    EXPECT_EQ(*sqlite_file("/a/b.db", "/d/x.db"), "/a/b.db");
    EXPECT_EQ(*sqlite_file("Data Source=/a/c.db", "/d/x.db"), "/a/c.db");
    EXPECT_FALSE(sqlite_file("Host=db;Database=x", "/d/x.db"));
    EXPECT_FALSE(sqlite_file("postgresql://db/x", "/d/x.db"));
}

}  // namespace
}  // namespace understudy::app
