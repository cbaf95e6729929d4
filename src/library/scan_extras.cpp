// Extras in a scan: which of them are looked at, and what becomes of those whose owner goes.
#include <algorithm>

#include "library/naming/text.h"
#include "library/scan_groups.h"
#include "library/scan_session.h"

namespace understudy::library {

FoundFile ScanSession::known_file(std::uint32_t index) {
    const auto& row = stored_.row(index);
    const auto path = stored_.path(index);
    FoundFile file;
    file.path = difference_.paths.add(path);
    file.size_bytes = row.size_bytes;
    file.mtime_ns = row.mtime_ns;
    file.inode = row.inode;
    file.device = row.device;
    file.stored = index;
    file.media_files = stored_.media_files(index);
    if (row.fate == Fate::unseen) {  // not walked: what was there is still the best that is known
        const auto folder = std::string(stored_.folder(index)) + "/";
        for (auto i = stored_.first_from(folder); i < stored_.size(); ++i) {
            const auto other = stored_.path(i);
            if (!other.starts_with(folder)) break;
            const bool beside = other.find('/', folder.size()) == std::string::npos && !stored_.row(i).item.empty();
            if (beside) ++file.media_files;
        }
    }
    const auto* item = index_.by_id(row.item);
    const bool extra = item == nullptr || item->kind == model::ItemKind::extra;
    file.file_class = extra ? naming::FileClass::extra : naming::FileClass::media;
    for (std::size_t i = 0; i < difference_.roots.size(); ++i) {
        if (is_within(path, difference_.roots[i].path)) file.root = static_cast<std::uint32_t>(i);
    }
    return file;
}

bool ScanSession::may_be_item(const FoundFile& file) const {
    if (file.file_class == naming::FileClass::media) return true;
    if (file.file_class != naming::FileClass::extra || library_.kind == model::LibraryKind::music) return false;
    return extra_place(difference_.roots[file.root].path, difference_.paths.path(file.path)).has_value();
}

// Where the films that have extras lie: the folders whose films they are.
std::unordered_map<core::ItemId, std::vector<std::string>> ScanSession::folders_of_owners() {
    std::unordered_map<core::ItemId, std::vector<std::string>> folders;
    if (library_.kind != model::LibraryKind::movies) return folders;
    for (const auto& item : index_.all()) {
        if (item.kind == model::ItemKind::extra) folders.try_emplace(item.parent);
    }
    if (folders.empty()) return folders;
    const auto note = [&](core::ItemId item, std::string_view folder) {
        const auto owner = folders.find(item);
        if (owner == folders.end()) return;
        const auto group = group_folder(folder, library_.kind);
        if (owner->second.empty() || owner->second.back() != group) owner->second.emplace_back(group);
    };
    for (std::size_t i = 0; i < stored_.size(); ++i) {
        const auto& row = stored_.row(i);
        if (!row.item.empty() && !is_gone(row)) note(row.item, stored_.folder(i));
    }
    for (const auto& file : difference_.work) {  // renamed or replaced: where it is now
        if (file.moved_from != none) note(stored_.row(file.moved_from).item, difference_.paths.folder(file.path));
    }
    return folders;
}

// Extras that did not change, but their owner did: one that nobody owned where a film or show is new or the only one
// left, and one whose owner goes or lies elsewhere.
void ScanSession::choose_extras() {
    if (library_.kind == model::LibraryKind::music || !index_loaded_ || stored_.size() == 0) return;
    std::set<std::string, std::less<>> folders;  // of new media, and all above them
    const auto work = difference_.work.size();
    for (std::size_t i = 0; i < work; ++i) {
        const auto& file = difference_.work[i];
        if (file.file_class != naming::FileClass::media) continue;
        const auto& root = difference_.roots[file.root].path;
        for (auto folder = group_folder(difference_.paths.folder(file.path), library_.kind); is_within(folder, root);
             folder = naming::parent_of(folder)) {
            if (folders.contains(folder) || !folders.emplace(folder).second || folder == root) break;
        }
    }
    for (std::size_t i = 0; i < stored_.size(); ++i) {
        const auto& row = stored_.row(i);
        if (is_gone(row) && !row.item.empty()) folders.emplace(group_folder(stored_.folder(i), library_.kind));
    }
    const auto owners = folders_of_owners();
    const auto lies_there = [&](const KnownItem& owner, const ExtraPlace& place) {
        if (const auto films = owners.find(owner.id); owner.kind == model::ItemKind::movie && films != owners.end())
            return std::ranges::find(films->second, place.owner_folder) != films->second.end();
        const auto& folder = index_.folder(owner.id);
        return (owner.files > 0 || owner.staying > 0) && (folder.empty() || is_within(place.owner_folder, folder));
    };
    for (std::uint32_t i = 0; i < stored_.size(); ++i) {
        const auto& row = stored_.row(i);
        if (!is_as_it_was(row) || naming::is_sidecar(row.sidecar)) continue;
        const auto* item = row.item.empty() ? nullptr : index_.by_id(row.item);
        const bool nobodys = row.item.empty() && row.fate != Fate::unseen && !folders.empty();
        if (!nobodys && (item == nullptr || item->kind != model::ItemKind::extra)) continue;
        const auto path = stored_.path(i);
        const auto root =
            std::ranges::find_if(difference_.roots, [&](const FoundRoot& one) { return is_within(path, one.path); });
        const auto place = root == difference_.roots.end() ? std::nullopt : extra_place(root->path, path);
        if (!place) continue;
        if (nobodys) {
            if (!folders.contains(place->owner_folder)) continue;
            difference_.work.push_back(known_file(i));
            if (row.fate == Fate::unchanged) --report_.unchanged;
        } else {
            const auto* owner = index_.by_id(item->parent);
            if (owner == nullptr || lies_there(*owner, *place)) continue;
            difference_.work.push_back(known_file(i));
            difference_.work.back().again = true;
        }
        chosen_extras_.insert(i);
    }
}

void ScanSession::expect_owners() {
    if (library_.kind != model::LibraryKind::movies) return;
    for (const auto& file : difference_.work) {
        if (file.file_class != naming::FileClass::extra) continue;
        const auto place = extra_place(difference_.roots[file.root].path, difference_.paths.path(file.path));
        if (place) owners_->expect(place->owner_folder);
    }
}

void ScanSession::note_owners(std::size_t first_step) {
    if (library_.kind != model::LibraryKind::movies) return;
    for (auto i = first_step; i < pending_.size(); ++i) {
        for (const auto& item : pending_[i].items) {
            if (item.kind != model::ItemKind::movie || !owners_->expects(pending_[i].folder)) continue;
            for (const auto& source : item.sources)
                owners_->add_film(pending_[i].folder, naming::name_of(source.file.path), item.id);
        }
    }
}

core::Result<void> ScanSession::work_on_extras(FolderGroup&& group, Resolver& resolver) {
    const auto folder = group.folder;
    auto nobodys = resolver.resolve_extras(std::move(group), *owners_, pending_);
    if (!nobodys) return tl::unexpected(nobodys.error());
    for (const auto& file : *nobodys) {
        if (file.again) {
            ++done_;
            // Its owner lives on elsewhere; with one that goes it goes by itself.
            auto* known = index_.by_id(file.item);
            const auto* owner = known == nullptr ? nullptr : index_.by_id(known->parent);
            if (owner == nullptr || owner->removed || (!owner->claimed && owner->files == 0 && owner->staying == 0))
                continue;
            known->parent = {};
            let_go_ = true;
            continue;
        }
        // Counted when it was found: known, but nothing of the library's.
        auto& counted = file.changed && !file.item.empty() ? report_.changed
                        : file.moved_from.empty()          ? report_.added
                                                           : report_.moved;
        --counted;
        set_aside(file, false, {}, folder);
    }
    return {};
}

core::Result<void> ScanSession::retire_ownerless() {
    const auto ids = index_.take_ownerless();
    if (ids.empty()) return {};
    const std::unordered_set<core::ItemId> gone(ids.begin(), ids.end());
    store::ScanBatch batch;
    const auto send = [&](bool all) -> core::Result<void> {
        const auto size = batch.remove_items.size() + batch.upsert_files.size();
        if (size == 0 || (!all && size < parts_.settings.batch)) return {};
        report_.changed_anything = true;
        auto sent = commit(batch, {});
        batch = {};
        return sent;
    };
    // First the files: nothing may name an item that is gone.
    for (std::uint32_t i = 0; i < stored_.size(); ++i) {
        const auto& row = stored_.row(i);
        const bool stays = row.fate == Fate::unchanged || row.fate == Fate::returned || row.fate == Fate::kept ||
                           row.fate == Fate::unseen;
        if (!stays || row.item.empty() || !gone.contains(row.item)) continue;
        batch.upsert_files.push_back(stored_file(i));
        batch.upsert_files.back().item = {};
        if (row.fate == Fate::kept) batch.upsert_files.back().available = false;
        if (auto sent = send(false); !sent) return sent;
    }
    for (const auto id : ids) {
        batch.remove_items.push_back(id);
        if (report_.items_removed.size() < 1000) report_.items_removed.push_back(id);
        if (auto sent = send(false); !sent) return sent;
    }
    return send(true);
}

}  // namespace understudy::library
