#include "http/json_writer.h"

#include <fmt/format.h>

#include <cmath>

#include "http/text.h"

namespace understudy::http {

std::string to_camel(std::string_view name) {
    const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    std::string out(name);
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (i == 1 && !upper(out[i])) break;
        if (i > 0 && i + 1 < out.size() && !upper(out[i + 1])) break;
        out[i] = lower(out[i]);
    }
    return out;
}

void JsonWriter::separate() {
    if (comma_) out_ += ',';
    comma_ = true;
}

JsonWriter& JsonWriter::open(char bracket) {
    separate();
    out_ += bracket;
    comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::shut(char bracket) {
    out_ += bracket;
    comma_ = true;
    return *this;
}

JsonWriter& JsonWriter::name(std::string_view name) {
    return spelling_ == Spelling::camel ? key(to_camel(name)) : key(name);
}

JsonWriter& JsonWriter::key(std::string_view key) {
    separate();
    out_ += '"';
    append_json_escaped(out_, key);
    out_ += "\":";
    comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
    separate();
    out_ += '"';
    append_json_escaped(out_, text);
    out_ += '"';
    return *this;
}

JsonWriter& JsonWriter::value(double number) {
    separate();
    if (!std::isfinite(number)) {
        out_ += "null";  // JSON has no word for it
    } else {
        fmt::format_to(std::back_inserter(out_), "{}", number);
    }
    return *this;
}

JsonWriter& JsonWriter::whole(std::int64_t number) {
    separate();
    fmt::format_to(std::back_inserter(out_), "{}", number);
    return *this;
}

JsonWriter& JsonWriter::whole_unsigned(std::uint64_t number) {
    separate();
    fmt::format_to(std::back_inserter(out_), "{}", number);
    return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
    separate();
    out_ += json;
    return *this;
}

}  // namespace understudy::http
