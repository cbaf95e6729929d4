// store/people.h: people and their credits. Written by scans and RefreshPeople, read by http. Contract for all
// adapters: tests/contract/people/people_contract.h
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/fence.h"
#include "core/ids.h"
#include "core/result.h"
#include "core/time.h"
#include "model/person.h"
#include "store/blob_hash.h"
#include "store/clean_step.h"
#include "store/viewer.h"

namespace understudy::store {

struct Person {
    core::PersonId id;
    std::string name, sort_name;
    std::map<std::string, std::string> provider_ids;  ///< `Imdb`, `Tmdb`, …
    std::string overview;
    BlobHash image;  ///< none: empty
    core::UtcTime created_at{};
    std::optional<core::UtcTime> refreshed_at;  ///< nullopt: never
};

/// A credit as its source names it; the store finds the person or makes one.
struct NamedCredit {
    std::string name;
    std::map<std::string, std::string> provider_ids;
    model::CreditKind kind = model::CreditKind::actor;
    std::string role;
};
struct ItemCredits {
    core::ItemId item;
    std::vector<NamedCredit> credits;  ///< in order; those without a name are left out
};

struct ListedCredit {
    core::PersonId person;
    std::string name;
    BlobHash image;
    model::CreditKind kind = model::CreditKind::actor;
    std::string role;
};

/// Whom a list shows.
struct PersonFilter {
    std::string search;                                 ///< part of the name, any case; empty: all
    std::vector<model::CreditKind> kinds, other_kinds;  ///< credited as one of these; as something beside those
    std::optional<bool> favourite;                      ///< of `user`
    core::UserId user;
};

/// What RefreshPeople learned of a person. What is not said stays.
struct PersonRefresh {
    core::PersonId id;
    std::optional<std::string> sort_name, overview;
    std::map<std::string, std::string> provider_ids;  ///< added
    std::optional<BlobHash> image;                    ///< an empty hash takes the image away
    core::UtcTime refreshed_at{};
};

/// Where a list by age goes on.
struct RefreshPlace {
    core::UtcTime refreshed_at{};  ///< 1970: never
    core::PersonId id;
};

/// People of one name (case and blanks do not count) are one person, whatever they did, unless one provider knows them
/// under two ids. All calls block. Errors of all: unavailable, timed_out; fenced where there is a fence.
class People {
public:
    virtual ~People() = default;
    /// Replaces the credits of these items (at most 500) where they differ, and makes the people that are new. Items
    /// that are gone are left out. Returns how many items changed.
    [[nodiscard]] virtual core::Result<std::int64_t> put_credits(const std::vector<ItemCredits>& items,
                                                                 const core::Fence& fence) = 0;
    [[nodiscard]] virtual core::Result<std::map<core::ItemId, std::vector<ListedCredit>>> credits(
        const std::vector<core::ItemId>& items) = 0;
    [[nodiscard]] virtual core::Result<std::vector<core::ItemId>> items_of(core::PersonId person) = 0;
    /// Unknown ids are left out, and who is in the credits of nothing that is in the viewer's libraries.
    [[nodiscard]] virtual core::Result<std::vector<Person>> find(const std::vector<core::PersonId>& ids,
                                                                 const std::optional<Viewer>& viewer) = 0;
    [[nodiscard]] core::Result<std::vector<Person>> find(const std::vector<core::PersonId>& ids) {
        return find(ids, std::nullopt);
    }
    /// By name; the viewer as above.
    [[nodiscard]] virtual core::Result<std::vector<Person>> list(const PersonFilter& filter, std::size_t start_index,
                                                                 std::size_t limit,
                                                                 const std::optional<Viewer>& viewer) = 0;
    [[nodiscard]] core::Result<std::vector<Person>> list(const std::string& search, std::size_t start_index,
                                                         std::size_t limit, const std::optional<Viewer>& viewer) {
        return list(PersonFilter{search, {}, {}, {}, {}}, start_index, limit, viewer);
    }
    [[nodiscard]] core::Result<std::vector<Person>> list(const std::string& search, std::size_t start_index,
                                                         std::size_t limit) {
        return list(search, start_index, limit, std::nullopt);
    }
    /// Not refreshed since `before`, those longest ago first; after `after`.
    [[nodiscard]] virtual core::Result<std::vector<Person>> due_for_refresh(core::UtcTime before,
                                                                            const std::optional<RefreshPlace>& after,
                                                                            std::size_t limit) = 0;
    [[nodiscard]] virtual core::Result<std::int64_t> count_due(core::UtcTime before) = 0;
    /// At most 500. People that are gone are left out.
    [[nodiscard]] virtual core::Result<void> refresh(const std::vector<PersonRefresh>& people,
                                                     const core::Fence& fence) = 0;
    /// A bounded step of merging people who are one: credits go to the one that has an image, then to the oldest. Start
    /// with an empty cursor; `removed` counts those merged into another.
    [[nodiscard]] virtual core::Result<CleanStep> merge_duplicates(const std::string& cursor,
                                                                   const core::Fence& fence) = 0;
    /// A bounded step of removing people without a credit. Items that are offline keep their credits.
    [[nodiscard]] virtual core::Result<CleanStep> remove_without_credits(const std::string& cursor,
                                                                         const core::Fence& fence) = 0;
};

}  // namespace understudy::store
