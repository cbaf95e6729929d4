#include "library/watch/changed_folders.h"

#include <algorithm>

#include "library/walk.h"

namespace understudy::library {
namespace {

std::set<std::string> outermost(const std::set<std::string>& paths) {
    const auto folders = outermost_roots({paths.begin(), paths.end()});
    return {folders.begin(), folders.end()};
}

}  // namespace

void ChangedFolders::changed(const std::string& root, const std::string& path, core::Instant now) {
    if (const auto whole = changes_.find(root); whole != changes_.end() && of_root_[root] >= most) {
        whole->second.last = now;
        return;
    }
    const auto [change, is_new] = changes_.try_emplace(path, Change{root, now, now});
    change->second.last = now;
    if (!is_new) return;
    if (++of_root_[root] < most) return;
    auto first = now;
    std::erase_if(changes_, [&](const auto& one) {
        if (one.second.root != root) return false;
        if (one.second.first.boot < first.boot) first = one.second.first;
        return true;
    });
    changes_.emplace(root, Change{root, first, now});
}

core::Nanos ChangedFolders::left(const Change& change, core::Instant now) const {
    if (change.overdue) return core::Nanos{0};
    const auto until_quiet = times_.quiet - core::elapsed(change.last, now);
    const auto until_latest = times_.latest - core::elapsed(change.first, now);
    return std::max<core::Nanos>(core::Nanos{0}, std::min<core::Nanos>(until_quiet, until_latest));
}

std::set<std::string> ChangedFolders::take_due(core::Instant now) {
    std::set<std::string> due;
    for (auto change = changes_.begin(); change != changes_.end();) {
        if (left(change->second, now) > core::Nanos{0}) {
            ++change;
            continue;
        }
        due.insert(change->first);
        const auto counted = of_root_.find(change->second.root);
        if (counted != of_root_.end() && (change->first == counted->first || --counted->second == 0))
            of_root_.erase(counted);
        change = changes_.erase(change);
    }
    return outermost(due);
}

std::set<std::string> ChangedFolders::take_all() {
    std::set<std::string> all;
    for (const auto& [path, change] : changes_) all.insert(path);
    changes_.clear();
    of_root_.clear();
    return outermost(all);
}

void ChangedFolders::put_back(const std::set<std::string>& paths, core::Instant now) {
    for (const auto& path : paths) {
        const auto change = changes_.try_emplace(path, Change{path, now, now}).first;
        change->second.overdue = true;
    }
}

std::optional<core::Nanos> ChangedFolders::next_due(core::Instant now) const {
    std::optional<core::Nanos> next;
    for (const auto& [path, change] : changes_) {
        const auto wait = left(change, now);
        if (!next || wait < *next) next = wait;
    }
    return next;
}

}  // namespace understudy::library
