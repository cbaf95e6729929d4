// store/sql/source_rows.h: media sources as analyses take them, read in sets. Used by the adapters that list what is to
// be decoded.
#pragma once

#include <span>
#include <vector>

#include "store/analyses.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

/// Sources that one query reads.
inline constexpr std::size_t sources_at_once = 1'000;

struct SourceKey {
    core::ItemId item;
    int number = 0;
    friend bool operator==(const SourceKey&, const SourceKey&) = default;
};

/// In the order asked for; what is gone meanwhile is left out.
[[nodiscard]] core::Result<std::vector<AnalysableSource>> read_sources(Session& session,
                                                                       std::span<const SourceKey> keys);

}  // namespace understudy::store::sql
