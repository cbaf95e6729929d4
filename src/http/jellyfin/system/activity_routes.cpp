// /System/ActivityLog: what happened, for administrators.
#include <algorithm>

#include "http/json_writer.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"
#include "tasks/activity_log.h"

namespace understudy::http {
namespace {

constexpr std::size_t most_entries = 1'000, usual_entries = 100;

core::Result<std::optional<core::UtcTime>> time_of(const Request& request, const char* key) {
    const auto text = request.query.text(key);
    if (trim(text).empty()) return std::optional<core::UtcTime>();
    constexpr std::size_t only_a_day = 10;  // 2026-11-30
    const std::string said(trim(text));
    const auto time = core::from_iso8601(said.size() == only_a_day ? said + "T00:00:00Z" : said);
    if (time) return std::optional(*time);
    return core::fail(core::Errc::invalid, std::string(key) + ": '" + printable(text) +
                                               "' is no time; use 2026-11-30 or 2026-11-30T10:00:00Z");
}

void write_activity_entry(JsonWriter& out, const tasks::KeptActivity& kept) {
    out.begin_object().field("Id", kept.id).field("Name", kept.entry.title);
    out.text_if_any("Overview", kept.entry.overview).field("Type", kept.entry.kind);
    out.field("Date", to_jellyfin_time(kept.at)).field("UserId", kept.entry.user);
    out.field("Severity", kept.entry.severity).end_object();
}

Response list_entries(const Services& services, const Request& request) {
    if (services.system.history == nullptr) return problem({core::Errc::unsupported, "No activity log is kept here."});
    const auto start = request.query.count("startIndex");
    if (!start) return binding_problem(start.error());
    const auto limit = request.query.count("limit");
    if (!limit) return binding_problem(limit.error());
    const auto has_user = request.query.boolean("hasUserId");
    if (!has_user) return binding_problem(has_user.error());
    const auto from = time_of(request, "minDate");
    if (!from) return binding_problem(from.error());
    const auto until = time_of(request, "maxDate");
    if (!until) return binding_problem(until.error());
    tasks::ActivityQuery query;
    query.start = start->value_or(0);
    query.limit = std::min(limit->value_or(usual_entries), most_entries);
    query.from = *from;
    query.until = *until;
    query.has_user = *has_user;
    const auto page = services.system.history->list(query);
    if (!page) return problem(page.error());
    JsonWriter out(request.spelling);
    out.begin_object().name("Items").begin_array();
    for (const auto& kept : page->entries) write_activity_entry(out, kept);
    out.end_array().field("TotalRecordCount", page->total).field("StartIndex", query.start).end_object();
    return json_answer(out.take());
}

}  // namespace

void add_activity_routes(Router& router, const Services& services) {
    add_route(router, services, Method::get, "/System/ActivityLog/Entries", list_entries);
}

}  // namespace understudy::http
