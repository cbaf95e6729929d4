// library/found_playlists.h: playlist files of a library become playlists, their entries items of any library by their
// paths. Used by the scanner at its end, on the run's thread.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/result.h"
#include "library/found_sets.h"
#include "library/patient_reader.h"
#include "store/collections.h"
#include "store/scan_store.h"

namespace understudy::library {

class FoundPlaylists {
public:
    /// References outlive it. `warn`: told of changed files that cannot be used whole. They are problems of the library
    /// as well, since `now`.
    FoundPlaylists(core::LibraryId library, store::Collections& collections, store::ScanStore& scans,
                   PatientReader& reader, core::Random& random, core::UtcTime now, FoundSets::Commit commit,
                   std::function<void(const std::string&)> warn);

    /// Reads `changed` and `unchanged` (absolute paths) and makes the playlists like them. One whose file the store
    /// does not know any more goes. Of an unchanged file members stay that its entries do not lead to any more: their
    /// items moved. Errors: as the stores'; cancelled. A file that cannot be read now leaves its playlist as it is.
    [[nodiscard]] core::Result<void> refresh(const std::set<std::string>& changed,
                                             const std::set<std::string>& unchanged);
    /// The same for known files of a library that is not being scanned: what they name may have come in another one.
    /// None of its playlists goes.
    [[nodiscard]] core::Result<void> look_again(const std::set<std::string>& paths);

private:
    struct Read {
        std::string path, title;
        std::vector<std::string> entries;  ///< absolute paths
    };
    void expect(const std::set<std::string>& paths);
    [[nodiscard]] core::Result<void> read(const std::string& path, bool is_new, std::vector<Read>& into);
    using Origins = std::map<std::string, core::ItemId>;
    [[nodiscard]] core::Result<void> find_items(const std::vector<Read>& playlists);
    [[nodiscard]] core::Result<void> put(const std::vector<Read>& playlists, const std::set<std::string>& unchanged,
                                         const Origins& origins);
    [[nodiscard]] core::Result<void> note_faults(std::vector<store::StoredFile>&& files);
    [[nodiscard]] core::Result<std::vector<core::ItemId>> resolve(const Read& playlist, bool unchanged,
                                                                  core::ItemId known) const;

    core::LibraryId library_;
    store::Collections& collections_;
    store::ScanStore& scans_;
    PatientReader& reader_;
    core::Random& random_;
    core::UtcTime now_;
    FoundSets::Commit commit_;
    std::function<void(const std::string&)> warn_;
    std::map<std::string, core::ItemId> items_;  ///< by path, of what entries lead to
    std::map<std::string, std::string> faults_;  ///< by path, of what was read now
};

}  // namespace understudy::library
