#include "app/cli/client.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/json/parse.hpp>
#include <boost/url/encode.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>
#include <stdexcept>

#include "core/text.h"

namespace understudy::app {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;

constexpr std::uint64_t reply_limit = 256ULL << 20U;  // a page of items is a few MB at most

template <class Stream>
core::Result<Reply> exchange(asio::io_context& io, Stream& stream, http::request<http::string_body>& request) {
    beast::error_code error = asio::error::would_block;
    http::async_write(stream, request, [&](beast::error_code e, std::size_t) { error = e; });
    io.restart();
    io.run();
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.body_limit(reply_limit);
    if (!error) {
        error = asio::error::would_block;
        http::async_read(stream, buffer, parser, [&](beast::error_code e, std::size_t) { error = e; });
        io.restart();
        io.run();
    }
    if (error) return core::fail(core::Errc::timed_out, error.message());
    Reply reply;
    auto response = parser.release();
    reply.status = static_cast<int>(response.result_int());
    for (const auto& field : response)
        reply.headers[core::to_lower_ascii(field.name_string())] = std::string(field.value());
    reply.body = std::move(response.body());
    return reply;
}

}  // namespace

boost::json::value Reply::json() const {
    boost::system::error_code error;
    auto value = boost::json::parse(body, error);
    return error ? boost::json::value(nullptr) : value;
}

std::string Reply::reason() const {
    const auto value = json();
    if (const auto* object = value.if_object()) {
        for (const auto* name : {"detail", "Detail", "title", "Title", "error"}) {
            if (const auto* text = object->if_contains(name); text != nullptr && text->is_string())
                return std::string(text->get_string());
        }
    }
    const auto text = core::trim(body);
    if (text.empty() || text == "{}") return "HTTP status " + std::to_string(status);
    return std::string(text.substr(0, 2000));
}

Exit Reply::exit() const noexcept {
    if (ok()) return Exit::ok;
    if (status == 400 || status == 405 || status == 413 || status == 415) return Exit::usage;
    if (status == 401 || status == 403) return Exit::unauthorized;
    if (status == 404) return Exit::not_found;
    if (status == 409 || status == 503) return Exit::refused;
    return Exit::failed;
}

Client::Client(const std::string& url, std::string key) : url_(url), key_(std::move(key)) {
    const auto parsed = boost::urls::parse_uri(url);
    if (!parsed || (parsed->scheme() != "http" && parsed->scheme() != "https") || parsed->host().empty()) {
        throw std::invalid_argument("--url (UNDERSTUDY_URL) '" + url +
                                    "' must be http://HOST[:PORT] or https://HOST[:PORT]");
    }
    tls_ = parsed->scheme() == "https";
    host_ = parsed->host_address();
    port_ = parsed->has_port() && !parsed->port().empty() ? std::string(parsed->port()) : (tls_ ? "443" : "80");
    base_ = std::string(parsed->encoded_path());
    while (!base_.empty() && base_.back() == '/') base_.pop_back();
}

std::string Client::origin() const {
    const auto at = url_.find('/', url_.find("://") + 3);
    return url_.substr(0, at);
}

core::Result<Reply> Client::request(std::string_view method, const std::string& target, const std::string& body,
                                    std::chrono::seconds at_most) const {
    http::request<http::string_body> message(http::string_to_verb(method), base_ + target, 11);
    message.set(http::field::host, host_ + ":" + port_);
    message.set(http::field::user_agent, "understudy-cli");
    message.set(http::field::accept, "application/json");
    if (!key_.empty()) message.set(http::field::authorization, "MediaBrowser Token=\"" + key_ + "\"");
    if (!body.empty()) {
        message.set(http::field::content_type, "application/json");
        message.body() = body;
    }
    message.prepare_payload();

    const auto explain = [&](core::Error error) -> core::Result<Reply> {
        error.context = "no answer from " + url_ + ": " + error.context;
        return tl::unexpected<core::Error>(std::move(error));
    };
    asio::io_context io;
    beast::error_code error;
    const auto endpoints = tcp::resolver(io).resolve(host_, port_, error);
    if (error) return explain({core::Errc::unavailable, error.message()});

    beast::tcp_stream plain(io);
    plain.expires_after(at_most);
    error = asio::error::would_block;
    plain.async_connect(endpoints, [&](beast::error_code e, const tcp::endpoint&) { error = e; });
    io.run();
    if (error) return explain({core::Errc::unavailable, error.message()});
    if (!tls_) {
        auto reply = exchange(io, plain, message);
        return reply ? std::move(reply) : explain(reply.error());
    }
    asio::ssl::context context(asio::ssl::context::tls_client);
    context.set_default_verify_paths(error);
    beast::ssl_stream<beast::tcp_stream> secure(std::move(plain), context);
    secure.set_verify_mode(asio::ssl::verify_peer);
    secure.set_verify_callback(asio::ssl::host_name_verification(host_));
    SSL_set_tlsext_host_name(secure.native_handle(), host_.c_str());
    error = asio::error::would_block;
    secure.async_handshake(asio::ssl::stream_base::client, [&](beast::error_code e) { error = e; });
    io.restart();
    io.run();
    if (error) return explain({core::Errc::unavailable, "TLS: " + error.message()});
    auto reply = exchange(io, secure, message);
    return reply ? std::move(reply) : explain(reply.error());
}

std::string percent_encode(std::string_view text) {
    return boost::urls::encode({text.data(), text.size()}, boost::urls::unreserved_chars);
}

}  // namespace understudy::app
