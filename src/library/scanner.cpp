#include "library/scanner.h"

#include <algorithm>
#include <set>

#include "library/identity.h"
#include "library/library_options.h"
#include "library/naming/text.h"
#include "library/scan_session.h"

namespace understudy::library {

Scanner::Scanner(ScannerSettings settings, store::ScanStore& store, media::Prober& prober,
                 std::shared_ptr<const FileSystem> files, core::Clock& clock, core::Random& random,
                 ScanCompanions companions)
    : settings_(settings),
      store_(store),
      prober_(prober),
      files_(std::move(files)),
      clock_(clock),
      random_(random),
      companions_(companions) {}

core::Result<ScanReport> Scanner::scan(const model::Library& library, const std::vector<model::RootState>& before,
                                       const ScanScope& scope, tasks::Run& run, ScanShare& share) {
    ScanSession session({settings_, store_, prober_, files_, clock_, random_, companions_}, library, before, scope, run,
                        share);
    return session.scan();
}

ScanSession::ScanSession(ScanParts parts, const model::Library& library, const std::vector<model::RootState>& before,
                         const ScanScope& scope, tasks::Run& run, ScanShare& share)
    : parts_(std::move(parts)), library_(library), before_(before), scope_(scope), run_(run), share_(share) {}

core::Result<ScanReport> ScanSession::scan() {
    using Phase = core::Result<void> (ScanSession::*)();
    constexpr Phase phases[] = {&ScanSession::walk_and_compare,
                                &ScanSession::note_problems,
                                &ScanSession::know_items,
                                &ScanSession::match_moves,
                                &ScanSession::note_availability,
                                &ScanSession::choose_described,
                                &ScanSession::work,
                                &ScanSession::retire,
                                &ScanSession::settle_companions,
                                &ScanSession::finish};
    for (const auto phase : phases) {
        if (run_.should_stop()) return tl::unexpected(stopped().error());
        if (auto done = (this->*phase)(); !done) return tl::unexpected(done.error());
    }
    report(100);
    return std::move(report_);
}

core::Result<void> ScanSession::walk_and_compare() {
    WalkSettings settings;
    settings.kind = library_.kind;
    settings.threads = parts_.settings.walk_threads;
    settings.patience = parts_.settings.walk_patience;
    settings.scope = scope_;
    settings.nfo = !LibraryOptions::parse(library_.options).local_metadata_off.contains("Nfo");
    const bool nfo = settings.nfo;
    // The walk runs ahead while the stored files are read.
    Walk walk(parts_.files, std::move(settings), library_.paths, [this] { return run_.should_stop(); });

    std::int64_t last_entries = 0;
    DiffInput input;
    input.scope = scope_.everything() ? nullptr : &scope_;
    input.nfo = nfo;
    const auto directories = parts_.store.directories(library_.id, [&](store::StoredDirectory&& directory) {
        if (directory.path == owed_mark) {
            owed_ = true;
            return;
        }
        input.stored_devices.emplace(directory.path, directory.device);
        last_entries += directory.entries;
        stored_directories_.push_back(std::move(directory));
    });
    if (!directories) return directories;
    auto stored = StoredTree::load(parts_.store, library_);
    if (!stored) return tl::unexpected(stored.error());
    stored_ = std::move(*stored);

    if (library_.remove_missing_after) {
        for (const auto& root : before_) {
            const bool over = parts_.clock.utc_now() - root.since >= *library_.remove_missing_after;
            if (!root.online && root.reason == "empty" && over) input.emptied_roots.insert(root.path);
        }
    }
    // 0..10 by the count of the last scan; without one there is nothing to measure by.
    input.progress = [&](std::int64_t entries) {
        const auto share = last_entries > 0 ? static_cast<double>(entries) / static_cast<double>(last_entries) : 0.0;
        report(10.0 * std::min(1.0, share));
    };
    if (compare(walk, stored_, input, difference_) == WalkSource::Step::stopped) return stopped();
    share_.own = std::max(share_.own, static_cast<double>(difference_.entries));

    report_.unchanged = difference_.unchanged;
    report_.returned = difference_.returned;
    return {};
}

core::Result<void> ScanSession::know_items() {
    bool needed = !difference_.work.empty() || !difference_.sidecars.empty() || difference_.vanished > 0 ||
                  difference_.returned > 0 || owed_;
    for (std::size_t i = 0; i < stored_.size() && !needed; ++i) {
        const auto& row = stored_.row(i);
        needed = row.fate == Fate::kept && row.available && !naming::is_sidecar(row.sidecar);
    }
    if (!needed) return {};  // nothing changed: not even the items are read
    index_loaded_ = true;
    return index_.load(parts_.store, library_.id);
}

core::Result<void> ScanSession::match_moves() {
    if (difference_.work.empty() || (difference_.vanished == 0 && difference_.kept == 0)) {
        warn_of_roots();
        count_what_stays();
        return {};
    }
    match_by_inode(stored_, difference_);

    const auto candidates = sample_candidates(stored_, difference_);
    if (!candidates.empty()) {
        std::vector<core::IdBytes> samples(candidates.size());
        const auto kind =
            library_.kind == model::LibraryKind::music ? media::ProbeKind::audio : media::ProbeKind::video;
        const auto stop = [this] { return run_.should_stop(); };
        ProbeAhead probes(
            parts_.prober, candidates.size(),
            [&](std::size_t i) {
                return media::ProbeRequest{difference_.paths.path(difference_.work[candidates[i]].path), kind};
            },
            stop);
        // What these probes say is kept for the work below, up to a bound: beyond it a file is opened twice.
        constexpr std::size_t keep = 20'000;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            auto answer = probes.take(i, [this] { report(0); });
            if (!answer) return stopped();
            if (!*answer) continue;
            samples[i] = sample_bytes((*answer)->content_sample);
            if (probed_.size() < keep) probed_.emplace(candidates[i], std::move(**answer));
        }
        match_by_sample(stored_, difference_, candidates, samples);
    }
    if (library_.kind == model::LibraryKind::movies) {
        std::map<core::ItemId, std::vector<std::string>> ids;
        std::vector<core::ItemId> wanted;
        for (std::size_t i = 0; i < stored_.size(); ++i) {
            const auto& row = stored_.row(i);
            if ((row.fate == Fate::vanished || row.fate == Fate::kept) && !row.item.empty()) wanted.push_back(row.item);
        }
        constexpr std::size_t page = 500;
        for (std::size_t at = 0; at < wanted.size(); at += page) {
            const auto end = std::min(wanted.size(), at + page);
            const auto items = parts_.store.load(
                {wanted.begin() + static_cast<std::ptrdiff_t>(at), wanted.begin() + static_cast<std::ptrdiff_t>(end)});
            if (!items) return tl::unexpected(items.error());
            for (const auto& item : *items) {
                for (const auto& [provider, id] : item.provider_ids) ids[item.id].push_back(provider + "=" + id);
            }
        }
        match_films_by_name(stored_, difference_, [&](const StoredRow& row) { return ids[row.item]; });
    }
    warn_of_roots();
    count_what_stays();
    return {};
}

void ScanSession::warn_of_roots() {
    report_.kept_offline = difference_.kept;
    for (const auto& root : difference_.roots) {
        if (root.online) continue;
        run_.warn("Library path " + naming::display_text(root.path) + " is offline (" + root.reason + ")" +
                  (root.kept > 0 ? ": " + std::to_string(root.kept) + " known files are kept" : std::string{}));
    }
    // Few files may well go at once; a whole collection seldom does.
    constexpr std::size_t many = 10;
    for (const auto& root : difference_.roots) {
        if (!root.online) continue;
        const auto folder = root.path == "/" ? root.path : root.path + "/";
        std::size_t gone = 0;
        bool all = true;
        for (auto at = stored_.first_from(folder); all && at < stored_.size(); ++at) {
            if (!stored_.path(at).starts_with(folder)) break;
            all = stored_.row(at).fate == Fate::vanished;
            ++gone;
        }
        if (!all || gone < many) continue;
        run_.warn(naming::display_text(root.path) + ": all " + std::to_string(gone) +
                  " known files are gone; they are removed as its folders were listed completely");
    }
}

void ScanSession::count_what_stays() {
    const bool music = library_.kind == model::LibraryKind::music;
    for (std::size_t i = 0; i < stored_.size(); ++i) {
        const auto& row = stored_.row(i);
        auto* item = row.item.empty() ? nullptr : index_.by_id(row.item);
        if (item == nullptr) continue;
        switch (row.fate) {
            case Fate::vanished:
            case Fate::excluded:
                break;
            case Fate::moved:
                item->moving = true;
                break;
            case Fate::unseen:
            case Fate::unchanged:
            case Fate::returned:
            case Fate::kept:
                ++item->files;
                if (item->kind != model::ItemKind::extra) ++item->anchors;
                break;
            case Fate::changed:
                ++item->files;
                if (!music && item->kind != model::ItemKind::extra) ++item->anchors;  // new tags may move a whole album
                break;
        }
    }
    index_.count_staying();
}

core::Result<void> ScanSession::note_availability() {
    store::ScanBatch batch;
    const auto send = [&](bool all) -> core::Result<void> {
        const auto size = batch.upsert_directories.size() + batch.upsert_files.size() + batch.files_available.size() +
                          batch.files_unavailable.size() + batch.mark_available.size() + batch.mark_unavailable.size();
        if (size == 0 || (!all && size < parts_.settings.batch)) return {};
        auto sent = commit(batch, {});
        batch = {};
        return sent;
    };
    // Before any file takes over the new number of its disc: a scan that dies behind that would leave the next one
    // without a witness.
    for (auto directory : stored_directories_) {
        const auto renumbered = difference_.renumbered.find(directory.path);
        if (renumbered == difference_.renumbered.end()) continue;
        directory.device = renumbered->second;
        batch.upsert_directories.push_back(std::move(directory));
    }
    bool moved_either_way = false;
    for (std::uint32_t i = 0; i < stored_.size(); ++i) {
        const auto& row = stored_.row(i);
        const bool goes = row.fate == Fate::kept && row.available;
        if (!goes && row.fate != Fate::returned) continue;
        if (!naming::is_sidecar(row.sidecar)) moved_either_way = true;
        (goes ? batch.files_unavailable : batch.files_available).push_back(stored_.path(i));
        if (auto sent = send(false); !sent) return sent;
    }
    for (const auto row : difference_.refreshed) {
        if (stored_.row(row).fate != Fate::unchanged)
            continue;  // returned: the same, the state goes with the next change
        batch.upsert_files.push_back(stored_file(row));
        if (auto sent = send(false); !sent) return sent;
    }
    if (moved_either_way) {
        report_.changed_anything = true;
        std::set<core::ItemId> there;  // leaves with at least one file that can be read, and all above them
        for (std::size_t i = 0; i < stored_.size(); ++i) {
            const auto& row = stored_.row(i);
            const bool seen = row.fate == Fate::unchanged || row.fate == Fate::returned || row.fate == Fate::changed ||
                              row.fate == Fate::moved || (row.fate == Fate::unseen && row.available);
            if (!seen || row.item.empty()) continue;
            for (auto* item = index_.by_id(row.item); item != nullptr && there.insert(item->id).second;) {
                // A trailer that is there does not bring its film back.
                item = item->kind == model::ItemKind::extra ? nullptr : index_.by_id(item->parent);
            }
        }
        for (auto& item : index_.all()) {
            const bool available = there.contains(item.id);
            if (available == item.available) continue;
            if (!available && is_leaf(item.kind) && item.files == 0) continue;  // vanished: to be retired, not kept
            item.available = available;
            (available ? batch.mark_available : batch.mark_unavailable).push_back(item.id);
            if (auto sent = send(false); !sent) return sent;
        }
    }
    return send(true);
}

store::StoredFile ScanSession::stored_file(std::uint32_t index) const {
    const auto& row = stored_.row(index);
    store::StoredFile file;
    file.file = {stored_.path(index), row.size_bytes, row.mtime_ns, row.inode, row.device};
    file.item = row.item;
    file.content_sample = sample_text(row.sample);
    file.available = row.available || row.fate == Fate::returned;
    return file;
}

core::Result<void> ScanSession::commit(store::ScanBatch& batch, const std::string& folder) {
    batch.library = library_.id;
    mark_owed(batch);
    std::optional<std::string> cursor;
    if (!folder.empty()) cursor = cursor_of(folder);
    last_commit_ = parts_.clock.now();
    return run_.commit(std::move(cursor), [&](const core::Fence& fence) { return parts_.store.apply(batch, fence); });
}

}  // namespace understudy::library
