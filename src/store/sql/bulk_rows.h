// store/sql/bulk_rows.h: many rows for one statement, on both databases: `INSERT INTO t SELECT … FROM <rows.from()>`.
// Used by the SQL adapters of store; never a statement an item.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/sql/rows_table.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

enum class ColumnType { integer, real, text, bytes };
struct BulkColumn {
    std::string_view name;
    ColumnType type;
};

/// Text as a database takes it: valid UTF-8 without NUL, whatever a file's tags hold. Wrong bytes become U+FFFD.
[[nodiscard]] std::string repaired(std::string_view text);

/// Fill it cell by cell in the order of the columns. PostgreSQL gets an array for each column (unnest), SQLite one
/// packed blob (rows_table.h); measured, both cost less than JSON would.
class BulkRows {
public:
    BulkRows(Dialect dialect, std::vector<BulkColumn> columns);
    BulkRows& null();
    BulkRows& integer(std::int64_t number);
    BulkRows& integer(const std::optional<int>& number);
    BulkRows& flag(bool set) { return integer(std::int64_t{set ? 1 : 0}); }
    BulkRows& real(double number);
    BulkRows& text(std::string_view text);  ///< repaired where it must be
    BulkRows& bytes(std::string_view bytes);
    template <class Id>
    BulkRows& id(const Id& id) {  ///< NULL for the empty id
        if (id.empty()) return null();
        return bytes({reinterpret_cast<const char*>(id.bytes().data()), id.bytes().size()});
    }
    [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
    [[nodiscard]] bool empty() const noexcept { return rows_ == 0; }

    /// `(…) AS r`, with the columns by their names and a parameter or several. The text is the same for any number of
    /// rows.
    [[nodiscard]] const std::string& from() const noexcept { return from_; }
    /// `column IN (…)` for rows of one column. Not with from(): PostgreSQL walks an index for ANY of an array, but
    /// joins with unnest() by reading the whole table.
    [[nodiscard]] std::string in(std::string_view column) const;
    /// The parameters of from() or in(), once.
    [[nodiscard]] std::vector<Value> take();

private:
    std::string& begin_cell(ColumnType type);

    Dialect dialect_;
    std::vector<BulkColumn> columns_;
    std::string from_;
    std::size_t next_ = 0, rows_ = 0;
    std::vector<std::string> arrays_;   // PostgreSQL
    std::optional<PackedRows> packed_;  // SQLite
};

/// One column of ids, for in().
template <class Ids>
[[nodiscard]] BulkRows bulk_ids(Dialect dialect, const Ids& ids) {
    BulkRows rows(dialect, {{"id", ColumnType::bytes}});
    for (const auto& id : ids) rows.id(id);
    return rows;
}

/// One column of paths, for in().
[[nodiscard]] BulkRows bulk_paths(Dialect dialect, const std::vector<std::string>& paths);

}  // namespace understudy::store::sql
