// store/sql/sql_people.h: people and credits in SQL (0011_people.sql). Made by app.
#pragma once

#include "core/case_folder.h"
#include "core/random.h"
#include "store/people.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

struct Statement;

class SqlPeople final : public People {
public:
    /// `database` must be migrated; both must outlive the store. `random` makes the ids of people.
    SqlPeople(Database& database, core::Random& random) : database_(database), random_(random) {}
    [[nodiscard]] core::Result<std::int64_t> put_credits(const std::vector<ItemCredits>& items,
                                                         const core::Fence& fence) override;
    [[nodiscard]] core::Result<std::map<core::ItemId, std::vector<ListedCredit>>> credits(
        const std::vector<core::ItemId>& items) override;
    [[nodiscard]] core::Result<std::vector<core::ItemId>> items_of(core::PersonId person) override;
    using People::find;
    using People::list;
    [[nodiscard]] core::Result<std::vector<Person>> find(const std::vector<core::PersonId>& ids,
                                                         const std::optional<Viewer>& viewer) override;
    [[nodiscard]] core::Result<std::vector<Person>> list(const PersonFilter& filter, std::size_t start_index,
                                                         std::size_t limit,
                                                         const std::optional<Viewer>& viewer) override;
    [[nodiscard]] core::Result<std::vector<Person>> due_for_refresh(core::UtcTime before,
                                                                    const std::optional<RefreshPlace>& after,
                                                                    std::size_t limit) override;
    [[nodiscard]] core::Result<std::int64_t> count_due(core::UtcTime before) override;
    [[nodiscard]] core::Result<void> refresh(const std::vector<PersonRefresh>& people,
                                             const core::Fence& fence) override;
    [[nodiscard]] core::Result<CleanStep> merge_duplicates(const std::string& cursor,
                                                           const core::Fence& fence) override;
    [[nodiscard]] core::Result<CleanStep> remove_without_credits(const std::string& cursor,
                                                                 const core::Fence& fence) override;

private:
    [[nodiscard]] core::Result<std::vector<Person>> read(const std::function<void(Session&, Statement&)>& where);

    Database& database_;
    core::Random& random_;
    core::CaseFolder folder_;
};

}  // namespace understudy::store::sql
