// store/sql/pg_row.h: reads one row of a binary answer of PostgreSQL. Used by PgSession.
#pragma once

#include <libpq-fe.h>

#include "store/sql/session.h"

namespace understudy::store::sql {

class PgRow final : public Row {
public:
    explicit PgRow(const PGresult* result) : result_(result), columns_(PQnfields(result)) {}
    void move_to(int row) noexcept { row_ = row; }

    [[nodiscard]] bool is_null(std::size_t column) const override;
    [[nodiscard]] std::int64_t integer(std::size_t column) const override;
    [[nodiscard]] double real(std::size_t column) const override;
    [[nodiscard]] std::string text(std::size_t column) const override;
    [[nodiscard]] std::string bytes(std::size_t column) const override;

private:
    [[nodiscard]] int checked(std::size_t column) const;

    const PGresult* result_;
    int columns_;
    int row_ = 0;
};

/// The name of the first column whose type no Row function reads (then it wants a CAST in the SQL), empty: all are
/// fine.
[[nodiscard]] std::string unreadable_column(const PGresult* result);

}  // namespace understudy::store::sql
