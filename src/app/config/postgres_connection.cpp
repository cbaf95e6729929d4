#include "app/config/postgres_connection.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/text.h"

namespace understudy::app {
namespace {

using core::Errc;

struct Word {
    std::string_view npgsql;  ///< lower-case, without blanks
    std::string_view libpq;   ///< empty: known, but without effect here
};

// Npgsql's documented parameters that have a libpq counterpart, and those that people paste along.
constexpr std::array words{
    Word{"host", "host"},
    Word{"server", "host"},
    Word{"port", "port"},
    Word{"database", "dbname"},
    Word{"db", "dbname"},
    Word{"username", "user"},
    Word{"userid", "user"},
    Word{"user", "user"},
    Word{"uid", "user"},
    Word{"password", "password"},
    Word{"pwd", "password"},
    Word{"passfile", "passfile"},
    Word{"sslmode", "sslmode"},
    Word{"rootcertificate", "sslrootcert"},
    Word{"sslcertificate", "sslcert"},
    Word{"sslkey", "sslkey"},
    Word{"sslpassword", "sslpassword"},
    Word{"timeout", "connect_timeout"},
    Word{"applicationname", "application_name"},
    Word{"options", "options"},
    Word{"searchpath", ""},
    Word{"pooling", ""},
    Word{"minimumpoolsize", ""},
    Word{"maximumpoolsize", ""},
    Word{"minpoolsize", ""},
    Word{"maxpoolsize", ""},
    Word{"connectionidlelifetime", ""},
    Word{"connectionlifetime", ""},
    Word{"commandtimeout", ""},
    Word{"keepalive", ""},
    Word{"tcpkeepalive", ""},
    Word{"trustservercertificate", ""},
    Word{"includeerrordetail", ""},
    Word{"persistsecurityinfo", ""},
    Word{"enlist", ""},
    Word{"encoding", ""},
    Word{"timezone", ""},
    Word{"multiplexing", ""},
    Word{"noresetonclose", ""},
    Word{"maxautoprepare", ""},
    Word{"autoprepareminusages", ""},
    Word{"cancellationtimeout", ""},
};

// libpq's values, by Npgsql's names without case, blanks and dashes.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> ssl_modes{{{"disable", "disable"},
                                                                                  {"allow", "allow"},
                                                                                  {"prefer", "prefer"},
                                                                                  {"require", "require"},
                                                                                  {"verifyca", "verify-ca"},
                                                                                  {"verifyfull", "verify-full"}}};

std::string squeeze(std::string_view text) {
    std::string result;
    for (const char c : core::to_lower_ascii(text)) {
        if (c != ' ' && c != '-' && c != '_') result += c;
    }
    return result;
}

// libpq's own quoting: single quotes, with \ before ' and \.
std::string libpq_quoted(std::string_view value) {
    std::string result = "'";
    for (const char c : value) {
        if (c == '\'' || c == '\\') result += '\\';
        result += c;
    }
    return result + "'";
}

// What people take for a key may be the rest of a password with an unquoted ';' in it, or a whole URL.
std::string shown(std::string_view word) {
    const bool plain = !word.empty() && word.size() <= 30 && std::ranges::all_of(word, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ' || c == '_' ||
               c == '-';
    });
    return plain ? "'" + std::string(word) + "'" : "(not shown: it may hold a password)";
}

struct Pair {
    std::string key, value;
};

// ADO.NET's grammar: key=value;…, a value may stand in single or double quotes, which are doubled inside.
core::Result<std::vector<Pair>> split_pairs(std::string_view text) {
    std::vector<Pair> pairs;
    std::size_t at = 0;
    while (at < text.size()) {
        if (text[at] == ';' || text[at] == ' ') {
            ++at;
            continue;
        }
        const auto equals = text.find('=', at);
        if (equals == std::string_view::npos) {
            return core::fail(Errc::invalid, "a word without '=' stands behind " +
                                                 (pairs.empty() ? "the start" : shown(pairs.back().key)));
        }
        Pair pair{std::string(core::trim(text.substr(at, equals - at))), {}};
        at = equals + 1;
        while (at < text.size() && text[at] == ' ') ++at;
        if (at < text.size() && (text[at] == '\'' || text[at] == '"')) {
            const char quote = text[at++];
            bool closed = false;
            while (at < text.size()) {
                if (text[at] != quote) {
                    pair.value += text[at++];
                } else if (at + 1 < text.size() && text[at + 1] == quote) {
                    pair.value += quote;
                    at += 2;
                } else {
                    ++at;
                    closed = true;
                    break;
                }
            }
            if (!closed)
                return core::fail(Errc::invalid,
                                  "the quote that opens the value of " + shown(pair.key) + " is never closed");
        } else {
            const auto end = std::min(text.find(';', at), text.size());
            pair.value = std::string(core::trim(text.substr(at, end - at)));
            at = end;
        }
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

const Word* find_word(std::string_view key) {
    const auto squeezed = squeeze(key);
    const auto found = std::ranges::find(words, squeezed, &Word::npgsql);
    return found == words.end() ? nullptr : &*found;
}

core::Result<PostgresConnection> from_npgsql(std::string_view text) {
    const auto pairs = split_pairs(text);
    if (!pairs) return tl::unexpected(pairs.error());
    PostgresConnection result;
    bool has_host = false, behind_password = false;
    for (const auto& [key, value] : *pairs) {
        const auto* word = find_word(key);
        if (word == nullptr) {
            std::vector<std::string> known;
            known.reserve(words.size());
            for (const auto& candidate : words) known.emplace_back(candidate.npgsql);
            const auto near = core::nearest(squeeze(key), known);
            const auto guess = near ? ", did you mean '" + *near + "'?" : std::string{};
            if (behind_password) {
                return core::fail(Errc::invalid, "an unknown word stands behind the password" + guess +
                                                     "; a password with ; in it must be quoted, as in Password='a;b'");
            }
            return core::fail(Errc::invalid, "unknown word " + shown(key) + guess);
        }
        behind_password = word->libpq == "password";
        if (word->libpq.empty()) {
            result.warnings.push_back("'" + key + "' has no effect here");
            continue;
        }
        auto translated = value;
        if (word->libpq == "sslmode") {
            const auto squeezed = squeeze(value);
            const auto mode = std::ranges::find(ssl_modes, squeezed, [](const auto& m) { return m.first; });
            if (mode == ssl_modes.end()) {
                return core::fail(
                    Errc::invalid,
                    "SSL Mode " + shown(value) + " must be Disable, Allow, Prefer, Require, VerifyCA or VerifyFull");
            }
            translated = mode->second;
        }
        if (word->libpq == "host") has_host = !value.empty();
        if (word->libpq == "port" &&
            (value.empty() || !std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; }))) {
            return core::fail(Errc::invalid, "Port " + shown(value) + " must be a number of 1 .. 65535");
        }
        result.conninfo +=
            (result.conninfo.empty() ? "" : " ") + std::string(word->libpq) + "=" + libpq_quoted(translated);
    }
    if (!has_host) return core::fail(Errc::invalid, "names no Host");
    return result;
}

}  // namespace

core::Result<PostgresConnection> parse_postgres_connection(std::string_view text) {
    text = core::trim(text);
    if (text.starts_with("postgresql://") || text.starts_with("postgres://"))
        return PostgresConnection{std::string(text), {}};
    if (text.find("://") < text.find_first_of(";= '\"")) {
        return core::fail(Errc::invalid, "is a URL of another kind; PostgreSQL's begin with postgresql://");
    }
    // libpq keywords are separated by blanks and are lower-case words of its own; Npgsql's have `;` or its spellings.
    const auto first_key = core::trim(text.substr(0, text.find('=')));
    constexpr std::array libpq_only{"dbname", "hostaddr", "user", "host", "port", "service", "sslmode", "password"};
    const bool looks_libpq =
        text.find(';') == std::string_view::npos && std::ranges::find(libpq_only, first_key) != std::end(libpq_only);
    if (looks_libpq) return PostgresConnection{std::string(text), {}};
    return from_npgsql(text);
}

core::Result<std::filesystem::path> sqlite_file(std::string_view text, const std::filesystem::path& fallback) {
    text = core::trim(text);
    if (text.empty()) return fallback;
    if (text.starts_with("postgres")) {
        return core::fail(
            Errc::invalid,
            "names PostgreSQL, but Jellyfin:Database:Provider is SQLite; set Jellyfin:Database:Provider=PostgreSQL");
    }
    if (text.find('=') == std::string_view::npos) return std::filesystem::path(text);
    const auto pairs = split_pairs(text);
    if (!pairs) return tl::unexpected(pairs.error());
    std::optional<std::filesystem::path> file;
    for (const auto& [key, value] : *pairs) {
        const auto word = squeeze(key);
        if (word == "datasource" || word == "filename")
            file = value;
        else if (find_word(key) != nullptr && word != "pooling") {
            return core::fail(
                Errc::invalid,
                shown(key) +
                    " belongs to PostgreSQL; set Jellyfin:Database:Provider=PostgreSQL, or give Data Source=FILE");
        }
    }
    if (!file || file->empty()) return core::fail(Errc::invalid, "names no file; write Data Source=FILE");
    return *file;
}

}  // namespace understudy::app
