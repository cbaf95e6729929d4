// Files for browsers: names, types, how long they keep, what goes out compressed; a folder that keeps its walls.
#include "http/static_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "http/web_folder.h"
#include "support/temp_folder.h"

namespace understudy::http {
namespace {

namespace fs = std::filesystem;

Request asking(std::vector<Header> headers = {}) {
    Request request;
    request.headers = std::move(headers);
    return request;
}

TEST(StaticFiles, are_kept_for_ever_only_where_their_name_changes_with_them) {
    for (const char* hashed : {"assets/index-B3xKq9aZ.js", "x/assets/index-B3xKq9aZ.css", "4517.0a1b2c3d4e.chunk.js",
                               "themes/dark-0a1b2c3d4e5f.css"}) {
        EXPECT_EQ(keeping_of(hashed), "public, max-age=31536000, immutable") << hashed;
    }
    for (const char* plain : {"index.html", "config.json", "main.jellyfin.bundle.js", "serviceworker.js",
                              "report-20261130.html", "index-B3xKq9aZ.js", "decade.js", "assets/logo.svg"}) {
        EXPECT_EQ(keeping_of(plain), "no-cache") << plain;
    }
}

TEST(StaticFiles, have_the_types_that_browsers_insist_on) {
    EXPECT_EQ(mime_type_of("a/b.js"), "text/javascript; charset=utf-8");
    EXPECT_EQ(mime_type_of("b.MJS"), "text/javascript; charset=utf-8");
    EXPECT_EQ(mime_type_of("libass.wasm"), "application/wasm");
    EXPECT_EQ(mime_type_of("manifest.webmanifest"), "application/manifest+json");
    EXPECT_EQ(mime_type_of("LICENSE"), "application/octet-stream");
}

TEST(StaticFiles, go_out_compressed_to_who_takes_it) {
    constexpr std::array files{EmbeddedFile{"a.css", "plain", "packed", "t"}, EmbeddedFile{"b.txt", "small", "", "u"}};
    const auto packed = embedded_answer(asking({{"Accept-Encoding", "gzip"}}), files, "a.css");
    EXPECT_EQ(packed.body, "packed");
    EXPECT_EQ(packed.header("Content-Encoding"), "gzip");
    EXPECT_EQ(packed.header("Vary"), "Accept-Encoding");
    const auto plain = embedded_answer(asking(), files, "a.css");
    EXPECT_EQ(plain.body, "plain");
    EXPECT_EQ(plain.header("Content-Encoding"), "");
    EXPECT_NE(plain.header("ETag"), packed.header("ETag"));
    EXPECT_EQ(embedded_answer(asking({{"Accept-Encoding", "gzip"}}), files, "b.txt").body, "small");
    const auto known = embedded_answer(asking({{"If-None-Match", std::string(plain.header("ETag"))}}), files, "a.css");
    EXPECT_EQ(known.status, 304);
    EXPECT_EQ(known.body, "");
    EXPECT_EQ(embedded_answer(asking(), files, "aa.css").status, 404);
    EXPECT_EQ(embedded_answer(asking(), {}, "index.html").status, 404);
}

class WebFolderTest : public ::testing::Test {
protected:
    WebFolderTest() {
        fs::create_directories(root_ / "assets/deep");
        write(root_ / "index.html", "<p>home");
        write(root_ / "config.json", "{}");
        write(root_ / "assets/deep/a b.js", "1");
        write(base_ / "secret.txt", "outside");
        fs::create_directory(base_ / "web-other");
        write(base_ / "web-other/secret.txt", "outside");
    }
    static void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
    int status_of(std::string_view path) const { return WebFolder::open(root_)->answer(asking(), path).status; }

    testing::TempFolder folder_{"understudy-web"};
    fs::path base_ = folder_.path(), root_ = base_ / "web";
};

TEST_F(WebFolderTest, serves_what_is_in_it) {
    const auto folder = WebFolder::open(root_);
    ASSERT_TRUE(folder);
    const auto home = folder->answer(asking(), "");
    EXPECT_EQ(home.body, "<p>home");
    EXPECT_EQ(home.content_type, "text/html; charset=utf-8");
    EXPECT_EQ(home.header("Cache-Control"), "no-cache");
    EXPECT_EQ(folder->answer(asking(), "config.json").header("Cache-Control"), "no-cache");
    EXPECT_EQ(folder->answer(asking(), "assets/deep/a b.js").body, "1");
    const auto again = folder->answer(asking({{"If-None-Match", std::string(home.header("ETag"))}}), "index.html");
    EXPECT_EQ(again.status, 304);
    EXPECT_EQ(status_of("nothing.js"), 404);
    EXPECT_EQ(status_of("assets"), 404);
}

TEST_F(WebFolderTest, sends_nothing_from_outside) {
    for (const char* path : {"../secret.txt", "assets/../../secret.txt", "assets/../index.html", "./index.html",
                             "//etc/passwd", "assets//deep/a b.js", "..\\secret.txt", "../web-other/secret.txt"}) {
        EXPECT_EQ(status_of(path), 404) << path;
    }
    EXPECT_EQ(status_of(std::string_view("index.html\0.js", 14)), 404);
    fs::create_symlink(base_ / "secret.txt", root_ / "link.txt");
    fs::create_directory_symlink(base_, root_ / "up");
    fs::create_directory_symlink(base_ / "web-other", root_ / "other");
    EXPECT_EQ(status_of("link.txt"), 404);
    EXPECT_EQ(status_of("up/secret.txt"), 404);
    EXPECT_EQ(status_of("other/secret.txt"), 404);
    // A volume of Kubernetes is links to itself.
    fs::create_directory(root_ / "..data");
    write(root_ / "..data/config.json", "mounted");
    fs::remove(root_ / "config.json");
    fs::create_symlink("..data/config.json", root_ / "config.json");
    EXPECT_EQ(WebFolder::open(root_)->answer(asking(), "config.json").body, "mounted");
}

TEST_F(WebFolderTest, does_not_wait_for_a_pipe) {
    ASSERT_EQ(::mkfifo((root_ / "pipe.js").c_str(), 0600), 0);
    EXPECT_EQ(status_of("pipe.js"), 404);
}

TEST_F(WebFolderTest, says_what_is_wrong_with_a_folder) {
    fs::remove(root_ / "index.html");
    const auto empty = WebFolder::open(root_);
    ASSERT_FALSE(empty);
    EXPECT_EQ(empty.error().context, "Jellyfin:WebDir = '" + root_.string() +
                                         "' has no index.html; name the folder of a built web client, or leave it out");
    EXPECT_FALSE(WebFolder::open(base_ / "none"));
    EXPECT_FALSE(WebFolder::open(base_ / "secret.txt"));
}

}  // namespace
}  // namespace understudy::http
