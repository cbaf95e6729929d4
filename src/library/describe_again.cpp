// Which items a changed sidecar concerns: they are put together again from what is stored, no media file is opened.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/text.h"
#include "library/naming/external_streams.h"
#include "library/naming/movie_name.h"
#include "library/naming/text.h"
#include "library/scan_groups.h"
#include "library/scan_session.h"

namespace understudy::library {
namespace {

// A folder with more films or episodes than this is looked through by name.
constexpr std::size_t small_folder = 20;

struct Touched {
    std::vector<std::string> names;  // stems of what changed, in lower case
    std::size_t media_files = 0;     // known ones in the folder
    bool seasons = false;            // what changed may be a season's
    bool collection = false;         // … or names a set for the films in the folders below
};
using TouchedFolders = std::unordered_map<std::string, Touched>;

void touch(std::string_view folder, std::string_view name, TouchedFolders& into) {
    auto& touched = into[std::string(described_folder(folder))];
    // `Subs/<stem>/2_English.srt`: the folder says whose it is.
    const bool in_own = naming::is_subtitles_folder(naming::name_of(naming::parent_of(folder)));
    auto key = core::to_lower_ascii(naming::stem_of(in_own ? naming::name_of(folder) : name));
    touched.collection = touched.collection || key == "collection";
    touched.seasons = touched.seasons || key.starts_with("season") || key == "tvshow";
    if (touched.names.empty() || touched.names.back() != key) touched.names.push_back(std::move(key));
}

bool concerns(const Touched& touched, std::string_view media_name) {
    if (touched.media_files <= small_folder || touched.collection) return true;
    const auto stem = core::to_lower_ascii(naming::stem_of(media_name));
    return std::ranges::any_of(
        touched.names, [&](const std::string& name) { return stem.starts_with(name) || name.starts_with(stem); });
}

}  // namespace

// A film alone in its folder takes name and pictures from it, one among others need not. Where a file came or went, the
// films beside it are asked what they are called now; after a scan that died, all are.
std::unordered_map<core::ItemId, std::string> ScanSession::films_beside() {
    std::unordered_map<core::ItemId, std::string> chosen;
    if (library_.kind != model::LibraryKind::movies) return chosen;
    std::unordered_set<std::string> touched;
    for (const auto& file : difference_.work) {
        const bool is_new = file.stored == none && file.file_class == naming::FileClass::media;
        if (is_new) touched.emplace(difference_.paths.folder(file.path));
    }
    for (std::size_t i = 0; i < stored_.size(); ++i) {
        const auto& row = stored_.row(i);
        if (is_gone(row) && !naming::is_sidecar(row.sidecar)) touched.emplace(stored_.folder(i));
    }
    if (touched.empty() && !owed_) return chosen;
    std::uint32_t run = none;
    bool asked = false;
    for (std::size_t i = 0; i < stored_.size(); ++i) {
        const auto folder = stored_.folder(i);
        if (stored_.folder_index(i) != run) {
            run = stored_.folder_index(i);
            // A root gives no film its name, a disc's folder always does.
            asked = (owed_ || touched.contains(std::string(folder))) && group_folder(folder, library_.kind) == folder &&
                    std::ranges::find(difference_.roots, folder, &FoundRoot::path) == difference_.roots.end();
        }
        const auto& row = stored_.row(i);
        const auto beside = stored_.media_files(i);
        if (!asked || beside == 0 || row.item.empty() || !is_as_it_was(row)) continue;
        const auto* item = index_.by_id(row.item);
        if (item == nullptr || item->kind != model::ItemKind::movie) continue;
        const auto name =
            naming::parse_movie(naming::name_of(folder), naming::stem_of(StoredTree::name_in(row)), beside <= 1);
        if (!index_.is_called(*item, film_key(folder, name.group))) chosen.try_emplace(row.item, folder);
    }
    return chosen;
}

core::Result<void> ScanSession::choose_described() {
    sidecars_.emplace(stored_, difference_);
    choose_extras();
    if (index_.all().empty()) return {};  // a first scan: all is new
    auto chosen = films_beside();         // with the folder that is resolved for it
    TouchedFolders touched;
    for (const auto& file : difference_.sidecars) {
        if (file.file_class == naming::FileClass::playlist) continue;
        touch(difference_.paths.folder(file.path), PathTable::name(file.path), touched);
    }
    for (std::size_t i = 0; i < stored_.size(); ++i) {
        const auto& row = stored_.row(i);
        const bool gone = row.fate == Fate::vanished || row.fate == Fate::excluded;
        const bool described = naming::is_sidecar(row.sidecar) || row.disused;
        if (!gone || !described || row.sidecar == naming::FileClass::playlist) continue;
        touch(stored_.folder(i), StoredTree::name_in(row), touched);
    }

    bool folders_due = false;
    for (auto& item : index_.all()) {
        if (is_leaf(item.kind)) continue;
        const auto& folder = index_.folder(item.id);
        const auto found = touched.find(folder);
        item.describe = !folder.empty() && found != touched.end();
        if (item.kind == model::ItemKind::season && !item.describe) {
            const auto above = touched.find(index_.folder(item.parent));
            item.describe = above != touched.end() && above->second.seasons;
        }
        // Of a scan before folders were known.
        if (folder.empty() && item.kind != model::ItemKind::artist) item.describe = true;
        folders_due = folders_due || item.describe;
    }
    if (touched.empty() && !folders_due && chosen.empty()) return {};

    // By run of rows of one folder: which touched folder's group it belongs to.
    std::uint32_t run = none;
    std::string_view group;
    Touched* of_group = nullptr;
    const auto look = [&](std::size_t i) {
        if (stored_.folder_index(i) == run) return;
        run = stored_.folder_index(i);
        group = group_folder(stored_.folder(i), library_.kind);
        const auto found = touched.find(std::string(group));
        of_group = found == touched.end() ? nullptr : &found->second;
        if (of_group == nullptr && library_.kind == model::LibraryKind::movies) {
            const auto above = touched.find(std::string(naming::parent_of(group)));
            if (above != touched.end() && above->second.collection) of_group = &above->second;
        }
        if (of_group != nullptr || group == stored_.folder(i)) return;
        const auto own = touched.find(std::string(stored_.folder(i)));  // a disc's folder within an album
        of_group = own == touched.end() ? nullptr : &own->second;
    };
    for (std::size_t i = 0; i < stored_.size(); ++i) {
        if (stored_.row(i).item.empty()) continue;
        look(i);
        if (of_group != nullptr) ++of_group->media_files;
    }

    run = none;
    for (std::size_t i = 0; i < stored_.size(); ++i) {
        const auto& row = stored_.row(i);
        if (row.item.empty()) continue;
        const bool as_it_was = is_as_it_was(row);
        if (!as_it_was && row.fate != Fate::changed) continue;
        look(i);
        bool choose = of_group != nullptr && library_.kind != model::LibraryKind::music;
        if (choose && group == stored_.folder(i)) choose = concerns(*of_group, StoredTree::name_in(row));
        if (of_group != nullptr && library_.kind == model::LibraryKind::music) {  // a cover is the album's business
            const auto stem = core::to_lower_ascii(naming::stem_of(StoredTree::name_in(row)));
            const auto named = [&](std::string_view name) {
                return std::ranges::find(of_group->names, name) != of_group->names.end();
            };
            choose = named(stem) || named("album");  // its NFO may file the whole album under another artist
        }
        // One of its files stands for a folder's item: on the way up from it the folder is described.
        if (folders_due) {
            const auto* item = index_.by_id(row.item);
            for (auto* up = item == nullptr ? nullptr : index_.by_id(item->parent); up != nullptr;
                 up = index_.by_id(up->parent)) {
                if (!up->describe || up->represented) continue;
                up->represented = true;
                choose = true;
            }
        }
        if (choose && as_it_was) chosen.try_emplace(row.item, group);
    }
    if (chosen.empty()) return {};
    run = none;
    for (std::uint32_t i = 0; i < stored_.size(); ++i) {
        const auto& row = stored_.row(i);
        const auto found = row.item.empty() ? chosen.end() : chosen.find(row.item);
        if (found == chosen.end() || !is_as_it_was(row)) continue;
        look(i);
        if (found->second != group) continue;
        if (chosen_extras_.contains(i)) continue;
        auto file = known_file(i);
        file.again = true;
        if (library_.kind == model::LibraryKind::music) index_.let_go(row.item);
        difference_.work.push_back(file);
    }
    return {};
}

}  // namespace understudy::library
