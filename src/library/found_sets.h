// library/found_sets.h: the sets that films name in their NFO files, as box sets of a library. Used by the scanner, on
// the run's thread; what is in a set comes from the store, so that any scan can go on where another died.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/case_folder.h"
#include "core/random.h"
#include "core/result.h"
#include "store/collections.h"
#include "store/scan_store.h"

namespace understudy::library {

class FoundSets {
public:
    /// A write under the run's fence.
    using Commit = std::function<core::Result<void>(const std::function<core::Result<void>(const core::Fence&)>&)>;

    /// References outlive it.
    FoundSets(core::LibraryId library, store::Collections& collections, store::ScanStore& items, core::Random& random,
              Commit commit);

    /// `film` is in these sets and no other.
    [[nodiscard]] core::Result<void> put(core::ItemId film, const std::vector<std::string>& names);
    /// Items went: sets are looked through for members that are gone.
    [[nodiscard]] core::Result<void> prune();
    /// Writes the sets that changed. One without a film left goes. Errors: as the stores'.
    [[nodiscard]] core::Result<void> write();

private:
    struct Set {
        std::string origin;
        std::vector<core::ItemId> films;
        bool stored = false, changed = false;
    };
    [[nodiscard]] std::string key_of(const std::string& name) const;
    [[nodiscard]] core::Result<void> load();
    /// Those that are there, in the order they came out. Errors: as the store's.
    [[nodiscard]] core::Result<std::vector<core::ItemId>> in_order(const std::vector<core::ItemId>& films);

    core::LibraryId library_;
    store::Collections& collections_;
    store::ScanStore& items_;
    core::Random& random_;
    Commit commit_;
    core::CaseFolder folder_;
    bool loaded_ = false;
    std::vector<std::string> joined_;  ///< origins of stored sets whose films are in another of the same name
    std::map<std::string, Set> sets_;  ///< by the name as people compare it
    std::map<core::ItemId, std::set<std::string>> sets_of_;  ///< keys of sets_
};

}  // namespace understudy::library
