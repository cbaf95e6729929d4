#include "http/server/beast_messages.h"

#include <string_view>
#include <utility>

#include "http/text.h"

namespace understudy::http {
namespace bhttp = boost::beast::http;

namespace {

/// A header's value must not break out of its line, wherever it came from.
std::string one_line(std::string text) {
    for (char& c : text) {
        if ((c >= 0 && c < ' ' && c != '\t') || c == '\x7F') c = ' ';
    }
    return text;
}

}  // namespace

Request to_request(bhttp::request<bhttp::string_body>& message, const std::string& peer) {
    Request request;
    request.method = parse_method(std::string_view(message.method_string().data(), message.method_string().size()));
    request.target.assign(message.target().data(), message.target().size());
    for (const auto& field : message) {
        Header header;
        header.name.assign(field.name_string().data(), field.name_string().size());
        header.value.assign(field.value().data(), field.value().size());
        request.headers.push_back(std::move(header));
    }
    request.body = std::move(message.body());
    request.peer = peer;
    return request;
}

bhttp::response<bhttp::string_body> to_message(Response response, unsigned version, const std::string& server,
                                               core::UtcTime now, bool keep_alive) {
    bhttp::response<bhttp::string_body> message;
    message.version(version);
    message.result(static_cast<unsigned>(response.status));
    const auto reason = reason_phrase(response.status);
    if (!reason.empty()) message.reason(reason);
    message.set(bhttp::field::server, server);
    message.set(bhttp::field::date, to_http_date(now));
    if (!response.content_type.empty()) {
        message.set(bhttp::field::content_type, response.content_type);
        message.set("X-Content-Type-Options",
                    "nosniff");  // texts repeat what was asked: no browser may take one for a page
    }
    for (const auto& header : response.headers) message.insert(header.name, one_line(header.value));
    if (response.status != 204 && response.status != 304) message.content_length(response.body.size());
    message.keep_alive(keep_alive);
    message.body() = std::move(response.body);
    return message;
}

}  // namespace understudy::http
