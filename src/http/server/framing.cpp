#include "http/server/framing.h"

#include <boost/beast/http/error.hpp>
#include <iterator>
#include <string>
#include <string_view>

#include "http/text.h"

namespace understudy::http {
namespace bhttp = boost::beast::http;

namespace {

using RequestHeader = bhttp::header<true, bhttp::fields>;
constexpr unsigned http_1_1 = 11;

std::string_view value_of(const RequestHeader& header, bhttp::field name) {
    const auto value = header[name];
    return {value.data(), value.size()};
}

}  // namespace

Response unreadable(const boost::system::error_code& error, bool first_line_read, const ServerSettings& limits) {
    if (error == bhttp::error::header_limit || error == bhttp::error::buffer_overflow) {
        const auto most = std::to_string(limits.max_header_bytes) + " bytes.";
        if (!first_line_read) return text_answer(414, "The request's first line is larger than " + most);
        return text_answer(431, "The request's header is larger than " + most);
    }
    return text_answer(400, "This is no valid HTTP request: " + error.message() + ".");
}

std::optional<Response> refuse_header(const RequestHeader& header, const ServerSettings& limits) {
    const auto count = static_cast<std::size_t>(std::distance(header.begin(), header.end()));
    if (count > limits.max_headers)
        return text_answer(431, "The request has more than " + std::to_string(limits.max_headers) + " headers.");
    const auto hosts = header.count(bhttp::field::host);
    if (hosts > 1) return text_answer(400, "The Host header was sent twice.");
    if (hosts == 0 && header.version() >= http_1_1) return text_answer(400, "The Host header is missing.");

    const auto lengths = header.count(bhttp::field::content_length);
    if (lengths > 1 || value_of(header, bhttp::field::content_length).find(',') != std::string_view::npos)
        return text_answer(400, "The Content-Length header was sent twice.");
    const auto codings = header.count(bhttp::field::transfer_encoding);
    if (codings > 0) {
        if (lengths > 0 || codings > 1 || header.version() < http_1_1)
            return text_answer(400, "The request does not say clearly where its body ends.");
        // The parser takes `gzip, chunked` as chunked, and `gzip` as a request without a body.
        if (!iequals(trim(value_of(header, bhttp::field::transfer_encoding)), "chunked"))
            return text_answer(501, "Of transfer codings only `chunked` is understood.");
    }
    const auto expected = trim(value_of(header, bhttp::field::expect));
    if (!expected.empty() && header.version() >= http_1_1 && !iequals(expected, "100-continue"))
        return text_answer(417, "Of expectations only `100-continue` can be met.");
    return std::nullopt;
}

Response crowded() {
    return text_answer(503, "The server has too many connections open.").with("Retry-After", "5");
}

std::string crowded_bytes() {
    const auto answer = crowded();
    return "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\nContent-Type: " +
           answer.content_type + "\r\nContent-Length: " + std::to_string(answer.body.size()) + "\r\n\r\n" + answer.body;
}

bool awaits_continue(const RequestHeader& header) {
    return header.version() >= http_1_1 && iequals(trim(value_of(header, bhttp::field::expect)), "100-continue");
}

}  // namespace understudy::http
