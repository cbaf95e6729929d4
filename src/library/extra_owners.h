// library/extra_owners.h: whose trailer, deleted scene or theme music a file is. Used by the scanner once films and
// shows are resolved, on the run's thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/ids.h"
#include "library/diff.h"
#include "library/item_index.h"
#include "library/naming/extras.h"
#include "model/library.h"

namespace understudy::library {

/// What an extra's path says; nullopt: it is none.
struct ExtraPlace {
    naming::Extra extra;
    std::string owner_folder;  ///< absolute: of its film, season or show
};
[[nodiscard]] std::optional<ExtraPlace> extra_place(const std::string& root, const std::string& path);

class ExtraOwners {
public:
    /// `stored` and `index` outlive it.
    ExtraOwners(model::LibraryKind kind, const StoredTree& stored, ItemIndex& index);

    /// Films of this folder are worth remembering: an extra may be theirs.
    void expect(const std::string& folder) { expected_.insert(folder); }
    [[nodiscard]] bool expects(const std::string& folder) const { return expected_.contains(folder); }
    /// A film resolved by this scan, by one of its files.
    void add_film(const std::string& folder, std::string_view file_name, core::ItemId film);

    /// The film, season or series; empty: none is there.
    [[nodiscard]] core::ItemId find(const std::string& root, const ExtraPlace& place);
    /// Of what nobody can claim alone: is it still where its former owner's files are?
    [[nodiscard]] bool may_keep(core::ItemId owner, const ExtraPlace& place);

private:
    struct Film {
        std::string stem;  ///< in lower case
        core::ItemId item;
    };
    [[nodiscard]] core::ItemId film(const std::string& root, const ExtraPlace& place);
    [[nodiscard]] core::ItemId folder_item(const std::string& root, std::string folder);
    [[nodiscard]] const std::vector<Film>& films_of(const std::string& folder);

    model::LibraryKind kind_;
    const StoredTree& stored_;
    ItemIndex& index_;
    std::set<std::string> expected_;
    std::map<std::string, std::vector<Film>> found_, films_;  ///< by folder: of this scan; with what is stored
    std::map<std::string, core::ItemId> by_folder_;           ///< series and seasons; filled when first asked
};

}  // namespace understudy::library
