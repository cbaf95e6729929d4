// Entries and folders that cannot be used: named once, remembered, forgotten when a scan finds them mended.
#include <algorithm>
#include <map>

#include "library/naming/text.h"
#include "library/scan_session.h"

namespace understudy::library {

core::Result<void> ScanSession::note_problems() {
    std::map<std::string, store::StoredProblem> known;
    const auto read = parts_.store.problems(library_.id, [&](store::StoredProblem&& problem) {
        auto path = problem.path;
        known.emplace(std::move(path), std::move(problem));
    });
    if (!read) return read;

    store::ScanBatch batch;
    const auto send = [&](bool all) -> core::Result<void> {
        const auto size = batch.upsert_problems.size() + batch.remove_problems.size();
        if (size == 0 || (!all && size < parts_.settings.batch)) return {};
        auto sent = commit(batch, {});
        batch = {};
        return sent;
    };
    const auto now = parts_.clock.utc_now();
    bool named_keeper = false;                      // a line of this run says why something is kept
    std::map<std::string_view, const Note*> found;  // one a path: what is away weighs more than an odd name
    for (const auto& note : difference_.notes) {
        const auto [at, added] = found.emplace(note.path, &note);
        if (!added && note.storage) at->second = &note;
    }
    for (const auto& [path, note] : found) {
        const auto before = known.find(note->path);
        const bool is_new = before == known.end() || before->second.reason != note->reason;
        if (is_new || note->storage) {
            run_.warn(note->text());
            named_keeper = true;
        }
        const bool is_root = std::ranges::find(difference_.roots, path, &FoundRoot::path) != difference_.roots.end();
        if (!is_new || is_root) continue;  // roots have a state of their own
        batch.upsert_problems.push_back({note->path, note->reason, now});
        if (auto sent = send(false); !sent) return sent;
    }
    report_.unusable = static_cast<std::int64_t>(found.size());
    for (const auto& [path, problem] : known) {
        if (found.contains(path) || !(scope_.everything() || scope_.contains_file(path))) continue;
        const bool unseen = std::ranges::any_of(
            difference_.unlisted, [&](const std::string& folder) { return path != folder && is_within(path, folder); });
        if (unseen) continue;
        batch.remove_problems.push_back(path);
        if (auto sent = send(false); !sent) return sent;
    }
    const bool offline = std::ranges::any_of(difference_.roots, [](const FoundRoot& root) { return !root.online; });
    if (difference_.kept > 0 && !named_keeper && !offline) {  // such a run ends with a warning
        run_.warn(std::to_string(difference_.kept) +
                  " known files are kept because they could not be looked at; `library problems` names what is in "
                  "the way");
    }
    return send(true);
}

}  // namespace understudy::library
