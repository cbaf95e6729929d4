// The middle of a scan: folder by folder, probe, resolve, commit.
#include <algorithm>
#include <numeric>

#include "library/naming/entries.h"
#include "library/naming/episode_name.h"
#include "library/naming/text.h"
#include "library/naming/track_name.h"
#include "library/scan_groups.h"
#include "library/scan_options.h"
#include "library/scan_session.h"

namespace understudy::library {
std::string ScanSession::cursor_of(const std::string& folder) const {
    return cursor_json(library_.id, folder);
}

void ScanSession::order_work() {
    const auto& folders = difference_.paths.folders();
    group_of_.reserve(folders.size());
    for (const auto& folder : folders) group_of_.push_back(group_folder(folder, library_.kind));
    order_.resize(difference_.work.size());
    std::iota(order_.begin(), order_.end(), 0U);
    const auto group = [&](std::uint32_t index) { return group_of_[difference_.work[index].path.folder]; };
    const auto is_extra = [&](std::uint32_t index) {
        return difference_.work[index].file_class == naming::FileClass::extra;
    };
    std::ranges::stable_sort(order_, [&](std::uint32_t a, std::uint32_t b) {
        if (is_extra(a) != is_extra(b)) return is_extra(b);
        if (difference_.work[a].root != difference_.work[b].root)
            return difference_.work[a].root < difference_.work[b].root;
        // A folder is followed by all below it: then what lies in it is known to be described.
        return is_before_folder(group(a), group(b));
    });

    went_.resize(stored_.size());
    secondary_.resize(difference_.work.size());
    for (std::size_t begin = 0; begin < order_.size();) {
        std::size_t end = begin + 1;
        const bool extras = is_extra(order_[begin]);
        while (end < order_.size() && is_extra(order_[end]) == extras && group(order_[end]) == group(order_[begin]))
            ++end;
        const auto folder = group(order_[begin]);
        // Those that are described again came last: a group is in path order.
        if (std::ranges::any_of(order_.begin() + static_cast<std::ptrdiff_t>(begin),
                                order_.begin() + static_cast<std::ptrdiff_t>(end),
                                [&](std::uint32_t index) { return difference_.work[index].stored != none; })) {
            std::ranges::sort(
                order_.begin() + static_cast<std::ptrdiff_t>(begin), order_.begin() + static_cast<std::ptrdiff_t>(end),
                {}, [&](std::uint32_t index) { return difference_.paths.path(difference_.work[index].path); });
        }
        groups_.push_back({begin, end, std::string(folder), extras});
        if (library_.kind != model::LibraryKind::music && !extras) {  // of a disc's streams the largest is the film
            std::uint32_t largest = none;
            for (std::size_t i = begin; i < end; ++i) {
                const auto& file = difference_.work[order_[i]];
                // Menus are the largest files of some discs.
                if (difference_.paths.folder(file.path) == folder || file.file_class != naming::FileClass::media)
                    continue;
                const bool known = file.stored != none;
                secondary_[order_[i]] = known ? stored_.row(file.stored).item.empty() : true;
                if (!known && (largest == none || file.size_bytes > difference_.work[largest].size_bytes))
                    largest = order_[i];
            }
            if (largest != none) secondary_[largest] = false;
        }
        begin = end;
    }
    place_sidecars();
}

// A sidecar is seen once the last group at or below its folder is done: until then a scan that dies leaves it new.
void ScanSession::place_sidecars() {
    sidecars_of_.resize(groups_.size());
    for (std::uint32_t i = 0; i < difference_.sidecars.size(); ++i) {
        const auto folder = described_folder(difference_.paths.folder(difference_.sidecars[i].path));
        const auto behind = std::ranges::partition_point(groups_, [&](const Group& group) {
            return !group.extras && (is_before_folder(group.folder, folder) || is_within(group.folder, folder));
        });
        if (behind == groups_.begin()) {
            late_.push_back(seen_sidecar(difference_.sidecars[i]));  // nothing hangs on it
        } else {
            sidecars_of_[static_cast<std::size_t>(behind - groups_.begin()) - 1].push_back(i);
        }
    }
}

store::StoredFile ScanSession::seen_sidecar(const FoundFile& file) const {
    store::StoredFile seen;
    seen.file = {difference_.paths.path(file.path), file.size_bytes, file.mtime_ns, file.inode, file.device};
    if (!describer_) return seen;
    const auto& faults = describer_->faults();
    if (const auto fault = faults.find(seen.file.path); fault != faults.end()) {
        seen.failure = fault->second.reason;
        seen.failed_since = parts_.clock.utc_now();
        seen.available = !fault->second.transient;
    }
    return seen;
}

bool ScanSession::needs_probe(std::uint32_t index) const {
    const auto& file = difference_.work[index];
    if (file.again || !may_be_item(file) || secondary_[index] || probed_.contains(index)) return false;
    if (file.moved_from == none || library_.kind == model::LibraryKind::music) return true;
    // A film that only changed its name is not opened: what is stored of it stays true. (Of a track the tags are
    // needed.)
    const auto& row = stored_.row(file.moved_from);
    return row.failed || row.size_bytes != file.size_bytes || row.mtime_ns != file.mtime_ns;
}

core::Result<void> ScanSession::work() {
    to_do_ = difference_.work.size();
    report(10);
    if (to_do_ == 0 && difference_.sidecars.empty()) return {};
    order_work();
    std::vector<std::uint32_t> to_probe;
    for (const auto index : order_) {
        if (needs_probe(index)) to_probe.push_back(index);
    }

    resolved_at_ = parts_.clock.utc_now();
    const auto is_gone = [this](const std::string& path) {
        const auto row = stored_.find(path);
        if (!row) return false;
        const auto fate = stored_.row(*row).fate;
        return fate == Fate::vanished || fate == Fate::excluded || fate == Fate::moved;
    };
    reader_.emplace(parts_.files, parts_.settings.walk_patience, [this] { return run_.should_stop(); });
    describer_.emplace(*sidecars_, *reader_, [this](const std::string& text) { run_.warn(text); });
    Resolver resolver(library_, index_, parts_.store, parts_.random, *describer_, resolved_at_, is_gone);
    std::vector<core::ItemId> vanished;
    for (std::size_t i = 0; i < stored_.size(); ++i) {
        const auto& row = stored_.row(i);
        const bool gone = row.fate == Fate::vanished || row.fate == Fate::excluded || row.fate == Fate::moved;
        if (gone && !row.item.empty()) vanished.push_back(row.item);
    }
    if (auto learned = resolver.learn_vanished(vanished); !learned) return learned;

    ProbeAhead probes(
        parts_.prober, to_probe.size(),
        [&](std::size_t i) {
            auto path = difference_.paths.path(difference_.work[to_probe[i]].path);
            const bool sound = naming::is_audio(path);  // theme music beside films
            return media::ProbeRequest{std::move(path), sound ? media::ProbeKind::audio : media::ProbeKind::video};
        },
        [this] { return run_.should_stop(); });
    owners_.emplace(library_.kind, stored_, index_);
    expect_owners();
    last_commit_ = parts_.clock.now();
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        read_ahead(i);
        if (auto done = work_on(groups_[i], probes, resolver); !done) return done;
        reader_->forget(i);
        if (!sidecars_of_[i].empty()) {
            Step step;
            step.folder = groups_[i].folder;
            for (const auto sidecar : sidecars_of_[i]) step.late.push_back(seen_sidecar(difference_.sidecars[sidecar]));
            pending_.push_back(std::move(step));
        }
        if (auto flushed = flush(false); !flushed) return flushed;
    }
    if (auto flushed = flush(true); !flushed) return flushed;
    note_faults();
    if (auto sent = commit_late(); !sent) return sent;
    // A file in two items is in two steps: what counts is files.
    count(report_.added - told_added_, report_.changed - told_changed_, report_.moved - told_moved_);
    return {};
}

void ScanSession::count(std::int64_t added, std::int64_t changed, std::int64_t moved) {
    if (added != 0) run_.count("added", added);
    if (changed != 0) run_.count("changed", changed);
    if (moved != 0) run_.count("moved", moved);
    told_added_ += added;
    told_changed_ += changed;
    told_moved_ += moved;
}

core::Result<void> ScanSession::work_on(const Group& group, ProbeAhead& probes, Resolver& resolver) {
    FolderGroup found;
    found.folder = group.folder;
    found.root = difference_.roots[difference_.work[order_[group.begin]].root].path;
    const auto tick = [this] { report_work(); };
    for (std::size_t i = group.begin; i < group.end; ++i) {
        const auto index = order_[i];
        found.media_files = std::max(found.media_files, difference_.work[index].media_files);
        std::optional<media::ProbeResult> answer;
        if (needs_probe(index)) {
            answer = probes.take(next_probe_++, tick);
            if (!answer) return stopped();
        } else if (const auto probed = probed_.find(index); probed != probed_.end()) {
            answer = std::move(probed->second);
        }
        if (!take_answer(index, std::move(answer), found)) return stopped();
    }
    if (group.extras) return work_on_extras(std::move(found), resolver);
    if (library_.kind == model::LibraryKind::music && found.media_files > found.files.size()) {
        found.beside = items_beside(group.folder);
    }
    // A film's or a show's files are told apart by their names; an album needs all of its tracks at once.
    const auto first = pending_.size();
    auto resolved = resolver.resolve(std::move(found), pending_);
    note_owners(first);
    return resolved;
}

std::vector<core::ItemId> ScanSession::items_beside(const std::string& folder) const {
    constexpr std::size_t enough = 50;
    std::vector<core::ItemId> items;
    const auto start = folder + "/";
    for (auto i = stored_.first_from(start); i < stored_.size() && items.size() < enough; ++i) {
        const auto path = stored_.path(i);
        if (!path.starts_with(start)) break;
        const auto& row = stored_.row(i);
        const bool stays = row.fate == Fate::unchanged || row.fate == Fate::returned || row.fate == Fate::unseen;
        if (stays && !row.item.empty() && group_folder(stored_.folder(i), library_.kind) == folder)
            items.push_back(row.item);
    }
    return items;
}

bool ScanSession::take_answer(std::uint32_t index, std::optional<media::ProbeResult> answer, FolderGroup& into) {
    const auto& found = difference_.work[index];
    ScannedFile scanned;
    scanned.file = {difference_.paths.path(found.path), found.size_bytes, found.mtime_ns, found.inode, found.device};
    if (found.stored != none) {
        scanned.item = stored_.row(found.stored).item;
        scanned.changed = true;
    } else if (found.moved_from != none) {
        scanned.item = stored_.row(found.moved_from).item;
        scanned.moved_from = stored_.path(found.moved_from);
        scanned.content_sample = sample_text(stored_.row(found.moved_from).sample);
    }
    if (found.again) {
        scanned.again = true;
        ++report_.described;
        into.files.push_back(std::move(scanned));
        return true;
    }
    if (!may_be_item(found) || secondary_[index]) {  // known, so that it is not new again
        set_aside(scanned, false, {}, into.folder);
        return true;
    }
    if (answer) {
        // Still being written? Only what the stat after the probe says counts, never a young mtime alone.
        auto size = found.size_bytes, mtime = found.mtime_ns;
        auto error = core::Errc::conflict;
        if (*answer) {
            size = (*answer)->size_bytes;
            mtime = (*answer)->mtime_ns;
        } else {
            error = answer->error().code;
            if (error == core::Errc::cancelled && run_.should_stop()) return false;
            FileStatus status;
            if (parts_.files->status(scanned.file.path, status) == 0) {
                size = status.size_bytes;
                mtime = status.mtime_ns;
            }
        }
        if (size != found.size_bytes || mtime != found.mtime_ns) {
            report_.settling.insert(scanned.file.path);
            ++done_;
            return true;
        }
        if (!*answer) {
            ++report_.failed;
            const auto why =
                answer->error().context.empty() ? std::string(core::to_string(error)) : answer->error().context;
            run_.warn(naming::display_text(scanned.file.path) + ": " + naming::display_text(why));
            const bool transient =
                error != core::Errc::corrupt && error != core::Errc::timed_out && error != core::Errc::unsupported;
            if (scanned.moved_from.empty()) {
                set_aside(scanned, transient, why, into.folder);
                return true;
            }
            if (transient) {  // its old name stays until the new one can be read
                ++done_;
                return true;
            }
            scanned.failure = why;
        } else {
            scanned.info = std::move(**answer);
            scanned.content_sample = scanned.info->content_sample;
        }
    }
    if (scanned.changed && !scanned.item.empty()) {
        ++report_.changed;
    } else if (!scanned.moved_from.empty()) {
        ++report_.moved;
        went_[found.moved_from] = true;
    } else {
        ++report_.added;
    }
    into.files.push_back(std::move(scanned));
    return true;
}

void ScanSession::set_aside(const ScannedFile& scanned, bool transient, std::string why, const std::string& folder) {
    Step step;
    step.folder = folder;
    step.done = 1;
    store::StoredFile file;
    file.file = scanned.file;
    file.item = why.empty() ? core::ItemId{} : scanned.item;
    file.failure = std::move(why);
    if (!file.failure.empty()) file.failed_since = parts_.clock.utc_now();
    file.available = !transient;  // failed and unavailable: read again next time, whether it changed or not
    if (!scanned.moved_from.empty()) step.remove_files.push_back(scanned.moved_from);
    if (transient && !scanned.item.empty()) {
        if (auto* item = index_.by_id(scanned.item); item != nullptr && item->files <= 1 && item->available) {
            item->available = false;
            step.mark_unavailable.push_back(item->id);
        }
    }
    step.files.push_back(std::move(file));
    pending_.push_back(std::move(step));
}

}  // namespace understudy::library
