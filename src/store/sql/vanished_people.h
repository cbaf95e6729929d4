// store/sql/vanished_people.h: what users said of a person outlives their credits, and is taken over when somebody of
// that name is credited again. Beside vanished_items.h, whose tables it shares. Called by SqlPeople and people_rows
// inside their transactions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/ids.h"
#include "store/sql/session.h"
#include "store/sql/statement.h"

namespace understudy::store::sql {

struct NewcomerPerson {
    core::PersonId id;
    std::string name_key;
    std::map<std::string, std::string> provider_ids;
};

/// Before rows of people go: remembers those that somebody's data names. `gone`: `FROM people AS t WHERE …`.
[[nodiscard]] core::Result<void> note_vanishing_people(Session& session, const Statement& gone);
/// After people were made: each takes over from at most one of the same name, unless a provider knows them as two. One
/// look where nothing is vanished.
[[nodiscard]] core::Result<void> welcome_people_back(Session& session, const std::vector<NewcomerPerson>& people);

}  // namespace understudy::store::sql
