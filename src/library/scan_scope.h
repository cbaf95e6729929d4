// library/scan_scope.h: which of a library's folders a scan is about. Used by the walk, the diff and the scanner.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::library {

/// What a scan is about: everything, or some folders and files with all below.
class ScanScope {
public:
    ScanScope() = default;  ///< everything
    /// `may_remove`: what is missing there was missed by a scan before.
    explicit ScanScope(std::set<std::string> paths, bool may_remove = false);

    [[nodiscard]] bool everything() const noexcept { return paths_.empty(); }
    /// Of a part, a file that is missing may have moved to where nobody looks: the other half of a rename may still be
    /// on its way. So a first look at a part removes no item.
    [[nodiscard]] bool may_remove() const noexcept { return everything() || may_remove_; }
    [[nodiscard]] bool contains(std::string_view path) const;
    /// As contains; the files beside a named one are looked at too, because what a film is called hangs on them.
    [[nodiscard]] bool contains_file(std::string_view path) const;
    [[nodiscard]] bool names(const std::string& path) const { return paths_.contains(path); }
    [[nodiscard]] bool leads_below(const std::string& folder) const;
    [[nodiscard]] bool takes_files_of(const std::string& folder) const { return folders_.contains(folder); }

private:
    std::set<std::string> paths_, folders_;
    bool may_remove_ = false;
};

/// A root inside another one is left out: its files belong to the outer one.
[[nodiscard]] std::vector<std::string> outermost_roots(const std::vector<std::string>& roots);
/// `path` is `ancestor` or lies below it.
[[nodiscard]] bool is_within(std::string_view path, std::string_view ancestor) noexcept;

}  // namespace understudy::library
