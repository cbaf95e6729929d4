// http/socket/feeds.h: port through which the hub asks for what it sends: JSON as the API answers it. Implemented by
// ServiceFeeds over the services, and by a fake in tests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/result.h"
#include "http/message.h"
#include "store/viewer.h"

namespace understudy::http {

struct SessionEntry {
    core::UserId user;
    std::string json;  ///< SessionInfoDto
};

/// All calls block and are made by one thread, the hub's. Errors of all: unavailable, timed_out.
class SocketFeeds {
public:
    virtual ~SocketFeeds() = default;
    /// TaskInfo[].
    [[nodiscard]] virtual core::Result<std::string> tasks() = 0;
    /// Of everybody, as GET /Sessions shows them; at most one query for all.
    [[nodiscard]] virtual core::Result<std::vector<SessionEntry>> sessions() = 0;
    /// TaskResult of a run; nullopt: it is not known, or goes on.
    [[nodiscard]] virtual core::Result<std::optional<std::string>> run_result(core::RunId run) = 0;
    /// UserItemDataDto[] of those of `items` that `viewer` may see.
    [[nodiscard]] virtual core::Result<std::string> user_data(core::UserId user, const std::vector<core::ItemId>& items,
                                                              const std::optional<store::Viewer>& viewer) = 0;
    /// UserDto; nullopt: gone.
    [[nodiscard]] virtual core::Result<std::optional<std::string>> user(core::UserId user) = 0;
    [[nodiscard]] virtual core::Result<bool> may_see(core::ItemId item, const store::Viewer& viewer) = 0;
    [[nodiscard]] virtual core::Result<std::vector<core::LibraryId>> libraries() = 0;
    /// Whom a token belongs to by now; nullopt: nobody any more.
    [[nodiscard]] virtual core::Result<std::optional<Caller>> owner(const std::string& token_hash) = 0;
    /// Notes that sessions have a socket on this pod, or have none any more, and tells all pods.
    [[nodiscard]] virtual core::Result<void> note_presence(const std::vector<store::SessionId>& opened,
                                                           const std::vector<store::SessionId>& closed) = 0;
};

}  // namespace understudy::http
