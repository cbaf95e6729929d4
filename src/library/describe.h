// library/describe.h: what an NFO says, put over what names and tags said. Pure; used by the describer.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "library/naming/external_streams.h"
#include "library/nfo/description.h"
#include "model/item.h"
#include "store/people.h"

namespace understudy::library {

/// Name, sort name, original title, year, ids, genres and all of `about`, as far as they are said; the duration only
/// where none is known. Several of `said` are the episodes of one file: titles and plots are joined. Numbers are the
/// resolver's business.
void put_description(std::span<const nfo::Description> said, model::Item& item);
[[nodiscard]] std::vector<store::NamedCredit> credits_of(std::span<const nfo::Description> said);
/// Artists and album artists, as tags or names have them, and composers, as tags name them.
[[nodiscard]] std::vector<store::NamedCredit> credits_of_track(const model::Item& track);
/// Names of the sets that a film says it is in.
[[nodiscard]] std::vector<std::string> sets_of(std::span<const nfo::Description> said);
/// As clients are to see it; `index` and what only the bytes say stay as they are.
[[nodiscard]] model::MediaStream stream_of(const naming::ExternalStream& file);

}  // namespace understudy::library
