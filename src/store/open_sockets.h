// store/open_sockets.h: which logins have an event socket open, and in which life of a pod. Used by http. Contract for
// all adapters: tests/contract/accounts/open_sockets_contract.h
#pragma once

#include <vector>

#include "core/ids.h"
#include "core/result.h"
#include "store/session_id.h"

namespace understudy::store {

struct OpenSocket {
    SessionId session;
    core::BootId boot;
    friend auto operator<=>(const OpenSocket&, const OpenSocket&) = default;
};

/// All calls block. Errors of all: unavailable, timed_out. Whether a pod still lives is the caller's to know.
class OpenSockets {
public:
    virtual ~OpenSockets() = default;
    /// All or nothing; repeating it changes nothing.
    [[nodiscard]] virtual core::Result<void> change(core::BootId boot, const std::vector<SessionId>& opened,
                                                    const std::vector<SessionId>& closed) = 0;
    [[nodiscard]] virtual core::Result<std::vector<OpenSocket>> all() = 0;
    /// What other lives than these left behind goes.
    [[nodiscard]] virtual core::Result<void> keep_only(const std::vector<core::BootId>& living) = 0;
};

}  // namespace understudy::store
