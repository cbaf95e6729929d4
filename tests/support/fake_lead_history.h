// tests/support/fake_lead_history.h: who led, in memory.
#pragma once

#include <algorithm>
#include <vector>

#include "cluster/lead_history.h"

namespace understudy::testing {

class FakeLeadHistory final : public cluster::LeadHistory {
public:
    core::Result<bool> note(const std::string& pod, core::BootId boot, std::int64_t term,
                            core::Millis led_for) override {
        if (broken) return tl::unexpected(*broken);
        for (auto& lead : leads) {
            if (lead.boot == boot && lead.term == term) return false;
        }
        leads.insert(leads.begin(), {pod, boot, term, now - led_for, now, {}});
        return true;
    }
    core::Result<void> end(core::BootId boot, std::int64_t term) override {
        if (broken) return tl::unexpected(*broken);
        for (auto& lead : leads) {
            if (lead.boot == boot && lead.term == term) lead.ended_at = now;
        }
        return {};
    }
    core::Result<std::vector<cluster::Lead>> newest(std::size_t limit) override {
        if (broken) return tl::unexpected(*broken);
        return std::vector(leads.begin(), leads.begin() + static_cast<std::ptrdiff_t>(std::min(limit, leads.size())));
    }

    std::vector<cluster::Lead> leads;  ///< the newest first
    core::UtcTime now = core::from_unix_ms(1'800'000'000'000);
    std::optional<core::Error> broken;
};

}  // namespace understudy::testing
