#include "http/message.h"

#include <array>

#include "http/text.h"

namespace understudy::http {
namespace {

struct MethodName {
    Method method;
    std::string_view text;
};
constexpr std::array method_names{MethodName{Method::get, "GET"},        MethodName{Method::head, "HEAD"},
                                  MethodName{Method::post, "POST"},      MethodName{Method::put, "PUT"},
                                  MethodName{Method::del, "DELETE"},     MethodName{Method::patch, "PATCH"},
                                  MethodName{Method::options, "OPTIONS"}};

std::string_view find_header(const std::vector<Header>& headers, std::string_view name) noexcept {
    for (const auto& header : headers) {
        if (iequals(header.name, name)) return header.value;
    }
    return {};
}

}  // namespace

std::string_view to_string(Method method) noexcept {
    for (const auto& name : method_names) {
        if (name.method == method) return name.text;
    }
    return "OTHER";
}

Method parse_method(std::string_view text) noexcept {
    for (const auto& name : method_names) {
        if (name.text == text) return name.method;  // methods are case-sensitive (RFC 9110 §9.1)
    }
    return Method::other;
}

std::string_view Request::header(std::string_view name) const noexcept {
    return find_header(headers, name);
}

bool Request::has_header(std::string_view name) const noexcept {
    for (const auto& header : headers) {
        if (iequals(header.name, name)) return true;
    }
    return false;
}

const std::string& Request::param(std::string_view name) const noexcept {
    static const std::string none;
    for (const auto& [key, value] : params) {
        if (key == name) return value;
    }
    return none;
}

std::string_view Response::header(std::string_view name) const noexcept {
    return find_header(headers, name);
}

Response json_answer(std::string body, int status) {
    Response response;
    response.status = status;
    response.content_type = json_type;
    response.body = std::move(body);
    return response;
}

Response text_answer(int status, std::string body) {
    Response response;
    response.status = status;
    response.content_type = text_type;
    response.body = std::move(body);
    return response;
}

Response no_content() {
    Response response;
    response.status = 204;
    return response;
}

std::string_view reason_phrase(int status) noexcept {
    switch (status) {
        case 101:
            return "Switching Protocols";
        case 200:
            return "OK";
        case 202:
            return "Accepted";
        case 204:
            return "No Content";
        case 302:
            return "Found";
        case 304:
            return "Not Modified";
        case 400:
            return "Bad Request";
        case 401:
            return "Unauthorized";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 408:
            return "Request Timeout";
        case 409:
            return "Conflict";
        case 413:
            return "Content Too Large";
        case 414:
            return "URI Too Long";
        case 417:
            return "Expectation Failed";
        case 426:
            return "Upgrade Required";
        case 429:
            return "Too Many Requests";
        case 431:
            return "Request Header Fields Too Large";
        case 500:
            return "Internal Server Error";
        case 501:
            return "Not Implemented";
        case 503:
            return "Service Unavailable";
        case 504:
            return "Gateway Timeout";
        default:
            return {};
    }
}

}  // namespace understudy::http
