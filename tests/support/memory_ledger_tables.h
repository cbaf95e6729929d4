// tests/support/memory_ledger_tables.h: the ledger's rows in memory, for contract tests, the simulator and the model
// checker. Same refusals as SQL; the clock is injected; calls can fail before, within or after they are applied.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tasks/ledger_tables.h"

namespace understudy::testing {

/// The shared "database". A copy is a database of its own with the same rows.
struct MemoryLedgerRows {
    struct Beat {
        std::int64_t counter = 0;
        core::UtcTime at{};
        tasks::RunProgress progress;
    };
    /// One transaction at a time; a copy gets a mutex of its own.
    struct Mutex {
        Mutex() = default;
        Mutex(const Mutex&) {}
        Mutex& operator=(const Mutex&) { return *this; }
        std::mutex mutex;
    };

    std::optional<tasks::ClusterRecord> cluster;
    std::map<std::string, tasks::TaskRecord> tasks;
    std::map<tasks::TaskScope, tasks::ScopeRecord> scopes;
    std::map<core::RunId, tasks::RunRow> runs;
    std::map<tasks::TaskScope, std::map<std::int64_t, core::RunId>> epochs;
    std::map<core::RunId, Beat> beats;
    std::map<tasks::TaskScope, std::map<core::UtcTime, core::RunId>> slots;
    std::deque<tasks::SkipRow> skips;
    Mutex mutex;
};

class MemoryLedgerTransaction : public tasks::LedgerTransaction {
public:
    MemoryLedgerTransaction(MemoryLedgerRows& rows, std::function<core::UtcTime()> clock)
        : rows_(rows), clock_(std::move(clock)) {}

    [[nodiscard]] const std::optional<core::Error>& error() const noexcept { return error_; }
    void roll_back() {
        while (!undo_.empty()) {
            undo_.back()();
            undo_.pop_back();
        }
    }

    core::UtcTime now() override { return clock_(); }
    std::optional<tasks::ClusterRecord> cluster() override { return rows_.cluster; }
    std::vector<tasks::TaskRecord> tasks() override {
        std::vector<tasks::TaskRecord> all;
        for (const auto& [key, task] : rows_.tasks) all.push_back(task);
        return all;
    }
    std::optional<tasks::TaskRecord> task(const std::string& key) override { return find(rows_.tasks, key); }
    std::vector<tasks::ScopeRecord> scopes(const std::optional<std::string>& scope) override {
        std::vector<tasks::ScopeRecord> all;
        for (const auto& [key, row] : rows_.scopes)
            if (wanted(key, scope)) all.push_back(row);
        return all;
    }
    std::vector<tasks::RunRow> newest_runs(const std::optional<std::string>& scope) override {
        std::vector<tasks::RunRow> all;
        for (const auto& [key, epochs] : rows_.epochs) {
            if (!wanted(key, scope)) continue;
            std::size_t taken = 0;
            for (auto at = epochs.rbegin(); at != epochs.rend() && taken < 2; ++at, ++taken)
                all.push_back(*run(at->second));
        }
        return all;
    }
    std::optional<tasks::RunRow> newest_run(const tasks::TaskScope& task) override {
        const auto at = rows_.epochs.find(task);
        if (at == rows_.epochs.end() || at->second.empty()) return std::nullopt;
        return run(at->second.rbegin()->second);
    }
    std::optional<tasks::RunRow> run(core::RunId id) override {
        auto row = find(rows_.runs, id);
        if (const auto beat = rows_.beats.find(id); row && beat != rows_.beats.end()) {
            row->beat = beat->second.counter;
            row->heartbeat_at = beat->second.at;
            row->progress = beat->second.progress.percent;
            row->counts = beat->second.progress.counts;
            row->pace = beat->second.progress.pace;
        }
        return row;
    }
    std::vector<tasks::RunRow> live_runs() override {
        std::vector<tasks::RunRow> all;
        for (const auto& [id, beat] : rows_.beats) all.push_back(*run(id));
        return all;
    }
    tasks::RunLedger::RunPage runs(const tasks::RunFilter& filter) override {
        std::vector<tasks::RunRow> all;
        for (const auto& [id, row] : rows_.runs) {
            if (!filter.task.empty() && row.task.task != filter.task) continue;
            if (!filter.pod.empty() && row.pod != filter.pod) continue;
            if (filter.state && row.state != *filter.state) continue;
            all.push_back(*run(id));
        }
        std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
            return std::tie(a.started_at, a.epoch, a.id) > std::tie(b.started_at, b.epoch, b.id);
        });
        tasks::RunLedger::RunPage page;
        page.total = all.size();
        for (std::size_t i = filter.start_index; i < all.size() && page.items.size() < filter.limit; ++i)
            page.items.push_back(all[i]);
        return page;
    }
    std::vector<tasks::SkipRow> skips(std::size_t limit) override {
        std::vector<tasks::SkipRow> newest(rows_.skips.rbegin(), rows_.skips.rend());
        newest.resize(std::min(newest.size(), limit));
        return newest;
    }

    // One transaction at a time: every lock is ours already.
    void lock_group() override {}
    std::optional<tasks::TaskRecord> lock_task(const std::string& key) override { return find(rows_.tasks, key); }
    std::optional<tasks::ScopeRecord> lock_scope(const tasks::TaskScope& task) override {
        return find(rows_.scopes, task);
    }
    std::vector<tasks::ScopeRecord> lock_scopes(const std::string& key) override {
        std::vector<tasks::ScopeRecord> all;
        for (const auto& [task, row] : rows_.scopes)
            if (task.task == key) all.push_back(row);
        return all;
    }
    std::optional<tasks::RunRow> lock_run(core::RunId id) override { return run(id); }
    std::optional<tasks::BeatRecord> lock_beat(core::RunId id) override {
        const auto beat = rows_.beats.find(id);
        if (beat == rows_.beats.end()) return std::nullopt;
        return tasks::BeatRecord{beat->second.counter, beat->second.at};
    }

    void insert_cluster(const tasks::ClusterRecord& cluster) override {
        if (!rows_.cluster) update_cluster(cluster);
    }
    void update_cluster(const tasks::ClusterRecord& cluster) override {
        if (error_) return;
        undo_.push_back([this, old = rows_.cluster] { rows_.cluster = old; });
        rows_.cluster = cluster;
    }
    void insert_task(const tasks::TaskRecord& task) override {
        if (!rows_.tasks.contains(task.task)) put(rows_.tasks, task.task, task);
    }
    void update_task(const tasks::TaskRecord& task) override { put(rows_.tasks, task.task, task); }
    void insert_scope(const tasks::ScopeRecord& scope) override {
        if (!rows_.scopes.contains(scope.task)) put(rows_.scopes, scope.task, scope);
    }
    void update_scope(const tasks::ScopeRecord& scope) override { put(rows_.scopes, scope.task, scope); }

    void insert_run(const tasks::RunRow& run) override {
        auto& epochs = rows_.epochs[run.task];
        const auto live = std::any_of(epochs.rbegin(), epochs.rend(),
                                      [&](const auto& one) { return is_live(rows_.runs.at(one.second).state); });
        if (rows_.runs.contains(run.id) || epochs.contains(run.epoch) || (live && is_live(run.state)))
            return refuse("run " + run.id.str() + " is not unique");
        put(rows_.runs, run.id, run);
        put(epochs, run.epoch, run.id);
        put(rows_.beats, run.id, {run.beat, run.heartbeat_at.value_or(now()), {run.progress, run.counts, {}}});
    }
    void update_run(const tasks::RunRow& run) override {
        const auto at = rows_.runs.find(run.id);
        if (at == rows_.runs.end()) return;
        auto row = run;
        row.beat = at->second.beat;
        row.heartbeat_at = at->second.heartbeat_at;
        put(rows_.runs, run.id, row);
    }
    void drop_beat(core::RunId id) override {
        const auto beat = rows_.beats.find(id);
        if (beat == rows_.beats.end()) return;
        auto row = rows_.runs.at(id);
        row.beat = beat->second.counter;
        row.heartbeat_at = beat->second.at;
        row.pace = {};
        put(rows_.runs, id, row);
        take(rows_.beats, id);
    }
    bool move_beat(core::RunId id, std::int64_t counter, const tasks::RunProgress& progress) override {
        const auto beat = rows_.beats.find(id);
        if (error_ || beat == rows_.beats.end() || beat->second.counter != counter) return false;
        MemoryLedgerRows::Beat moved{counter + 1, now(), progress};
        moved.progress.percent = std::max(progress.percent, beat->second.progress.percent);
        put(rows_.beats, id, moved);
        return true;
    }

    bool slot_taken(const tasks::TaskScope& task, core::UtcTime slot) override {
        const auto slots = rows_.slots.find(task);
        return slots != rows_.slots.end() && slots->second.contains(slot);
    }
    void insert_slot(const tasks::TaskScope& task, core::UtcTime slot, const tasks::RunRow& run) override {
        if (slot_taken(task, slot)) return refuse("slot " + core::to_iso8601(slot) + " of " + task.task + " is taken");
        put(rows_.slots[task], slot, run.id);
    }
    void repoint_slots(core::RunId from, const tasks::RunRow& to) override {
        auto& slots = rows_.slots[to.task];
        for (const auto& [slot, run] : std::map(slots))
            if (run == from) put(slots, slot, to.id);
    }
    void forget_runs(const tasks::TaskScope& task, std::int64_t up_to, std::int64_t below,
                     core::UtcTime ended_before) override {
        auto& epochs = rows_.epochs[task];
        for (const auto& [epoch, id] : epochs) {
            const auto& ended = rows_.runs.at(id).ended_at;
            if (epoch < below && ended && *ended < ended_before) up_to = std::max(up_to, epoch);
        }
        if (epochs.empty() || epochs.begin()->first > up_to) return;
        auto& slots = rows_.slots[task];
        for (const auto& [epoch, id] : std::map(epochs)) {
            if (epoch > up_to) break;
            for (const auto& [slot, run] : std::map(slots))
                if (run == id) take(slots, slot);
            take(epochs, epoch);
            take(rows_.runs, id);
        }
    }

    core::Result<void> pass_fence(const core::Fence& fence) override {
        const auto row = find(rows_.runs, fence.run);
        if (!row || !is_live(row->state) || row->epoch != fence.epoch || row->cursor_seq != fence.cursor_seq)
            return core::fail(core::Errc::fenced, "run " + fence.run.str());
        auto next = *row;
        ++next.cursor_seq;
        if (fence.cursor) next.cursor = *fence.cursor;
        put(rows_.runs, fence.run, next);
        return {};
    }

    void insert_skip(const tasks::SkipRow& skip, std::size_t keep) override {
        if (error_) return;
        for (const auto& old : rows_.skips) {
            if (old.task == skip.task && old.slot == skip.slot && old.pod == skip.pod && old.reason == skip.reason)
                return;
        }
        undo_.push_back([this, old = rows_.skips] { rows_.skips = old; });
        rows_.skips.push_back(skip);
        while (rows_.skips.size() > keep) rows_.skips.pop_front();
    }

protected:
    template <class Map>
    static std::optional<typename Map::mapped_type> find(const Map& map, const typename Map::key_type& key) {
        const auto at = map.find(key);
        return at == map.end() ? std::nullopt : std::optional(at->second);
    }
    template <class Map>
    void put(Map& map, const typename Map::key_type& key, typename Map::mapped_type value) {
        if (error_) return;
        undo_.push_back([&map, key, old = find(map, key)] {
            if (old)
                map[key] = *old;
            else
                map.erase(key);
        });
        map[key] = std::move(value);
    }
    template <class Map>
    void take(Map& map, const typename Map::key_type& key) {
        const auto old = find(map, key);
        if (error_ || !old) return;
        undo_.push_back([&map, key, value = *old] { map[key] = value; });
        map.erase(key);
    }
    void refuse(std::string why) {
        if (!error_) error_ = core::Error{core::Errc::conflict, std::move(why)};
    }

    MemoryLedgerRows& rows_;

private:
    static bool wanted(const tasks::TaskScope& task, const std::optional<std::string>& scope) {
        return !scope || task.scope == tasks::cluster_scope || task.scope == *scope;
    }

    std::function<core::UtcTime()> clock_;
    std::optional<core::Error> error_;
    std::vector<std::function<void()>> undo_;
};

/// What becomes of one call. All but `none` are `unavailable` to the caller.
enum class MemoryFault { none, unreachable, fails_inside, reply_lost };

class MemoryLedgerTables : public tasks::LedgerTables {
public:
    /// `rows` outlives it; several tables (one a pod) may share them.
    MemoryLedgerTables(MemoryLedgerRows& rows, std::function<core::UtcTime()> clock)
        : rows_(rows), clock_(std::move(clock)) {}

    /// Asked once for each call; `writes` is false for a look. Called with the database locked.
    std::function<MemoryFault(bool writes)> on_call;

    core::Result<void> transaction(const std::function<core::Result<void>(tasks::LedgerTransaction&)>& work) override {
        const std::lock_guard lock(rows_.mutex.mutex);
        const auto fault = on_call ? on_call(true) : MemoryFault::none;
        if (fault == MemoryFault::unreachable) return away("no connection");
        const auto tx = begin(rows_, clock_);
        auto done = work(*tx);
        if (tx->error()) done = tl::unexpected(*tx->error());
        if (fault == MemoryFault::fails_inside) done = away("connection lost");
        if (!done) tx->roll_back();
        if (fault == MemoryFault::reply_lost) return away("reply lost");
        return done;
    }
    core::Result<void> look(const std::function<void(tasks::LedgerView&)>& work) override {
        const std::lock_guard lock(rows_.mutex.mutex);
        if (on_call && on_call(false) != MemoryFault::none) return away("no connection");
        const auto tx = begin(rows_, clock_);
        work(*tx);
        return {};
    }

protected:
    /// For controls that leave a rule out.
    [[nodiscard]] virtual std::unique_ptr<MemoryLedgerTransaction> begin(MemoryLedgerRows& rows,
                                                                         const std::function<core::UtcTime()>& clock) {
        return std::make_unique<MemoryLedgerTransaction>(rows, clock);
    }

private:
    static core::Result<void> away(const char* why) {
        return core::fail(core::Errc::unavailable, std::string("memory ledger: ") + why);
    }

    MemoryLedgerRows& rows_;
    std::function<core::UtcTime()> clock_;
};

}  // namespace understudy::testing
