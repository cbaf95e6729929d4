#include "library/nfo/xml.h"

#include <algorithm>
#include <pugixml.hpp>

#include "core/text.h"
#include "library/naming/text.h"

namespace understudy::library::nfo {
namespace {

constexpr std::size_t longest_text = std::size_t{64} * 1024;
constexpr int deepest = 8;

pugi::xml_node as_node(void* handle) noexcept {
    return pugi::xml_node(static_cast<pugi::xml_node_struct*>(handle));
}

pugi::xml_node element_from(pugi::xml_node node) noexcept {
    while (node && node.type() != pugi::node_element) node = node.next_sibling();
    return node;
}

void gather(const pugi::xml_node& node, int depth, std::string& into) {
    for (auto child = node.first_child(); child && into.size() < longest_text; child = child.next_sibling()) {
        if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
            into += child.value();
        } else if (child.type() == pugi::node_element && depth < deepest) {
            if (!into.empty() && into.back() != ' ' && into.back() != '\n') into += ' ';
            gather(child, depth + 1, into);
        }
    }
}

// Line by line, so that display_text leaves the line ends.
std::string clean(std::string_view text) {
    if (text.size() > longest_text) {
        text = text.substr(0, longest_text);
        // Not within a character.
        while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.remove_suffix(1);
        if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xC0) text.remove_suffix(1);
    }
    std::string result;
    for (;;) {
        const auto end = text.find('\n');
        auto line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        result += naming::display_text(line);
        if (end == std::string_view::npos) break;
        result += '\n';
        text.remove_prefix(end + 1);
    }
    const auto begin = result.find_first_not_of(" \n");
    if (begin == std::string::npos) return {};
    return result.substr(begin, result.find_last_not_of(" \n") - begin + 1);
}

}  // namespace

std::string_view Element::name() const noexcept {
    return as_node(node_).name();
}

std::string Element::text() const {
    std::string gathered;
    gather(as_node(node_), 0, gathered);
    return clean(gathered);
}

std::string Element::line() const {
    std::string result;
    for (const char c : text()) {
        const char one = c == '\n' ? ' ' : c;
        if (one != ' ' || (!result.empty() && result.back() != ' ')) result += one;
    }
    return result;
}

std::string Element::attribute(std::string_view name) const {
    for (const auto& attribute : as_node(node_).attributes()) {
        if (core::equals_ignoring_case(attribute.name(), name)) return clean(attribute.value());
    }
    return {};
}

bool Element::has_attribute(std::string_view name) const noexcept {
    for (const auto& attribute : as_node(node_).attributes()) {
        if (core::equals_ignoring_case(attribute.name(), name)) return true;
    }
    return false;
}

Element Element::first_child() const noexcept {
    return Element(element_from(as_node(node_).first_child()).internal_object());
}

Element Element::next() const noexcept {
    return Element(element_from(as_node(node_).next_sibling()).internal_object());
}

Element Element::child(std::string_view name) const noexcept {
    for (auto child = first_child(); child; child = child.next()) {
        if (core::equals_ignoring_case(child.name(), name)) return child;
    }
    return {};
}

struct Document::Held {
    pugi::xml_document document;
};

Document::Document(std::string_view text) : held_(std::make_unique<Held>()) {
    constexpr unsigned options = pugi::parse_cdata | pugi::parse_escapes | pugi::parse_eol;
    const auto result = held_->document.load_buffer(text.data(), text.size(), options, pugi::encoding_utf8);
    if (result) return;
    const auto offset = std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)), text.size());
    const auto lines = std::ranges::count(text.substr(0, offset), '\n');
    std::string what = result.description();
    if (!what.empty()) what[0] = naming::lower(what[0]);
    fault_ = "line " + std::to_string(lines + 1) + ": " + what;
}

Document::~Document() = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;

Element Document::first() const noexcept {
    return Element(element_from(held_->document.first_child()).internal_object());
}

}  // namespace understudy::library::nfo
