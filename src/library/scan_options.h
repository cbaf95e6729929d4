// library/scan_options.h: what a refresh was asked for: the options of a manual run or a follow-up, as JSON.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/result.h"

namespace understudy::library {

/// `{"libraries":["<id>"],"paths":["<path>"],"settling":n,"missed":true}`. Paths are absolute; bytes that are no UTF-8
/// are written %XX and so is '%' itself (naming::key_text). Absent or empty lists: everything.
struct ScanOptions {
    std::set<core::LibraryId> libraries;
    std::set<std::string> paths;  ///< path bytes
    int settling = 0;             ///< how often in a row files were still being written
    bool missed = false;          ///< files of `paths` were missed by a scan before: what is still gone may go

    /// Errors: invalid, naming the field.
    [[nodiscard]] static core::Result<ScanOptions> parse(const std::string& json);
    [[nodiscard]] std::string json() const;
};

/// One request for what two ask for; what only one of them missed is looked at anew. More than 1,000 paths are
/// everything: a whole scan is then as quick.
[[nodiscard]] ScanOptions joined(ScanOptions one, const ScanOptions& other);

/// `{"library":"<id>","folder":"<path>"}`: the last committed folder, as the run's cursor.
[[nodiscard]] std::string cursor_json(core::LibraryId library, const std::string& folder);

}  // namespace understudy::library
