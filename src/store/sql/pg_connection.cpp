#include "store/sql/pg_connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <stdexcept>

namespace understudy::store::sql {
namespace {

using std::chrono::steady_clock;

constexpr Oid bytea_oid = 17, int8_oid = 20, float8_oid = 701, inferred_oid = 0;
constexpr std::chrono::seconds one_host{3};
constexpr std::chrono::milliseconds ask_stop_every{500};

enum class Ready { yes, timeout, interrupted };

// Waits for `events` on `fd`, or for anything on `interrupt`.
Ready wait_for(int fd, short events, Deadline deadline, int interrupt) {
    for (;;) {
        std::array<pollfd, 2> fds{pollfd{fd, events, 0}, pollfd{interrupt, POLLIN, 0}};
        const auto left = std::chrono::ceil<core::Millis>(deadline - steady_clock::now()).count();
        const int wait = static_cast<int>(std::clamp<long long>(left, 0, 3'600'000));
        const int found = ::poll(fds.data(), interrupt >= 0 ? 2 : 1, wait);
        if (found < 0 && errno == EINTR) continue;
        if (found > 0 && interrupt >= 0 && fds[1].revents != 0) return Ready::interrupted;
        if (found > 0) return Ready::yes;
        if (steady_clock::now() >= deadline) return Ready::timeout;
    }
}

std::string trimmed(const char* text) {
    std::string line = text == nullptr ? "" : text;
    while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
}

std::vector<std::string> comma_list(const std::string& text) {
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (;;) {
        const auto comma = text.find(',', from);
        parts.push_back(text.substr(from, comma == std::string::npos ? comma : comma - from));
        if (comma == std::string::npos) return parts;
        from = comma + 1;
    }
}

template <class Unsigned>
std::array<char, 8> big_endian(Unsigned bits) {
    std::array<char, 8> bytes{};
    for (std::size_t i = 0; i < 8; ++i) bytes.at(i) = static_cast<char>((bits >> (8 * (7 - i))) & 0xff);
    return bytes;
}

}  // namespace

PgSettings::PgSettings(const std::string& conninfo) {
    char* problem = nullptr;
    const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options{
        PQconninfoParse(conninfo.c_str(), &problem), &PQconninfoFree};
    if (!options) {
        // Only this complaint names a keyword and never a value, which could be the password.
        const auto text = trimmed(problem);
        PQfreemem(problem);
        const bool safe = text.rfind("invalid connection option", 0) == 0;
        throw std::runtime_error("PostgreSQL connection string: " +
                                 (safe ? text : std::string("neither keyword=value pairs nor a postgresql:// URL")));
    }
    std::map<std::string, std::string> given;
    for (const auto* option = options.get(); option->keyword != nullptr; ++option) {
        if (option->val != nullptr) given[option->keyword] = option->val;
    }
    // A vanished server is noticed after 10 + 3 × 5 s without traffic, or 10 s after something was sent.
    const std::map<std::string, std::string> defaults{{"fallback_application_name", "understudy"},
                                                      {"keepalives", "1"},
                                                      {"keepalives_idle", "10"},
                                                      {"keepalives_interval", "5"},
                                                      {"keepalives_count", "3"},
                                                      {"tcp_user_timeout", "10000"},
                                                      {"client_encoding", "UTF8"},
                                                      {"target_session_attrs", "read-write"}};
    for (const auto& [keyword, value] : defaults) given.try_emplace(keyword, value);

    // libpq tries several hosts by itself, but an asynchronous connect hangs at the first that does not answer.
    const auto hosts = comma_list(given["host"]), addresses = comma_list(given["hostaddr"]),
               ports = comma_list(given["port"]);
    const auto count = std::max(hosts.size(), addresses.size());
    const auto pick = [](const std::vector<std::string>& list, std::size_t i) {
        return list.size() > i ? list[i] : list[0];
    };
    for (std::size_t i = 0; i < count; ++i) {
        auto one = given;
        one["host"] = hosts.size() > i ? hosts[i] : "";
        one["hostaddr"] = addresses.size() > i ? addresses[i] : "";
        one["port"] = pick(ports, i);
        Keywords keywords;
        for (auto& [keyword, value] : one) {
            if (!value.empty()) keywords.emplace_back(keyword, value);
        }
        hosts_.push_back(std::move(keywords));
    }
}

PgParameters::PgParameters(const std::vector<Value>& values) {
    const auto count = values.size();
    types_.reserve(count);
    values_.reserve(count);
    lengths_.reserve(count);
    formats_.reserve(count);
    numbers_.reserve(count);  // never moves: values_ points into it
    const auto add = [this](Oid type, const char* value, std::size_t length, bool binary) {
        types_.push_back(type);
        values_.push_back(value);
        lengths_.push_back(static_cast<int>(length));
        formats_.push_back(binary ? 1 : 0);
    };
    for (const auto& value : values) {
        if (std::holds_alternative<Null>(value)) {
            add(inferred_oid, nullptr, 0, false);
        } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
            numbers_.push_back(big_endian(static_cast<std::uint64_t>(*integer)));
            add(int8_oid, numbers_.back().data(), 8, true);
        } else if (const auto* real = std::get_if<double>(&value)) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, real, sizeof bits);
            numbers_.push_back(big_endian(bits));
            add(float8_oid, numbers_.back().data(), 8, true);
        } else if (const auto* text = std::get_if<std::string>(&value)) {
            // As text, so that the server may infer a type whose text this is (jsonb, an array).
            fine_ = fine_ && text->find('\0') == std::string::npos;
            add(inferred_oid, text->c_str(), text->size(), false);
        } else if (const auto* bytes = std::get_if<Bytes>(&value)) {
            add(bytea_oid, bytes->value.data(), bytes->value.size(), true);
        }
    }
}

std::string PgParameters::signature() const {
    std::string letters;
    letters.reserve(types_.size());
    for (const auto type : types_) {
        letters += type == int8_oid ? 'i' : type == float8_oid ? 'f' : type == bytea_oid ? 'b' : 't';
    }
    return letters;
}

core::Result<PgPtr> PgConnection::connect(const PgSettings::Keywords& keywords, Deadline deadline, int interrupt) {
    std::vector<const char*> names, values;
    std::string where = "PostgreSQL";
    for (const auto& [name, value] : keywords) {
        names.push_back(name.c_str());
        values.push_back(value.c_str());
        if (name == "host" || name == "hostaddr" || name == "port") where += " " + name + "=" + value;
    }
    names.push_back(nullptr);
    values.push_back(nullptr);
    PgPtr connection{PQconnectStartParams(names.data(), values.data(), 0)};
    if (!connection) return core::fail(core::Errc::unavailable, where + ": no memory");
    auto state = PQstatus(connection.get()) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
    while (state == PGRES_POLLING_READING || state == PGRES_POLLING_WRITING) {
        // The socket may be another one after each step.
        const short events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT;
        switch (wait_for(PQsocket(connection.get()), events, deadline, interrupt)) {
            case Ready::yes:
                break;
            case Ready::timeout:
                return core::fail(core::Errc::timed_out, where + ": no answer while connecting");
            case Ready::interrupted:
                return core::fail(core::Errc::cancelled, where + ": connecting was interrupted");
        }
        state = PQconnectPoll(connection.get());
    }
    if (state != PGRES_POLLING_OK) {
        return core::fail(core::Errc::unavailable, where + ": " + trimmed(PQerrorMessage(connection.get())));
    }
    if (PQsetnonblocking(connection.get(), 1) != 0) {
        return core::fail(core::Errc::unavailable, where + ": " + trimmed(PQerrorMessage(connection.get())));
    }
    PQsetNoticeProcessor(
        connection.get(), [](void*, const char*) {}, nullptr);  // warnings would go to stderr
    return connection;
}

core::Result<std::unique_ptr<PgConnection>> PgConnection::open(const PgSettings& settings, Deadline deadline,
                                                               int interrupt) {
    core::Result<PgPtr> connection = core::fail(core::Errc::unavailable, "PostgreSQL: no host");
    for (const auto& keywords : settings.hosts()) {
        connection = connect(keywords, std::min(deadline, steady_clock::now() + one_host), interrupt);
        if (connection || connection.error().code == core::Errc::cancelled) break;
    }
    if (!connection) return tl::unexpected(connection.error());
    return std::unique_ptr<PgConnection>(new PgConnection(std::move(*connection)));
}

PgConnection::~PgConnection() {
    // Without this PQfinish says good-bye, which a peer that reads no more could keep us waiting for.
    if (broken_ && PQsocket(connection_.get()) >= 0) ::shutdown(PQsocket(connection_.get()), SHUT_RDWR);
}

tl::unexpected<core::Error> PgConnection::lost(core::Errc code, std::string text) {
    broken_ = true;
    sqlstate_.clear();
    return core::fail(code, "PostgreSQL: " + std::move(text));
}

core::Result<PgResultPtr> PgConnection::judge(PgResultPtr result) {
    const auto status = PQresultStatus(result.get());
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY) return result;
    const char* state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
    sqlstate_ = state == nullptr ? "" : state;
    std::string text = trimmed(PQresultErrorField(result.get(), PG_DIAG_MESSAGE_PRIMARY));
    if (text.empty()) text = trimmed(PQresultErrorMessage(result.get()));
    if (const char* detail = PQresultErrorField(result.get(), PG_DIAG_MESSAGE_DETAIL))
        text += " (" + trimmed(detail) + ")";
    if (!sqlstate_.empty()) text += " [" + sqlstate_ + "]";

    const auto in_class = [this](std::string_view prefix) { return sqlstate_.rfind(prefix, 0) == 0; };
    auto code = core::Errc::corrupt;
    if (sqlstate_ == "08P01") {
        code = core::Errc::corrupt;  // protocol violation: as many values as parameters it is not
    } else if (sqlstate_.empty() || in_class("08") || in_class("57P") || sqlstate_ == "25P03" || sqlstate_ == "25P04" ||
               PQstatus(connection_.get()) == CONNECTION_BAD) {
        // Connection lost, server going down or starting, thrown out for idling in a transaction.
        broken_ = true;
        code = core::Errc::unavailable;
    } else if (sqlstate_ == "25006" && PQtransactionStatus(connection_.get()) == PQTRANS_IDLE) {
        broken_ = true;  // a server that has become a standby: look for the new primary
        code = core::Errc::unavailable;
    } else if (sqlstate_ == "23505" || sqlstate_ == "23503") {
        code = core::Errc::conflict;
    } else if (in_class("53") || in_class("58") || in_class("XX")) {
        code = core::Errc::unavailable;  // out of disk, memory or connections; I/O errors
    } else if (sqlstate_ == "57014" || sqlstate_ == "55P03" || sqlstate_ == "40001" || sqlstate_ == "40P01") {
        code = sqlstate_ == "57014" && stopped_ ? core::Errc::cancelled : core::Errc::timed_out;
    }
    return core::fail(code, "PostgreSQL: " + text);
}

bool PgConnection::answer_comes(Deadline deadline) {
    for (;;) {
        const auto until = stop_ && !stopped_ ? std::min(deadline, steady_clock::now() + ask_stop_every) : deadline;
        if (wait_for(PQsocket(connection_.get()), POLLIN, until, -1) == Ready::yes) return true;
        if (until == deadline) return false;
        if (stop_()) cancel_statement();
    }
}

void PgConnection::cancel_statement() {
    stopped_ = true;
    struct FreeCancel {
        void operator()(PGcancel* cancel) const noexcept { PQfreeCancel(cancel); }
    };
    const std::unique_ptr<PGcancel, FreeCancel> cancel{PQgetCancel(connection_.get())};
    // Where the request does not get through, the statement ends by its own limit.
    std::array<char, 256> why{};
    if (cancel) (void)PQcancel(cancel.get(), why.data(), static_cast<int>(why.size()));
}

core::Result<PgResultPtr> PgConnection::collect(int sent, Deadline deadline) {
    auto* const raw = connection_.get();
    stopped_ = false;
    if (sent == 0) {
        const auto text = trimmed(PQerrorMessage(raw));
        return lost(core::Errc::unavailable, text);
    }
    // Send all, reading on the way so that neither side waits for the other. Where flushing fails, the answer tells
    // why.
    while (PQflush(raw) > 0) {
        if (wait_for(PQsocket(raw), POLLIN | POLLOUT, deadline, -1) != Ready::yes) {
            return lost(core::Errc::timed_out, "the statement could not be sent in time");
        }
        if (PQconsumeInput(raw) == 0) return lost(core::Errc::unavailable, trimmed(PQerrorMessage(raw)));
    }
    PgResultPtr result, failed;
    for (;;) {
        while (PQisBusy(raw) != 0) {
            if (!answer_comes(deadline)) {
                return lost(core::Errc::timed_out, "no answer in time; whether it was done is unknown");
            }
            if (PQconsumeInput(raw) == 0) return lost(core::Errc::unavailable, trimmed(PQerrorMessage(raw)));
        }
        PgResultPtr next{PQgetResult(raw)};
        if (!next) break;
        const auto status = PQresultStatus(next.get());
        if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH) {
            return lost(core::Errc::corrupt, "COPY is not used through a session");
        }
        const bool bad = status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE;
        (bad && !failed ? failed : result) = std::move(next);
    }
    if (failed) return judge(std::move(failed));
    if (!result) return lost(core::Errc::unavailable, trimmed(PQerrorMessage(raw)));
    return judge(std::move(result));
}

core::Result<PgResultPtr> PgConnection::simple(const char* sql, Deadline deadline) {
    return collect(PQsendQuery(connection_.get(), sql), deadline);
}

core::Result<PgResultPtr> PgConnection::run(const std::string& sql, const PgParameters& parameters, Deadline deadline) {
    return collect(PQsendQueryParams(connection_.get(), sql.c_str(), parameters.count(), parameters.types(),
                                     parameters.values(), parameters.lengths(), parameters.formats(), 1),
                   deadline);
}

core::Result<PgResultPtr> PgConnection::prepare(const std::string& name, const std::string& sql,
                                                const PgParameters& parameters, Deadline deadline) {
    return collect(PQsendPrepare(connection_.get(), name.c_str(), sql.c_str(), parameters.count(), parameters.types()),
                   deadline);
}

core::Result<PgResultPtr> PgConnection::run_prepared(const std::string& name, const PgParameters& parameters,
                                                     Deadline deadline) {
    return collect(PQsendQueryPrepared(connection_.get(), name.c_str(), parameters.count(), parameters.values(),
                                       parameters.lengths(), parameters.formats(), 1),
                   deadline);
}

bool PgConnection::hung_up() noexcept {
    // Nothing is due on an idle connection but a notice or the last words of a server that stops, and behind those the
    // end.
    pollfd fd{PQsocket(connection_.get()), POLLIN, 0};
    for (int reads = 0; reads < 8 && !broken_ && ::poll(&fd, 1, 0) != 0; ++reads) {
        if (PQconsumeInput(connection_.get()) == 0 || PQstatus(connection_.get()) == CONNECTION_BAD) broken_ = true;
    }
    return broken_;
}

PgConnection::Waited PgConnection::wait_notice(Deadline deadline, int interrupt) {
    for (;;) {
        bool heard = false;
        while (PGnotify* notice = PQnotifies(connection_.get())) {
            PQfreemem(notice);
            heard = true;
        }
        if (heard) return Waited::notice;
        switch (wait_for(PQsocket(connection_.get()), POLLIN, deadline, interrupt)) {
            case Ready::timeout:
                return Waited::timeout;
            case Ready::interrupted:
                return Waited::interrupted;
            case Ready::yes:
                break;
        }
        if (PQconsumeInput(connection_.get()) == 0 || PQstatus(connection_.get()) == CONNECTION_BAD) {
            broken_ = true;
            return Waited::lost;
        }
    }
}

}  // namespace understudy::store::sql
