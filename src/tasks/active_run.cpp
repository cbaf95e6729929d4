#include "tasks/active_run.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <utility>

namespace understudy::tasks {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_warnings = 100;
// Both with room for the beat thread's look every 250 ms.
constexpr core::Nanos progress_every = 700ms;       // progress is on the run's row at least once a second
constexpr core::Nanos cancel_seen_within = 1600ms;  // the flag is seen within 2 s on any pod
constexpr core::Nanos told_every = 1s;              // progress to dashboards
constexpr core::Nanos first_backoff = 100ms;
constexpr core::Nanos longest_backoff = 2s;

bool unclear(core::Errc code) {
    return code == core::Errc::unavailable || code == core::Errc::timed_out;
}

}  // namespace

ActiveRun::ActiveRun(ScheduledTask& task, RunRow row, core::Instant claimed_at, RunTiming timing, RunLedger& ledger,
                     core::Clock& clock, core::Log& log, cluster::EventLog* events)
    : task_(task),
      row_(std::move(row)),
      timing_(timing),
      ledger_(ledger),
      clock_(clock),
      log_(log, row_),
      events_(events),
      started_at_(clock.now()),
      acknowledged_at_(claimed_at),
      cancel_(row_.cancel_requested),
      cancel_reason_(row_.cancel_reason),
      progress_(row_.progress),
      counts_(row_.counts),
      warnings_(row_.warnings),
      known_warnings_(row_.warnings.begin(), row_.warnings.end()),
      cursor_seq_(row_.cursor_seq),
      beat_(row_.beat),
      beat_sent_at_(claimed_at) {}

bool ActiveRun::out_of_contact(core::Instant now) const noexcept {
    return core::elapsed(acknowledged_at_, now) >= timing_.dead_after * 2 / 3;
}

bool ActiveRun::should_stop() const noexcept {
    const_cast<ActiveRun*>(this)->moved();  // asking is moving
    const auto now = clock_.now();
    const std::lock_guard lock(mutex_);
    if (fenced_ || draining_ || abandoned_ || cancel_) return true;
    if (row_.max_runtime && core::elapsed(started_at_, now) >= *row_.max_runtime) return true;
    if (out_of_contact(now)) lost_contact_ = true;
    return lost_contact_;
}

void ActiveRun::report(double progress) noexcept {
    moved();
    if (std::isnan(progress)) return;
    const std::lock_guard lock(mutex_);
    const double bounded = std::clamp(progress, 0.0, 100.0);
    if (bounded <= progress_) return;
    progress_ = bounded;
    ++version_;
}

void ActiveRun::work(std::string_view unit, double done, double total) noexcept {
    moved();
    const auto now = clock_.now();
    const std::lock_guard lock(mutex_);
    pace_.note(now, unit, done, total);  // goes out with the next beat: no beat for its own sake
}

void ActiveRun::count(std::string_view name, std::int64_t by) {
    moved();
    const std::lock_guard lock(mutex_);
    counts_[std::string(name)] += by;
    ++version_;
}

void ActiveRun::warn(const std::string& text) {
    moved();
    {
        const std::lock_guard lock(mutex_);
        ++version_;
        if (warnings_.size() >= most_warnings) {
            if (!known_warnings_.contains(text)) ++counts_["warnings_not_kept"];
            return;
        }
        if (!known_warnings_.insert(text).second) return;
        warnings_.push_back(text);
    }
    log_.warning(text);
}

core::Result<void> ActiveRun::commit(std::optional<std::string> cursor,
                                     const std::function<core::Result<void>(const core::Fence&)>& write) {
    core::Nanos backoff = first_backoff;
    bool sent_unclear = false;  // an attempt of this very write may have been applied, or may yet be
    for (;;) {
        moved();
        {
            const std::lock_guard lock(mutex_);
            if (fenced_) return core::fail(core::Errc::fenced, "the run " + row_.id.str() + " was taken over");
        }
        std::optional<core::Error> error;
        if (!cursor_seq_unsure_) {
            const auto written = write(core::Fence{row_.id, row_.epoch, cursor_seq_, cursor});
            if (written) {
                ++cursor_seq_;
                return {};
            }
            if (!unclear(written.error().code) && written.error().code != core::Errc::fenced) return written;
            // Fenced without doubt, unless an earlier attempt of ours arrived late and moved the sequence itself.
            if (written.error().code == core::Errc::fenced && !sent_unclear) {
                set_fenced();
                return written;
            }
            if (unclear(written.error().code)) sent_unclear = true;
            error = written.error();
        }
        std::int64_t seq = 0;
        std::string stored_cursor;
        switch (look_up(std::nullopt, seq, stored_cursor)) {
            case Seen::live:
                if (sent_unclear && seq == cursor_seq_ + 1 && (!cursor || stored_cursor == *cursor)) {
                    cursor_seq_ = seq;
                    return {};
                }
                // A write given up earlier may have been applied since: no one else writes at this epoch.
                if (cursor_seq_unsure_ && seq == cursor_seq_ + 1) cursor_seq_ = seq;
                if (seq != cursor_seq_) {
                    set_fenced();
                    return core::fail(core::Errc::fenced, "another process writes as the run " + row_.id.str());
                }
                cursor_seq_unsure_ = false;
                break;
            case Seen::ours_ended:
            case Seen::gone:
                set_fenced();
                return core::fail(core::Errc::fenced, "the run " + row_.id.str() + " was taken over");
            case Seen::unknown: {
                const std::lock_guard lock(mutex_);
                if (abandoned_ || out_of_contact(clock_.now())) {
                    cursor_seq_unsure_ = cursor_seq_unsure_ || sent_unclear;
                    ledger_away_ = true;
                    return tl::unexpected(error.value_or(core::Error{
                        core::Errc::unavailable, "the database has not answered the run " + row_.id.str()}));
                }
                break;
            }
        }
        if (!pause(backoff)) {
            cursor_seq_unsure_ = cursor_seq_unsure_ || sent_unclear;
            ledger_away_ = true;
            return core::fail(core::Errc::unavailable, "the server stops and the database has not answered");
        }
        backoff = std::min(backoff * 2, longest_backoff);
    }
}

core::Result<void> ActiveRun::request_follow_up(const std::string& options, core::Millis delay, int attempt) {
    core::Nanos backoff = first_backoff;
    const auto join = joining(task_);
    for (;;) {
        moved();
        auto kept = ledger_.request_later(row_.task, options, delay, attempt, join);  // repeating it changes nothing
        if (kept || !unclear(kept.error().code)) return kept;
        {
            const std::lock_guard lock(mutex_);
            if (fenced_ || abandoned_ || out_of_contact(clock_.now())) return kept;
        }
        if (!pause(backoff)) return kept;
        backoff = std::min(backoff * 2, longest_backoff);
    }
}

RunFate ActiveRun::execute() {
    publish("run.started", RunState::running, progress_);
    if (row_.resumed_from) {
        log_.info("run goes on from an earlier one", {{"kind", std::string(to_string(row_.kind))},
                                                      {"attempt", std::to_string(row_.attempts)},
                                                      {"resumed_from", row_.resumed_from->str()}});
    } else {
        log_.info("run started",
                  {{"kind", std::string(to_string(row_.kind))}, {"attempt", std::to_string(row_.attempts)}});
    }
    const auto result = run_task();
    const auto end = end_for(result);
    const bool fenced = [&] {
        const std::lock_guard lock(mutex_);
        return fenced_;
    }();
    const auto fate = fenced ? RunFate::fenced : end_in_ledger(end);
    finished_ = true;
    switch (fate) {
        case RunFate::ended: {
            {
                const std::lock_guard lock(mutex_);
                outcome_ = end.state;
                error_ = end.error;
            }
            std::vector<core::LogField> fields{{"state", std::string(to_string(end.state))}};
            if (!end.error.empty()) fields.push_back({"error", end.error});
            for (const auto& [name, number] : end.counts) fields.push_back({name, std::to_string(number)});
            log_.write(end.state == RunState::failed ? core::LogLevel::error : core::LogLevel::info, "run ended",
                       fields);
            publish("run.ended", end.state, end.progress);
            break;
        }
        case RunFate::fenced:
            log_.warning("run stopped: it was taken over, nothing more was written");
            break;
        case RunFate::abandoned:
            log_.warning("run left behind: the database did not answer within the grace period");
            break;
    }
    return fate;
}

core::Result<void> ActiveRun::run_task() {
    try {
        return task_.execute(*this);
    } catch (const std::exception& error) {
        return core::fail(core::Errc::corrupt, error.what());
    } catch (...) {
        return core::fail(core::Errc::corrupt, "the task threw something that is no std::exception");
    }
}

RunEnd ActiveRun::end_for(const core::Result<void>& result) {
    const auto now = clock_.now();
    const std::lock_guard lock(mutex_);
    RunEnd end{.progress = progress_, .counts = counts_, .warnings = warnings_};
    if (result) {
        end.progress = 100;
        return end;
    }
    const auto code = result.error().code;
    if (code == core::Errc::fenced) fenced_ = true;
    const bool stopped = code == core::Errc::cancelled;
    if (stopped && cancel_) {
        end.state = RunState::cancelled;
        end.error = cancel_reason_;
    } else if (stopped && row_.max_runtime && core::elapsed(started_at_, now) >= *row_.max_runtime) {
        end.state = RunState::cancelled;
        end.error = "MaxRuntimeTicks reached";
    } else if (stopped && (draining_ || abandoned_)) {
        end.state = RunState::yielded;
    } else if ((stopped && lost_contact_) || (unclear(code) && (ledger_away_ || lost_contact_))) {
        // The database was away, not the task at fault: the run goes on from its cursor.
        end.state = RunState::yielded;
    } else {
        end.state = RunState::failed;
        end.error = result.error().context;
    }
    return end;
}

RunFate ActiveRun::end_in_ledger(const RunEnd& end) {
    core::Nanos backoff = first_backoff;
    bool sent_unclear = false;
    for (;;) {
        moved();
        if (!cursor_seq_unsure_) {
            const auto ended = ledger_.end(core::Fence{row_.id, row_.epoch, cursor_seq_, std::nullopt}, end);
            if (ended) return RunFate::ended;
            if (ended.error().code == core::Errc::fenced && !sent_unclear) return RunFate::fenced;
            if (unclear(ended.error().code)) {
                sent_unclear = true;
            } else if (ended.error().code != core::Errc::fenced) {
                log_.error("run cannot be ended", {{"error", ended.error().context}});
                return RunFate::abandoned;  // the beat stops with it: another pod takes the run up
            }
        }
        std::int64_t seq = 0;
        std::string cursor;
        switch (look_up(end.state, seq, cursor)) {
            case Seen::live:
                if (cursor_seq_unsure_ && seq == cursor_seq_ + 1) cursor_seq_ = seq;
                if (seq != cursor_seq_) return RunFate::fenced;
                cursor_seq_unsure_ = false;
                break;
            case Seen::ours_ended:
                return sent_unclear ? RunFate::ended : RunFate::fenced;
            case Seen::gone:
                return RunFate::fenced;
            case Seen::unknown:
                break;
        }
        if (!pause(backoff)) return RunFate::abandoned;
        backoff = std::min(backoff * 2, longest_backoff);
    }
}

ActiveRun::Seen ActiveRun::look_up(const std::optional<RunState>& ended_as, std::int64_t& cursor_seq,
                                   std::string& cursor) {
    const auto row = ledger_.find_run(row_.id);
    if (!row) return Seen::unknown;
    if (!*row || (*row)->epoch != row_.epoch) return Seen::gone;
    cursor_seq = (*row)->cursor_seq;
    cursor = (*row)->cursor;
    if (is_live((*row)->state)) return Seen::live;
    return ended_as && (*row)->state == *ended_as ? Seen::ours_ended : Seen::gone;
}

bool ActiveRun::pause(core::Nanos at_most) {
    std::unique_lock lock(mutex_);
    clock_.wait_for(lock, changed_, at_most, [this] { return abandoned_; });
    return !abandoned_;
}

void ActiveRun::set_fenced() {
    {
        const std::lock_guard lock(mutex_);
        fenced_ = true;
    }
    changed_.notify_all();
}

void ActiveRun::request_cancel(const std::string& reason) {
    const std::lock_guard lock(mutex_);
    if (cancel_) return;
    cancel_ = true;
    cancel_reason_ = reason;
}

void ActiveRun::drain() {
    const std::lock_guard lock(mutex_);
    draining_ = true;
}

void ActiveRun::abandon() {
    {
        const std::lock_guard lock(mutex_);
        abandoned_ = true;
    }
    changed_.notify_all();
}

std::optional<RunState> ActiveRun::outcome() const {
    const std::lock_guard lock(mutex_);
    return outcome_;
}

std::string ActiveRun::error() const {
    const std::lock_guard lock(mutex_);
    return error_;
}

RunRow ActiveRun::snapshot() const {
    const std::lock_guard lock(mutex_);
    auto row = row_;
    row.progress = progress_;
    row.counts = counts_;
    row.pace = pace_.pace(clock_.now());
    row.warnings = warnings_;
    row.cancel_requested = cancel_;
    row.cancel_reason = cancel_reason_;
    row.error = error_;
    if (cancel_) row.state = RunState::cancelling;
    if (outcome_) row.state = *outcome_;
    return row;
}

core::Nanos ActiveRun::beat() {
    const auto now = clock_.now();
    const auto since = core::elapsed(beat_sent_at_, now);
    const auto moves = moves_.load(std::memory_order_relaxed);
    RunProgress progress;
    std::uint64_t version = 0;
    {
        const std::lock_guard lock(mutex_);
        if (fenced_ || finished_) return longest_backoff;
        progress = {progress_, counts_, pace_.pace(now)};
        version = version_;
    }
    const bool changed = version != beat_version_, alive = moves != beat_moves_;
    const auto every = changed ? progress_every : std::min<core::Nanos>(timing_.heartbeat, cancel_seen_within);
    const auto wait = std::max(every, beat_backoff_);
    if (since < wait) return std::min(wait - since, progress_every);
    if (!changed && !alive) return progress_every / 4;  // a run whose code does not move gives no sign of life

    if (unclear_beats_ > 0) resolve_beat();
    const auto sent_at = clock_.now();
    beat_sent_at_ = sent_at;
    const auto answer = ledger_.beat(row_.id, row_.epoch, beat_, progress);
    if (!answer) {
        ++unclear_beats_;
        beat_backoff_ = std::min(std::max(beat_backoff_ * 2, first_backoff), longest_backoff);
        return beat_backoff_;
    }
    beat_backoff_ = core::Nanos{0};
    if (!answer->still_ours && unclear_beats_ > 0) {
        // One of our own beats may have arrived late and moved the counter: the row says.
        resolve_beat();
        return core::Nanos{0};
    }
    on_beat_answer(*answer, sent_at);
    if (!answer->still_ours) return longest_backoff;
    ++beat_;
    unclear_beats_ = 0;
    beat_moves_ = moves;
    beat_version_ = version;
    if (progress.percent != published_progress_ && core::elapsed(published_at_, sent_at) >= told_every) {
        published_progress_ = progress.percent;
        published_at_ = sent_at;
        publish("run.progress", answer->cancel_requested ? RunState::cancelling : RunState::running, progress.percent);
    }
    return progress_every;
}

void ActiveRun::resolve_beat() {
    const auto row = ledger_.find_run(row_.id);
    if (!row) return;  // as unclear as before; the next look asks again
    const bool ours = *row && (*row)->epoch == row_.epoch && is_live((*row)->state) && (*row)->beat >= beat_ &&
                      (*row)->beat - beat_ <= unclear_beats_;
    if (!ours) {
        if (!finished_) set_fenced();
        return;
    }
    beat_ = (*row)->beat;
    if ((*row)->cancel_requested) request_cancel((*row)->cancel_reason);
}

void ActiveRun::on_beat_answer(const BeatAnswer& answer, core::Instant sent_at) {
    const std::lock_guard lock(mutex_);
    if (!answer.still_ours) {
        if (!finished_) fenced_ = true;
        return;
    }
    acknowledged_at_ = sent_at;
    if (answer.cancel_requested && !cancel_) {
        cancel_ = true;
        cancel_reason_ = answer.cancel_reason;
    }
}

std::string ActiveRun::described(RunState state, double progress) const {
    boost::json::object object;
    object["run"] = row_.id.str();
    object["task"] = row_.task.task;
    object["scope"] = row_.task.scope;
    object["kind"] = boost::json::string_view(to_string(row_.kind));
    object["pod"] = row_.pod;
    object["epoch"] = row_.epoch;
    object["state"] = boost::json::string_view(to_string(state));
    object["progress"] = progress;
    return boost::json::serialize(object);
}

void ActiveRun::publish(const char* kind, RunState state, double progress) {
    if (events_ == nullptr) return;
    // A hint: whoever misses it reads the ledger.
    (void)events_->publish(kind, described(state, progress));
}

}  // namespace understudy::tasks
