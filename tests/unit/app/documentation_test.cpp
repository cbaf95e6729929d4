#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "app/config/schema.h"

namespace understudy::app {
namespace {

/// Without what only a page shows.
std::string plain(std::string text) {
    std::erase(text, '`');
    constexpr std::string_view mark = " (*secret*)";
    if (const auto at = text.find(mark); at != std::string::npos) text.erase(at, mark.size());
    return text;
}

TEST(Documentation, explains_every_setting_in_the_words_of_the_program) {
    std::ifstream in(UNDERSTUDY_SOURCE_DIR "/docs/configuration.md");
    std::map<std::string, std::string, std::less<>> rows;
    for (std::string line; std::getline(in, line);) {
        const auto end = line.find("` |");
        const auto last = line.rfind(" | ");
        if (line.starts_with("| `Jellyfin:") && line.ends_with(" |") && last != std::string::npos)
            rows[line.substr(3, end - 3)] = line.substr(last + 3, line.size() - last - 5);
    }
    for (const auto& spec : settings_schema()) {
        const auto row = rows.find(spec.key);
        ASSERT_NE(row, rows.end()) << spec.key;
        EXPECT_EQ(plain(row->second), plain(std::string(spec.meaning))) << spec.key;
    }
}

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
