// What a scan tells the stores beside its own: credits, sets and playlists. Each may be said again: a scan that dies
// leaves a mark in the library's row of directories, and the next one says it all.
#include <algorithm>
#include <set>

#include "library/describe.h"
#include "library/found_playlists.h"
#include "library/found_sets.h"
#include "library/scan_session.h"

namespace understudy::library {

FoundSets* ScanSession::sets() {
    if (parts_.companions.collections == nullptr || library_.kind != model::LibraryKind::movies) return nullptr;
    if (!sets_) {
        sets_ = std::make_unique<FoundSets>(library_.id, *parts_.companions.collections, parts_.store, parts_.random,
                                            [this](const std::function<core::Result<void>(const core::Fence&)>& write) {
                                                return run_.commit(std::nullopt, write);
                                            });
    }
    return sets_.get();
}

core::Result<void> ScanSession::put_credits(std::vector<store::ItemCredits>&& credits) {
    auto* people = parts_.companions.people;
    for (std::size_t at = 0; people != nullptr && at < credits.size(); at += parts_.settings.batch) {
        const auto end = std::min(credits.size(), at + parts_.settings.batch);
        const std::vector<store::ItemCredits> some(
            std::make_move_iterator(credits.begin() + static_cast<std::ptrdiff_t>(at)),
            std::make_move_iterator(credits.begin() + static_cast<std::ptrdiff_t>(end)));
        auto written = run_.commit(std::nullopt, [&](const core::Fence& fence) -> core::Result<void> {
            if (auto put = people->put_credits(some, fence); !put) return tl::unexpected(put.error());
            return {};
        });
        if (!written) return written;
    }
    return {};
}

core::Result<void> ScanSession::put_said(std::vector<SaidOfItem>&& said) {
    std::vector<store::ItemCredits> credits;
    std::unordered_map<core::ItemId, std::size_t> last;  // of an item twice in a batch the later one is whole
    for (std::size_t i = 0; i < said.size(); ++i) last[said[i].item] = i;
    for (std::size_t i = 0; i < said.size(); ++i) {
        auto& one = said[i];
        if (last[one.item] != i) continue;
        credits.push_back({one.item, std::move(one.credits)});
        if (one.kind != model::ItemKind::movie || sets() == nullptr) continue;
        if (auto put = sets()->put(one.item, one.sets); !put) return put;
    }
    if (auto put = put_credits(std::move(credits)); !put) return put;
    return sets() == nullptr ? core::Result<void>{} : sets()->write();
}

// Credits that come from tags have no file of their own that would be found new again.
core::Result<void> ScanSession::put_credits_of_tracks() {
    std::vector<core::ItemId> tracks;
    const auto read = parts_.store.items(library_.id, [&](store::StoredItem&& item) {
        if (item.kind == model::ItemKind::track) tracks.push_back(item.id);
    });
    if (!read) return read;
    for (std::size_t at = 0; at < tracks.size(); at += parts_.settings.batch) {
        if (run_.should_stop()) return stopped();
        const auto end = std::min(tracks.size(), at + parts_.settings.batch);
        const auto items = parts_.store.load(
            {tracks.begin() + static_cast<std::ptrdiff_t>(at), tracks.begin() + static_cast<std::ptrdiff_t>(end)});
        if (!items) return tl::unexpected(items.error());
        std::vector<store::ItemCredits> credits;
        for (const auto& item : *items) credits.push_back({item.id, credits_of_track(item)});
        if (auto put = put_credits(std::move(credits)); !put) return put;
    }
    return {};
}

core::Result<void> ScanSession::settle_companions() {
    const bool moved = report_.added + report_.moved + report_.removed > 0 || !report_.items_removed.empty() || owed_;
    if (owed_ && library_.kind == model::LibraryKind::music && parts_.companions.people != nullptr) {
        if (auto put = put_credits_of_tracks(); !put) return put;
    }
    if (moved && sets() != nullptr) {
        if (auto pruned = sets()->prune(); !pruned) return pruned;
        if (auto written = sets()->write(); !written) return written;
    }
    if (parts_.companions.collections == nullptr) return {};
    std::set<std::string> changed, unchanged;
    bool gone = false;
    for (const auto& file : difference_.sidecars) {
        if (file.file_class == naming::FileClass::playlist) changed.insert(difference_.paths.path(file.path));
    }
    for (std::size_t i = 0; i < stored_.size(); ++i) {
        const auto& row = stored_.row(i);
        if (row.sidecar != naming::FileClass::playlist) continue;
        gone = gone || row.fate == Fate::vanished || row.fate == Fate::excluded;
        const bool there = row.fate == Fate::unchanged || row.fate == Fate::returned;
        if (moved && there) unchanged.insert(stored_.path(i));
    }
    if (moved) {
        if (auto looked = look_at_playlists_elsewhere(); !looked) return looked;
    }
    if (!moved && !gone && changed.empty()) return {};
    return playlists_of(library_.id).refresh(changed, unchanged);
}

FoundPlaylists ScanSession::playlists_of(core::LibraryId library) {
    if (!reader_) reader_.emplace(parts_.files, parts_.settings.walk_patience, [this] { return run_.should_stop(); });
    return {library,
            *parts_.companions.collections,
            parts_.store,
            *reader_,
            parts_.random,
            parts_.clock.utc_now(),
            [this](const std::function<core::Result<void>(const core::Fence&)>& write) {
                return run_.commit(std::nullopt, write);
            },
            [this](const std::string& text) { run_.warn(text); }};
}

// Their entries may name what came, moved or went here. That library's own scan need not run for it.
core::Result<void> ScanSession::look_at_playlists_elsewhere() {
    const auto all = parts_.companions.collections->all(model::ItemKind::playlist);
    if (!all) return tl::unexpected(all.error());
    std::map<core::LibraryId, std::set<std::string>> elsewhere;
    for (const auto& playlist : *all) {
        const bool file = playlist.origin.starts_with('/') && playlist.origin_library != library_.id;
        if (file) elsewhere[playlist.origin_library].insert(playlist.origin);
    }
    for (const auto& [library, paths] : elsewhere) {
        auto looked = playlists_of(library).look_again(paths);
        // Removed meanwhile: its playlists go with it.
        if (!looked && looked.error().code != core::Errc::not_found) return looked;
    }
    return {};
}

// With the first commit that owes anything; taken away with the last.
void ScanSession::mark_owed(store::ScanBatch& batch) {
    const bool none_to_tell = parts_.companions.people == nullptr && parts_.companions.collections == nullptr;
    const bool owes = !batch.upsert_items.empty() || !batch.remove_items.empty() || !batch.upsert_files.empty() ||
                      !batch.remove_files.empty();
    if (none_to_tell || !owes || marked_) return;
    marked_ = true;
    if (!owed_) batch.upsert_directories.push_back({std::string(owed_mark), 0, 0});
}

}  // namespace understudy::library
