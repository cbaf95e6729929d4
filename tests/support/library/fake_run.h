// tests/support/library/fake_run.h: a run of the task engine without an engine: keeps what a scan reports, and is the
// fence that a memory store asks.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/log.h"
#include "core/random.h"
#include "tasks/task.h"

namespace understudy::testing {

class FakeRun final : public tasks::Run {
public:
    /// `cursor`: where the run this one goes on from had come to.
    explicit FakeRun(std::string options = "{}", std::string cursor = {})
        : options_(std::move(options)), first_cursor_(std::move(cursor)) {}

    [[nodiscard]] core::RunId id() const noexcept override { return id_; }
    [[nodiscard]] std::int64_t epoch() const noexcept override { return 1; }
    [[nodiscard]] const std::string& options() const noexcept override { return options_; }
    [[nodiscard]] tasks::RunKind kind() const noexcept override { return tasks::RunKind::manual; }
    [[nodiscard]] const std::string& cursor() const noexcept override { return first_cursor_; }
    [[nodiscard]] bool should_stop() const noexcept override { return stop.load(); }
    void report(double progress) noexcept override {
        const std::lock_guard lock(mutex_);
        reports.push_back(progress);
    }
    void work(std::string_view unit, double done, double total) noexcept override {
        const std::lock_guard lock(mutex_);
        works.push_back({std::string(unit), done, total});
    }
    void count(std::string_view name, std::int64_t by) override {
        const std::lock_guard lock(mutex_);
        counts[std::string(name)] += by;
    }
    void warn(const std::string& text) override {
        const std::lock_guard lock(mutex_);
        warnings.push_back(text);
    }
    [[nodiscard]] core::Result<void> commit(
        std::optional<std::string> cursor,
        const std::function<core::Result<void>(const core::Fence&)>& write) override {
        if (on_commit) on_commit(commits);
        if (fenced) return core::fail(core::Errc::fenced, "a newer epoch owns the task");
        ++commits;
        if (cursor) cursors.push_back(*cursor);
        auto written = write(core::Fence{id_, 1, sequence_, cursor});
        if (written) ++sequence_;
        return written;
    }
    [[nodiscard]] core::Result<void> request_follow_up(const std::string& options, core::Millis delay,
                                                       int attempt) override {
        follow_ups.push_back({options, delay, attempt});
        return {};
    }
    [[nodiscard]] core::Log& log() noexcept override { return log_; }

    struct FollowUp {
        std::string options;
        core::Millis delay{};
        int attempt = 0;
    };
    std::atomic<bool> stop{false};
    bool fenced = false;
    int commits = 0;
    std::function<void(int)> on_commit;  ///< before commit number n (from 0)
    std::vector<double> reports;
    struct Work {
        std::string unit;
        double done = 0, total = 0;
    };
    std::vector<Work> works;
    std::map<std::string, std::int64_t> counts;
    std::vector<std::string> warnings, cursors;
    std::vector<FollowUp> follow_ups;

private:
    core::SeededRandom random_{7};
    core::RunId id_ = core::RunId::make(random_);
    std::string options_, first_cursor_;
    std::int64_t sequence_ = 0;
    std::mutex mutex_;
    core::NullLog log_;
};

}  // namespace understudy::testing
