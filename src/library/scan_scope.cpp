#include "library/scan_scope.h"

#include <algorithm>
#include <utility>

#include "library/naming/text.h"

namespace understudy::library {

std::vector<std::string> outermost_roots(const std::vector<std::string>& roots) {
    auto sorted = roots;
    for (auto& root : sorted) {
        while (root.size() > 1 && root.ends_with('/')) root.pop_back();
    }
    std::ranges::sort(sorted, {}, [](const std::string& root) { return root == "/" ? root : root + "/"; });
    std::vector<std::string> result;
    for (auto& root : sorted) {
        if (std::ranges::none_of(result, [&](const std::string& outer) { return is_within(root, outer); })) {
            result.push_back(std::move(root));
        }
    }
    return result;
}

ScanScope::ScanScope(std::set<std::string> paths, bool may_remove) : paths_(std::move(paths)), may_remove_(may_remove) {
    for (const auto& path : paths_) folders_.emplace(naming::parent_of(path));
}

bool ScanScope::contains(std::string_view path) const {
    if (paths_.empty()) return true;
    for (auto at = path; !at.empty(); at = naming::parent_of(at)) {
        if (names(std::string(at))) return true;
        if (at == "/") break;
    }
    return false;
}

bool ScanScope::contains_file(std::string_view path) const {
    return contains(path) || takes_files_of(std::string(naming::parent_of(path)));
}

bool ScanScope::leads_below(const std::string& folder) const {
    const auto start = folder == "/" ? folder : folder + "/";
    const auto next = paths_.lower_bound(start);
    return next != paths_.end() && next->starts_with(start);
}

bool is_within(std::string_view path, std::string_view ancestor) noexcept {
    if (!path.starts_with(ancestor)) return false;
    return path.size() == ancestor.size() || ancestor.ends_with('/') || path[ancestor.size()] == '/';
}

}  // namespace understudy::library
