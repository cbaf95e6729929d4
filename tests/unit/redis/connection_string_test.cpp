#include "redis/connection_string.h"

#include <gtest/gtest.h>

namespace understudy::redis {
namespace {

using namespace std::chrono_literals;

ConnectionSettings good(std::string_view text) {
    auto parsed = parse_connection_string(text);
    EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().context);
    return parsed ? *parsed : ConnectionSettings{};
}

core::Error bad(std::string_view text) {
    const auto parsed = parse_connection_string(text, "Some:Setting");
    EXPECT_FALSE(parsed) << text;
    return parsed ? core::Error{} : parsed.error();
}

TEST(ConnectionString, reads_endpoints_in_all_forms) {
    struct Row {
        const char* text;
        Endpoint want;
    };
    const Row rows[] = {
        {"redis", {"redis", 6379}},
        {"redis:6380", {"redis", 6380}},
        {" redis.media.svc:7000 ", {"redis.media.svc", 7000}},
        {"10.0.0.7", {"10.0.0.7", 6379}},
        {"[::1]", {"::1", 6379}},
        {"[fd00::7]:6399", {"fd00::7", 6399}},
        {"fd00::7", {"fd00::7", 6379}},
        {"redis,ssl=true", {"redis", 6380}},
        {"redis:6379,ssl=True", {"redis", 6379}},
        {"redis://redis", {"redis", 6379}},
        {"redis://redis:6390", {"redis", 6390}},
        {"rediss://redis", {"redis", 6379}},
        {"redis://[::1]:6390/2", {"::1", 6390}},
        {"redis://:secret@redis:6390/2?name=x", {"redis", 6390}},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.text);
        const auto settings = good(row.text);
        ASSERT_EQ(settings.endpoints.size(), 1U);
        EXPECT_EQ(settings.endpoints[0].str(), row.want.str());
        EXPECT_TRUE(settings.warnings.empty());
    }
}

TEST(ConnectionString, reads_the_options_in_any_case) {
    const auto settings = good(
        "a:1, b:2 ,PASSWORD=s=e=c,User=pod,SSL=yes,sslhost=redis.example,SslCaFile=/ca.pem,AbortConnect=False,"
        "connectTIMEOUT=1500,syncTimeout=700,defaultDatabase=3,name=understudy,channelprefix=media:");
    ASSERT_EQ(settings.endpoints.size(), 2U);
    EXPECT_EQ(settings.endpoints[1].str(), "b:2");
    EXPECT_EQ(settings.password, "s=e=c");
    EXPECT_EQ(settings.user, "pod");
    EXPECT_TRUE(settings.tls);
    EXPECT_EQ(settings.tls_server_name, "redis.example");
    EXPECT_EQ(settings.tls_ca_file, "/ca.pem");
    EXPECT_FALSE(settings.abort_connect);
    EXPECT_EQ(settings.connect_timeout, 1500ms);
    EXPECT_EQ(settings.command_timeout, 700ms);
    EXPECT_EQ(settings.database, 3);
    EXPECT_EQ(settings.client_name, "understudy");
    EXPECT_EQ(settings.channel_prefix, "media:");
    EXPECT_TRUE(settings.warnings.empty());
}

TEST(ConnectionString, reads_a_url_with_coded_login_database_and_options) {
    const auto settings = good("rediss://pod:p%40ss%2C%2fword@redis:6390/4?sslCaFile=%2Fca.pem&channelPrefix=m%3A");
    EXPECT_TRUE(settings.tls);
    EXPECT_EQ(settings.user, "pod");
    EXPECT_EQ(settings.password, "p@ss,/word");
    EXPECT_EQ(settings.database, 4);
    EXPECT_EQ(settings.tls_ca_file, "/ca.pem");
    EXPECT_EQ(settings.channel_prefix, "m:");
    EXPECT_EQ(good("redis://redis?db=5").database, 5);
    EXPECT_EQ(good("redis://:only@redis").user, "");
    EXPECT_EQ(good("redis://:only@redis").password, "only");
}

TEST(ConnectionString, accepts_what_it_does_not_need_with_a_warning) {
    const auto settings = good("redis,allowAdmin=true,keepAlive=60,$CONFIG=,tieBreaker=");
    ASSERT_EQ(settings.warnings.size(), 4U);
    EXPECT_EQ(settings.warnings[1], settings.setting + ": option 'keepAlive' does nothing here");
    EXPECT_EQ(good("redis,sslHost=x").warnings.size(), 1U);
}

TEST(ConnectionString, names_what_is_wrong_and_the_way_out) {
    struct Row {
        const char* text;
        const char* says;
    };
    const Row rows[] = {
        {"", "is empty"},
        {"ssl=true", "names no server"},
        {"redis,pasword=x", "unknown option 'pasword', the nearest known one is 'password'"},
        {"redis,sslhots=x", "'sslHost'"},
        {"redis,syncTimout=5", "'syncTimeout'"},
        {"redis,ssl=maybe", "ssl=maybe: allowed are true and false"},
        {"redis,connectTimeout=0", "from 1 to 600000"},
        {"redis,defaultDatabase=-1", "defaultDatabase=-1"},
        {"redis:0", "from 1 to 65535"},
        {"redis:port", "endpoint 'redis:port'"},
        {"re dis", "endpoint 're dis'"},
        {"[::1", "']' is missing"},
        {"redis,sslCertFile=/c.pem", "go together"},
        {"redis,name=a b", "no blanks"},
        {"redis;ssl=true", "nearest"},
        {"redis://redis/x", "database's number"},
        {"redis://redis?x=1", "unknown option 'x'"},
        {"redis://%zz@redis", "%25"},
        {"http://redis", "scheme 'http://'"},
        {"redis\nother", "control character"},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.text);
        const auto error = bad(row.text);
        EXPECT_NE(error.context.find(row.says), std::string::npos) << error.context;
        EXPECT_TRUE(error.context.starts_with("Some:Setting: ") || error.context.starts_with("Some:Setting "))
            << error.context;
    }
}

TEST(ConnectionString, says_that_sentinel_and_sockets_are_not_supported) {
    for (const auto* text :
         {"sentinel:26379,serviceName=mymaster", "!/run/redis.sock", "redis+sentinel://a", "unix:///x"}) {
        SCOPED_TRACE(text);
        EXPECT_EQ(bad(text).code, core::Errc::unsupported);
    }
    EXPECT_NE(bad("s,serviceName=m").context.find("Sentinel"), std::string::npos);
}

TEST(ConnectionString, never_shows_a_password_or_a_piece_of_one) {
    for (const auto* text : {
             "redis,password=hunter2,bogus=1",  // perhaps the tail of the password
             "redis,password=abc,hunter2",      // a comma in the password
             "redis://:hunter2",                // without its '@host'
             "redis,password=abc,hunter2=x",
             "redis,password=abc,hunter2:x",
             "redis,password=hunter2,ssl=perhaps",
             "password=hunter2",
             "password=abc,hunter2 is torn",
             "redis://:hunter2/x@redis",
             "redis://user:hunter2%@redis",
             "redis://u:abc?hunter2@redis",
             "redis://u:abc@hunter2@re dis",
             "redis://:hunter2@redis:port",
             "redis://redis:1x,password=hunter2",  // the two forms mixed
             "redis://redis/1,password=hunter2",
             "redis://redis?db=1x/redis,password=hunter2",
             "user:hunter2@redis:6379",
             "redis://redis?password=abc&hunter2",
         }) {
        SCOPED_TRACE(text);
        const auto error = bad(text);
        EXPECT_EQ(error.context.find("hunter2"), std::string::npos) << error.context;
    }
}

}  // namespace
}  // namespace understudy::redis
