// store/sql/sql_open_sockets.h: logins with an event socket in SQL (0023_open_sockets.sql). Made by app.
#pragma once

#include "store/open_sockets.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

class SqlOpenSockets final : public OpenSockets {
public:
    /// `database` must be migrated and outlive the store.
    explicit SqlOpenSockets(Database& database) : database_(database) {}
    [[nodiscard]] core::Result<void> change(core::BootId boot, const std::vector<SessionId>& opened,
                                            const std::vector<SessionId>& closed) override;
    [[nodiscard]] core::Result<std::vector<OpenSocket>> all() override;
    [[nodiscard]] core::Result<void> keep_only(const std::vector<core::BootId>& living) override;

private:
    Database& database_;
};

}  // namespace understudy::store::sql
