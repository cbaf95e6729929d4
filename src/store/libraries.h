// store/libraries.h: which libraries there are. Used by http, the CLI's server side and scans.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/fence.h"
#include "core/result.h"
#include "model/library.h"

namespace understudy::store {

/// All calls block. Errors of all: unavailable, timed_out.
class LibraryStore {
public:
    virtual ~LibraryStore() = default;
    [[nodiscard]] virtual core::Result<std::vector<model::Library>> all() = 0;  ///< by name
    /// Errors: conflict where the name (any case) or one of the paths is in use.
    [[nodiscard]] virtual core::Result<void> add(const model::Library& library) = 0;
    /// With everything below it. Errors: not_found.
    [[nodiscard]] virtual core::Result<void> remove(core::LibraryId id) = 0;
    /// Replaces name, paths and options. Errors: not_found, conflict.
    [[nodiscard]] virtual core::Result<void> update(const model::Library& library) = 0;
    [[nodiscard]] virtual core::Result<std::map<core::LibraryId, std::vector<model::RootState>>> roots() = 0;
};

}  // namespace understudy::store
