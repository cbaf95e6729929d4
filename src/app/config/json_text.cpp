#include "app/config/json_text.h"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <map>

#include "core/text.h"

namespace understudy::app {
namespace {

// Walks the tokens of valid JSON that make its shape: brackets, strings, commas, colons.
class Shape {
public:
    explicit Shape(std::string_view text) : text_(text) {}

    std::vector<DuplicateKey> find() {
        while (at_ < text_.size()) {
            switch (text_[at_]) {
                case '"':
                    take_string();
                    continue;
                case '/':
                    skip_comment();
                    continue;
                case '{':
                case '[':
                    open(text_[at_] == '{');
                    break;
                case '}':
                case ']':
                    if (!levels_.empty()) levels_.pop_back();
                    break;
                case ',':
                    if (!levels_.empty()) next();
                    break;
                default:
                    break;
            }
            ++at_;
        }
        return std::move(found_);
    }

private:
    struct Level {
        bool object = false, key_comes = false;
        std::size_t index = 0;   // of an array's element
        std::string path, name;  // of the object or array itself; of the member or element that is read now
        std::map<std::string, std::size_t> keys;  // without case -> where
    };

    void open(bool object) {
        Level level;
        level.object = level.key_comes = object;
        if (!levels_.empty()) level.path = path_of(levels_.back());
        if (!object) level.name = "0";
        levels_.push_back(std::move(level));
    }
    void next() {
        auto& level = levels_.back();
        level.key_comes = level.object;
        if (!level.object) level.name = std::to_string(++level.index);
    }
    static std::string path_of(const Level& level) {
        return level.path.empty() ? level.name : level.path + ":" + level.name;
    }

    void take_string() {
        const auto begin = at_++;
        while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2U : 1U;
        at_ = std::min(at_ + 1, text_.size());
        if (levels_.empty() || !levels_.back().key_comes) return;
        auto& level = levels_.back();
        level.key_comes = false;
        boost::system::error_code error;
        const auto key = boost::json::parse(text_.substr(begin, at_ - begin), error);
        if (error || !key.is_string()) return;
        level.name = std::string(key.get_string());
        const auto [known, added] = level.keys.emplace(core::to_lower_ascii(level.name), begin);
        if (!added) found_.push_back({path_of(level), known->second, begin});
    }

    void skip_comment() {
        const bool block = text_.substr(at_, 2) == "/*";
        const auto end = block ? text_.find("*/", at_ + 2) : text_.find('\n', at_);
        at_ = end == std::string_view::npos ? text_.size() : end + (block ? 2 : 1);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<Level> levels_;
    std::vector<DuplicateKey> found_;
};

}  // namespace

std::string position_in(std::string_view text, std::size_t offset) {
    const auto before = text.substr(0, std::min(offset, text.size()));
    const auto line = 1 + std::ranges::count(before, '\n');
    const auto start = before.rfind('\n');
    const auto column = 1 + before.size() - (start == std::string_view::npos ? 0 : start + 1);
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

std::vector<DuplicateKey> duplicate_keys(std::string_view text) {
    return Shape(text).find();
}

}  // namespace understudy::app
