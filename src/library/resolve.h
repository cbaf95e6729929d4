// library/resolve.h: from files to items. Keys: what an item is called below its parent, so that a second scan, a new
// version or a better copy finds the same one again. Used by the scanner for one folder at a time, on the run's thread.
//
// Keys (original_key, always valid UTF-8): a film is `f:` + its folder, or `f:` + the beginning of the names of its
// versions; a series is its folder below the root, a season `s1`, an episode `e2`, `d2024-03-01` or `n:` + its name;
// artist and album are their folded names (album + MusicBrainz id), a track is disc, number and title.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/result.h"
#include "core/time.h"
#include "library/describer.h"
#include "library/item_index.h"
#include "model/item.h"
#include "model/library.h"
#include "store/people.h"
#include "store/scan_store.h"

namespace understudy::library {

/// A file with what its probe said.
struct ScannedFile {
    model::FileState file;
    core::ItemId item;                     ///< whose it was: under this path, or under the one it moved from
    std::string moved_from;                ///< path bytes; empty: it did not move
    bool changed = false;                  ///< known under this path before
    bool again = false;                    ///< as it was: only what describes it changed
    std::optional<model::MediaInfo> info;  ///< none: moved or `again`; what is stored of it is taken
    std::string content_sample;            ///< of the probe, or as stored
    std::string failure;  ///< moved and unreadable now: the item goes with it, the failure is remembered
};

/// The files of one folder that need work (of an album: its disc folders' too).
struct FolderGroup {
    std::string root, folder;
    std::uint32_t media_files = 0;     ///< in the folder, those without work included
    std::vector<ScannedFile> files;    ///< in path order
    std::vector<core::ItemId> beside;  ///< of music: items of the folder's files without work (some of them)
};

/// What an item's description says beyond the item, for the companions of the scan store.
struct SaidOfItem {
    core::ItemId item;
    model::ItemKind kind = model::ItemKind::movie;
    std::vector<store::NamedCredit> credits;
    std::vector<std::string> sets;  ///< of films
};

/// What must be committed together.
struct Step {
    std::vector<model::Item> items;  ///< parents before children
    std::vector<store::StoredFile> files;
    std::vector<std::string> remove_files;
    std::vector<core::ItemId> mark_available, mark_unavailable;
    std::vector<SaidOfItem> said;                    ///< once the items are committed
    std::vector<store::StoredFile> late;             ///< sidecars: seen once all that they describe is committed
    std::string folder;                              ///< for the cursor
    std::size_t done = 0;                            ///< files of the work list, for the progress
    std::int64_t added = 0, changed = 0, moved = 0;  ///< of these, for the run's counts
};

class ExtraOwners;

class Resolver {
public:
    /// References outlive it. `is_gone`: this path was proven gone or moved, so a source there is dropped.
    Resolver(const model::Library& library, ItemIndex& index, store::ScanStore& store, core::Random& random,
             Describer& describer, core::UtcTime now, std::function<bool(const std::string& path)> is_gone);

    /// Ids of vanished items that new containers and tracks may take up by provider ids. Errors: as the store's.
    [[nodiscard]] core::Result<void> learn_vanished(const std::vector<core::ItemId>& leaves);
    /// Appends to `steps`. Errors: as the store's.
    [[nodiscard]] core::Result<void> resolve(FolderGroup&& group, std::vector<Step>& steps);
    /// The same for extras, once all films and shows are resolved. Hands back those that nobody owns.
    [[nodiscard]] core::Result<std::vector<ScannedFile>> resolve_extras(FolderGroup&& group, ExtraOwners& owners,
                                                                        std::vector<Step>& steps);

private:
    struct Container {
        model::ItemKind kind;
        core::ItemId parent;
        std::string key;
        core::ItemId former;        ///< what the child that asks was in before, where it moved or changed
        std::string folder;         ///< its own, absolute; empty: it has none
        bool owns_folder = true;    ///< what lies in it describes this one: not so of a show right below a root
        std::string series_folder;  ///< of a season: where its show's pictures of seasons lie; else empty
    };
    [[nodiscard]] core::Result<void> resolve_movies(FolderGroup& group, std::vector<Step>& steps);
    [[nodiscard]] core::Result<void> resolve_episodes(FolderGroup& group, std::vector<Step>& steps);
    [[nodiscard]] core::Result<void> resolve_tracks(FolderGroup& group, std::vector<Step>& steps);
    /// Finds, takes up again or makes the folder item and adds it to `step` where it is new. `fill` names it.
    [[nodiscard]] core::Result<core::ItemId> container(const Container& wanted, Step& step,
                                                       const std::vector<Step>& pending,
                                                       const std::function<void(model::Item&)>& fill);
    /// The item for a leaf: stored ones of `files` first, then the key's, then a new one. Claims it; loads what is
    /// stored.
    [[nodiscard]] core::Result<model::Item> leaf(model::ItemKind kind, core::ItemId parent, const std::string& key,
                                                 const std::vector<ScannedFile*>& files, bool may_join,
                                                 const std::vector<Step>& pending, core::ItemId also = {});
    /// What is stored of the items of `group`, in one query, kept until the next group.
    [[nodiscard]] core::Result<void> load_items(const FolderGroup& group);
    /// Files that are not probed get what is stored of them.
    void take_stored_info(FolderGroup& group);
    [[nodiscard]] core::Result<model::Item> load_one(core::ItemId id, const std::vector<Step>& pending);
    /// The sources an item keeps, with those of `files` (and their labels) added; best picture first.
    void merge_sources(model::Item& item, const std::vector<ScannedFile*>& files,
                       const std::vector<std::string>& labels);
    // resolve_described.cpp: what NFO files and pictures say, over what names and tags said.
    struct FilmPlace {
        std::string group;  ///< what the names of its versions have in common; empty: the folder is the film's
        bool at_root = false;
    };
    void describe_film(model::Item& item, const model::Item& before, const FolderGroup& group, const FilmPlace& place,
                       Step& step);
    [[nodiscard]] std::string set_of_folder(const FolderGroup& group, const FilmPlace& place);
    [[nodiscard]] Saying say_episode(const ScannedFile& file, const FolderGroup& group);
    void describe_episode(model::Item& item, const model::Item& before, const FolderGroup& group, const Saying& saying,
                          Step& step);
    void describe_track(model::Item& item, bool is_new, Step& step);
    void describe_container(model::Item& item, const model::Item& before, const Container& wanted, Step& step);
    void put_saying(model::Item& item, const model::Item& before, const Saying& saying, Step& step);
    void finish(model::Item&& item, const std::vector<ScannedFile*>& files, Step& step);
    [[nodiscard]] core::ItemId former(const ScannedFile& file, model::ItemKind kind);

    const model::Library& library_;
    ItemIndex& index_;
    store::ScanStore& store_;
    core::Random& random_;
    Describer& describer_;
    core::UtcTime now_;
    std::function<bool(const std::string&)> is_gone_;
    std::map<core::ItemId, model::Item> loaded_;
    std::map<std::string, core::ItemId> vanished_series_, vanished_tracks_;  ///< `Tvdb=77` -> id
};

}  // namespace understudy::library
