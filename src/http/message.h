// http/message.h: a request and an answer as plain values. Used by handlers, tests and fuzz targets; the server alone
// knows how they travel.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "core/time.h"
#include "http/auth/client_info.h"
#include "http/query.h"
#include "store/session_id.h"

namespace understudy::http {

struct Route;
class SocketPeer;

enum class Method { get, head, post, put, del, patch, options, other };
[[nodiscard]] std::string_view to_string(Method method) noexcept;
[[nodiscard]] Method parse_method(std::string_view text) noexcept;

struct Header {
    std::string name;
    std::string value;
};

/// How property names are spelled in the answer; the client says so in `Accept`.
enum class Spelling { pascal, camel };

/// Who calls, as far as the dispatcher found out.
struct Caller {
    std::string name;  ///< label of the key or user
    bool admin = false;
    core::UserId user = {};                                      ///< empty: a key, which is nobody's
    store::SessionId session = {};                               ///< of a user: where they are logged in
    std::string client, device_id = {};                          ///< as its session has them
    std::int64_t key = 0;                                        ///< number of an API key; 0: none of those
    std::optional<std::vector<core::LibraryId>> libraries = {};  ///< those they may look into; nullopt: all
};

struct Request {
    Method method = Method::get;
    std::string target = "/";  ///< as sent: path, `?`, query
    std::vector<Header> headers;
    std::string body;
    std::string peer;  ///< address of the other end, without port

    // Filled by the dispatcher before a handler sees it.
    std::string path;  ///< without base URL, legacy prefix and query; still percent-encoded
    Query query;
    std::vector<std::pair<std::string, std::string>> params;  ///< of the path template, decoded
    Spelling spelling = Spelling::pascal;
    Credentials credentials;
    std::optional<Caller> caller;
    bool admitted = false;  ///< authorization is done; else it needs the database, and so the pool
    const Route* route = nullptr;
    core::Instant received_at{};  ///< when the dispatcher first saw it

    /// First header of that name (any case); empty where there is none.
    [[nodiscard]] std::string_view header(std::string_view name) const noexcept;
    [[nodiscard]] bool has_header(std::string_view name) const noexcept;
    /// A parameter of the path template; empty where there is none.
    [[nodiscard]] const std::string& param(std::string_view name) const noexcept;
};

struct Response {
    int status = 200;
    std::string content_type;  ///< empty: no body
    std::string body;
    std::vector<Header> headers;
    bool close = false;                  ///< the connection ends after this answer
    std::shared_ptr<SocketPeer> socket;  ///< not null: the connection goes on as a websocket of this peer

    Response& with(std::string name, std::string value) {
        headers.push_back({std::move(name), std::move(value)});
        return *this;
    }
    /// First header of that name (any case); empty where there is none.
    [[nodiscard]] std::string_view header(std::string_view name) const noexcept;
};

inline constexpr std::string_view json_type = "application/json; charset=utf-8";
inline constexpr std::string_view text_type = "text/plain; charset=utf-8";

[[nodiscard]] Response json_answer(std::string body, int status = 200);
[[nodiscard]] Response text_answer(int status, std::string body);
[[nodiscard]] Response no_content();
/// The reason phrase of a status; empty for unknown ones.
[[nodiscard]] std::string_view reason_phrase(int status) noexcept;

}  // namespace understudy::http
