// /System/Logs: the log files of the pod that is asked, and /ClientLog: what clients leave there.

#include <algorithm>
#include <cstdint>

#include "http/auth/secrets.h"
#include "http/jellyfin/system/kept_configuration.h"
#include "http/jellyfin/system/log_files.h"
#include "http/json_writer.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

constexpr std::size_t longest_client_log = std::size_t{1'000'000};  // as the reference
constexpr std::size_t most_client_logs = 100;

std::optional<Response> refuse_without_folder(const Services& services) {
    if (!services.system.log_dir.empty()) return std::nullopt;
    return problem({core::Errc::unsupported, "This pod writes no log files."});
}

void write_log(JsonWriter& out, const LogFile& file) {
    // The file system keeps no time of creation that could be asked for everywhere.
    const auto time = to_jellyfin_time(file.modified_at);
    out.begin_object().field("DateCreated", time).field("DateModified", time);
    out.field("Size", file.size_bytes).field("Name", file.name).end_object();
}

Response list_logs(const Services& services, const Request& request) {
    if (auto refusal = refuse_without_folder(services)) return std::move(*refusal);
    const auto files = list_log_files(services.system.log_dir);
    if (!files) return problem(files.error());
    JsonWriter out(request.spelling);
    out.begin_array();
    for (const auto& file : *files) write_log(out, file);
    out.end_array();
    return json_answer(out.take()).with("X-Understudy-Pod", services.info.pod);
}

Response one_log(const Services& services, const Request& request) {
    if (auto refusal = refuse_without_folder(services)) return std::move(*refusal);
    const auto name = request.query.text("name");
    if (trim(name).empty()) return binding_problem("name", "name: missing; GET /System/Logs lists the files");
    const auto tail = request.query.count("tail");
    if (!tail) return problem(tail.error());
    const auto most = std::min<std::uint64_t>(tail->value_or(longest_log_shown), longest_log_shown);
    auto bytes = read_log_file(services.system.log_dir, name, static_cast<std::int64_t>(most));
    if (!bytes) return problem(bytes.error());
    Response response;
    response.content_type = text_type;
    response.body = std::move(*bytes);
    return response.with("X-Understudy-Pod", services.info.pod);
}

/// Letters, digits and dots; what else a client is called becomes `-`.
std::string name_part(std::string_view text) {
    constexpr std::size_t longest = 32;
    std::string part;
    for (const char c : text.substr(0, longest)) {
        const bool plain = (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '.';
        part += plain ? c : '-';
    }
    return part.empty() ? "unknown" : part;
}

Response take_client_log(const Services& services, const Request& request) {
    if (auto refusal = refuse_without_folder(services)) return std::move(*refusal);
    const auto& section = *find_section("system");
    const auto kept = kept_section(services, section);
    if (!kept) return problem(kept.error());
    if (field_of(section, *kept, "AllowClientLogUpload") != "true")
        return text_answer(403, "An administrator has switched this off (AllowClientLogUpload).");
    if (request.body.empty()) return binding_problem("$", "$: the body is empty; send the log as text");
    if (request.body.size() > longest_client_log)
        return text_answer(413, "A log may have " + std::to_string(longest_client_log) + " bytes; send its end.");
    const auto files = list_log_files(services.system.log_dir);
    if (!files) return problem(files.error());
    std::size_t uploads = 0;
    for (const auto& file : *files) uploads += file.name.starts_with("upload_") ? 1U : 0U;
    if (uploads >= most_client_logs) {
        return problem({core::Errc::conflict, "There are " + std::to_string(uploads) +
                                                  " logs of clients on this pod already; an administrator removes "
                                                  "them, or CleanLogFiles once they are old."});
    }
    const auto& client = request.credentials.client;
    auto time = core::to_iso8601(services.clock.utc_now()).substr(0, 19);
    std::erase_if(time, [](char c) { return c == '-' || c == ':' || c == 'T'; });
    const auto name = "upload_" + name_part(request.caller->client.empty() ? client.client : request.caller->client) +
                      "_" + name_part(client.version) + "_" + time + "_" + new_secret(services.random).substr(0, 8) +
                      ".log";
    if (const auto put = write_log_file(services.system.log_dir, name, request.body); !put) return problem(put.error());
    services.log.info("a client left its log", {{"file", name}, {"by", request.caller->name}});
    JsonWriter out(request.spelling);
    out.begin_object().field("FileName", name).end_object();
    return json_answer(out.take());
}

}  // namespace

void add_log_routes(Router& router, const Services& services) {
    add_route(router, services, Method::get, "/System/Logs", list_logs);
    add_route(router, services, Method::get, "/System/Logs/Log", one_log);
    add_route(router, services, Method::post, "/ClientLog/Document", take_client_log, Access::user);
}

}  // namespace understudy::http
