#include "http/auth/credentials.h"

#include <algorithm>

#include "http/text.h"

namespace understudy::http {
namespace {

struct Scheme {
    std::string_view name, rest;
};

Scheme split_scheme(std::string_view header) {
    header = trim(header);
    const auto blank = header.find_first_of(" \t");
    if (blank == std::string_view::npos) return {header, {}};
    return {header.substr(0, blank), trim(header.substr(blank + 1))};
}

// Takes the value at the front of `text` and leaves what follows it.
std::string take_value(std::string_view& text) {
    std::string value;
    if (text.starts_with('"')) {
        text.remove_prefix(1);
        while (!text.empty() && text.front() != '"') {
            if (text.front() == '\\' && text.size() > 1 && (text[1] == '"' || text[1] == '\\')) text.remove_prefix(1);
            value += text.front();
            text.remove_prefix(1);
        }
        if (!text.empty()) text.remove_prefix(1);  // the closing quote; one that is missing ends with the header
        const auto comma = text.find(',');
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma);
    } else {
        const auto comma = text.find(',');
        value = trim(text.substr(0, comma));
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma);
    }
    return percent_decode(value);
}

}  // namespace

std::string_view to_string(CredentialForm form) noexcept {
    switch (form) {
        case CredentialForm::media_browser:
            return "Authorization: MediaBrowser";
        case CredentialForm::api_key:
            return "?ApiKey=";
        case CredentialForm::emby_scheme:
            return "Authorization: Emby";
        case CredentialForm::x_emby_token:
            return "X-Emby-Token";
        case CredentialForm::x_mediabrowser_token:
            return "X-MediaBrowser-Token";
        case CredentialForm::x_emby_authorization:
            return "X-Emby-Authorization";
        case CredentialForm::legacy_api_key:
            return "?api_key=";
    }
    return "?";
}

ClientInfo parse_client_info(std::string_view text) {
    ClientInfo info;
    while (!text.empty()) {
        const auto start = text.find_first_not_of(", \t");
        if (start == std::string_view::npos) break;
        text.remove_prefix(start);
        const auto equals = text.find_first_of("=,");
        if (equals == std::string_view::npos) break;
        if (text[equals] == ',') {  // a word without a value
            text.remove_prefix(equals);
            continue;
        }
        const auto name = trim(text.substr(0, equals));
        text.remove_prefix(equals + 1);
        text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
        auto value = take_value(text);
        if (iequals(name, "Client"))
            info.client = std::move(value);
        else if (iequals(name, "Device"))
            info.device = std::move(value);
        else if (iequals(name, "DeviceId"))
            info.device_id = std::move(value);
        else if (iequals(name, "Version"))
            info.version = std::move(value);
        else if (iequals(name, "Token"))
            info.token = std::move(value);
    }
    return info;
}

Credentials find_credentials(const Request& request, bool legacy_allowed) {
    Credentials found;
    // Takes a token, unless one is found already or its form is off.
    const auto take = [&](std::string_view token, CredentialForm form) {
        if (token.empty() || !found.token.empty()) return;
        if (is_legacy(form) && !legacy_allowed) {
            if (std::ranges::find(found.refused, form) == found.refused.end()) found.refused.push_back(form);
            return;
        }
        found.token = token;
        found.form = form;
    };
    const auto take_header = [&](std::string_view header, bool other_name) {
        const auto [scheme, rest] = split_scheme(header);
        const bool ours = iequals(scheme, "MediaBrowser");
        if (!ours && !iequals(scheme, "Emby")) return;
        const auto form = other_name ? CredentialForm::x_emby_authorization
                          : ours     ? CredentialForm::media_browser
                                     : CredentialForm::emby_scheme;
        const auto info = parse_client_info(rest);
        if ((!is_legacy(form) || legacy_allowed) && found.client.client.empty() && found.client.device_id.empty()) {
            found.client = info;
        }
        take(info.token, form);
    };
    for (const auto& header : request.headers) {
        if (iequals(header.name, "Authorization")) take_header(header.value, false);
    }
    take_header(request.header("X-Emby-Authorization"), true);
    take(trim(request.header("X-Emby-Token")), CredentialForm::x_emby_token);
    take(trim(request.header("X-MediaBrowser-Token")), CredentialForm::x_mediabrowser_token);
    take(trim(request.query.text("ApiKey")), CredentialForm::api_key);
    take(trim(request.query.text("api_key")), CredentialForm::legacy_api_key);
    return found;
}

}  // namespace understudy::http
