// app/cli/client.h: the CLI's side of the API: one blocking request at a time, http and https.
#pragma once

#include <boost/json/value.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/time.h"

namespace understudy::app {

/// Exit codes of the CLI, documented in docs/cli.md.
enum class Exit {
    ok = 0,
    failed = 1,       ///< the work itself failed (a run ended Failed or Cancelled)
    usage = 2,        ///< wrong words or settings
    unreachable = 3,  ///< no server answers there
    not_found = 4,
    unauthorized = 5,  ///< the key is missing or wrong
    refused = 6,       ///< the server's state does not allow it (conflict), or it is starting or stopping
};

struct Reply {
    int status = 0;
    std::map<std::string, std::string> headers;  ///< lower-case names
    std::string body;

    [[nodiscard]] bool ok() const noexcept { return status >= 200 && status < 300; }
    /// Null where the body is not JSON.
    [[nodiscard]] boost::json::value json() const;
    /// The server's own words about what is wrong: RFC 7807's detail or title, or the text.
    [[nodiscard]] std::string reason() const;
    [[nodiscard]] Exit exit() const noexcept;
};

class Client {
public:
    /// Throws std::invalid_argument with a clear line for anything that is no http(s) URL.
    Client(const std::string& url, std::string key);

    /// `target` below the base URL, percent-encoded already. Errors: unavailable: it was not reached, so nothing was
    /// asked; timed_out: no whole answer came, and whether the request counted is not known. Both say where it tried.
    [[nodiscard]] core::Result<Reply> request(std::string_view method, const std::string& target,
                                              const std::string& body = {},
                                              std::chrono::seconds at_most = std::chrono::seconds{30}) const;
    [[nodiscard]] const std::string& url() const noexcept { return url_; }
    /// The URL without its path: `http://host:port`.
    [[nodiscard]] std::string origin() const;

private:
    std::string url_, host_, port_, base_, key_;
    bool tls_ = false;
};

/// For use in a query or a path segment.
[[nodiscard]] std::string percent_encode(std::string_view text);

}  // namespace understudy::app
