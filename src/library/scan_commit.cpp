// What was resolved goes to the store: in batches, items with their files, then what they are said to be, and only then
// the files that said so are noted as seen. A scan that dies in between finds those new again.
#include <algorithm>

#include "library/scan_session.h"

namespace understudy::library {

core::Result<void> ScanSession::flush(bool all) {
    std::size_t begin = 0;
    const auto weight = [](const Step& step) {
        return std::max({step.items.size(), step.files.size(), step.late.size()});
    };
    while (begin < pending_.size()) {
        std::size_t end = begin, size = 0;
        while (end < pending_.size() && (end == begin || size + weight(pending_[end]) <= parts_.settings.batch)) {
            size += weight(pending_[end++]);
        }
        const bool full = end < pending_.size();
        const bool late = core::elapsed(last_commit_, parts_.clock.now()) >= parts_.settings.commit_every;
        if (!full && !all && !late) break;
        store::ScanBatch batch;
        std::vector<store::StoredFile> described;
        std::vector<SaidOfItem> said;
        std::int64_t added = 0, changed = 0, moved = 0;
        for (std::size_t i = begin; i < end; ++i) {
            auto& step = pending_[i];
            added += step.added;
            changed += step.changed;
            moved += step.moved;
            for (auto& item : step.items) {
                auto& list = item.created_at == resolved_at_ ? report_.items_added : report_.items_updated;
                if (list.size() < 1000) list.push_back(item.id);
                // The same item twice in a batch: the later one is whole.
                const auto same = std::ranges::find(batch.upsert_items, item.id, &model::Item::id);
                if (same != batch.upsert_items.end()) {
                    *same = std::move(item);
                } else {
                    batch.upsert_items.push_back(std::move(item));
                }
            }
            std::ranges::move(step.files, std::back_inserter(batch.upsert_files));
            std::ranges::move(step.remove_files, std::back_inserter(batch.remove_files));
            batch.mark_available.insert(batch.mark_available.end(), step.mark_available.begin(),
                                        step.mark_available.end());
            batch.mark_unavailable.insert(batch.mark_unavailable.end(), step.mark_unavailable.begin(),
                                          step.mark_unavailable.end());
            std::ranges::move(step.late, std::back_inserter(described));
            std::ranges::move(step.said, std::back_inserter(said));
            done_ += step.done;
        }
        const bool anything = !batch.upsert_items.empty() || !batch.upsert_files.empty() ||
                              !batch.remove_files.empty() || !batch.mark_available.empty() ||
                              !batch.mark_unavailable.empty();
        if (anything) {
            // What earlier batches described is seen now; mostly that costs no commit of its own.
            if (size + late_.size() > parts_.settings.batch) {
                if (auto sent = commit_late(); !sent) return sent;
            }
            std::ranges::move(late_, std::back_inserter(batch.upsert_files));
            late_.clear();
            if (auto sent = commit(batch, pending_[end - 1].folder); !sent) return sent;
            report_.changed_anything = true;
        }
        if (auto put = put_said(std::move(said)); !put) return put;
        std::ranges::move(described, std::back_inserter(late_));
        count(added, changed, moved);
        report_work();
        begin = end;
        if (run_.should_stop() && begin < pending_.size()) return stopped();
    }
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(begin));
    return {};
}

core::Result<void> ScanSession::commit_late() {
    for (std::size_t at = 0; at < late_.size();) {
        const auto end = std::min(late_.size(), at + parts_.settings.batch);
        store::ScanBatch batch;
        for (; at < end; ++at) batch.upsert_files.push_back(std::move(late_[at]));
        if (auto sent = commit(batch, {}); !sent) return sent;
    }
    late_.clear();
    return {};
}

// An NFO that did not change may have been read for an item beside it that did.
void ScanSession::note_faults() {
    for (const auto& [path, fault] : describer_->faults()) {
        const auto row = stored_.find(path);
        if (!row) continue;
        const auto fate = stored_.row(*row).fate;
        if (fate != Fate::unchanged && fate != Fate::returned && fate != Fate::unseen) continue;
        auto file = stored_file(static_cast<std::uint32_t>(*row));
        file.failure = fault.reason;
        file.failed_since = parts_.clock.utc_now();
        file.available = !fault.transient;
        late_.push_back(std::move(file));
    }
}

}  // namespace understudy::library
