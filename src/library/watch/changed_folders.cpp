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
    latest_ = now;
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

bool ChangedFolders::is_quiet(core::Instant now) const {
    return overdue_ || !latest_ || core::elapsed(*latest_, now) >= times_.quiet;
}

core::Nanos ChangedFolders::left(const Change& change, core::Instant now) const {
    if (is_quiet(now)) return core::Nanos{0};
    const auto until_quiet = times_.quiet - core::elapsed(*latest_, now);
    const auto until_latest = std::max<core::Nanos>(times_.latest - core::elapsed(change.first, now),
                                                    halves - core::elapsed(change.last, now));
    const auto until_end = 2 * times_.latest - core::elapsed(change.first, now);
    return std::max<core::Nanos>(core::Nanos{0}, std::min<core::Nanos>({until_quiet, until_latest, until_end}));
}

std::set<std::string> ChangedFolders::take_due(core::Instant now) {
    if (is_quiet(now)) return take_all();
    // One that is due takes the others along, but those whose other half may still be on its way.
    const bool any =
        std::ranges::any_of(changes_, [&](const auto& one) { return left(one.second, now) == core::Nanos{0}; });
    if (!any) return {};
    std::set<std::string> due;
    std::erase_if(changes_, [&](const auto& one) {
        const bool whole = core::elapsed(one.second.last, now) >= halves || left(one.second, now) == core::Nanos{0};
        if (whole) due.insert(one.first);
        return whole;
    });
    count_roots();
    return outermost(due);
}

void ChangedFolders::count_roots() {
    of_root_.clear();
    for (const auto& [path, change] : changes_) {
        auto& count = of_root_[change.root];
        count = path == change.root ? most : count + 1;
    }
}

std::set<std::string> ChangedFolders::take_all() {
    std::set<std::string> all;
    for (const auto& [path, change] : changes_) all.insert(path);
    changes_.clear();
    of_root_.clear();
    overdue_ = false;
    return outermost(all);
}

void ChangedFolders::put_back(const std::set<std::string>& paths, core::Instant now) {
    for (const auto& path : paths) changes_.try_emplace(path, Change{path, now, now});
    overdue_ = overdue_ || !paths.empty();
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
