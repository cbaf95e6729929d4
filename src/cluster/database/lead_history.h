// cluster/database/lead_history.h: terms as rows of the shared database (0025_leads.sql), kept for 90 days. Made by
// app.
#pragma once

#include "cluster/lead_history.h"
#include "store/sql/session.h"

namespace understudy::cluster {

class DatabaseLeadHistory final : public LeadHistory {
public:
    /// `database` must be migrated before the first call and outlive this object.
    explicit DatabaseLeadHistory(store::sql::Database& database) : database_(database) {}
    [[nodiscard]] core::Result<bool> note(const std::string& pod, core::BootId boot, std::int64_t term,
                                          core::Millis led_for) override;
    [[nodiscard]] core::Result<void> end(core::BootId boot, std::int64_t term) override;
    [[nodiscard]] core::Result<std::vector<Lead>> newest(std::size_t limit) override;

private:
    store::sql::Database& database_;
};

}  // namespace understudy::cluster
