// The picture behind the login: a given one, else posters of what anybody may see; and the pixels it is put together
// of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "http/fake_scaler.h"
#include "http/jellyfin/pictures/splash_screen.h"
#include "http/pictures/pixels.h"
#include "http/system_house.h"

namespace understudy::http {
namespace {

using testing::get;
using testing::id_of;
using testing::png_header;
using testing::post;

constexpr auto del = Method::del;

std::vector<std::uint8_t> noise(std::size_t size) {
    std::vector<std::uint8_t> bytes;
    for (std::uint32_t i = 0, state = 1; i < size; ++i) {
        state = state * 1'664'525U + 1'013'904'223U;
        bytes.push_back(static_cast<std::uint8_t>(state >> 24U));
    }
    return bytes;
}

TEST(Pixels, of_a_bitmap_are_read_as_they_were_written) {
    for (const int width : {5, 6, 7, 8}) {  // rows end at a multiple of four
        const Pixels picture{width, 3, noise(static_cast<std::size_t>(width) * 3 * 3)};
        const auto read = read_bmp(write_bmp(picture));
        ASSERT_TRUE(read) << read.error().context;
        EXPECT_EQ(read->width, width);
        EXPECT_EQ(read->height, 3);
        EXPECT_EQ(read->rgb, picture.rgb);
    }
}

TEST(Pixels, of_a_broken_bitmap_are_not_read) {
    const auto whole = write_bmp({7, 11, noise(std::size_t{7} * 11 * 3)});
    for (std::size_t length = 0; length < whole.size(); ++length) EXPECT_FALSE(read_bmp(whole.substr(0, length)));
    for (const std::size_t at : {0U, 13U, 21U, 24U, 28U, 30U}) {  // its kind, start, sides, bits and packing
        auto bent = whole;
        bent[at] = static_cast<char>(bent[at] ^ 0x55);
        EXPECT_FALSE(read_bmp(bent)) << at;
    }
    EXPECT_FALSE(read_bmp(""));
}

TEST(Pixels, in_tiles_are_cut_around_the_middle_and_come_again) {
    const Pixels wide{3, 1, {1, 1, 1, 2, 2, 2, 3, 3, 3}}, one{1, 1, {9, 9, 9}};
    const auto whole = tiled({wide, one}, 3, 1, 1, 1);
    EXPECT_EQ(whole.rgb, (std::vector<std::uint8_t>{2, 2, 2, 9, 9, 9, 2, 2, 2}));
    const auto bmp = write_bmp(wide);
    EXPECT_EQ(bmp.size(), 54U + 12U);
    EXPECT_EQ(bmp.substr(54), std::string("\1\1\1\2\2\2\3\3\3\0\0\0", 12));
}

/// Makes of every picture a tile of one colour, its last byte; in other formats it comes out as it went in.
class ColourScaler final : public media::ImageScaler {
public:
    int asked = 0;
    core::Result<media::CoverResult> scale(std::string_view image, const media::ScaleParameters& wanted) override {
        ++asked;
        media::CoverResult made;
        made.bytes = image;
        made.kind = media::ImageKind::bmp;
        if (wanted.format != media::ScaledFormat::bmp) return made;
        if (image.ends_with('!')) return core::fail(core::Errc::corrupt, "does not decode");
        const auto colour = static_cast<std::uint8_t>(image.back());
        made.bytes = write_bmp({240, 360, std::vector<std::uint8_t>(std::size_t{240} * 360 * 3, colour)});
        return made;
    }
};

struct SplashHouse : testing::SystemHouse {
    SplashHouse() {
        services.scaled = &scaled;
        services.media.blobs = &blobs;
        finish_wizard();
    }
    void turn(bool on) {
        const std::string body = std::string(R"({"SplashscreenEnabled":)") + (on ? "true}" : "false}");
        EXPECT_EQ(as_admin(Method::post, "/System/Configuration/branding", body).status, 204);
    }
    /// The film and the series, whose libraries differ, get posters of these colours.
    void hang_posters(const std::string& film_end = "F", const std::string& series_end = "S") {
        posters.write("film.png", png_header(2, 3, film_end));
        posters.write("series.png", png_header(2, 3, series_end));
        catalog.rows[0].item.images = {{model::ImageKind::primary, posters / "film.png", 25, 1}};
        catalog.rows[1].item.images = {{model::ImageKind::primary, posters / "series.png", 25, 1}};
    }
    void open_to_kid(const std::string& ids) {
        EXPECT_EQ(as_admin(Method::post, "/Users/" + kid + "/Policy",
                           R"({"EnableAllFolders":false,"EnabledFolders":[)" + ids + "]}")
                      .status,
                  204);
    }
    Response splash(std::vector<Header> headers = {}, const std::string& more = {}) {
        Request request;
        request.target = "/Branding/Splashscreen" + more;
        request.headers = std::move(headers);
        return ask(request);
    }
    /// All colours of tiles that are in the answer, in order of their letters.
    std::string colours() {
        const auto answer = splash();
        EXPECT_EQ(answer.status, 200) << answer.body;
        EXPECT_EQ(answer.body.size(), 54U + std::size_t{1920} * 1080 * 3);
        std::string found = answer.body.substr(54);
        std::ranges::sort(found);
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    ColourScaler scaler;
    testing::TempFolder posters, kept;
    PictureCache cache{{kept.path() / "images"}, random, clock, log};
    ScaledPictures scaled{scaler, cache};
    testing::FakeBlobs blobs;
};

TEST(SplashScreen, is_none_where_it_is_off_or_there_is_no_poster) {
    SplashHouse house;
    house.hang_posters();
    EXPECT_EQ(house.splash().status, 404) << "off by default, as in the reference";
    house.turn(true);
    EXPECT_EQ(house.splash().status, 200);
    house.turn(false);
    EXPECT_EQ(house.splash().status, 404);
    house.turn(true);
    for (auto& row : house.catalog.rows) row.item.images.clear();
    house.clock.advance(Collage::look_again);
    EXPECT_EQ(house.splash().status, 404);
    house.hang_posters("!", "!");
    for (auto* row : {&house.catalog.rows[0], &house.catalog.rows[1]}) row->item.images[0].mtime_ns = 2;
    house.clock.advance(Collage::look_again);
    EXPECT_EQ(house.splash().status, 404) << "none of them decodes";
    EXPECT_EQ(house.splash({}, "?format=Nonsense").status, 400);
}

TEST(SplashScreen, is_made_of_posters_once) {
    SplashHouse house;
    house.turn(true);
    house.hang_posters();
    EXPECT_EQ(house.colours(), "FS");
    const auto made = house.scaler.asked;
    EXPECT_EQ(made, 3) << "two tiles and the whole";
    const auto again = house.splash();
    EXPECT_EQ(house.scaler.asked, made);
    const std::string tag(again.header("ETag"));
    EXPECT_EQ(house.splash({{"If-None-Match", tag}}).status, 304);
    house.hang_posters("F", "!");
    house.catalog.rows[1].item.images[0].mtime_ns = 2;
    house.clock.advance(Collage::look_again - core::Millis{1});
    EXPECT_EQ(house.splash().header("ETag"), tag) << "anybody may ask: posters are looked for once a minute";
    house.clock.advance(core::Millis{1});
    EXPECT_NE(house.splash().header("ETag"), tag) << "another poster, another picture";
    EXPECT_EQ(house.colours(), "F") << "what does not decode is left out";
}

TEST(SplashScreen, is_another_one_while_a_poster_cannot_be_read) {
    SplashHouse house;
    house.turn(true);
    house.hang_posters();
    const auto away = house.posters / "film.png";
    std::filesystem::rename(away, away.string() + ".away");
    EXPECT_EQ(house.colours(), "S");
    const std::string part(house.splash().header("ETag"));
    const auto asked = house.scaler.asked;
    std::filesystem::rename(away.string() + ".away", away);
    EXPECT_EQ(house.colours(), "S") << "it is tried again after a minute";
    EXPECT_EQ(house.scaler.asked, asked) << "and nothing is made meanwhile";
    house.clock.advance(Collage::look_again);
    EXPECT_EQ(house.colours(), "FS");
    EXPECT_NE(house.splash().header("ETag"), part) << "else browsers would keep the part";
    EXPECT_EQ(house.splash({{"If-None-Match", part}}).status, 200);
    std::filesystem::remove(house.posters / "film.png");
    house.clock.advance(Collage::look_again);
    EXPECT_EQ(house.colours(), "FS") << "the whole one is kept";
}

TEST(SplashScreen, shows_what_everybody_may_see_alone) {
    SplashHouse house;
    house.turn(true);
    house.hang_posters();
    EXPECT_EQ(house.colours(), "FS");
    house.open_to_kid('"' + house.shows.id.str() + '"');
    EXPECT_EQ(house.colours(), "S") << "films are closed to Kid: at once, though the other was kept";
    house.open_to_kid("");
    EXPECT_EQ(house.splash().status, 404);
    EXPECT_EQ(house
                  .as_admin(post, "/Users/" + house.kid + "/Policy",
                            R"({"IsDisabled":true,"EnableAllFolders":false,"EnabledFolders":[]})")
                  .status,
              204);
    EXPECT_EQ(house.colours(), "FS") << "who may not log in is nobody";
    house.turn(false);
}

TEST(SplashScreen, is_what_an_administrator_gave) {
    SplashHouse house;
    house.turn(true);
    house.hang_posters();
    const auto given = png_header(4, 4, "given");
    const std::string path = "/Branding/Splashscreen";
    EXPECT_EQ(house.as_kid(post, path, given).status, 403);
    EXPECT_EQ(house.as_kid(del, path).status, 403);
    EXPECT_EQ(house.as({}, post, path, given).status, 401);
    EXPECT_EQ(house.as_admin(post, path, "no picture").status, 400);
    EXPECT_EQ(house.colours(), "FS");
    EXPECT_EQ(house.as_admin(post, path, given).status, 204);
    EXPECT_EQ(house.splash().body, given);
    house.open_to_kid("");
    EXPECT_EQ(house.splash().body, given) << "it was given to be seen";
    house.turn(false);
    EXPECT_EQ(house.splash().status, 404);
    house.turn(true);
    EXPECT_EQ(house.as_admin(del, path).status, 204);
    EXPECT_EQ(house.splash().status, 404) << "nothing is open to Kid";
    EXPECT_EQ(house.as_admin(del, path).status, 204) << "whether there was one or not";
}

}  // namespace
}  // namespace understudy::http
