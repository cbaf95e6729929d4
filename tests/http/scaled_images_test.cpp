// Pictures in the size that a client asks for: what is asked of the scaler and what is not, what is kept and for how
// long, and what happens where it cannot be had.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "http/described_shelf.h"
#include "http/entity_tags.h"
#include "http/fake_findings.h"
#include "http/fake_scaler.h"
#include "http/raw_client.h"
#include "support/temp_folder.h"

namespace understudy::http {
namespace {

namespace json = boost::json;
using Kind = model::ImageKind;
using testing::png_header;

const std::string film_images = "/Items/" + std::string(32, '1') + "/Images";

/// The film has a poster of 1000 x 1500.
struct PosterShelf : testing::DescribedShelf {
    PosterShelf() {
        services.scaled = &workshop.pictures;
        catalog.rows[0].item.images = {stored(Kind::primary, "poster.png", png_header(1000, 1500, "poster")),
                                       stored(Kind::backdrop, "b0.png", png_header(1920, 1080, "b0")),
                                       stored(Kind::backdrop, "b1.png", png_header(1920, 1080, "b1"))};
    }
    model::ItemImage stored(Kind kind, const std::string& name, const std::string& bytes) const {
        const auto path = folder.write(name, bytes);
        struct ::stat status {};
        EXPECT_EQ(::stat(path.c_str(), &status), 0);
        return {kind, path.string(), status.st_size,
                std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
    }
    Response open(const std::string& target, std::vector<Header> headers = {}, Method method = Method::get) {
        Request request;
        request.method = method;
        request.target = target;
        request.headers = std::move(headers);
        return ask(request);
    }
    static media::ImageHeader header(const Response& response) {
        const auto header = media::read_image_header(
            {reinterpret_cast<const std::uint8_t*>(response.body.data()), response.body.size()});
        EXPECT_TRUE(header) << response.status << " " << response.body;
        return header.value_or(media::ImageHeader{});
    }
    std::size_t asked() const { return workshop.scaler.asked.size(); }
    std::string tag() { return image_tag(catalog.rows[0].item.images[0]); }

    testing::TempFolder folder;
    testing::PictureWorkshop workshop{random, clock, log};
};

TEST(ScaledImages, come_in_the_size_asked_for_and_are_made_once) {
    PosterShelf shelf;
    const auto first = shelf.open(film_images + "/Primary?maxWidth=300&quality=90");
    ASSERT_EQ(first.status, 200) << first.body;
    EXPECT_EQ(first.content_type, "image/png");
    EXPECT_EQ(PosterShelf::header(first).width, 300U);
    EXPECT_EQ(PosterShelf::header(first).height, 450U);
    const auto again = shelf.open(film_images + "/Primary?maxWidth=300");
    EXPECT_EQ(again.body, first.body);
    EXPECT_EQ(again.header("ETag"), first.header("ETag"));
    EXPECT_EQ(shelf.asked(), 1U) << "the second one is the one that was kept";
    EXPECT_EQ(PosterShelf::header(shelf.open(film_images + "/Backdrop/1?fillHeight=96&fillWidth=96")).height, 96U);
    EXPECT_EQ(PosterShelf::header(shelf.open(film_images + "/Primary?width=2000")).width, 2000U);
    EXPECT_EQ(shelf.open(film_images + "/Primary/0?maxWidth=300", {}, Method::head).body.size(), first.body.size());
}

TEST(ScaledImages, an_original_that_will_do_goes_out_as_it_is) {
    PosterShelf shelf;
    const auto poster = png_header(1000, 1500, "poster");
    for (const char* wish : {"", "?quality=95", "?maxWidth=1000&maxHeight=4000", "?fillWidth=3000&fillHeight=3000",
                             "?format=Png", "?format=Gif", "?percentPlayed=30&unplayedCount=3&blur=5", "?maxWidth=0",
                             "?width=1000&height=1500", "?backgroundColor=%23fff&foregroundLayer=x&maxWidth=9999"}) {
        const auto answer = shelf.open(film_images + "/Primary" + wish);
        EXPECT_EQ(answer.status, 200) << wish << ": " << answer.body;
        EXPECT_EQ(answer.body, poster) << wish;
    }
    EXPECT_EQ(shelf.asked(), 0U);
    for (const char* wish : {"?quality=50", "?format=Jpg", "?format=webp", "?maxHeight=1499", "?fillWidth=900"})
        EXPECT_NE(shelf.open(film_images + "/Primary" + wish).body, poster) << wish;
    EXPECT_EQ(shelf.asked(), 5U);
}

TEST(ScaledImages, what_is_no_size_is_named) {
    PosterShelf shelf;
    for (const auto& [name, wish] : {std::pair{"maxWidth", "maxWidth=x"},
                                     {"maxHeight", "maxHeight=-1"},
                                     {"width", "width=1.5"},
                                     {"height", "height=1e3"},
                                     {"fillWidth", "fillWidth=%20x"},
                                     {"fillHeight", "fillHeight=99999999999999999999"},
                                     {"quality", "quality=0"},
                                     {"quality", "quality=101"},
                                     {"quality", "quality=high"},
                                     {"format", "format=Tiff"}}) {
        const auto answer = shelf.open(film_images + "/Primary?" + wish);
        EXPECT_EQ(answer.status, 400) << wish;
        EXPECT_NE(answer.body.find(std::string(name) + ":"), std::string::npos) << wish << ": " << answer.body;
    }
    EXPECT_EQ(shelf.open(film_images + "/Primary?width=100000000").status, 200) << "as large as is made";
    EXPECT_EQ(shelf.workshop.scaler.asked.at(0).width, media::ScaleParameters::largest_side);
}

TEST(ScaledImages, windows_of_many_sizes_share_one_but_promises_are_kept) {
    PosterShelf shelf;
    for (int width = 289; width <= 304; ++width)
        EXPECT_EQ(shelf.open(film_images + "/Primary?fillWidth=" + std::to_string(width) + "&quality=93").status, 200);
    ASSERT_EQ(shelf.asked(), 1U);
    EXPECT_EQ(shelf.workshop.scaler.asked[0].fill_width, 304);
    EXPECT_EQ(shelf.workshop.scaler.asked[0].quality, 95);
    const auto bound = shelf.open(film_images + "/Primary?maxWidth=299");
    EXPECT_EQ(PosterShelf::header(bound).width, 299U) << "at most is at most";
    EXPECT_EQ(PosterShelf::header(shelf.open(film_images + "/Primary?width=301")).width, 301U);
}

TEST(ScaledImages, webp_goes_to_those_who_say_that_they_take_it) {
    PosterShelf shelf;
    struct Row {
        const char* accept;
        const char* wish;
        media::ScaledFormat format;
        bool varies;
    };
    using media::ScaledFormat;
    for (const auto& row :
         {Row{"image/avif,image/webp,image/*;q=0.8", "maxWidth=1", ScaledFormat::webp, true},
          Row{"image/webp;q=0, */*", "maxWidth=2", ScaledFormat::by_need, true},
          Row{"*/*", "maxWidth=3", ScaledFormat::by_need, true}, Row{"", "maxWidth=4", ScaledFormat::by_need, true},
          Row{"image/webp", "maxWidth=5&format=Jpg", ScaledFormat::jpeg, false},
          Row{"image/png", "maxWidth=6&format=Webp", ScaledFormat::webp, false}}) {
        SCOPED_TRACE(row.accept);
        const auto answer = shelf.open(film_images + "/Primary?" + row.wish, {{"Accept", row.accept}});
        EXPECT_EQ(answer.status, 200);
        EXPECT_EQ(shelf.workshop.scaler.asked.back().format, row.format);
        EXPECT_EQ(answer.header("Vary"), row.varies ? "Accept" : "");
    }
    EXPECT_EQ(shelf.open(film_images + "/Primary?maxWidth=2000", {{"Accept", "image/webp"}}).body,
              png_header(1000, 1500, "poster"))
        << "what need not be made anew is not, for the sake of another format";
}

TEST(ScaledImages, each_size_has_a_tag_of_its_own_by_which_it_is_kept) {
    PosterShelf shelf;
    const auto address = film_images + "/Primary?maxWidth=300&tag=" + shelf.tag();
    const auto answer = shelf.open(address);
    const std::string etag(answer.header("ETag"));
    EXPECT_EQ(answer.header("Cache-Control"), "public, max-age=31536000, immutable");
    EXPECT_EQ(shelf.open(film_images + "/Primary?maxWidth=300").header("Cache-Control"), "public, max-age=60");
    EXPECT_NE(shelf.open(film_images + "/Primary?maxWidth=301").header("ETag"), etag);
    EXPECT_NE(shelf.open(film_images + "/Primary").header("ETag"), etag);
    const auto known = shelf.open(address, {{"If-None-Match", etag}});
    EXPECT_EQ(known.status, 304);
    EXPECT_TRUE(known.body.empty());
    EXPECT_EQ(known.header("ETag"), etag);
    EXPECT_EQ(known.header("Vary"), "Accept");
    EXPECT_EQ(shelf.open(address, {{"If-None-Match", '"' + shelf.tag() + '"'}}).status, 200)
        << "that is the original's";
    EXPECT_EQ(shelf.asked(), 2U);
}

TEST(ScaledImages, another_picture_under_the_same_name_is_made_anew) {
    PosterShelf shelf;
    const auto before = shelf.open(film_images + "/Primary?maxWidth=300");
    shelf.folder.write("poster.png", png_header(600, 600, "another poster"));
    const auto after =
        shelf.open(film_images + "/Primary?maxWidth=300", {{"If-None-Match", std::string(before.header("ETag"))}});
    EXPECT_EQ(after.status, 200);
    EXPECT_EQ(PosterShelf::header(after).height, 300U);
    std::filesystem::remove(shelf.folder / "poster.png");
    EXPECT_EQ(shelf.open(film_images + "/Primary?maxWidth=300").status, 404) << "what was kept of it is of no use";
}

TEST(ScaledImages, what_cannot_be_decoded_goes_out_as_it_is_and_is_tried_once) {
    for (const auto code : {core::Errc::corrupt, core::Errc::unsupported, core::Errc::timed_out}) {
        PosterShelf shelf;
        shelf.workshop.scaler.broken = core::Error{code, "odd"};
        for (const char* wish : {"300", "300", "200"}) {
            const auto answer = shelf.open(film_images + "/Primary?maxWidth=" + wish);
            EXPECT_EQ(answer.status, 200);
            EXPECT_EQ(answer.body, png_header(1000, 1500, "poster"));
        }
        EXPECT_EQ(shelf.asked(), 1U) << to_string(code);
    }
}

TEST(ScaledImages, a_worker_that_cannot_be_had_is_no_reason_to_give_up) {
    PosterShelf shelf;
    shelf.workshop.scaler.broken = core::Error{core::Errc::unavailable, "no memory"};
    const auto refused = shelf.open(film_images + "/Primary?maxWidth=300");
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.header("Retry-After"), "2");
    shelf.workshop.scaler.broken.reset();
    EXPECT_EQ(PosterShelf::header(shelf.open(film_images + "/Primary?maxWidth=300")).width, 300U);
}

TEST(ScaledImages, a_bomb_is_for_nobody) {
    PosterShelf shelf;
    shelf.catalog.rows[0].item.images = {shelf.stored(Kind::primary, "bomb.png", png_header(60'000, 60'000))};
    const auto answer = shelf.open(film_images + "/Primary?maxWidth=300");
    EXPECT_EQ(answer.status, 404);
    EXPECT_NE(answer.body.find("60000x60000"), std::string::npos) << answer.body;
    EXPECT_EQ(shelf.asked(), 0U) << "its header is enough";
    EXPECT_EQ(shelf.log.count("warning a picture cannot be shown"), 1U);
}

TEST(ScaledImages, covers_chapters_and_people_have_all_sizes_too) {
    PosterShelf shelf;
    testing::FakeFindings found;
    found.bytes = png_header(800, 800, "cover");
    store::Cover cover{{}, 13, 800, 800};
    cover.blob.bytes[0] = 0xab;
    found.picture = {.number = 0, .width = 800, .height = 800, .format = "png"};
    found.picture.blob = cover.blob;
    found.row.item = testing::id_of<core::ItemId>('1');
    shelf.services.media.blobs = &found;
    shelf.services.media.pictures = &found;
    shelf.catalog.rows[0].item.images.clear();
    shelf.catalog.rows[0].cover = cover;
    shelf.people.rows[0].image = cover.blob;
    for (const auto& address :
         {film_images + "/Primary", film_images + "/Chapter/0", "/Items/" + std::string(32, 'd') + "/Images/Primary"}) {
        const auto answer = shelf.open(address + "?maxWidth=80");
        EXPECT_EQ(answer.status, 200) << address << ": " << answer.body;
        EXPECT_EQ(PosterShelf::header(answer).width, 80U) << address;
        EXPECT_EQ(shelf.open(address + "?maxWidth=x").status, 400) << address;
    }
    EXPECT_EQ(shelf.asked(), 1U) << "it is one picture";
    EXPECT_EQ(shelf.open(film_images + "/Chapter/0?maxWidth=80").header("Cache-Control"), "public, max-age=31536000");
}

TEST(ScaledImages, the_long_address_of_old_clients_says_the_same) {
    PosterShelf shelf;
    const auto answer =
        shelf.open(film_images + "/Primary/0/" + shelf.tag() + "/Jpg/200/3000/0/0", {{"Accept", "image/webp"}});
    ASSERT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(PosterShelf::header(answer).width, 200U);
    EXPECT_EQ(shelf.workshop.scaler.asked.at(0).format, media::ScaledFormat::jpeg);
    EXPECT_EQ(answer.header("Cache-Control"), "public, max-age=31536000, immutable");
    EXPECT_EQ(shelf.open(film_images + "/Primary/0/t/Jpg/x/3000/0/0").status, 400);
}

TEST(ScaledImages, without_a_scaler_they_are_sent_as_they_are) {
    PosterShelf shelf;
    shelf.services.scaled = nullptr;
    EXPECT_EQ(shelf.open(film_images + "/Primary?maxWidth=300").body, png_header(1000, 1500, "poster"));
    EXPECT_EQ(shelf.open(film_images + "/Primary?maxWidth=x").status, 400);
}

TEST(ScaledPictures, are_made_two_at_a_time) {
    PosterShelf shelf;
    auto& scaler = shelf.workshop.scaler;
    scaler.hold();
    std::vector<std::thread> clients;
    std::atomic<int> good{0};
    const auto ask = [&](int width) {
        clients.emplace_back([&, width] {
            const auto made = shelf.workshop.pictures.make("k" + std::to_string(width), "t", png_header(900, 900),
                                                           {.max_width = width});
            if (made && *made != nullptr) ++good;
        });
    };
    for (int width = 200; width < 208; ++width) ask(width);
    scaler.wait_for(2);
    scaler.let_go();
    for (auto& client : clients) client.join();
    EXPECT_EQ(good, 8);
    EXPECT_EQ(scaler.most_at_once(), 2);
    EXPECT_EQ(shelf.asked(), 8U);
}

TEST(ScaledPictures, who_comes_while_one_is_made_gets_that_one) {
    PosterShelf shelf;
    auto& scaler = shelf.workshop.scaler;
    scaler.hold();
    const auto make = [&] {
        return shelf.workshop.pictures.make("key", "tag", png_header(900, 900), {.max_width = 9});
    };
    std::shared_ptr<const ScaledPicture> first, second;
    std::thread one([&] { first = make().value_or(nullptr); });
    scaler.wait_for(1);
    std::thread two([&] { second = make().value_or(nullptr); });
    while (shelf.workshop.pictures.joined() == 0) std::this_thread::yield();
    scaler.let_go();
    one.join();
    two.join();
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first, second);
    EXPECT_EQ(shelf.asked(), 1U);
    EXPECT_EQ(make()->get()->bytes, first->bytes);
    EXPECT_EQ(shelf.asked(), 1U) << "who missed it by a hair finds it kept";
}

TEST(ScaledImages, that_are_being_made_keep_nobody_else_waiting) {
    PosterShelf shelf;
    ServerSettings settings;
    settings.handler_threads = 1;
    settings.picture_threads = 1;
    settings.queue_bound = 1;
    const auto port = shelf.serve(settings);
    shelf.workshop.scaler.hold();
    const auto get = [](const std::string& path) { return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n"; };
    testing::RawClient slow(port), waits(port), refused(port), other(port);
    ASSERT_TRUE(slow.send(get(film_images + "/Primary?maxWidth=300")));
    shelf.workshop.scaler.wait_for(1);
    ASSERT_TRUE(waits.send(get(film_images + "/Primary?maxWidth=301")));
    while (shelf.server->waiting() == 0) std::this_thread::yield();
    ASSERT_TRUE(refused.send(get(film_images + "/Primary?maxWidth=302")));
    const auto busy = refused.read();
    EXPECT_EQ(busy.status, 503);
    EXPECT_EQ(busy.header("Retry-After"), "1");
    ASSERT_TRUE(other.send(get("/Users/Public")));
    EXPECT_EQ(other.read().status, 200);
    shelf.workshop.scaler.let_go();
    EXPECT_EQ(slow.read().status, 200);
    EXPECT_EQ(waits.read().status, 200);
}

}  // namespace
}  // namespace understudy::http
