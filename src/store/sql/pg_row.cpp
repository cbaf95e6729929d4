#include "store/sql/pg_row.h"

#include <cmath>
#include <cstring>

#include "core/check.h"

namespace understudy::store::sql {
namespace {

// catalog/pg_type.dat of PostgreSQL; these numbers never change.
enum Type : Oid {
    bool_type = 16,
    bytea_type = 17,
    char_type = 18,
    name_type = 19,
    int8_type = 20,
    int2_type = 21,
    int4_type = 23,
    text_type = 25,
    oid_type = 26,
    json_type = 114,
    float4_type = 700,
    float8_type = 701,
    unknown_type = 705,
    bpchar_type = 1042,
    varchar_type = 1043,
    numeric_type = 1700,
    void_type = 2278,
    jsonb_type = 3802,
};

std::uint64_t big_endian(const char* data, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = (value << 8U) | static_cast<unsigned char>(data[i]);
    return value;
}

// numeric on the wire: count, weight, sign, scale, then digits to the base of 10000. sum() of bigint gives one.
long double numeric(const char* data) {
    const auto word = [data](std::size_t i) { return static_cast<std::uint16_t>(big_endian(data + 2 * i, 2)); };
    const auto count = word(0);
    const auto weight = static_cast<std::int16_t>(word(1));
    long double value = 0;
    for (std::size_t i = 0; i < count; ++i) value = value * 10000 + word(4 + i);
    value *= std::pow(10000.0L, static_cast<long double>(weight + 1 - count));
    return word(2) == 0x4000 ? -value : value;
}

bool is_text(Oid type) {
    return type == text_type || type == varchar_type || type == bpchar_type || type == name_type || type == json_type ||
           type == jsonb_type || type == unknown_type || type == char_type;
}
bool is_integer(Oid type) {
    return type == int8_type || type == int4_type || type == int2_type || type == bool_type || type == oid_type;
}

}  // namespace

int PgRow::checked(std::size_t column) const {
    CHECK(column < static_cast<std::size_t>(columns_));
    return static_cast<int>(column);
}

bool PgRow::is_null(std::size_t column) const {
    return PQgetisnull(result_, row_, checked(column)) != 0;
}

std::int64_t PgRow::integer(std::size_t column) const {
    const int at = checked(column);
    if (PQgetisnull(result_, row_, at) != 0) return 0;
    const auto type = PQftype(result_, at);
    const char* data = PQgetvalue(result_, row_, at);
    if (type == numeric_type) return static_cast<std::int64_t>(std::llround(numeric(data)));
    CHECK(is_integer(type));
    const auto size = static_cast<std::size_t>(PQgetlength(result_, row_, at));
    const auto bits = big_endian(data, size);
    if (type == int4_type) return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
    if (type == int2_type) return static_cast<std::int16_t>(static_cast<std::uint16_t>(bits));
    return static_cast<std::int64_t>(bits);
}

double PgRow::real(std::size_t column) const {
    const int at = checked(column);
    if (PQgetisnull(result_, row_, at) != 0) return 0;
    const auto type = PQftype(result_, at);
    const char* data = PQgetvalue(result_, row_, at);
    if (type == float8_type) {
        const auto bits = big_endian(data, 8);
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (type == float4_type) {
        const auto bits = static_cast<std::uint32_t>(big_endian(data, 4));
        float value = 0;
        std::memcpy(&value, &bits, sizeof value);
        return static_cast<double>(value);
    }
    if (type == numeric_type) return static_cast<double>(numeric(data));
    return static_cast<double>(integer(column));
}

std::string PgRow::text(std::size_t column) const {
    const int at = checked(column);
    if (PQgetisnull(result_, row_, at) != 0) return {};
    const auto type = PQftype(result_, at);
    CHECK(is_text(type));
    const char* data = PQgetvalue(result_, row_, at);
    const auto size = static_cast<std::size_t>(PQgetlength(result_, row_, at));
    if (type == jsonb_type) return size == 0 ? std::string{} : std::string(data + 1, size - 1);  // a version byte first
    return {data, size};
}

std::string PgRow::bytes(std::size_t column) const {
    const int at = checked(column);
    if (PQgetisnull(result_, row_, at) != 0) return {};
    CHECK(PQftype(result_, at) == bytea_type);
    return {PQgetvalue(result_, row_, at), static_cast<std::size_t>(PQgetlength(result_, row_, at))};
}

std::string unreadable_column(const PGresult* result) {
    for (int i = 0; i < PQnfields(result); ++i) {
        const auto type = PQftype(result, i);
        const bool readable = is_text(type) || is_integer(type) || type == numeric_type || type == float4_type ||
                              type == float8_type || type == bytea_type || type == void_type;
        if (!readable) return PQfname(result, i);
    }
    return {};
}

}  // namespace understudy::store::sql
