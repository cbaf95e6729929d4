// tests/http/fakes.h: working doubles of every port that handlers ask, filled by tests. Used by golden tests and
// fuzz/http.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "http/services.h"
#include "http/text.h"

namespace understudy::testing {

template <class T>
T id_of(char digit) {
    return *T::parse(std::string(32, digit));
}

/// Tasks in memory; `broken`, where set, is what every call answers.
class FakeTasks final : public http::TaskService {
public:
    std::vector<tasks::TaskView> views;
    std::optional<core::Error> broken;
    std::optional<core::Error> start_refused;
    std::function<void()> on_run = [] {};  ///< called by each run_now
    bool live_elsewhere = false;
    std::string queued_options;      ///< of the last queue()
    std::vector<std::string> calls;  ///< `run RefreshLibrary`, `cancel …`, …
    bool paused = false;
    std::vector<tasks::RunRow> local;
    tasks::TaskCounters numbers;
    std::optional<core::Error> resign_refused;

    void add(const char* key) {
        tasks::TaskView view;
        view.entry = tasks::find_task(key);
        view.state.task = {key, "cluster"};
        view.state.triggers = view.entry->default_triggers();
        views.push_back(view);
    }
    tasks::TaskView& at(const std::string& key) {
        return *std::ranges::find_if(views, [&](const auto& view) { return view.entry->key == key; });
    }
    core::Result<std::vector<tasks::TaskView>> tasks() override {
        if (broken) return tl::unexpected(*broken);
        return views;
    }
    core::Result<tasks::TaskView> task(const std::string& key_or_id) override {
        if (broken) return tl::unexpected(*broken);
        const auto* entry = tasks::find_task(key_or_id);
        for (const auto& view : views) {
            if (entry && view.entry == entry) return view;
        }
        return core::fail(core::Errc::not_found, "There is no task '" + key_or_id + "'.");
    }
    core::Result<tasks::StartAnswer> run_now(const std::string& key_or_id, const std::string&) override {
        const auto view = task(key_or_id);
        if (!view) return tl::unexpected(view.error());
        on_run();
        if (start_refused) return tl::unexpected(*start_refused);
        calls.push_back("run " + std::string(view->entry->key));
        tasks::StartAnswer answer;
        answer.run.id = id_of<core::RunId>('a');
        answer.run.pod = live_elsewhere ? "b" : "a";
        answer.joined = live_elsewhere;
        answer.beat_age = core::Millis{3'400};
        return answer;
    }
    core::Result<void> queue(const std::string& key_or_id, const std::string& options) override {
        queued_options = options;
        return act("queue", key_or_id);
    }
    core::Result<bool> cancel(const std::string& key_or_id, const std::string&) override {
        const auto done = act("cancel", key_or_id);
        if (!done) return tl::unexpected(done.error());
        return task(key_or_id)->state.live.has_value();
    }
    core::Result<void> set_triggers(const std::string& key_or_id,
                                    const std::vector<tasks::Trigger>& triggers) override {
        const auto known = act("triggers", key_or_id);
        if (!known) return known;
        at(std::string(tasks::find_task(key_or_id)->key)).state.triggers = triggers;
        return {};
    }
    core::Result<void> set_enabled(const std::string& key_or_id, bool enabled) override {
        const auto known = act(enabled ? "enable" : "disable", key_or_id);
        if (known) at(std::string(tasks::find_task(key_or_id)->key)).state.enabled = enabled;
        return known;
    }
    core::Result<void> set_timers_paused(bool value) override {
        if (broken) return tl::unexpected(*broken);
        paused = value;
        return {};
    }
    core::Result<void> resign(core::Millis) override {
        const std::lock_guard lock(mutex_);
        resigned_ = true;
        if (resign_refused) return tl::unexpected(*resign_refused);
        return {};
    }
    std::optional<bool> timers_paused() const override { return paused; }
    std::vector<tasks::RunRow> local_runs() const override { return local; }
    tasks::TaskCounters counters() const override { return numbers; }
    bool resigned() const {
        const std::lock_guard lock(mutex_);
        return resigned_;
    }

private:
    core::Result<void> act(const char* what, const std::string& key_or_id) {
        const auto view = task(key_or_id);
        if (!view) return tl::unexpected(view.error());
        calls.push_back(std::string(what) + " " + std::string(view->entry->key));
        return {};
    }
    mutable std::mutex mutex_;
    bool resigned_ = false;
};

/// Answers what handlers read; claims and writes are the engine's and fail loudly here.
class FakeLedger final : public tasks::RunLedger {
public:
    Overview view;
    std::vector<tasks::RunRow> rows;  ///< newest first; waiting ones have no id
    std::vector<tasks::SkipRow> skip_rows;
    tasks::RunFilter last_filter;
    std::optional<core::Error> broken;

    core::Result<core::UtcTime> now() override { return view.now; }
    core::Result<Overview> overview(const std::string&) override {
        if (broken) return tl::unexpected(*broken);
        return view;
    }
    core::Result<std::vector<tasks::RunRow>> live_runs() override {
        std::vector<tasks::RunRow> live;
        for (const auto& row : rows) {
            if (!row.waiting() && tasks::is_live(row.state)) live.push_back(row);
        }
        return live;
    }
    core::Result<std::optional<tasks::RunRow>> find_run(core::RunId run) override {
        for (const auto& row : rows) {
            if (row.id == run) return std::optional<tasks::RunRow>(row);
        }
        return std::optional<tasks::RunRow>();
    }
    core::Result<RunPage> runs(const tasks::RunFilter& filter) override {
        if (broken) return tl::unexpected(*broken);
        last_filter = filter;
        RunPage page;
        for (const auto& row : rows) {
            if (!filter.task.empty() && row.task.task != filter.task) continue;
            if (!filter.pod.empty() && row.pod != filter.pod) continue;
            if (row.waiting() ? !(filter.waiting || filter.with_waiting) : filter.waiting) continue;
            if (filter.state && (row.waiting() || row.state != *filter.state)) continue;
            if (page.total >= filter.start_index && page.items.size() < filter.limit) page.items.push_back(row);
            ++page.total;
        }
        return page;
    }
    core::Result<std::vector<tasks::SkipRow>> skips(std::size_t limit) override {
        auto some = skip_rows;
        some.resize(std::min(limit, some.size()));
        return some;
    }

    core::Result<void> ensure_task(const tasks::CatalogueEntry&, const std::string&) override { return none(); }
    core::Result<tasks::Claim> claim_slot(const tasks::PodRef&, const tasks::TaskStateRow&, core::RunId) override {
        return none();
    }
    core::Result<tasks::Claim> claim_startup(const tasks::PodRef&, const tasks::TaskScope&, core::RunId,
                                             bool) override {
        return none();
    }
    core::Result<tasks::Claim> claim_manual(const tasks::PodRef&, const tasks::TaskScope&, core::RunId,
                                            const std::string&, const tasks::JoinOptions&) override {
        return none();
    }
    core::Result<tasks::Claim> claim_pending(const tasks::PodRef&, const tasks::TaskScope&, core::RunId) override {
        return none();
    }
    core::Result<void> request_later(const tasks::TaskScope&, const std::string&, core::Millis, int,
                                     const tasks::JoinOptions&) override {
        return none();
    }
    core::Result<tasks::Claim> take_over(const tasks::PodRef&, const tasks::RunRow&, bool, core::RunId) override {
        return none();
    }
    core::Result<void> fail_gone_pod(const tasks::RunRow&) override { return none(); }
    core::Result<tasks::BeatAnswer> beat(core::RunId, std::int64_t, std::int64_t, const tasks::RunProgress&) override {
        return none();
    }
    core::Result<void> checkpoint(const core::Fence&) override { return none(); }
    core::Result<void> end(const core::Fence&, const tasks::RunEnd&) override { return none(); }
    core::Result<bool> cancel(const tasks::TaskScope&, const std::string&) override { return none(); }
    core::Result<void> set_triggers(const std::string&, const std::vector<tasks::Trigger>&) override { return none(); }
    core::Result<void> set_enabled(const std::string&, bool) override { return none(); }
    core::Result<void> set_timers_paused(bool) override { return none(); }
    core::Result<void> note_skip(const tasks::SkipRow&) override { return none(); }

private:
    static tl::unexpected<core::Error> none() {
        return core::fail(core::Errc::unsupported, "http does not write to the ledger");
    }
};

class FakeLease final : public lease::ScanLeaderLease {
public:
    lease::LeaseView seen;
    lease::Standing standing() const noexcept override { return seen.standing; }
    lease::LeaseView view() const override { return seen; }
    core::Result<void> release(core::Millis) override { return {}; }
    core::Result<void> resign(core::Millis) override { return {}; }
    void on_event(std::function<void(lease::LeaseEvent)>) override {}
};

class FakePods final : public cluster::PodRegistry {
public:
    std::vector<cluster::PodInfo> rows;
    core::Result<core::UtcTime> heartbeat(const cluster::PodInfo&) override { return core::UtcTime{}; }
    core::Millis asked_within{};
    core::Result<std::vector<cluster::PodInfo>> pods(core::Millis within) override {
        asked_within = within;
        return rows;
    }
    core::Result<void> leave(core::BootId) override { return {}; }
};

/// One listener at most, told on the publisher's thread.
class FakeEvents final : public cluster::EventLog {
public:
    std::vector<std::pair<std::string, std::string>> published;
    core::Result<void> publish(const std::string& kind, const std::string& payload) override {
        const std::lock_guard lock(mutex_);
        published.emplace_back(kind, payload);
        if (listener_) listener_({static_cast<std::int64_t>(published.size()), kind, payload, {}, "a"});
        return {};
    }
    int listen(std::function<void(const cluster::Event&)> listener) override {
        const std::lock_guard lock(mutex_);
        listener_ = std::move(listener);
        return 1;
    }
    void drop(int) override {
        const std::lock_guard lock(mutex_);
        listener_ = {};
    }

private:
    std::mutex mutex_;
    std::function<void(const cluster::Event&)> listener_;
};

class FakeLibraries final : public store::LibraryStore {
public:
    std::vector<model::Library> rows;
    core::Result<std::vector<model::Library>> all() override { return rows; }
    core::Result<void> add(const model::Library& library) override {
        rows.push_back(library);
        return {};
    }
    core::Result<void> remove(core::LibraryId id) override {
        std::erase_if(rows, [&](const auto& each) { return each.id == id; });
        return {};
    }
    core::Result<void> update(const model::Library& library) override {
        for (auto& each : rows) {
            if (each.id == library.id) each = library;
        }
        return {};
    }
    core::Result<std::map<core::LibraryId, std::vector<model::RootState>>> roots() override {
        return std::map<core::LibraryId, std::vector<model::RootState>>();
    }
};

/// Filters as the port says, sorts by name only.
/// As far as libraries go.
inline bool sees(const std::optional<store::Viewer>& viewer, core::LibraryId library) {
    return !viewer || !viewer->libraries || library == store::collections_library ||
           std::ranges::find(*viewer->libraries, library) != viewer->libraries->end();
}

class FakeCatalog final : public store::Catalog {
public:
    std::vector<store::ListedItem> rows;
    std::vector<store::Problem> problem_rows;
    store::ItemQuery last_query;
    core::Result<store::ItemPage> list(const store::ItemQuery& query) override {
        last_query = query;
        store::ItemPage page;
        for (const auto& row : rows) {
            if (query.library && row.item.library != *query.library) continue;
            if (!sees(query.viewer, row.item.library)) continue;
            if (query.library && !query.recursive && !row.item.parent.empty()) continue;
            if (query.parent && row.item.parent != *query.parent) continue;
            const bool extra = row.item.kind == model::ItemKind::extra;
            if (extra && query.kinds.empty() && query.ids.empty()) continue;
            if (!query.kinds.empty() && std::ranges::find(query.kinds, row.item.kind) == query.kinds.end()) continue;
            if (!query.ids.empty() && std::ranges::find(query.ids, row.item.id) == query.ids.end()) continue;
            if (!query.search.empty() && !http::icontains(row.item.name, query.search)) continue;
            if (page.total >= query.start_index && page.items.size() < query.limit) page.items.push_back(row);
            ++page.total;
        }
        return page;
    }
    core::Result<std::optional<store::ListedItem>> find(core::ItemId id) override {
        for (const auto& row : rows) {
            if (row.item.id == id) return std::optional<store::ListedItem>(row);
        }
        return std::optional<store::ListedItem>();
    }
    core::Result<std::vector<store::Problem>> problems(std::optional<core::LibraryId> library) override {
        auto some = problem_rows;
        std::erase_if(some, [&](const auto& each) { return library && each.library != *library; });
        return some;
    }
    core::Result<LibraryCounts> counts(core::LibraryId) override { return LibraryCounts{}; }
};

class FakeScans final : public store::ScanStore {
public:
    std::map<core::LibraryId, std::int64_t> missing;
    core::Result<void> files(core::LibraryId, const std::function<void(store::StoredFile&&)>&) override {
        return none();
    }
    core::Result<void> directories(core::LibraryId, const std::function<void(store::StoredDirectory&&)>&) override {
        return none();
    }
    core::Result<void> problems(core::LibraryId, const std::function<void(store::StoredProblem&&)>&) override {
        return none();
    }
    core::Result<void> items(core::LibraryId, const std::function<void(store::StoredItem&&)>&) override {
        return none();
    }
    core::Result<std::map<std::string, core::ItemId>> items_at(const std::vector<std::string>&) override {
        return std::map<std::string, core::ItemId>{};
    }
    core::Result<std::vector<model::Item>> load(const std::vector<core::ItemId>&) override { return none(); }
    core::Result<void> apply(const store::ScanBatch&, const core::Fence&) override { return none(); }
    core::Result<std::int64_t> remove_missing(core::LibraryId library) override {
        return std::exchange(missing[library], 0);
    }

private:
    static tl::unexpected<core::Error> none() {
        return core::fail(core::Errc::unsupported, "http neither scans nor writes scans");
    }
};

class FakeHealth final : public http::HealthSource {
public:
    http::HealthReport now{.phase = http::HealthReport::Phase::ready,
                           .phase_detail = {},
                           .database_reachable = true,
                           .database_migrated = true,
                           .database_detail = {},
                           .degradations = {}};
    http::HealthReport report() const override { return now; }
};

/// Keeps what was logged.
class RecordingLog final : public core::Log {
public:
    void write(core::LogLevel level, std::string_view message,
               std::span<const core::LogField> fields) noexcept override {
        const std::lock_guard lock(mutex_);
        std::string line = level == core::LogLevel::debug     ? "debug "
                           : level == core::LogLevel::warning ? "warning "
                                                              : "";
        line += message;
        for (const auto& field : fields) line += " " + std::string(field.name) + "=" + field.value;
        lines_.push_back(std::move(line));
    }
    std::size_t count(std::string_view part) const {
        const std::lock_guard lock(mutex_);
        return static_cast<std::size_t>(std::ranges::count_if(
            lines_, [&](const std::string& line) { return line.find(part) != std::string::npos; }));
    }

private:
    mutable std::mutex mutex_;
    std::vector<std::string> lines_;
};

}  // namespace understudy::testing
