#include "store/sql/bulk_rows.h"

#include <array>
#include <charconv>
#include <utility>

#include "core/check.h"
#include "core/text.h"

namespace understudy::store::sql {
namespace {

std::string_view array_type(ColumnType type) {
    switch (type) {
        case ColumnType::integer:
            return "BIGINT[]";
        case ColumnType::real:
            return "DOUBLE PRECISION[]";
        case ColumnType::text:
            return "TEXT[]";
        case ColumnType::bytes:
            return "BYTEA[]";
    }
    return "TEXT[]";
}

bool is_plain(std::string_view text) {
    for (const char c : text) {
        if (static_cast<signed char>(c) <= 0) return false;  // NUL, or a byte beyond ASCII
    }
    return true;
}

bool is_well_formed(std::string_view text) {
    while (!text.empty()) {
        if (text[0] == '\0') return false;
        const auto length = core::utf8_length(text, 0);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

void append_array_text(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    out += '"';
}

}  // namespace

std::string repaired(std::string_view text) {
    std::string out;
    out.reserve(text.size() + 8);
    while (!text.empty()) {
        const auto length = core::utf8_length(text, 0);
        if (length == 0) {
            out += "\xef\xbf\xbd";
            text.remove_prefix(1);
        } else {
            if (text[0] != '\0') out += text.substr(0, length);
            text.remove_prefix(length);
        }
    }
    return out;
}

BulkRows::BulkRows(Dialect dialect, std::vector<BulkColumn> columns) : dialect_(dialect), columns_(std::move(columns)) {
    if (dialect_ == Dialect::sqlite) {
        packed_.emplace(static_cast<int>(columns_.size()));
        from_ = "(SELECT ";
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            from_ += (i == 0 ? "c" : ", c") + std::to_string(i) + " AS ";
            from_ += columns_[i].name;
        }
        from_ += " FROM understudy_rows(?)) AS r";
        return;
    }
    arrays_.resize(columns_.size(), "{");
    from_ = "unnest(";
    std::string names;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const std::string_view comma = i == 0 ? "" : ", ";
        from_ += comma;
        from_ += "CAST(? AS ";
        from_ += array_type(columns_[i].type);
        from_ += ")";
        names += comma;
        names += columns_[i].name;
    }
    from_ += ") AS r(" + names + ")";
}

std::string BulkRows::in(std::string_view column) const {
    CHECK(columns_.size() == 1);
    std::string text(column);
    if (dialect_ == Dialect::sqlite) return text + " IN (SELECT c0 FROM understudy_rows(?))";
    text += " = ANY(CAST(? AS ";
    text += array_type(columns_[0].type);
    return text + "))";
}

// The array that the next cell goes to (PostgreSQL). CHECKs that it is of its column's type.
std::string& BulkRows::begin_cell(ColumnType type) {
    CHECK(columns_[next_].type == type);
    const auto column = next_;
    next_ = (next_ + 1) % columns_.size();
    if (next_ == 0) ++rows_;
    if (dialect_ == Dialect::sqlite) return from_;  // not written to
    auto& array = arrays_[column];
    if (array.size() > 1) array += ',';
    return array;
}

BulkRows& BulkRows::null() {
    auto& array = begin_cell(columns_[next_].type);
    if (packed_) {
        packed_->add_null();
    } else {
        array += "NULL";
    }
    return *this;
}

BulkRows& BulkRows::integer(std::int64_t number) {
    auto& array = begin_cell(ColumnType::integer);
    if (packed_) {
        packed_->add_integer(number);
        return *this;
    }
    std::array<char, 24> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    array.append(text.data(), end);
    return *this;
}

BulkRows& BulkRows::integer(const std::optional<int>& number) {
    return number ? integer(std::int64_t{*number}) : null();
}

BulkRows& BulkRows::real(double number) {
    auto& array = begin_cell(ColumnType::real);
    if (packed_) {
        packed_->add_real(number);
        return *this;
    }
    std::array<char, 40> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    array.append(text.data(), end);
    return *this;
}

BulkRows& BulkRows::text(std::string_view text) {
    std::string kept;
    if (!is_plain(text) && !is_well_formed(text)) {
        kept = repaired(text);
        text = kept;
    }
    auto& array = begin_cell(ColumnType::text);
    if (packed_) {
        packed_->add_text(text);
    } else {
        append_array_text(array, text);
    }
    return *this;
}

BulkRows& BulkRows::bytes(std::string_view bytes) {
    auto& array = begin_cell(ColumnType::bytes);
    if (packed_) {
        packed_->add_bytes(bytes);
        return *this;
    }
    constexpr std::string_view digits = "0123456789abcdef";
    array += R"("\\x)";
    const auto at = array.size();
    array.resize(at + 2 * bytes.size() + 1);
    char* out = array.data() + at;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        *out++ = digits[byte >> 4U];
        *out++ = digits[byte & 15U];
    }
    *out = '"';
    return *this;
}

std::vector<Value> BulkRows::take() {
    CHECK(next_ == 0);  // no half row
    std::vector<Value> values;
    if (packed_) {
        values.emplace_back(Bytes{packed_->take()});
        return values;
    }
    for (auto& array : arrays_) {
        array += '}';
        values.emplace_back(std::move(array));
    }
    return values;
}

BulkRows bulk_paths(Dialect dialect, const std::vector<std::string>& paths) {
    BulkRows rows(dialect, {{"path", ColumnType::bytes}});
    for (const auto& path : paths) rows.bytes(path);
    return rows;
}

}  // namespace understudy::store::sql
