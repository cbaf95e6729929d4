#include "store/sql/dialect.h"

#include <array>
#include <cctype>

namespace understudy::store::sql {
namespace {

struct Word {
    std::string_view name, sqlite, postgresql;
};

constexpr std::array words{
    // julianday is exact to the millisecond: SQLite keeps whole milliseconds inside. clock_timestamp() and not now(): a
    // claim asks how late it is, not when its transaction began.
    Word{"{now_ms}", "CAST(ROUND((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)",
         "CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT)"},
    Word{"{for_update}", "", "FOR UPDATE"},
    Word{"{for_no_key_update}", "", "FOR NO KEY UPDATE"},
    Word{"{for_key_share}", "", "FOR KEY SHARE"},
    Word{"{bigserial}", "INTEGER PRIMARY KEY AUTOINCREMENT", "BIGSERIAL PRIMARY KEY"},
    Word{"{bytes}", "BLOB", "BYTEA"},
    // Sorted by code point, whatever locale the cluster was made with: both databases then list in the same order.
    Word{"{text_c}", "TEXT", "TEXT COLLATE \"C\""},
    // A table stored in the order of its key; PostgreSQL has no such thing.
    Word{"{without_rowid}", "WITHOUT ROWID", ""},
};

// The end of what starts at `at` and must be copied as it is: a literal, quoted name or comment; `at` where nothing
// such starts there.
std::size_t skip_opaque(std::string_view sql, std::size_t at) {
    const char c = sql[at];
    if (c == '\'' || c == '"') {
        std::size_t end = at + 1;
        while (end < sql.size()) {
            if (sql[end] != c) {
                ++end;
            } else if (end + 1 < sql.size() && sql[end + 1] == c) {
                end += 2;
            } else {
                return end + 1;
            }
        }
        return sql.size();
    }
    if (sql.substr(at, 2) == "--") {
        const auto end = sql.find('\n', at);
        return end == std::string_view::npos ? sql.size() : end;
    }
    if (sql.substr(at, 2) == "/*") {
        const auto end = sql.find("*/", at + 2);
        return end == std::string_view::npos ? sql.size() : end + 2;
    }
    return at;
}

bool is_blank(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
            ++at;
            continue;
        }
        const bool comment = text.substr(at, 2) == "--" || text.substr(at, 2) == "/*";
        if (!comment) return false;
        at = skip_opaque(text, at);
    }
    return true;
}

}  // namespace

std::string translate(std::string_view sql, Dialect dialect) {
    std::string out;
    out.reserve(sql.size() + 64);
    int parameter = 0;
    for (std::size_t at = 0; at < sql.size();) {
        if (const auto end = skip_opaque(sql, at); end != at) {
            out += sql.substr(at, end - at);
            at = end;
            continue;
        }
        if (sql[at] == '?' && dialect == Dialect::postgresql) {
            out += '$';
            out += std::to_string(++parameter);
            ++at;
            continue;
        }
        bool replaced = false;
        if (sql[at] == '{') {
            for (const auto& word : words) {
                if (sql.substr(at, word.name.size()) != word.name) continue;
                out += dialect == Dialect::sqlite ? word.sqlite : word.postgresql;
                at += word.name.size();
                replaced = true;
                break;
            }
        }
        if (!replaced) out += sql[at++];
    }
    return out;
}

std::vector<std::string> split_statements(std::string_view script) {
    std::vector<std::string> statements;
    std::size_t from = 0;
    const auto take = [&](std::size_t to) {
        const auto text = script.substr(from, to - from);
        if (!is_blank(text)) statements.emplace_back(text);
    };
    for (std::size_t at = 0; at < script.size();) {
        if (const auto end = skip_opaque(script, at); end != at) {
            at = end;
        } else if (script[at] == ';') {
            take(at);
            from = ++at;
        } else {
            ++at;
        }
    }
    take(script.size());
    return statements;
}

std::string describe_statement(std::string_view sql) {
    constexpr std::size_t longest = 100;
    std::string line;
    bool blank = true;
    for (const char c : sql) {
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            if (!blank) line += ' ';
            blank = true;
        } else {
            line += c;
            blank = false;
        }
        if (line.size() >= longest) return line + "…";
    }
    return line;
}

}  // namespace understudy::store::sql
