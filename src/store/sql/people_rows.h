// store/sql/people_rows.h: people as rows, and who is the same person. Used by SqlPeople inside its transactions.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/case_folder.h"
#include "core/random.h"
#include "store/people.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

using ProviderIds = std::map<std::string, std::string>;

/// What two spellings of a name share.
[[nodiscard]] std::string name_key(const core::CaseFolder& folder, std::string_view name);
/// False where one provider knows them under two ids.
[[nodiscard]] bool may_be_one(const ProviderIds& a, const ProviderIds& b);

/// The columns that read_person reads, of a table named `p`.
[[nodiscard]] std::string_view person_columns() noexcept;
[[nodiscard]] Person read_person(const Row& row, std::size_t first_column = 0);

/// A person as far as telling people apart needs it.
struct KnownPerson {
    core::PersonId id;
    ProviderIds provider_ids;
    bool has_image = false;
    std::int64_t created_at_ms = 0;
};
using KnownPeople = std::map<std::string, std::vector<KnownPerson>>;  // by name key

/// All who share one of `keys`, the oldest first; held until the end of the transaction, so that they do not go, or
/// (`lock`) locked against everyone.
[[nodiscard]] core::Result<KnownPeople> people_named(Session& session, const std::vector<std::string>& keys, bool lock);
/// Finds or makes the people of `credits`: ids in the order of the credits (a credit without a name has an empty one).
[[nodiscard]] core::Result<std::vector<core::PersonId>> people_of(Session& session,
                                                                  const std::vector<const NamedCredit*>& credits,
                                                                  const core::CaseFolder& folder, core::Random& random);
/// Writes provider ids that grew.
[[nodiscard]] core::Result<void> write_provider_ids(Session& session,
                                                    const std::map<core::PersonId, ProviderIds>& grown);

}  // namespace understudy::store::sql
