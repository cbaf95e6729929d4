#include "core/ids.h"

#include <gtest/gtest.h>

namespace understudy::core {
namespace {

TEST(Ids, print_as_32_lower_case_hex_digits_and_read_back) {
    SeededRandom random(1);
    const auto id = RunId::make(random);
    EXPECT_EQ(id.str().size(), 32U);
    EXPECT_EQ(RunId::parse(id.str()), id);
}

TEST(Ids, accept_dashes_and_upper_case) {
    const auto plain = ItemId::parse("0123456789abcdef0123456789abcdef");
    ASSERT_TRUE(plain);
    EXPECT_EQ(ItemId::parse("01234567-89AB-CDEF-0123-456789ABCDEF"), plain);
}

TEST(Ids, refuse_anything_else) {
    for (const auto* text : {"", "0", "0123456789abcdef0123456789abcdeg", "01234567-89ab-cdef-0123456789abcdef----",
                             "0123456789abcdef0123456789abcdef0", "01234567089ab-cdef-0123-456789abcdef"}) {
        EXPECT_FALSE(ItemId::parse(text)) << text;
    }
}

TEST(Ids, are_never_all_zero) {
    class Zeros final : public Random {
    public:
        void fill(std::span<std::uint8_t> bytes) override {
            for (auto& byte : bytes) byte = calls_ == 0 ? 0 : 7;
            ++calls_;
        }
        int calls_ = 0;
    } zeros_first;
    EXPECT_FALSE(RunId::make(zeros_first).empty());
}

}  // namespace
}  // namespace understudy::core
