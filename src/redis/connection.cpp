#include "redis/connection.h"

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <deque>

#include "core/check.h"
#include "redis/resolver.h"
#include "redis/stream.h"

namespace understudy::redis {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t max_waiting_replies = 64;  // nobody asked for more than one; more is a peer gone mad

tl::unexpected<Failure> failed(ErrorClass kind, Cause cause, std::string detail) {
    return tl::unexpected(Failure{kind, cause, false, std::move(detail)});
}

}  // namespace

Failure failure_of(const Reply& error) {
    const auto reading = read_error(error.text);
    return {reading.kind, reading.cause, false, printable_error(error.text)};
}

/// What handlers under way keep alive after the connection has let go of it.
struct Connection::Session : std::enable_shared_from_this<Session> {
    explicit Session(asio::io_context& context) : stream(context) {}

    Stream stream;
    ReplyReader reader;
    std::deque<Reply> replies;
    std::optional<Failure> broken;
    std::function<void(std::string_view)> on_message;
    bool answered = false;  // it has sent a whole reply
    std::array<char, 16384> chunk{};
    std::string outgoing;

    /// Always one read under way, so that a close by the server is seen while nobody waits.
    void read_on() {
        stream.async_read_some(asio::buffer(chunk), [self = shared_from_this()](error_code error, std::size_t length) {
            if (error) return self->break_off(self->lost(error));
            self->take(std::string_view(self->chunk.data(), length));
            if (!self->broken) self->read_on();
        });
    }

    Failure lost(error_code error) const {
        auto failure = stream.failure(error, "reading");
        if (!answered && !stream.is_tls()) failure.detail += " before its first reply (a TLS port? then set ssl=true)";
        return failure;
    }

    void take(std::string_view bytes) {
        const auto nonsense = [&](std::string detail) {
            break_off({ErrorClass::unreachable, Cause::protocol, false, std::move(detail)});
        };
        if (const auto fed = reader.feed(bytes); !fed) return nonsense(fed.error().context);
        while (!broken) {
            auto reply = reader.next();
            if (!reply) return nonsense(reply.error().context);
            if (!*reply) return;
            take(std::move(**reply));
            if (replies.size() > max_waiting_replies) return nonsense("the server sends replies that nobody asked for");
        }
    }

    void take(Reply&& reply) {
        answered = true;
        const bool message = on_message && reply.kind == Reply::Kind::array && reply.elements.size() == 3 &&
                             reply.elements[0].text == "message";
        if (message) {
            on_message(reply.elements[2].text);
        } else {
            replies.push_back(std::move(reply));
        }
    }

    void break_off(Failure failure) {
        if (!broken) broken = std::move(failure);
        on_message = nullptr;
        stream.close();
    }

    void send(std::string bytes) {
        outgoing = std::move(bytes);
        // A write that fails breaks nothing off: the read under way fails too, after it has found the server's last
        // word.
        stream.async_write(asio::buffer(outgoing), [self = shared_from_this()](error_code, std::size_t) {});
    }
};

Connection::Connection(Loop& loop, core::Millis patience)
    : loop_(loop), patience_(patience), resolver_(std::make_unique<Resolver>(loop)) {}

Connection::~Connection() {
    close();
}

void Connection::close() noexcept {
    if (!session_) return;
    session_->break_off({ErrorClass::unreachable, Cause::network, false, "closed"});
    session_.reset();
}

bool Connection::is_open() {
    if (!session_) return false;
    loop_.poll();
    if (session_->broken) close();
    return session_ != nullptr;
}

tl::unexpected<Failure> Connection::timed_out(const std::string& while_doing, bool maybe_applied) {
    close();
    return tl::unexpected(
        Failure{ErrorClass::unreachable, Cause::network, maybe_applied, while_doing + ": no answer in time"});
}

Outcome<void> Connection::open(const ConnectionSettings& settings, Deadline deadline) {
    CHECK(!settings.endpoints.empty());
    Outcome<void> outcome;
    for (std::size_t tries = 0; tries < settings.endpoints.size(); ++tries) {
        outcome = open_endpoint(settings, settings.endpoints[next_endpoint_ % settings.endpoints.size()], deadline);
        if (outcome) return outcome;
        next_endpoint_ = (next_endpoint_ + 1) % settings.endpoints.size();
        if (Clock::now() >= deadline) break;
    }
    return outcome;
}

Outcome<void> Connection::open_endpoint(const ConnectionSettings& settings, const Endpoint& endpoint,
                                        Deadline deadline) {
    close();
    peer_ = endpoint.str();
    const auto addresses = resolver_->resolve(endpoint.host, deadline);
    if (!addresses) return tl::unexpected(addresses.error());
    Outcome<void> outcome;
    for (std::size_t i = 0; i < addresses->size(); ++i) {
        // An address that swallows packets must leave time for the next.
        const auto left = deadline - Clock::now();
        const auto share = Clock::now() + left / static_cast<int>(addresses->size() - i);
        const Address address{endpoint, (*addresses)[i]};
        outcome = open_address(settings, address, share, deadline);
        // Where somebody answered, another address of the same name would say the same.
        if (outcome || outcome.error().cause != Cause::network || Clock::now() >= deadline) return outcome;
    }
    return outcome;
}

Outcome<void> Connection::open_beside(const Connection& other, const ConnectionSettings& settings, Deadline deadline) {
    CHECK(other.address_);
    close();
    return open_address(settings, *other.address_, deadline, deadline);
}

Outcome<void> Connection::open_address(const ConnectionSettings& settings, const Address& address, Deadline connect_by,
                                       Deadline deadline) {
    warnings_.clear();
    address_ = address;
    peer_ = address.endpoint.str();
    if (address.numeric != address.endpoint.host) peer_ += " (" + address.numeric + ")";
    error_code bad;
    const auto numeric = asio::ip::make_address(address.numeric, bad);
    if (bad) return failed(ErrorClass::unreachable, Cause::name, "connect to " + peer_ + ": " + bad.message());

    session_ = std::make_shared<Session>(loop_.context());
    const auto step = std::make_shared<std::optional<error_code>>();  // outlives this call where we give up first
    session_->stream.socket().async_connect(asio::ip::tcp::endpoint(numeric, address.endpoint.port),
                                            [step, self = session_](error_code error) { *step = error; });
    if (!loop_.run_until(connect_by, [&] { return step->has_value(); })) return timed_out("connect to " + peer_, false);
    if (**step) {
        auto failure = session_->stream.failure(**step, "connect to " + peer_);
        close();
        return tl::unexpected(std::move(failure));
    }
    session_->stream.set_options(patience_);
    if (settings.tls) {
        const auto& name = settings.tls_server_name.empty() ? address.endpoint.host : settings.tls_server_name;
        if (auto ready = session_->stream.use_tls(settings, name); !ready) {
            close();
            return ready;
        }
        step->reset();
        session_->stream.async_handshake([step, self = session_](error_code error) { *step = error; });
        if (!loop_.run_until(deadline, [&] { return step->has_value(); })) {
            return timed_out("TLS handshake with " + peer_ + " (does the port speak TLS?)", false);
        }
        if (**step) {
            auto failure = session_->stream.failure(**step, "TLS handshake with " + peer_);
            close();
            return tl::unexpected(std::move(failure));
        }
    }
    session_->read_on();
    auto entered = log_in(settings, deadline);
    if (entered) entered = verify_role(deadline);
    if (!entered) close();
    return entered;
}

Outcome<void> Connection::log_in(const ConnectionSettings& settings, Deadline deadline) {
    const auto refused = [&](const Reply& reply) { return tl::unexpected(failure_of(reply)); };
    if (!settings.password.empty() || !settings.user.empty()) {
        const auto reply = settings.user.empty() ? call({"AUTH", settings.password}, deadline)
                                                 : call({"AUTH", settings.user, settings.password}, deadline);
        if (!reply) return tl::unexpected(reply.error());
        if (reply->is_error()) return refused(*reply);
    }
    if (settings.database != 0) {
        const auto reply = call({"SELECT", std::to_string(settings.database)}, deadline);
        if (!reply) return tl::unexpected(reply.error());
        if (reply->is_error()) return refused(*reply);
    }
    if (!settings.client_name.empty()) {
        const auto reply = call({"CLIENT", "SETNAME", settings.client_name}, deadline);
        if (!reply) return tl::unexpected(reply.error());
        // The name is for people that look at CLIENT LIST: no reason to stay away. Other refusals concern all commands.
        const bool nameless = reply->is_error() && read_error(reply->text).cause == Cause::right;
        if (reply->is_error() && !nameless) return refused(*reply);
        if (nameless) warnings_.push_back("CLIENT SETNAME: " + printable_error(reply->text));
    }
    return {};
}

Outcome<void> Connection::verify_role(Deadline deadline) {
    const auto reply = call({"ROLE"}, deadline);
    if (!reply) return tl::unexpected(reply.error());
    if (reply->is_error()) {
        const auto reading = read_error(reply->text);
        if (reading.cause != Cause::right && reading.cause != Cause::command) return tl::unexpected(failure_of(*reply));
        warnings_.push_back("ROLE: " + printable_error(reply->text) +
                            "; a replica is then noticed only when it refuses to write");
        return {};
    }
    const auto role = reply->elements.empty() ? std::string_view{} : std::string_view(reply->elements.front().text);
    if (role == "slave" || role == "replica") {
        return failed(ErrorClass::transient, Cause::role, "READONLY: " + peer_ + " is a replica");
    }
    if (role == "sentinel") {
        return failed(ErrorClass::misconfigured, Cause::role,
                      peer_ + " is a Sentinel, which is not supported yet: name the primary itself");
    }
    return {};
}

Outcome<Reply> Connection::call(std::initializer_list<std::string_view> words, Deadline deadline) {
    return call(std::span<const std::string_view>(words.begin(), words.size()), deadline);
}

Outcome<Reply> Connection::call(std::span<const std::string_view> words, Deadline deadline) {
    if (!session_) return failed(ErrorClass::unreachable, Cause::network, "not connected to " + peer_);
    loop_.poll();
    const std::string doing = std::string(words.front()) + " at " + peer_;
    bool sent = false;
    if (session_->replies.empty()) {
        if (session_->broken) {
            auto failure = *session_->broken;
            failure.detail = doing + ": " + failure.detail;
            close();
            return tl::unexpected(std::move(failure));
        }
        session_->send(encode_command(words));
        sent = true;
        const auto& session = *session_;
        if (!loop_.run_until(deadline, [&] { return !session.replies.empty() || session.broken.has_value(); })) {
            return timed_out(doing, true);
        }
    }
    if (session_->replies.empty()) {
        auto failure = *session_->broken;
        failure.maybe_applied = true;
        failure.detail = doing + ": " + failure.detail;
        close();
        return tl::unexpected(std::move(failure));
    }
    auto reply = std::move(session_->replies.front());
    session_->replies.pop_front();
    // A reply before the question: the server's reason for closing (too many clients, protected mode), or nonsense.
    if (!sent && !reply.is_error()) {
        close();
        return failed(ErrorClass::unreachable, Cause::protocol,
                      doing + ": the server sent a reply that nobody asked for");
    }
    if (!sent || (reply.is_error() && read_error(reply.text).drop)) close();
    return reply;
}

Outcome<Reply> Connection::evaluate(const Script& script, std::span<const std::string_view> keys,
                                    std::span<const std::string_view> arguments, Deadline deadline) {
    const std::string count = std::to_string(keys.size());
    std::vector<std::string_view> words = {"EVALSHA", script.sha1(), count};
    words.insert(words.end(), keys.begin(), keys.end());
    words.insert(words.end(), arguments.begin(), arguments.end());
    auto reply = call(words, deadline);
    if (!reply || !reply->is_error() || !reply->text.starts_with("NOSCRIPT")) return reply;
    words[0] = "EVAL";
    words[1] = script.text();
    return call(words, deadline);
}

Outcome<void> Connection::subscribe(const std::string& channel, std::function<void(std::string_view)> on_message,
                                    Deadline deadline) {
    if (session_) session_->on_message = std::move(on_message);
    const auto reply = call({"SUBSCRIBE", channel}, deadline);
    if (!reply) return tl::unexpected(reply.error());
    if (reply->is_error()) {
        close();
        return tl::unexpected(failure_of(*reply));
    }
    if (reply->elements.size() != 3 || reply->elements[0].text != "subscribe") {
        close();
        return failed(ErrorClass::unreachable, Cause::protocol, "SUBSCRIBE at " + peer_ + ": not confirmed");
    }
    return {};
}

}  // namespace understudy::redis
