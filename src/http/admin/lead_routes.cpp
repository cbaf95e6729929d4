// /cluster/leads: who led when, and for how long nobody did.
#include <algorithm>
#include <optional>

#include "cluster/lead_history.h"
#include "http/json_writer.h"
#include "http/problem.h"
#include "http/routes.h"

namespace understudy::http {
namespace {

constexpr std::size_t usual = 100, most = 1'000;

void write_time(JsonWriter& out, std::string_view name, std::optional<core::UtcTime> at) {
    out.name(name);
    at ? out.value(core::to_iso8601(*at)) : out.null();
}

Response list_leads(const Services& services, const Request& request) {
    const auto wanted = request.query.count("limit");
    if (!wanted) return binding_problem(wanted.error());
    const auto limit = std::min(wanted->value_or(usual), most);
    if (limit == 0) return binding_problem("limit", "limit: 0 asks for nothing; use 1 to 1000");
    std::vector<cluster::Lead> leads;
    if (services.leads != nullptr) {
        auto found = services.leads->newest(limit + 1);  // and the one before, for the gap
        if (!found) return problem(found.error());
        leads = std::move(*found);
    }
    JsonWriter out(Spelling::camel);
    out.begin_object().name("Items").begin_array();
    for (std::size_t i = 0; i < std::min(leads.size(), limit); ++i) {
        const auto& lead = leads[i];
        out.begin_object().field("Pod", lead.pod).field("BootId", lead.boot).field("Term", lead.term);
        out.field("BeganAt", core::to_iso8601(lead.began_at)).field("SeenAt", core::to_iso8601(lead.seen_at));
        write_time(out, "EndedAt", lead.ended_at);
        out.name("GapMs");
        if (i + 1 < leads.size()) {
            const auto& before = leads[i + 1];
            const auto gap = lead.began_at - before.ended_at.value_or(before.seen_at);
            out.value(std::max<std::int64_t>(std::chrono::duration_cast<core::Millis>(gap).count(), 0));
        } else {
            out.null();
        }
        out.end_object();
    }
    out.end_array().end_object();
    return json_answer(out.take());
}

}  // namespace

void add_lead_routes(Router& router, const Services& services) {
    add_route(router, services, Method::get, "/cluster/leads", list_leads);
}

}  // namespace understudy::http
