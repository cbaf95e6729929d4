// Playlist files as players write them, and those that are meant to hurt.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "library/playlists/playlist.h"

namespace understudy::library::playlists {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

std::vector<std::string> paths(const Playlist& playlist) {
    std::vector<std::string> found;
    for (const auto& entry : playlist.entries) found.push_back(entry.fault.empty() ? entry.path : "! " + entry.fault);
    return found;
}

class FakeFiles final : public Files {
public:
    core::Result<std::string> read(const std::string& path) const override {
        ++reads;
        const auto found = texts.find(path);
        if (found == texts.end()) return core::fail(core::Errc::not_found, "no such file");
        return found->second;
    }
    bool exists(const std::string& path) const override { return texts.contains(path); }
    std::map<std::string, std::string> texts;
    mutable int reads = 0;
};

TEST(M3u, gives_paths_titles_and_durations) {
    const auto list = parse(
        "\xEF\xBB\xBF#EXTM3U\r\n#PLAYLIST:Mine\r\n#EXTINF:123,Artist - Song\r\n../B/song.mp3\r\n\r\n# a remark\r\n"
        "/abs/./x//y.mp3\r\nhttp://host/z.mp3\r\nfile:///m/"
        "a%20b.mp3\r\nsub\\c.mp3\r\nC:\\d.mp3\r\n#EXTINF:-1,Live\r\ne.mp3",
        Format::m3u, "/m/A/list.m3u");
    EXPECT_EQ(list.title, "Mine");
    EXPECT_THAT(paths(list), ElementsAre("/m/B/song.mp3", "/abs/x/y.mp3", "! not a local file", "/m/a b.mp3",
                                         "/m/A/sub/c.mp3", "! a path of another system", "/m/A/e.mp3"));
    EXPECT_EQ(list.entries[0].title, "Artist - Song");
    EXPECT_EQ(list.entries[0].duration, std::chrono::seconds{123});
    EXPECT_EQ(list.entries[0].written, "../B/song.mp3");
    EXPECT_EQ(list.entries[6].duration, core::Millis{});
    EXPECT_EQ(list.entries[6].title, "Live");
    EXPECT_EQ(list.fault, "");
}

TEST(M3u, keeps_the_bytes_of_paths_and_repairs_titles) {
    const auto list = parse("#EXTINF:1,Caf\xE9\ncaf\xE9.mp3\n100%25.mp3\n", Format::m3u, "/m/list.m3u");
    EXPECT_THAT(paths(list), ElementsAre("/m/caf\xE9.mp3", "/m/100%25.mp3"));
    EXPECT_EQ(list.entries[0].title, "Caf\xC3\xA9");
    EXPECT_EQ(list.entries[0].written, "caf\xEF\xBF\xBD.mp3");
    const std::string utf16(
        "\xFF\xFE"
        "a\0.\0m\0p\0"
        "3\0\n\0",
        14);
    EXPECT_THAT(paths(parse(utf16, Format::m3u, "/m/l.m3u")), ElementsAre("/m/a.mp3"));
    EXPECT_THAT(paths(parse("a\rb\r", Format::m3u, "/l.m3u")), ElementsAre("/a", "/b"));
}

TEST(Pls, is_read_in_the_order_of_its_numbers) {
    const auto list =
        parse("[playlist]\nFile2=b.mp3\nTitle2=B\nLength2=61\nFile1=a.mp3\nTitle3=none\nFilex=c\nNumberOfEntries=9\n",
              Format::pls, "/m/l.pls");
    EXPECT_THAT(paths(list), ElementsAre("/m/a.mp3", "/m/b.mp3"));
    EXPECT_EQ(list.entries[1].title, "B");
    EXPECT_EQ(list.entries[1].duration, std::chrono::seconds{61});
}

TEST(Xspf, is_read_with_its_escapes) {
    const auto list =
        parse(R"(<?xml version="1.0"?><playlist xmlns="http://xspf.org/ns/0/"><title>Mine</title><trackList>
<track><location>file:///m/a%20b.mp3</location><creator>X</creator><title>Y &amp; Z</title><duration>1500</duration></track>
<track><location>c%C3%A9.mp3</location></track><track><location>file://other/x.mp3</location></track><track/></trackList></playlist>)",
              Format::xspf, "/m/l.xspf");
    EXPECT_EQ(list.title, "Mine");
    EXPECT_THAT(paths(list), ElementsAre("/m/a b.mp3", "/m/c\xC3\xA9.mp3", "! not a file of this machine", "! empty"));
    EXPECT_EQ(list.entries[0].title, "X - Y & Z");
    EXPECT_EQ(list.entries[0].duration, core::Millis{1500});
    const auto broken =
        parse("<playlist><trackList>\n<track><location>a.mp3</location></track>\n<track>", Format::xspf, "/m/l.xspf");
    EXPECT_THAT(paths(broken), ElementsAre("/m/a.mp3", "! empty"));
    EXPECT_THAT(broken.fault, ::testing::StartsWith("line 3:"));
}

TEST(Parse, xspf_may_hold_entities_of_html_and_expands_none_of_its_own) {
    const auto list = parse(
        "<!DOCTYPE playlist [<!ENTITY own \"bad\">]><playlist><title>Caf&eacute;&nbsp;&foo; &own;</title><trackList>"
        "<track><location>&Ouml;l.mp3</location><title>Tom &amp; Jerry</title></track></trackList></playlist>",
        Format::xspf, "/m/l.xspf");
    EXPECT_EQ(list.title, "Café\xC2\xA0&foo; &own;");
    EXPECT_THAT(paths(list), ElementsAre("/m/Öl.mp3"));
    EXPECT_EQ(list.entries[0].title, "Tom & Jerry");
    EXPECT_EQ(list.fault, "");
}

TEST(Load, puts_included_playlists_in_place_and_reports_cycles_and_what_is_missing) {
    FakeFiles files;
    files.texts = {{"/m/a.m3u", "1.mp3\nb.pls\n2.mp3\ngone.mp3\ngone.m3u\n"},
                   {"/m/b.pls", "File1=3.mp3\nFile2=../m/a.m3u\nFile3=b.pls\n"},
                   {"/m/1.mp3", ""},
                   {"/m/2.mp3", ""},
                   {"/m/3.mp3", ""}};
    const auto list = load("/m/x/../a.m3u", files);
    // The name as given is what is read first.
    ASSERT_FALSE(list);
    const auto whole = load("/m/a.m3u", files);
    ASSERT_TRUE(whole);
    EXPECT_THAT(paths(*whole), ElementsAre("/m/1.mp3", "/m/3.mp3", "! includes itself", "! includes itself", "/m/2.mp3",
                                           "! missing", "! missing"));
    EXPECT_EQ(whole->entries[5].path, "/m/gone.mp3") << "kept, so that it can come back";
    EXPECT_FALSE(load("/m/1.mp3", files));
}

TEST(Load, is_bounded_however_playlists_name_each_other) {
    FakeFiles files;
    for (int i = 0; i < 20; ++i) {  // each names the next ten times: 10^20 entries
        std::string text;
        for (int k = 0; k < 10; ++k) text += std::to_string(i + 1) + ".m3u\n";
        files.texts["/" + std::to_string(i) + ".m3u"] = text;
    }
    const auto list = load("/0.m3u", files);
    ASSERT_TRUE(list);
    EXPECT_LE(list->entries.size(), most_entries);
    EXPECT_LE(files.reads, 1001);
    std::string many;
    for (int i = 0; i < 30'000; ++i) many += "x\n";
    const auto long_list = parse(many, Format::m3u, "/l.m3u");
    EXPECT_THAT(long_list.entries, SizeIs(most_entries));
    EXPECT_NE(long_list.fault, "");
}

TEST(Load, normalizes_paths_by_their_letters) {
    EXPECT_EQ(normalize("/a/./b//../c/"), "/a/c");
    EXPECT_EQ(normalize("/../../x"), "/x");
    EXPECT_EQ(normalize("/"), "/");
}

}  // namespace
}  // namespace understudy::library::playlists
