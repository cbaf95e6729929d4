// store/sql/rows_table.h: many rows as one parameter of a SQLite statement: `FROM understudy_rows(?)` with columns c0,
// c1, … Packed by BulkRows, registered on each connection by open_sqlite_connection.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;

namespace understudy::store::sql {

/// Why not json_each: it makes JSON of each row and reads it again for each column, 8 us a row of 20 columns; this, 1
/// us.
class PackedRows {
public:
    static constexpr int most_columns = 32;

    explicit PackedRows(int columns);
    void add_null();
    void add_integer(std::int64_t number);
    void add_real(double number);
    void add_text(std::string_view text);
    void add_bytes(std::string_view bytes);
    [[nodiscard]] std::string take() { return std::move(data_); }

private:
    void add(char tag, const void* data, std::size_t size);
    std::string data_;
};

/// The library's result code.
int register_rows_table(sqlite3* connection);

}  // namespace understudy::store::sql
