// tests/http/fake_users.h: users, their data and collections in memory, as their ports say. Used by golden tests.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "http/fakes.h"
#include "http/jellyfin/dto/user_data_dto.h"

namespace understudy::testing {

class FakeUsers final : public store::Users {
public:
    std::vector<store::User> rows;
    std::optional<core::Error> broken;

    core::Result<void> add(const store::User& user) override {
        if (broken) return tl::unexpected(*broken);
        if (named(user.name) != rows.end())
            return core::fail(core::Errc::conflict, "user name " + user.name + " is in use");
        rows.push_back(user);
        return {};
    }
    core::Result<void> rename(core::UserId id, const std::string& name) override {
        return edit(id, [&](store::User& user) { user.name = name; });
    }
    core::Result<void> set_policy(core::UserId id, const store::UserPolicy& policy) override {
        return edit(id, [&](store::User& user) {
            user.admin = policy.admin;
            user.disabled = policy.disabled;
            user.policy = policy.json;
        });
    }
    core::Result<void> set_configuration(core::UserId id, const std::string& json) override {
        return edit(id, [&](store::User& user) { user.configuration = json; });
    }
    core::Result<void> set_password(core::UserId id, const std::string& hash, store::SessionId) override {
        return edit(id, [&](store::User& user) { user.password_hash = hash; });
    }
    core::Result<void> set_image(core::UserId id, const store::BlobHash& image) override {
        return edit(id, [&](store::User& user) { user.image = image; });
    }
    core::Result<void> remove(core::UserId id) override {
        if (std::erase_if(rows, [&](const auto& user) { return user.id == id; }) == 0)
            return core::fail(core::Errc::not_found, "there is no user " + id.str());
        return {};
    }
    core::Result<std::vector<store::User>> all() override {
        if (broken) return tl::unexpected(*broken);
        return rows;
    }
    core::Result<std::optional<store::User>> find(core::UserId id) override {
        const auto at = std::ranges::find(rows, id, &store::User::id);
        return at == rows.end() ? std::optional<store::User>() : std::optional(*at);
    }
    core::Result<std::optional<store::User>> find_by_name(const std::string& name) override {
        const auto at = named(name);
        return at == rows.end() ? std::optional<store::User>() : std::optional(*at);
    }

private:
    template <class Change>
    core::Result<void> edit(core::UserId id, const Change& change) {
        const auto at = std::ranges::find(rows, id, &store::User::id);
        if (at == rows.end()) return core::fail(core::Errc::not_found, "there is no user " + id.str());
        change(*at);
        return {};
    }
    std::vector<store::User>::iterator named(const std::string& name) {
        return std::ranges::find_if(rows, [&](const auto& user) { return http::iequals(user.name, name); });
    }
};

/// Its collections are items of the catalogue too.
class FakeCollections final : public store::Collections {
public:
    explicit FakeCollections(FakeCatalog& catalog) : catalog_(catalog) {}

    struct Kept {
        store::Collection collection;
        std::vector<store::Member> members;
    };
    std::map<core::ItemId, Kept> rows;

    core::Result<void> create(const store::Collection& collection, const std::vector<core::ItemId>& items) override {
        rows[collection.id].collection = collection;
        store::ListedItem row;
        row.item.id = collection.id;
        row.item.kind = collection.kind;
        row.item.name = collection.name;
        row.item.library = store::collections_library;
        catalog_.rows.push_back(row);
        return replace(collection.id, items);
    }
    core::Result<void> update(const store::Collection& collection) override {
        rows.at(collection.id).collection = collection;
        return {};
    }
    core::Result<void> remove(core::ItemId id) override {
        rows.erase(id);
        std::erase_if(catalog_.rows, [&](const auto& row) { return row.item.id == id; });
        return {};
    }
    core::Result<std::optional<store::Collection>> find(core::ItemId id) override {
        const auto at = rows.find(id);
        if (at == rows.end()) return std::optional<store::Collection>();
        auto collection = at->second.collection;
        collection.members = static_cast<std::int64_t>(at->second.members.size());
        return std::optional(collection);
    }
    core::Result<std::vector<store::Collection>> all(std::optional<model::ItemKind> kind) override {
        std::vector<store::Collection> found;
        for (const auto& [id, kept] : rows) {
            if (!kind || kept.collection.kind == *kind) found.push_back(kept.collection);
        }
        return found;
    }
    using Collections::members;
    core::Result<std::vector<store::Member>> members(core::ItemId id, std::size_t, std::size_t,
                                                     const std::optional<store::Viewer>& viewer) override {
        auto found = rows.at(id).members;
        std::erase_if(found, [&](const auto& member) {
            const auto row = std::ranges::find(catalog_.rows, member.item, [](const auto& at) { return at.item.id; });
            return row != catalog_.rows.end() && !sees(viewer, row->item.library);
        });
        return found;
    }
    core::Result<std::int64_t> add(core::ItemId id, const std::vector<core::ItemId>& items,
                                   std::optional<std::size_t> index) override {
        if (std::ranges::find(items, id) != items.end())
            return core::fail(core::Errc::invalid, "'it' cannot hold itself");
        auto& members = rows.at(id).members;
        auto at = std::min(index.value_or(members.size()), members.size());
        for (const auto& item : items)
            members.insert(members.begin() + static_cast<std::ptrdiff_t>(at++), member(item));
        return static_cast<std::int64_t>(items.size());
    }
    core::Result<void> replace(core::ItemId id, const std::vector<core::ItemId>& items) override {
        rows.at(id).members.clear();
        (void)add(id, items, std::nullopt);
        return {};
    }
    core::Result<std::int64_t> remove_entries(core::ItemId id, const std::vector<core::EntryId>& entries) override {
        return static_cast<std::int64_t>(std::erase_if(rows.at(id).members, [&](const auto& one) {
            return std::ranges::find(entries, one.entry) != entries.end();
        }));
    }
    core::Result<std::int64_t> remove_items(core::ItemId id, const std::vector<core::ItemId>& items) override {
        return static_cast<std::int64_t>(std::erase_if(
            rows.at(id).members, [&](const auto& one) { return std::ranges::find(items, one.item) != items.end(); }));
    }
    core::Result<void> move(core::ItemId id, core::EntryId entry, std::size_t index) override {
        auto& members = rows.at(id).members;
        const auto at = std::ranges::find(members, entry, &store::Member::entry);
        if (at == members.end()) return core::fail(core::Errc::not_found, "there is no such entry");
        const auto moved = *at;
        members.erase(at);
        members.insert(members.begin() + static_cast<std::ptrdiff_t>(std::min(index, members.size())), moved);
        return {};
    }
    core::Result<std::int64_t> put_found(core::LibraryId, const std::vector<store::FoundCollection>&,
                                         const core::Fence&) override {
        return none();
    }
    core::Result<std::map<std::string, core::ItemId>> origins(core::LibraryId) override { return none(); }
    core::Result<std::int64_t> remove_found(core::LibraryId, const std::vector<std::string>&,
                                            const core::Fence&) override {
        return none();
    }
    core::Result<store::CleanStep> drop_gone_members(const std::string&, const std::vector<core::LibraryId>&,
                                                     const core::Fence&) override {
        return none();
    }
    core::Result<void> set_picture(core::ItemId id, const std::optional<store::Cover>& picture) override {
        for (auto& row : catalog_.rows)
            if (row.item.id == id) row.cover = picture;
        return {};
    }

private:
    static tl::unexpected<core::Error> none() { return core::fail(core::Errc::unsupported, "http does not do that"); }
    store::Member member(core::ItemId item) {
        store::Member made;
        made.entry = core::EntryId{core::IdBytes{0xee, ++entries_}};
        made.item = item;
        made.there = std::ranges::any_of(catalog_.rows, [&](const auto& row) { return row.item.id == item; });
        return made;
    }
    FakeCatalog& catalog_;
    std::uint8_t entries_ = 0;
};

class FakeUserData final : public store::UserData {
public:
    FakeUserData(FakeCatalog& catalog, FakeCollections& collections) : catalog_(catalog), collections_(collections) {}

    std::map<std::pair<core::UserId, core::ItemId>, store::UserItemData> rows;
    std::vector<std::size_t> batches;  ///< how many items each change() was about
    int looks = 0;                     ///< get() and below()
    int expansions = 0;                ///< playable_below()
    std::optional<core::Error> broken;

    core::Result<std::map<core::ItemId, store::UserItemData>> get(core::UserId user,
                                                                  const std::vector<core::ItemId>& items) override {
        if (broken) return tl::unexpected(*broken);
        ++looks;
        std::map<core::ItemId, store::UserItemData> found;
        for (const auto& item : items) {
            if (const auto at = rows.find({user, item}); at != rows.end()) found[item] = at->second;
        }
        return found;
    }
    core::Result<std::int64_t> change(core::UserId user, const std::vector<core::ItemId>& items,
                                      const store::UserItemChange& change) override {
        if (broken) return tl::unexpected(*broken);
        batches.push_back(items.size());
        for (const auto& item : items) apply(rows[{user, item}], change);
        return static_cast<std::int64_t>(items.size());
    }
    core::Result<std::int64_t> put(const std::vector<store::UserItemRow>&) override { return none(); }
    core::Result<std::vector<core::ItemId>> find(core::UserId, const store::UserItemFilter&, std::size_t) override {
        return none();
    }
    core::Result<std::map<core::ItemId, store::Below>> below(core::UserId user,
                                                             const std::vector<core::ItemId>& folders,
                                                             const std::optional<store::Viewer>& viewer) override {
        ++looks;
        std::map<core::ItemId, store::Below> found;
        for (const auto& folder : folders) {
            const auto items = playable_below(folder, viewer, {});
            for (const auto& item : *items) {
                ++found[folder].playable;
                const auto at = rows.find({user, item});
                if (at == rows.end() || !at->second.played) ++found[folder].unplayed;
            }
        }
        return found;
    }
    core::Result<std::vector<core::ItemId>> playable_below(core::ItemId folder,
                                                           const std::optional<store::Viewer>& viewer,
                                                           std::optional<std::size_t> most) override {
        ++expansions;
        std::vector<core::ItemId> found;
        const auto take = [&](const model::Item& item) {
            if (!sees(viewer, item.library)) return;
            if (http::is_collection(item.kind)) return;  // one in another is not looked into
            if (!http::has_below(item.kind)) return found.push_back(item.id);
            const auto more = playable_below(item.id, viewer, {});
            found.insert(found.end(), more->begin(), more->end());
        };
        for (const auto& row : catalog_.rows) {
            if (row.item.parent == folder) take(row.item);
        }
        if (const auto at = collections_.rows.find(folder); at != collections_.rows.end()) {
            for (const auto& member : at->second.members) {
                for (const auto& row : catalog_.rows) {
                    if (row.item.id == member.item) take(row.item);
                }
            }
        }
        if (most && found.size() > *most) found.resize(*most);
        return found;
    }
    core::Result<std::int64_t> detached(core::UtcTime) override { return none(); }
    core::Result<store::CleanStep> remove_detached(core::UtcTime, const std::string&, const core::Fence&) override {
        return none();
    }

private:
    static tl::unexpected<core::Error> none() { return core::fail(core::Errc::unsupported, "http does not do that"); }
    static void apply(store::UserItemData& data, const store::UserItemChange& change) {
        data.played = change.played.value_or(data.played);
        data.favourite = change.favourite.value_or(data.favourite);
        data.play_count =
            std::max(change.play_count.value_or(data.play_count) + change.more_plays, change.at_least_plays);
        data.position = change.position.value_or(data.position);
        data.rating = change.rating.value_or(data.rating);
        if (change.last_played_at)
            data.last_played_at = *change.last_played_at;
        else if (change.first_played_at && !data.last_played_at)
            data.last_played_at = change.first_played_at;
    }
    FakeCatalog& catalog_;
    FakeCollections& collections_;
};

}  // namespace understudy::testing
