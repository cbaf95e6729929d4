#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "app/config/schema.h"

namespace understudy::app {
namespace {

TEST(Documentation, names_every_setting_with_its_default_and_what_is_allowed) {
    std::ifstream in(UNDERSTUDY_SOURCE_DIR "/docs/configuration.md");
    const std::string page(std::istreambuf_iterator<char>(in), {});
    ASSERT_FALSE(page.empty());
    for (const auto& spec : settings_schema()) {
        EXPECT_NE(page.find("`" + std::string(spec.key) + "`"), std::string::npos) << spec.key;
        EXPECT_NE(page.find(std::string(spec.default_text)), std::string::npos)
            << spec.key << ": " << spec.default_text;
        EXPECT_NE(page.find(std::string(spec.allowed)), std::string::npos) << spec.key << ": " << spec.allowed;
    }
}

}  // namespace
}  // namespace understudy::app
