#include "http/text.h"

#include <gtest/gtest.h>

#include "http/json_writer.h"
#include "http/problem.h"
#include "http/proxies.h"
#include "http/server/listen_address.h"

namespace understudy::http {
namespace {

std::string json_text(std::string_view text) {
    std::string out;
    append_json_escaped(out, text);
    return out;
}

TEST(Text, escapes_json_and_repairs_what_is_no_utf_8) {
    EXPECT_EQ(json_text("a\"b\\c\n\t\x01\x7f"), R"(a\"b\\c\n\t\u0001\u007f)");
    EXPECT_EQ(json_text("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8E\xAC"), "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8E\xAC");
    EXPECT_EQ(json_text("caf\xE9"), "caf\xEF\xBF\xBD");
    EXPECT_EQ(json_text("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // a lone surrogate
    EXPECT_EQ(json_text("\xC0\xAF\xF5\x80\xE2\x82"),
              "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Text, writes_times_as_each_reader_wants_them) {
    const auto at = core::from_unix_ms(1'796'032'760'123);
    EXPECT_EQ(to_jellyfin_time(at), "2026-11-30T09:59:20.1230000Z");
    EXPECT_EQ(to_http_date(at), "Mon, 30 Nov 2026 09:59:20 GMT");
    EXPECT_EQ(to_http_date(core::UtcTime{}), "Thu, 01 Jan 1970 00:00:00 GMT");
    EXPECT_EQ(to_ticks(core::Millis{1'500}), 15'000'000);
}

TEST(Text, makes_foreign_bytes_fit_for_a_message) {
    EXPECT_EQ(printable("a\r\nb\xE9"), "a??b?");
    EXPECT_EQ(printable("a\xC2\x9B"
                        "31mb\xC2\xA0\xC3\xA9"),
              "a?31mb\xC2\xA0\xC3\xA9")
        << "a terminal takes U+009B for the start of a command";
    EXPECT_EQ(printable(std::string(300, 'x')), std::string(200, 'x') + "…");
}

TEST(JsonWriter, spells_names_as_dot_net_does) {
    struct Row {
        const char* pascal;
        const char* camel;
    };
    for (const auto& row : {Row{"ParentId", "parentId"}, Row{"Id", "id"}, Row{"ETag", "eTag"}, Row{"IsHD", "isHD"},
                            Row{"ID", "id"}, Row{"IPAddress", "ipAddress"}, Row{"EnableLUFSScan", "enableLUFSScan"},
                            Row{"already", "already"}, Row{"", ""}}) {
        EXPECT_EQ(to_camel(row.pascal), row.camel);
    }
}

TEST(JsonWriter, puts_commas_where_they_belong) {
    JsonWriter out;
    out.begin_object().field("A", 1).name("B").begin_array().value(true).null().begin_object().end_object().end_array();
    out.field("C", std::optional<int>()).field("D", 2.5).field("E", 1e300 * 1e300).text_if_any("F", "").end_object();
    EXPECT_EQ(out.take(), R"({"A":1,"B":[true,null,{}],"D":2.5,"E":null})");
}

TEST(ListenAddress, reads_every_form_and_names_what_is_wrong) {
    const auto host = [](const char* text) {
        return parse_listen(text)->host + "|" + std::to_string(parse_listen(text)->port);
    };
    EXPECT_EQ(host("0.0.0.0:8096"), "0.0.0.0|8096");
    EXPECT_EQ(host("[::1]:0"), "::1|0");
    EXPECT_EQ(host("localhost:80"), "localhost|80");
    EXPECT_EQ(host(":8096"), "0.0.0.0|8096");
    EXPECT_EQ(host("*:8096"), "0.0.0.0|8096");
    for (const char* bad :
         {"", "8096", "host", "host:", "host:x", "host:65536", "host:-1", "::1:80", "[::1", "[::1]"}) {
        const auto refused = parse_listen(bad);
        ASSERT_FALSE(refused) << bad;
        EXPECT_TRUE(refused.error().context.starts_with("Jellyfin:Http:Listen: '")) << refused.error().context;
    }
}

TEST(Proxies, compares_addresses_with_networks) {
    struct Row {
        const char* address;
        const char* network;
        bool inside;
    };
    for (const auto& row :
         {Row{"10.1.2.3", "10.0.0.0/8", true}, Row{"11.1.2.3", "10.0.0.0/8", false}, Row{"10.1.2.3", "10.1.2.3", true},
          Row{"10.1.2.4", "10.1.2.3", false}, Row{"192.168.5.1", "192.168.4.0/23", true},
          Row{"192.168.6.1", "192.168.4.0/23", false}, Row{"::ffff:10.1.2.3", "10.0.0.0/8", true},
          Row{"fd00::5", "fd00::/8", true}, Row{"fe00::5", "fd00::/8", false}, Row{"1.2.3.4", "0.0.0.0/0", true},
          Row{"::1", "0.0.0.0/0", false}, Row{"nonsense", "0.0.0.0/0", false}, Row{"1.2.3.4", "1.2.3.4/33", false}}) {
        EXPECT_EQ(in_networks(row.address, {row.network}), row.inside) << row.address << ' ' << row.network;
    }
    EXPECT_TRUE(check_networks({"10.0.0.1", "fd00::/8"}));
    EXPECT_EQ(
        check_networks({"10.0.0.1", "10.0.0/8"}).error().context,
        "Jellyfin:Http:TrustedProxies: '10.0.0/8' is no address or network; use 10.0.0.1, 10.0.0.0/8 or fd00::/8");
}

TEST(Proxies, takes_no_host_that_holds_more_than_a_host) {
    Request request;
    request.headers = {{"Host", "evil.example/<script>"}};
    EXPECT_EQ(local_address(request, "", "/jf", {}), "");
    request.headers = {{"Host", "media.example:8096"}};
    EXPECT_EQ(local_address(request, "", "/jf", {}), "http://media.example:8096/jf");
}

TEST(Problem, has_one_status_for_each_kind_of_failure) {
    using core::Errc;
    EXPECT_EQ(status_of(Errc::not_found), 404);
    EXPECT_EQ(status_of(Errc::invalid), 400);
    EXPECT_EQ(status_of(Errc::conflict), 409);
    EXPECT_EQ(status_of(Errc::fenced), 409);
    EXPECT_EQ(status_of(Errc::unavailable), 503);
    EXPECT_EQ(status_of(Errc::timed_out), 504);
    EXPECT_EQ(status_of(Errc::cancelled), 409);
    EXPECT_EQ(status_of(Errc::corrupt), 500);
    EXPECT_EQ(status_of(Errc::unsupported), 501);
}

}  // namespace
}  // namespace understudy::http
