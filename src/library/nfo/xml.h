// library/nfo/xml.h: XML as people's tools write it, made readable: any encoding, undeclared HTML entities, broken
// ends. Used by the NFO parser and by library/playlists; the only place that knows pugixml. Foreign bytes in, never
// throws.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace understudy::library::nfo {

/// UTF-8 of what a text file holds: byte order marks, UTF-16 with or without one, a declared encoding, else UTF-8 with
/// Windows-1252 where it is none. Always valid UTF-8; line ends stay.
[[nodiscard]] std::string decode_text(std::string_view bytes);
/// `&eacute;` and the other entities of HTML 4 that XML does not know, as the letters they mean; the rest stays.
[[nodiscard]] std::string replace_html_entities(std::string_view text);

/// One element of a document; valid as long as that. Copying is cheap; an empty one answers with nothing.
class Element {
public:
    Element() = default;
    [[nodiscard]] explicit operator bool() const noexcept { return node_ != nullptr; }
    [[nodiscard]] std::string_view name() const noexcept;
    /// All text in it, that of inner elements too (8 levels), at most 64 KiB, ends trimmed; valid UTF-8 without control
    /// characters but line ends.
    [[nodiscard]] std::string text() const;
    /// As text, with any run of spaces and line ends as one space.
    [[nodiscard]] std::string line() const;
    [[nodiscard]] std::string attribute(std::string_view name) const;
    [[nodiscard]] bool has_attribute(std::string_view name) const noexcept;
    [[nodiscard]] Element first_child() const noexcept;                 ///< elements only
    [[nodiscard]] Element next() const noexcept;                        ///< the next element beside it
    [[nodiscard]] Element child(std::string_view name) const noexcept;  ///< any case

private:
    friend class Document;
    explicit Element(void* node) noexcept : node_(node) {}
    void* node_ = nullptr;
};

class Document {
public:
    /// `text`: UTF-8. What stands before a fault is kept. DTDs are passed over: no entity of theirs is ever expanded.
    explicit Document(std::string_view text);
    ~Document();
    Document(Document&&) noexcept;
    Document& operator=(Document&&) noexcept;

    [[nodiscard]] Element first() const noexcept;  ///< of the outermost elements
    /// Empty: well formed. Else what is wrong and in which line: «line 7: start and end tags do not match».
    [[nodiscard]] const std::string& fault() const noexcept { return fault_; }

private:
    struct Held;
    std::unique_ptr<Held> held_;
    std::string fault_;
};

}  // namespace understudy::library::nfo
