// PooledScaler: bytes that are in no file, scaled by a real worker in its sandbox.
#include "media/image_scaler.h"

#include <thread>

#include "media/image_header.h"
#include "unit/media/made.h"
#include "unit/media/pool_fixture.h"

namespace understudy::media {
namespace {

class ImageScalerTest : public PoolTest {
protected:
    WorkerPool pool_{settings(false), log_};
    PooledScaler scaler_{pool_};
    const std::string poster_ =
        test::read_bytes(make(folder_, "-f lavfi -i \"testsrc2=s=500x750:d=0.04\" -frames:v 1 -q:v 2", "poster.jpg"));
};

TEST_F(ImageScalerTest, scales_in_every_format_in_the_sandbox) {
    for (const auto& [format, kind] :
         {std::pair{ScaledFormat::jpeg, ImageKind::jpeg}, std::pair{ScaledFormat::png, ImageKind::png},
          std::pair{ScaledFormat::webp, ImageKind::webp}}) {
        const auto picture = scaler_.scale(poster_, {.max_width = 200, .format = format});
        ASSERT_TRUE(picture) << picture.error().context;
        EXPECT_EQ(picture->width, 200);
        EXPECT_EQ(picture->height, 300);
        const auto header =
            read_image_header({reinterpret_cast<const std::uint8_t*>(picture->bytes.data()), picture->bytes.size()});
        ASSERT_TRUE(header);
        EXPECT_EQ(header->kind, kind);
        EXPECT_EQ(header->width, 200U);
    }
    EXPECT_EQ(pool_.counts().crashed, 0U);
}

TEST_F(ImageScalerTest, says_what_is_wrong_with_a_picture) {
    const auto text = scaler_.scale("no picture", {.max_width = 200});
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, core::Errc::unsupported);
    EXPECT_FALSE(scaler_.scale("", {}));
    const auto good = scaler_.scale(poster_, {.max_width = 20});
    EXPECT_TRUE(good) << "and the next one is not the worse for it";
}

TEST_F(ImageScalerTest, serves_several_callers_at_once) {
    std::vector<std::thread> callers;
    std::atomic<int> good{0};
    for (int i = 1; i <= 8; ++i) {
        callers.emplace_back([&, i] {
            const auto picture = scaler_.scale(poster_, {.max_width = 10 * i});
            good += picture && picture->width == 10 * i ? 1 : 0;
        });
    }
    for (auto& caller : callers) caller.join();
    EXPECT_EQ(good, 8);
    EXPECT_LE(pool_.counts().spawned, 2U);
}

TEST_F(ImageScalerTest, once_stopped_refuses) {
    scaler_.stop();
    const auto picture = scaler_.scale(poster_, {.max_width = 200});
    ASSERT_FALSE(picture);
    EXPECT_EQ(picture.error().code, core::Errc::cancelled);
}

}  // namespace
}  // namespace understudy::media
