// The end of a scan: what is provably gone goes, and the roots are noted.
#include <algorithm>
#include <cerrno>
#include <set>

#include "library/naming/text.h"
#include "library/roots.h"
#include "library/scan_session.h"

namespace understudy::library {

// The proof may be hours old by now: a path that is there again, or a root that has gone, is no proof any more.
core::Result<std::vector<std::uint32_t>> ScanSession::still_gone() {
    std::vector<std::uint32_t> rows;
    std::map<std::string, bool> online;  // roots and mounts
    for (const auto& root : difference_.roots) {
        if (!root.online) continue;
        const auto look = look_at_root(*parts_.files, root.path);
        online[root.path] = look.online && look.device == root.device;
    }
    for (const auto& [path, device] : difference_.mounts) {
        FileStatus status;
        online[path] = parts_.files->status(path, status) == 0 && status.device == device;
    }
    store::ScanBatch again;
    std::set<std::string> complained;
    for (std::uint32_t i = 0; i < stored_.size(); ++i) {
        const auto& row = stored_.row(i);
        if (row.fate != Fate::vanished && row.fate != Fate::excluded) continue;
        if (row.fate == Fate::excluded) {
            rows.push_back(i);
            continue;
        }
        if (!row.item.empty() && !scope_.may_remove()) {
            ++report_.missing;
            if (auto* item = index_.by_id(row.item)) ++item->files;
            continue;
        }
        const auto path = stored_.path(i);
        bool proven = true;
        for (const auto& [root, still] : online) {
            if (!is_within(path, root) || still) continue;
            proven = false;
            if (complained.insert(root).second) {
                run_.warn("Library path " + naming::display_text(root) +
                          " went offline during the scan: nothing below it is removed");
            }
        }
        FileStatus status;
        const int error = proven ? parts_.files->status(path, status) : 0;
        if (proven && (error == ENOENT || error == ENOTDIR)) {
            rows.push_back(i);
            continue;
        }
        // Looked at again by the next scan, as if it had failed: this one has told its item that the file is gone.
        auto file = stored_file(i);
        file.failure = "was away during the last scan";
        file.available = false;
        file.failed_since = parts_.clock.utc_now();
        again.upsert_files.push_back(std::move(file));
        if (auto* item = index_.by_id(row.item)) ++item->files;
        if (again.upsert_files.size() >= parts_.settings.batch) {
            if (auto sent = commit(again, {}); !sent) return tl::unexpected(sent.error());
            again = {};
        }
    }
    if (!again.upsert_files.empty()) {
        if (auto sent = commit(again, {}); !sent) return tl::unexpected(sent.error());
    }
    return rows;
}

core::Result<void> ScanSession::retire() {
    // A scan that died may have taken a film or an episode and left what hung on it.
    const bool changed = difference_.vanished > 0 || report_.added + report_.changed + report_.moved > 0;
    if (!changed && !owed_ && !let_go_) return {};
    auto rows = still_gone();
    if (!rows) return tl::unexpected(rows.error());
    // A version that moved to another film leaves its old one poorer, or without any file.
    for (std::uint32_t i = 0; i < went_.size(); ++i) {
        const auto* item = went_[i] ? index_.by_id(stored_.row(i).item) : nullptr;
        if (item != nullptr && (item->anchors > 0 || item->files == 0)) rows->push_back(i);
    }

    for (std::size_t at = 0; at < rows->size();) {
        if (run_.should_stop()) return stopped();
        store::ScanBatch batch;
        std::set<core::ItemId> poorer;  // items that keep other files: only a source goes
        const auto end = std::min(rows->size(), at + parts_.settings.batch);
        for (; at < end; ++at) {
            const auto& row = stored_.row((*rows)[at]);
            batch.remove_files.push_back(stored_.path((*rows)[at]));
            if (row.item.empty()) continue;
            if (row.fate != Fate::moved) ++report_.removed;
            auto* item = index_.by_id(row.item);
            if (item == nullptr || item->removed) continue;
            if (item->files > 0) {
                poorer.insert(item->id);
                continue;
            }
            item->removed = true;
            batch.remove_items.push_back(item->id);
            if (report_.items_removed.size() < 1000) report_.items_removed.push_back(item->id);
        }
        if (!poorer.empty()) {
            auto items = parts_.store.load({poorer.begin(), poorer.end()});
            if (!items) return tl::unexpected(items.error());
            const std::set<std::string> gone(batch.remove_files.begin(), batch.remove_files.end());
            for (auto& item : *items) {
                const auto dropped = std::erase_if(
                    item.sources, [&](const model::MediaSource& source) { return gone.contains(source.file.path); });
                if (dropped == 0) continue;
                if (item.sources.size() == 1) item.sources.front().version_name.clear();
                if (!item.sources.empty()) item.duration = item.sources.front().info.duration;
                batch.upsert_items.push_back(std::move(item));
            }
        }
        report_.changed_anything = true;
        if (auto sent = commit(batch, {}); !sent) return sent;
    }

    const auto childless = index_.take_childless();
    for (std::size_t at = 0; at < childless.size(); at += parts_.settings.batch) {
        const auto end = std::min(childless.size(), at + parts_.settings.batch);
        store::ScanBatch batch;
        batch.remove_items.assign(childless.begin() + static_cast<std::ptrdiff_t>(at),
                                  childless.begin() + static_cast<std::ptrdiff_t>(end));
        for (const auto id : batch.remove_items) {
            if (report_.items_removed.size() < 1000) report_.items_removed.push_back(id);
        }
        report_.changed_anything = true;
        if (auto sent = commit(batch, {}); !sent) return sent;
    }
    return retire_ownerless();
}

core::Result<void> ScanSession::finish() {
    const bool told = marked_ || (owed_ && parts_.companions.collections != nullptr);
    store::ScanBatch batch;
    if (!scope_.everything()) {
        if (!told) return {};
        batch.remove_directories.emplace_back(owed_mark);
        return commit(batch, {});
    }
    const auto now = parts_.clock.utc_now();
    batch.roots.emplace();
    std::map<std::string, store::StoredDirectory> stored;
    for (auto& directory : stored_directories_) stored.emplace(directory.path, directory);
    const auto put = [&](store::StoredDirectory directory) {
        const auto before = stored.find(directory.path);
        if (before != stored.end() && before->second.device == directory.device &&
            before->second.entries == directory.entries) {
            return;
        }
        batch.upsert_directories.push_back(std::move(directory));
    };
    for (const auto& root : difference_.roots) {
        model::RootState state{root.path, root.online, root.reason, now, root.device};
        for (const auto& before : before_) {
            if (before.path != root.path) continue;
            if (before.online == root.online && before.reason == root.reason) state.since = before.since;
            if (!root.online) state.device = before.device;
        }
        if (root.online) put({root.path, root.device, root.entries});
        batch.roots->push_back(std::move(state));
    }
    // Only roots and mounts are kept: nothing else needs its device to be told from a folder that was emptied.
    for (const auto& [path, device] : difference_.mounts) put({path, device, 0});
    batch.remove_directories = difference_.mounts_gone;
    if (told) batch.remove_directories.emplace_back(owed_mark);
    for (const auto& [path, directory] : stored) {
        const bool inside =
            std::ranges::any_of(difference_.roots, [&](const FoundRoot& root) { return is_within(path, root.path); });
        if (!inside) batch.remove_directories.push_back(path);
    }
    batch.scanned_at = now;
    return commit(batch, {});
}

}  // namespace understudy::library
