#include "http/problem.h"

#include "http/json_writer.h"
#include "http/text.h"

namespace understudy::http {

int status_of(core::Errc code) noexcept {
    switch (code) {
        case core::Errc::not_found:
            return 404;
        case core::Errc::invalid:
            return 400;
        case core::Errc::conflict:
        case core::Errc::fenced:
        case core::Errc::cancelled:
            return 409;
        case core::Errc::unavailable:
            return 503;
        case core::Errc::timed_out:
            return 504;
        case core::Errc::corrupt:
            return 500;
        case core::Errc::unsupported:
            return 501;
    }
    return 500;
}

core::Error wrong_id(std::string_view field, std::string_view text) {
    return {core::Errc::invalid, std::string(field) + ": '" + printable(text) + "' is no id; use 32 hex digits"};
}

Response problem(const core::Error& error) {
    auto response = text_answer(status_of(error.code), error.context);
    if (response.status == 503 || response.status == 504) response.with("Retry-After", "2");
    return response;
}

Response binding_problem(std::string_view field, std::string_view reason) {
    // The names of RFC 7807 are lower case in every spelling.
    JsonWriter out;
    out.begin_object();
    out.key("type").value("https://tools.ietf.org/html/rfc9110#section-15.5.1");
    out.key("title").value("One or more validation errors occurred.");
    out.key("status").value(400);
    out.key("detail").value(reason);
    out.key("errors").begin_object();
    out.key(field).begin_array().value(reason).end_array();
    out.end_object().end_object();
    Response response;
    response.status = 400;
    response.content_type = "application/problem+json; charset=utf-8";
    response.body = out.take();
    return response;
}

Response binding_problem(const core::Error& error) {
    if (error.code != core::Errc::invalid) return problem(error);
    const auto colon = error.context.find(':');
    const auto field =
        colon == std::string::npos ? std::string_view("$") : std::string_view(error.context).substr(0, colon);
    return binding_problem(field, error.context);
}

}  // namespace understudy::http
