#include "store/sql/rows_table.h"

#include <sqlite3.h>

#include <array>
#include <cstring>
#include <memory>

#include "core/check.h"

namespace understudy::store::sql {
namespace {

// A first byte with the number of columns, then cell by cell: a tag, and 8 bytes of number or 4 of length and the
// bytes. In this machine's byte order: it never leaves the process.
enum Tag : char { null_tag, integer_tag, real_tag, text_tag, bytes_tag };

struct Cell {
    Tag tag = null_tag;
    const char* data = nullptr;
    std::size_t size = 0;
};

// A statement's way through the rows.
struct Cursor {
    sqlite3_vtab_cursor base{};  // first: SQLite knows only this part
    const char* at = nullptr;
    const char* end = nullptr;
    int columns = 0;
    sqlite3_int64 row = 0;
    bool done = true;
    std::array<Cell, PackedRows::most_columns> cells;

    // False where the bytes are not ours.
    bool read_row() {
        if (at == end) {
            done = true;
            return true;
        }
        for (int i = 0; i < columns; ++i) {
            if (at == end) return false;
            auto& cell = cells[static_cast<std::size_t>(i)];
            cell.tag = static_cast<Tag>(*at++);
            std::uint32_t size = 8;
            if (cell.tag == null_tag) {
                size = 0;
            } else if (cell.tag == text_tag || cell.tag == bytes_tag) {
                if (end - at < 4) return false;
                std::memcpy(&size, at, 4);
                at += 4;
            }
            if (end - at < static_cast<std::ptrdiff_t>(size)) return false;
            cell.data = at;
            cell.size = size;
            at += size;
        }
        ++row;
        return true;
    }
};

Cursor* of(sqlite3_vtab_cursor* base) {
    return reinterpret_cast<Cursor*>(base);
}

int connect(sqlite3* connection, void*, int, const char* const*, sqlite3_vtab** table, char**) {
    std::string declaration = "CREATE TABLE x(";
    for (int i = 0; i < PackedRows::most_columns; ++i) declaration += "c" + std::to_string(i) + ",";
    declaration += "data HIDDEN)";
    const int code = sqlite3_declare_vtab(connection, declaration.c_str());
    if (code == SQLITE_OK) *table = new sqlite3_vtab{};
    return code;
}

int disconnect(sqlite3_vtab* table) {
    delete table;
    return SQLITE_OK;
}

int best_index(sqlite3_vtab*, sqlite3_index_info* info) {
    for (int i = 0; i < info->nConstraint; ++i) {
        const auto& constraint = info->aConstraint[i];
        if (constraint.iColumn != PackedRows::most_columns || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
        if (!constraint.usable) return SQLITE_CONSTRAINT;
        info->aConstraintUsage[i].argvIndex = 1;
        info->aConstraintUsage[i].omit = 1;
        info->estimatedCost = 500;
        info->estimatedRows = 500;
        return SQLITE_OK;
    }
    return SQLITE_CONSTRAINT;
}

int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** cursor) {
    *cursor = &(new Cursor)->base;
    return SQLITE_OK;
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
    delete of(cursor);
    return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* base, int, const char*, int count, sqlite3_value** arguments) {
    auto* const cursor = of(base);
    cursor->done = true;
    if (count != 1 || sqlite3_value_type(arguments[0]) != SQLITE_BLOB) return SQLITE_MISMATCH;
    // Bound without a copy for the time of the statement, so the pointer stays good.
    cursor->at = static_cast<const char*>(sqlite3_value_blob(arguments[0]));
    cursor->end = cursor->at + sqlite3_value_bytes(arguments[0]);
    if (cursor->at == cursor->end) return SQLITE_MISMATCH;
    cursor->columns = static_cast<unsigned char>(*cursor->at++);
    if (cursor->columns > PackedRows::most_columns) return SQLITE_MISMATCH;
    cursor->row = 0;
    cursor->done = false;
    return cursor->read_row() ? SQLITE_OK : SQLITE_MISMATCH;
}

int next(sqlite3_vtab_cursor* cursor) {
    return of(cursor)->read_row() ? SQLITE_OK : SQLITE_MISMATCH;
}
int at_end(sqlite3_vtab_cursor* cursor) {
    return of(cursor)->done ? 1 : 0;
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int index) {
    const auto* const cursor = of(base);
    if (index >= cursor->columns) return SQLITE_OK;
    const auto& cell = cursor->cells[static_cast<std::size_t>(index)];
    sqlite3_int64 integer = 0;
    double real = 0;
    switch (cell.tag) {
        case null_tag:
            break;
        case integer_tag:
            std::memcpy(&integer, cell.data, sizeof integer);
            sqlite3_result_int64(context, integer);
            break;
        case real_tag:
            std::memcpy(&real, cell.data, sizeof real);
            sqlite3_result_double(context, real);
            break;
        case text_tag:
            sqlite3_result_text64(context, cell.data, cell.size, SQLITE_STATIC, SQLITE_UTF8);
            break;
        case bytes_tag:
            sqlite3_result_blob64(context, cell.data, cell.size, SQLITE_STATIC);
            break;
    }
    return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
    *id = of(cursor)->row;
    return SQLITE_OK;
}

constexpr sqlite3_module make_module() {
    sqlite3_module module{};
    module.xConnect = connect;  // no xCreate: a table-valued function, not to be made by CREATE VIRTUAL TABLE
    module.xBestIndex = best_index;
    module.xDisconnect = disconnect;
    module.xOpen = open_cursor;
    module.xClose = close_cursor;
    module.xFilter = filter;
    module.xNext = next;
    module.xEof = at_end;
    module.xColumn = column;
    module.xRowid = row_id;
    return module;
}

constexpr sqlite3_module rows_module = make_module();

}  // namespace

PackedRows::PackedRows(int columns) {
    CHECK(columns > 0 && columns <= most_columns);
    data_ += static_cast<char>(columns);
}

void PackedRows::add(char tag, const void* data, std::size_t size) {
    data_ += tag;
    data_.append(static_cast<const char*>(data), size);
}

void PackedRows::add_null() {
    data_ += null_tag;
}
void PackedRows::add_integer(std::int64_t number) {
    add(integer_tag, &number, sizeof number);
}
void PackedRows::add_real(double number) {
    add(real_tag, &number, sizeof number);
}

void PackedRows::add_text(std::string_view text) {
    const auto size = static_cast<std::uint32_t>(text.size());
    add(text_tag, &size, sizeof size);
    data_ += text;
}

void PackedRows::add_bytes(std::string_view bytes) {
    const auto size = static_cast<std::uint32_t>(bytes.size());
    add(bytes_tag, &size, sizeof size);
    data_ += bytes;
}

int register_rows_table(sqlite3* connection) {
    return sqlite3_create_module_v2(connection, "understudy_rows", &rows_module, nullptr, nullptr);
}

}  // namespace understudy::store::sql
