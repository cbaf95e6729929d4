#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "app/config/schema.h"

namespace understudy::app {
namespace {

std::string without_marks(std::string text) {
    std::erase(text, '`');
    return text;
}

// One text in two places: whoever changes it in the program changes it for readers too.
TEST(Documentation, has_a_row_for_each_setting_with_the_words_of_the_program) {
    std::ifstream in(UNDERSTUDY_SOURCE_DIR "/docs/configuration.md");
    const auto page = without_marks(std::string(std::istreambuf_iterator<char>(in), {}));
    ASSERT_FALSE(page.empty());
    for (const auto& spec : settings_schema()) {
        std::string row = "| " + std::string(spec.key) + " | ";
        row += spec.default_text.empty() ? "empty" : spec.default_text;
        row.append(" | ").append(spec.allowed).append(" | ").append(spec.meaning);
        row += spec.secret ? " (*secret*) |\n" : " |\n";
        EXPECT_NE(page.find("\n" + without_marks(row)), std::string::npos) << "docs/configuration.md has no row\n"
                                                                           << row;
    }
}

}  // namespace
}  // namespace understudy::app
