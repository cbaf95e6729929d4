#include "core/lone_server.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <chrono>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "cluster/eventually.h"
#include "core/processes.h"

namespace understudy::bench {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr const char* refresh_library = "7738148ffcd07979c7ceb148e06b3aed";

testing::PodProcess::Options pod_options(std::filesystem::path folder, LoneServer::Settings settings) {
    testing::PodProcess::Options options;
    options.name = "bench";
    options.folder = std::move(folder);
    options.key = "core-bench-admin-key";
    options.settings = std::move(settings);
    return options;
}

std::string text_of(const json::value& value, std::string_view name) {
    const auto* object = value.if_object();
    const auto* found = object != nullptr ? object->if_contains(name) : nullptr;
    return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string{};
}

double instant_ms(const std::string& text) {
    const auto at = core::from_iso8601(text);
    if (!at) throw std::runtime_error("no instant: '" + text + "'");
    return static_cast<double>(core::to_unix_ms(*at));
}

}  // namespace

double wall_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::system_clock::now().time_since_epoch()).count();
}

double logged_ms(const std::string& log, std::size_t from, std::string_view message) {
    double found = -1;
    std::istringstream lines(log.substr(std::min(from, log.size())));
    for (std::string line; std::getline(lines, line);) {
        if (line.find(message) == std::string::npos) continue;
        json::error_code error;
        const auto entry = json::parse(line, error);
        if (!error && text_of(entry, "message") == message) found = instant_ms(text_of(entry, "time"));
    }
    return found;
}

LoneServer::LoneServer(std::filesystem::path folder, Settings settings)
    : pod_(pod_options(std::move(folder), std::move(settings))) {}

void LoneServer::start() {
    (void)start_timed();
}

double LoneServer::start_timed() {
    const auto from = pod_.log().size();
    const auto begun = wall_ms();
    pod_.start();
    double ready = -1;
    if (!testing::eventually(60s, [&] { return (ready = logged_ms(pod_.log(), from, "ready")) >= 0; }) ||
        pod_.request("GET", "/health/ready").status != 200) {
        throw std::runtime_error("the server is not ready; its log:\n" + pod_.log().substr(from));
    }
    return (ready + 1 - begun) / 1000;  // the log cuts to milliseconds
}

void LoneServer::stop() {
    pod_.terminate();
    if (const int code = pod_.await_exit(30s); code != 0) {
        throw std::runtime_error(fmt::format("the server ended with {}", code));
    }
}

void LoneServer::add_library(const std::string& name, const std::string& kind, const std::filesystem::path& folder) {
    const auto reply = pod_.request("POST", "/Library/VirtualFolders?name=" + name + "&collectionType=" + kind +
                                                "&refreshLibrary=false&paths=" + app::percent_encode(folder.string()));
    if (!reply.ok()) throw std::runtime_error("library " + name + ": " + reply.reason());
}

std::vector<pid_t> LoneServer::processes() const {
    auto all = pod_.children();
    all.push_back(pod_.pid());
    return all;
}

ScanResult LoneServer::scan(const std::function<void()>& look) {
    // Workers that are still there from before had a life of their own.
    const auto used_before = cpu_seconds(processes());
    const auto started = pod_.request("POST", std::string("/ScheduledTasks/Running/") + refresh_library);
    const auto id = started.headers.find("x-understudy-run");
    if (!started.ok() || id == started.headers.end()) throw std::runtime_error("scan: " + started.reason());
    json::value run;
    const auto over = [&] {
        if (look) look();
        run = pod_.get("/cluster/runs/" + id->second);
        const auto state = text_of(run, "state");
        return !state.empty() && state != "running" && state != "cancelling";
    };
    for (auto waited = 0ms; !over(); waited += 100ms) {
        if (waited > 20min) throw std::runtime_error("a scan takes more than 20 minutes");
        std::this_thread::sleep_for(100ms);
    }
    if (text_of(run, "state") != "completed") throw std::runtime_error("the scan ended as " + json::serialize(run));
    ScanResult result;
    result.seconds = (instant_ms(text_of(run, "endedAt")) - instant_ms(text_of(run, "startedAt"))) / 1000;
    result.cpu_seconds = cpu_seconds(processes()) - used_before;
    if (const auto* counts = run.get_object().if_contains("counts"); counts != nullptr && counts->is_object()) {
        for (const auto& [name, value] : counts->get_object()) {
            if (value.is_int64()) result.counts[std::string(name)] = value.get_int64();
        }
    }
    return result;
}

std::size_t LoneServer::items() const {
    const auto answer = pod_.get("/Items?recursive=true&limit=0&includeItemTypes=Movie,Episode,Audio");
    const auto* object = answer.if_object();
    const auto* total = object != nullptr ? object->if_contains("TotalRecordCount") : nullptr;
    return total != nullptr && total->is_int64() ? static_cast<std::size_t>(total->get_int64()) : 0;
}

}  // namespace understudy::bench
