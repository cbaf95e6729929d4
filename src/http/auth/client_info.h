// http/auth/client_info.h: what a request says of its client and with what it wants to be let in, as plain values. Used
// by message.h; credentials.h reads them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::http {

/// The first two are always taken; the others belong to older clients and hang on EnableLegacyAuthorization.
enum class CredentialForm {
    media_browser,  ///< `Authorization: MediaBrowser Token="…"`
    api_key,        ///< `?ApiKey=…`
    emby_scheme,    ///< `Authorization: Emby Token="…"`
    x_emby_token,
    x_mediabrowser_token,
    x_emby_authorization,  ///< the value of an Authorization header under another name
    legacy_api_key,        ///< `?api_key=…`
};
inline constexpr std::size_t credential_form_count = 7;
/// As people know it: `X-Emby-Token`, `?api_key=`, …
[[nodiscard]] std::string_view to_string(CredentialForm form) noexcept;
[[nodiscard]] constexpr bool is_legacy(CredentialForm form) noexcept {
    return form != CredentialForm::media_browser && form != CredentialForm::api_key;
}

/// What an authorization header says. Empty: not said.
struct ClientInfo {
    std::string client, device, device_id, version, token;
};

struct Credentials {
    std::string token;  ///< empty: anonymous
    CredentialForm form = CredentialForm::media_browser;
    ClientInfo client;                    ///< from the authorization header, where one was taken
    std::vector<CredentialForm> refused;  ///< legacy forms that carried a token while they are off
};

}  // namespace understudy::http
