#include "checker.h"

#include <utility>

namespace understudy::sim {
namespace {

using namespace tasks;

std::string named(const TaskScope& task) {
    return task.task + "/" + task.scope;
}

}  // namespace

void Checker::violation(int invariant, std::string what) {
    if (invariant == 2) ++tally_.overlapping_writes;
    if (violations_.size() < 20) violations_.push_back({invariant, world_.now(), std::move(what)});
}

void Checker::before_claim() {
    live_before_.clear();
    for (const auto& [id, beat] : rows_.beats) live_before_.emplace(id, rows_.runs.at(id));
}

void Checker::after_change() {
    // I8: who was live and has been declared dead by this change?
    for (const auto& [id, row] : live_before_) {
        const auto now = rows_.runs.find(id);
        if (now == rows_.runs.end() || is_live(now->second.state)) continue;
        if (healthy(row))
            violation(8, "healthy run " + id.str().substr(0, 8) + " of " + named(row.task) + " on " + row.pod +
                             " became " + std::string(to_string(now->second.state)));
    }
    live_before_.clear();
}

void Checker::on_claim(const Claim& claim) {
    after_change();
    if (claim.outcome != Claim::Outcome::won || !claim.run) return;
    const auto& run = *claim.run;
    if (root_.contains(run.id)) return;  // the same claim asked again
    auto& newest = newest_epoch_[run.task];
    if (run.epoch <= newest)
        violation(2, "run of " + named(run.task) + " got epoch " + std::to_string(run.epoch) + " again");
    newest = std::max(newest, run.epoch);
    if (run.resumed_from) {
        const auto old = rows_.runs.find(*run.resumed_from);
        const bool aborted = old != rows_.runs.end() && old->second.state == RunState::aborted;
        ++(aborted ? tally_.takeovers : tally_.resumes);
        const auto parent = root_.find(*run.resumed_from);
        if (parent == root_.end()) return violation(7, "a run goes on from one that nobody started");
        root_[run.id] = parent->second;
        chains_[parent->second].last = run.id;
    } else {
        root_[run.id] = run.id;
        std::string about = named(run.task) + " " + std::string(to_string(run.kind));
        if (run.slot) {
            about += " " + core::to_iso8601(*run.slot);
            ++tally_.slots_started;
            if (!starts_[run.task].emplace(*run.slot, run.id).second) {
                ++tally_.duplicate_starts;
                violation(3, "slot started twice: " + about);
            }
            if (run.kind == RunKind::timer && *run.slot > run.started_at)
                violation(3, "started before its slot: " + about);
        }
        chains_[run.id] = {run.id, 0, run.task, about};
    }
    int scans = 0, optimizers = 0;
    for (const auto& [id, beat] : rows_.beats) {
        const auto group = rows_.tasks.at(rows_.runs.at(id).task.task).group;
        scans += group == Group::library ? 1 : 0;
        optimizers += group == Group::optimize ? 1 : 0;
    }
    if (scans > 0 && optimizers > 0) violation(10, "both groups run at " + named(run.task));
}

void Checker::on_write(const core::Fence& fence, int unit) {
    ++tally_.writes;
    const auto& run = rows_.runs.at(fence.run);
    const auto what = [&] {
        return "write " + std::to_string(unit) + " of run " + fence.run.str().substr(0, 8) + ", " + named(run.task) +
               ", epoch " + std::to_string(fence.epoch);
    };
    if (fence.epoch != newest_epoch_[run.task])
        return violation(2, what() + " below the newest epoch " + std::to_string(newest_epoch_[run.task]));
    if (!is_live(run.state)) return violation(2, what() + " of a run that is " + std::string(to_string(run.state)));
    auto& chain = chains_[root_[fence.run]];
    if (unit != chain.units) violation(2, what() + " where unit " + std::to_string(chain.units) + " was next");
    chain.units = unit + 1;
}

void Checker::on_end(const core::Fence&) {
    ++tally_.ended;
}

void Checker::on_leaders(int trusted, bool store_is_sane) {
    if (trusted > 1 && store_is_sane) violation(1, std::to_string(trusted) + " trusted leaders");
}

void Checker::due_work_has_started(core::UtcTime since, const std::set<std::string>& scopes,
                                   const std::set<TaskScope>& waiting) {
    for (const auto& [task, scope] : rows_.scopes) {
        if (task.scope != cluster_scope && !scopes.contains(task.scope)) continue;
        if (waiting.contains(task) || !rows_.tasks.at(task.task).enabled) continue;
        const auto epochs = rows_.epochs.find(task);
        std::optional<RunRow> newest;
        if (epochs != rows_.epochs.end() && !epochs->second.empty())
            newest = rows_.runs.at(epochs->second.rbegin()->second);
        if (newest && is_live(newest->state)) continue;
        if (newest && is_open(newest->state) && newest->ended_at && *newest->ended_at <= since) {
            violation(4, "open work of " + named(task) + " was not taken up");
        } else if (scope.next_slot && *scope.next_slot <= since) {
            violation(4, "slot " + core::to_iso8601(*scope.next_slot) + " of " + named(task) + " was not started" +
                             (newest ? "; the newest run ended " +
                                           core::to_iso8601(newest->ended_at.value_or(core::UtcTime{})) + " as " +
                                           std::string(to_string(newest->state))
                                     : ""));
        } else if (scope.pending && scope.pending->not_before <= since) {
            violation(4, "the kept request of " + named(task) + ", due " + core::to_iso8601(scope.pending->not_before) +
                             ", was not started" +
                             (newest ? "; the newest run ended " +
                                           core::to_iso8601(newest->ended_at.value_or(core::UtcTime{})) + " as " +
                                           std::string(to_string(newest->state))
                                     : ""));
        }
    }
}

void Checker::no_work_is_lost(const std::set<std::string>& scopes) {
    for (const auto& [root, chain] : chains_) {
        const auto last = rows_.runs.find(chain.last);
        if (last == rows_.runs.end()) continue;  // trimmed: it was ended
        if (!is_open(last->second.state)) continue;
        if (chain.task.scope != cluster_scope && !scopes.contains(chain.task.scope)) continue;
        ++tally_.lost_slots;
        violation(chain.last == root ? 9 : 7,
                  chain.about + " ended as " + std::string(to_string(last->second.state)) + " and was never taken up");
    }
}

}  // namespace understudy::sim
