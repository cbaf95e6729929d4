// Pictures beside the media, sent as they are: what is found, how long it may be kept, and what is refused.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "http/described_shelf.h"
#include "http/entity_tags.h"
#include "http/fake_findings.h"
#include "http/pictures/picture_files.h"
#include "support/temp_folder.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using Kind = model::ImageKind;
using namespace std::chrono_literals;

const std::string gif("GIF89a\x02\x00\x03\x00\x00\x00\x00", 13);
const std::string film_images = "/Items/" + std::string(32, '1') + "/Images";

struct PictureShelf : testing::DescribedShelf {
    PictureShelf() {
        auto& images = catalog.rows[0].item.images;
        images = {stored(Kind::primary, "poster.jpg", gif), stored(Kind::backdrop, "b1.jpg", gif + "1"),
                  stored(Kind::backdrop, "b2.jpg", gif + "2")};
    }
    std::string path_of(const std::string& name) const { return (folder / name).string(); }
    void write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path_of(name), std::ios::binary) << bytes;
    }
    /// As the walk would have seen it.
    model::ItemImage stored(Kind kind, const std::string& name, const std::string& bytes) const {
        write(name, bytes);
        struct ::stat status {};
        EXPECT_EQ(::stat(path_of(name).c_str(), &status), 0);
        return {kind, path_of(name), status.st_size,
                std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
    }
    /// Without a key.
    Response open(const std::string& target, std::vector<Header> headers = {}, Method method = Method::get) {
        Request request;
        request.method = method;
        request.target = target;
        request.headers = std::move(headers);
        return ask(request);
    }
    testing::TempFolder folder;
};

TEST(Images, are_sent_to_anybody_with_the_type_of_their_bytes) {
    PictureShelf shelf;
    const auto answer = shelf.open(film_images + "/primary");
    ASSERT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.body, gif);
    EXPECT_EQ(answer.content_type, "image/gif") << "whatever the file is called";
    EXPECT_EQ(shelf.open(film_images + "/PRIMARY/0").body, gif);
    EXPECT_EQ(shelf.open(film_images + "/Primary", {}, Method::head).status, 200);
    EXPECT_EQ(shelf.open(film_images + "/Primary?maxWidth=100&quality=90&fillHeight=3").body, gif) << "not scaled yet";
}

TEST(Images, have_a_number_where_there_are_several) {
    PictureShelf shelf;
    EXPECT_EQ(shelf.open(film_images + "/Backdrop").body, gif + "1");
    EXPECT_EQ(shelf.open(film_images + "/Backdrop/1").body, gif + "2");
    EXPECT_EQ(shelf.open(film_images + "/Backdrop?imageIndex=1").body, gif + "2");
    EXPECT_EQ(shelf.open(film_images + "/Backdrop/2").status, 404);
    EXPECT_EQ(shelf.open(film_images + "/Primary/1").status, 404);
    for (const char* bad : {"/Backdrop/x", "/Backdrop/-1", "/Backdrop?imageIndex=x", "/Poster", "/Poster/0"})
        EXPECT_EQ(shelf.open(film_images + bad).status, 400) << bad;
    for (const char* none : {"/Logo", "/Chapter", "/Box/0", "/Chapter/0"})
        EXPECT_EQ(shelf.open(film_images + none).status, 404) << none;
    EXPECT_EQ(shelf.open("/Items/" + std::string(32, 'c') + "/Images/Primary").status, 404);
    EXPECT_EQ(shelf.open("/Items/nonsense/Images/Primary").status, 400);
}

TEST(Images, are_kept_for_long_by_their_tag_and_for_a_minute_without) {
    PictureShelf shelf;
    const auto tag = image_tag(shelf.catalog.rows[0].item.images[0]);
    const auto named = shelf.open(film_images + "/Primary?tag=" + tag);
    EXPECT_EQ(named.header("ETag"), '"' + tag + '"');
    EXPECT_EQ(named.header("Cache-Control"), "public, max-age=31536000, immutable");
    for (const char* other : {"/Primary", "/Primary?tag=stale"})
        EXPECT_EQ(shelf.open(film_images + other).header("Cache-Control"), "public, max-age=60") << other;
}

TEST(Images, a_client_that_has_it_is_told_so) {
    PictureShelf shelf;
    const auto tag = image_tag(shelf.catalog.rows[0].item.images[0]);
    for (const auto& known : {'"' + tag + '"', "\"x\", W/\"" + tag + "\"", std::string("*")}) {
        const auto answer = shelf.open(film_images + "/Primary", {{"If-None-Match", known}});
        EXPECT_EQ(answer.status, 304) << known;
        EXPECT_TRUE(answer.body.empty());
        EXPECT_EQ(answer.header("ETag"), '"' + tag + '"');
    }
    for (const auto& other : {tag, "\"x" + tag + "\"", std::string("\"\"")})
        EXPECT_EQ(shelf.open(film_images + "/Primary", {{"If-None-Match", other}}).status, 200) << other;
    shelf.write("poster.jpg", gif + "changed since the scan");
    const auto changed = shelf.open(film_images + "/Primary?tag=" + tag, {{"If-None-Match", '"' + tag + '"'}});
    EXPECT_EQ(changed.status, 200);
    EXPECT_NE(changed.header("ETag"), '"' + tag + '"');
    EXPECT_EQ(changed.header("Cache-Control"), "public, max-age=60") << "not for ever under the old tag";
}

TEST(Images, what_is_gone_or_no_picture_is_not_found) {
    PictureShelf shelf;
    shelf.write("poster.jpg", "<html>");
    const auto answer = shelf.open(film_images + "/Primary");
    EXPECT_EQ(answer.status, 404);
    EXPECT_NE(answer.body.find("poster.jpg is no picture"), std::string::npos) << answer.body;
    shelf.write("poster.jpg", "");
    EXPECT_EQ(shelf.open(film_images + "/Primary").status, 404);
    std::filesystem::remove(shelf.path_of("poster.jpg"));
    EXPECT_EQ(shelf.open(film_images + "/Primary").status, 404);
    std::filesystem::create_directory(shelf.path_of("poster.jpg"));
    EXPECT_EQ(shelf.open(film_images + "/Primary").status, 404);
    std::filesystem::remove(shelf.path_of("poster.jpg"));
    ASSERT_EQ(::mkfifo(shelf.path_of("poster.jpg").c_str(), 0600), 0);
    EXPECT_EQ(shelf.open(film_images + "/Primary").status, 404) << "and nobody waits for a writer";
}

TEST(Images, what_is_no_picture_is_told_of_once_in_the_log) {
    PictureShelf shelf;
    shelf.write("poster.jpg", "<html>");
    shelf.write("b1.jpg", "<html>");
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(shelf.open(film_images + "/Primary").status, 404);
        EXPECT_EQ(shelf.open(film_images + "/Backdrop/0").status, 404);
    }
    EXPECT_EQ(shelf.log.count("warning a picture cannot be shown"), 2U);
    EXPECT_EQ(shelf.log.count(shelf.path_of("poster.jpg")), 1U);
    std::filesystem::remove(shelf.path_of("b2.jpg"));
    EXPECT_EQ(shelf.open(film_images + "/Backdrop/1").status, 404);
    EXPECT_EQ(shelf.log.count("b2.jpg"), 0U) << "gone since the scan: the next one knows";
}

TEST(Images, a_file_of_more_than_64_MiB_is_refused_and_named) {
    PictureShelf shelf;
    std::filesystem::resize_file(shelf.path_of("poster.jpg"), static_cast<std::uintmax_t>(largest_picture));
    EXPECT_EQ(shelf.open(film_images + "/Primary").status, 200);
    std::filesystem::resize_file(shelf.path_of("poster.jpg"), static_cast<std::uintmax_t>(largest_picture) + 1);
    const auto answer = shelf.open(film_images + "/Primary");
    EXPECT_EQ(answer.status, 501);
    EXPECT_NE(answer.body.find("poster.jpg"), std::string::npos);
    EXPECT_EQ(answer.body.find(shelf.path_of("poster.jpg")), std::string::npos) << "the route is open to all";
    EXPECT_NE(answer.body.find("67108865"), std::string::npos);
}

TEST(Images, administrators_see_which_there_are) {
    PictureShelf shelf;
    const auto all = json::parse(shelf.get(film_images).body).as_array();
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].at("ImageType"), "Primary");
    EXPECT_EQ(all[0].at("Size"), gif.size());
    EXPECT_EQ(all[0].at("Path"), json::string(shelf.path_of("poster.jpg")));
    EXPECT_EQ(all[0].at("ImageTag"), json::string(image_tag(shelf.catalog.rows[0].item.images[0])));
    EXPECT_FALSE(all[0].as_object().contains("ImageIndex"));
    EXPECT_EQ(all[2].at("ImageIndex"), 1);
    EXPECT_EQ(shelf.open(film_images).status, 401);
    EXPECT_EQ(shelf.get("/Items/" + std::string(32, 'c') + "/Images").status, 404);
}

/// The film has no picture beside it but one in its file, and so has the album of the track.
struct CoverShelf : testing::DescribedShelf {
    CoverShelf() {
        catalog.rows[0].item.images = {image(Kind::backdrop, "b1")};
        catalog.rows[0].cover = cover(0xab);
        catalog.rows[4].ancestors = {{testing::id_of<core::ItemId>('6'), model::ItemKind::album, {}, cover(0xac)}};
        findings.picture.blob = cover(0xab).blob;
        findings.bytes = gif;
        services.media.blobs = &findings;
    }
    static store::Cover cover(std::uint8_t number) {
        store::Cover made{{}, 13, 2, 3};
        made.blob.bytes[0] = number;
        return made;
    }
    Response open(const std::string& target, std::vector<Header> headers = {}, Method method = Method::get) {
        Request request;
        request.method = method;
        request.target = target;
        request.headers = std::move(headers);
        return ask(request);
    }
    testing::FakeFindings findings;
    const std::string tag = cover(0xab).blob.str(), album_tag = cover(0xac).blob.str();
};

TEST(Covers, are_the_primary_picture_of_an_item_and_of_the_album_of_a_track) {
    CoverShelf shelf;
    const auto film = json::parse(shelf.get("/Items/" + std::string(32, '1')).body);
    EXPECT_EQ(film.at("ImageTags"), json::object({{"Primary", shelf.tag}}));
    EXPECT_EQ(film.at("BackdropImageTags").as_array().size(), 1U);
    const auto track = json::parse(shelf.get("/Items/" + std::string(32, '5')).body);
    EXPECT_EQ(track.at("AlbumPrimaryImageTag"), json::string(shelf.album_tag));
    EXPECT_TRUE(track.at("ImageTags").as_object().empty()) << "the album's is not its own";
}

TEST(Covers, are_sent_from_the_store_of_blobs_and_kept_by_their_tag) {
    CoverShelf shelf;
    const auto answer = shelf.open(film_images + "/Primary?tag=" + shelf.tag);
    ASSERT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.body, gif);
    EXPECT_EQ(answer.content_type, "image/gif");
    EXPECT_EQ(answer.header("ETag"), '"' + shelf.tag + '"');
    EXPECT_EQ(answer.header("Cache-Control"), "public, max-age=31536000, immutable");
    EXPECT_EQ(shelf.open(film_images + "/Primary").header("Cache-Control"), "public, max-age=60");
    EXPECT_EQ(shelf.open(film_images + "/Primary/0", {}, Method::head).status, 200);
    const auto known = shelf.open(film_images + "/Primary", {{"If-None-Match", '"' + shelf.tag + '"'}});
    EXPECT_EQ(known.status, 304);
    EXPECT_TRUE(known.body.empty());
    for (const char* none : {"/Primary/1", "/Primary?imageIndex=1", "/Logo", "/Thumb"})
        EXPECT_EQ(shelf.open(film_images + none).status, 404) << none;
    shelf.catalog.rows[0].cover = CoverShelf::cover(0xad);
    EXPECT_EQ(shelf.open(film_images + "/Primary").status, 404) << "its bytes are gone";
}

TEST(Covers, give_way_to_a_picture_beside_the_file) {
    PictureShelf shelf;
    shelf.catalog.rows[0].cover = CoverShelf::cover(0xab);
    EXPECT_EQ(shelf.open(film_images + "/Primary").body, gif);
    const auto film = json::parse(shelf.get("/Items/" + std::string(32, '1')).body);
    EXPECT_EQ(film.at("ImageTags").at("Primary"), json::string(image_tag(shelf.catalog.rows[0].item.images[0])));
}

TEST(Covers, are_listed_without_a_path) {
    CoverShelf shelf;
    const auto all = json::parse(shelf.get(film_images).body).as_array();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(
        all[0],
        json::object({{"ImageType", "Primary"}, {"ImageTag", shelf.tag}, {"Height", 3}, {"Width", 2}, {"Size", 13}}));
    EXPECT_EQ(all[1].at("ImageType"), "Backdrop");
}

/// Reads that hang in one folder until they are let go.
struct DeadShare {
    std::mutex mutex;
    std::condition_variable changed;
    bool dead = true;
    int hanging = 0;
    std::atomic<int> reads{0};

    core::Result<Picture> read(const std::string& path) {
        ++reads;
        std::unique_lock lock(mutex);
        if (path.starts_with("/dead/")) {
            ++hanging;
            changed.notify_all();
            changed.wait(lock, [&] { return !dead; });
        }
        return Picture{.tag = "t", .known = false, .content_type = "image/gif", .bytes = path};
    }
    void wait_until_one_hangs() {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return hanging == 1; });
    }
    void answer_again() {
        const std::lock_guard lock(mutex);
        dead = false;
        changed.notify_all();
    }
};

TEST(PictureFiles, a_share_that_hangs_holds_one_caller_once_and_no_other_library) {
    const auto share = std::make_shared<DeadShare>();
    PictureFiles files(5ms, [share](const std::string& path, const std::string&) { return share->read(path); });
    const auto dead = testing::id_of<core::LibraryId>('a'), live = testing::id_of<core::LibraryId>('b');
    const auto first = files.read(dead, "/dead/1", "");
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().code, core::Errc::unavailable);
    share->wait_until_one_hangs();
    for (int i = 0; i < 10; ++i) EXPECT_EQ(files.read(dead, "/dead/2", "").error().code, core::Errc::unavailable);
    EXPECT_EQ(share->reads, 1) << "nobody else waits, and no thread is lost to it";
    PictureFiles patient(1min, [share](const std::string& path, const std::string&) { return share->read(path); });
    EXPECT_EQ(patient.read(live, "/live/1", "")->bytes, "/live/1");
    share->answer_again();
    core::Result<Picture> again = core::fail(core::Errc::unavailable, "");
    while (!again) {  // until the thread that hung has said that it is back
        again = files.read(dead, "/dead/3", "");
        std::this_thread::yield();
    }
    EXPECT_EQ(again->bytes, "/dead/3");
}

TEST(PictureFiles, may_go_while_a_read_hangs) {
    const auto share = std::make_shared<DeadShare>();
    {
        PictureFiles files(1ms, [share](const std::string& path, const std::string&) { return share->read(path); });
        EXPECT_FALSE(files.read(testing::id_of<core::LibraryId>('a'), "/dead/1", ""));
    }
    share->answer_again();
}

}  // namespace
}  // namespace understudy::http
