#include "tasks/pod/clean_log_files.h"

#include <utility>

namespace understudy::tasks::pod {

bool is_log_file(std::string_view name) noexcept {
    if (name.starts_with("upload_")) return name.ends_with(".log");
    constexpr std::string_view pattern = "understudy-dddd-dd-dd.log";
    if (name.size() != pattern.size()) return false;
    constexpr std::size_t date = 11;  // where the digits begin: the d of the name's own word is no digit
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool digit = name[i] >= '0' && name[i] <= '9';
        if (i >= date && pattern[i] == 'd' ? !digit : name[i] != pattern[i]) return false;
    }
    return true;
}

CleanLogFiles::CleanLogFiles(std::filesystem::path log_folder, std::function<std::chrono::days()> keep,
                             LibraryPaths libraries, const core::Clock& clock)
    : keep_(std::move(keep)), libraries_(std::move(libraries)), clock_(clock) {
    files_.folder = std::move(log_folder);
    files_.setting = "Jellyfin:LogDir";
    files_.below = false;
    files_.wanted = is_log_file;
}

const CatalogueEntry& CleanLogFiles::info() const noexcept {
    return *find_task("CleanLogFiles");
}

core::Result<void> CleanLogFiles::execute(Run& run) {
    auto files = files_;
    files.keep = keep_();
    return remove_aged_files(run, files, libraries_, clock_);
}

}  // namespace understudy::tasks::pod
