#include "library/identity.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "library/naming/entries.h"
#include "library/naming/movie_name.h"
#include "library/naming/text.h"

namespace understudy::library {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::size_t common_ending(const std::string& a, const std::string& b) noexcept {
    std::size_t length = 0;
    while (length < a.size() && length < b.size() && a[a.size() - 1 - length] == b[b.size() - 1 - length]) ++length;
    return length;
}

struct Candidate {
    std::uint32_t index;
    std::string path;
};

void pair_small(std::vector<Candidate>& gone, std::vector<Candidate>& found, Pairs& pairs) {
    struct Score {
        std::size_t common, gone, found;
    };
    std::vector<Score> scores;
    for (std::size_t g = 0; g < gone.size(); ++g) {
        for (std::size_t f = 0; f < found.size(); ++f)
            scores.push_back({common_ending(gone[g].path, found[f].path), g, f});
    }
    std::ranges::sort(scores, [](const Score& a, const Score& b) {
        if (a.common != b.common) return a.common > b.common;
        return std::pair(a.gone, a.found) < std::pair(b.gone, b.found);
    });
    std::vector<bool> gone_taken(gone.size()), found_taken(found.size());
    for (const auto& score : scores) {
        if (gone_taken[score.gone] || found_taken[score.found]) continue;
        gone_taken[score.gone] = found_taken[score.found] = true;
        pairs.emplace_back(gone[score.gone].index, found[score.found].index);
    }
}

// Thousands of files with one key (copies of one another): by whole path components, longest ending first, without
// comparing each with each.
void pair_large(std::vector<Candidate>& gone, std::vector<Candidate>& found, Pairs& pairs) {
    const auto ending = [](const std::string& path, int components) {
        std::size_t at = path.size();
        while (components-- > 0 && at != std::string::npos && at > 0) at = path.rfind('/', at - 1);
        return at == std::string::npos ? path : path.substr(at);
    };
    std::vector<bool> gone_taken(gone.size()), found_taken(found.size());
    for (int components = 8; components >= 0; --components) {
        std::unordered_map<std::string, std::vector<std::size_t>> free;
        for (std::size_t f = found.size(); f-- > 0;) {
            if (!found_taken[f]) free[components == 0 ? std::string{} : ending(found[f].path, components)].push_back(f);
        }
        for (std::size_t g = 0; g < gone.size(); ++g) {
            if (gone_taken[g]) continue;
            const auto slot = free.find(components == 0 ? std::string{} : ending(gone[g].path, components));
            if (slot == free.end() || slot->second.empty()) continue;
            gone_taken[g] = found_taken[slot->second.back()] = true;
            pairs.emplace_back(gone[g].index, found[slot->second.back()].index);
            slot->second.pop_back();
        }
    }
}

bool may_have_moved(const StoredRow& row) noexcept {
    return (row.fate == Fate::vanished || row.fate == Fate::kept || row.fate == Fate::excluded) && !row.item.empty();
}

bool is_new(const FoundFile& file) noexcept {
    return file.stored == none && file.moved_from == none && !naming::is_sidecar(file.file_class);
}

void settle(StoredTree& stored, Difference& difference, const Pairs& pairs) {
    for (const auto& [gone, found] : pairs) {
        auto& row = stored.row(gone);
        (row.fate == Fate::kept ? difference.kept : difference.vanished) -= 1;
        if (row.fate == Fate::kept) {
            const auto path = stored.path(gone);
            for (auto& root : difference.roots) {
                if (is_within(path, root.path)) --root.kept;
            }
        }
        row.fate = Fate::moved;
        difference.work[found].moved_from = gone;
    }
}

std::uint64_t word(const core::IdBytes& bytes, std::size_t at) noexcept {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

}  // namespace

Pairs pair_up(std::vector<Trace> gone, std::vector<Trace> found, const PathOf& path_of_gone,
              const PathOf& path_of_found) {
    Pairs pairs;
    const auto order = [](const Trace& a, const Trace& b) {
        return std::pair(a.key, a.index) < std::pair(b.key, b.index);
    };
    std::ranges::sort(gone, order);
    std::ranges::sort(found, order);
    for (std::size_t g = 0, f = 0; g < gone.size() && f < found.size();) {
        if (gone[g].key != found[f].key) {
            gone[g].key < found[f].key ? ++g : ++f;
            continue;
        }
        const auto key = gone[g].key;
        std::vector<Candidate> from, to;
        for (; g < gone.size() && gone[g].key == key; ++g) from.push_back({gone[g].index, {}});
        for (; f < found.size() && found[f].key == key; ++f) to.push_back({found[f].index, {}});
        if (from.size() == 1 && to.size() == 1) {
            pairs.emplace_back(from[0].index, to[0].index);
            continue;
        }
        for (auto& candidate : from) candidate.path = path_of_gone(candidate.index);
        for (auto& candidate : to) candidate.path = path_of_found(candidate.index);
        std::ranges::sort(from, {}, &Candidate::path);
        std::ranges::sort(to, {}, &Candidate::path);
        if (from.size() * to.size() <= 10'000) {
            pair_small(from, to, pairs);
        } else {
            pair_large(from, to, pairs);
        }
    }
    return pairs;
}

void match_by_inode(StoredTree& stored, Difference& difference) {
    std::vector<Trace> gone, found;
    for (std::uint32_t i = 0; i < stored.size(); ++i) {
        const auto& row = stored.row(i);
        if (may_have_moved(row))
            gone.push_back({{row.device, row.inode, static_cast<std::uint64_t>(row.size_bytes), 0}, i});
    }
    if (gone.empty()) return;
    for (std::uint32_t i = 0; i < difference.work.size(); ++i) {
        const auto& file = difference.work[i];
        if (is_new(file))
            found.push_back({{file.device, file.inode, static_cast<std::uint64_t>(file.size_bytes), 0}, i});
    }
    settle(stored, difference,
           pair_up(
               std::move(gone), std::move(found), [&](std::uint32_t i) { return stored.path(i); },
               [&](std::uint32_t i) { return difference.paths.path(difference.work[i].path); }));
}

std::vector<std::uint32_t> sample_candidates(const StoredTree& stored, const Difference& difference) {
    std::set<std::pair<std::int64_t, std::int64_t>> looks;
    for (std::uint32_t i = 0; i < stored.size(); ++i) {
        const auto& row = stored.row(i);
        if (may_have_moved(row) && row.sample != core::IdBytes{}) looks.emplace(row.size_bytes, row.mtime_ns);
    }
    std::vector<std::uint32_t> candidates;
    if (looks.empty()) return candidates;
    for (std::uint32_t i = 0; i < difference.work.size(); ++i) {
        const auto& file = difference.work[i];
        if (is_new(file) && looks.contains({file.size_bytes, file.mtime_ns})) candidates.push_back(i);
    }
    return candidates;
}

void match_by_sample(StoredTree& stored, Difference& difference, const std::vector<std::uint32_t>& candidates,
                     const std::vector<core::IdBytes>& samples) {
    std::vector<Trace> gone, found;
    const auto key = [](std::int64_t size, std::int64_t mtime, const core::IdBytes& sample) {
        return std::array{static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(mtime), word(sample, 0),
                          word(sample, 8)};
    };
    for (std::uint32_t i = 0; i < stored.size(); ++i) {
        const auto& row = stored.row(i);
        if (may_have_moved(row) && row.sample != core::IdBytes{}) {
            gone.push_back({key(row.size_bytes, row.mtime_ns, row.sample), i});
        }
    }
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const auto& file = difference.work[candidates[i]];
        if (is_new(file) && samples[i] != core::IdBytes{}) {
            found.push_back({key(file.size_bytes, file.mtime_ns, samples[i]), candidates[i]});
        }
    }
    settle(stored, difference,
           pair_up(
               std::move(gone), std::move(found), [&](std::uint32_t i) { return stored.path(i); },
               [&](std::uint32_t i) { return difference.paths.path(difference.work[i].path); }));
}

void match_films_by_name(StoredTree& stored, Difference& difference,
                         const std::function<std::vector<std::string>(const StoredRow&)>& ids_of) {
    std::map<std::string, std::vector<std::uint32_t>> by_id, by_title;
    const auto title_of = [](std::string_view path) {
        const auto title = naming::parse_title(naming::stem_of(naming::name_of(path)));
        return title.year ? std::string(naming::parent_of(path)) + "/" + naming::fold(title.name) + "/" +
                                std::to_string(*title.year)
                          : std::string{};
    };
    bool any = false;
    for (std::uint32_t i = 0; i < difference.work.size(); ++i) {
        const auto& file = difference.work[i];
        if (!is_new(file) || file.file_class != naming::FileClass::media) continue;
        any = true;
        const auto path = difference.paths.path(file.path);
        auto ids = naming::parse_title(naming::stem_of(naming::name_of(path))).provider_ids;
        if (naming::parent_of(path) != difference.roots[file.root].path) {
            ids.merge(naming::parse_title(naming::name_of(naming::parent_of(path))).provider_ids);
        }
        for (const auto& [provider, id] : ids) by_id[provider + "=" + id].push_back(i);
        if (const auto title = title_of(path); !title.empty()) by_title[title].push_back(i);
    }
    if (!any) return;

    Pairs pairs;
    std::set<std::uint32_t> taken;
    const auto take = [&](std::uint32_t gone, const std::vector<std::uint32_t>& candidates) {
        const auto path = stored.path(gone);
        std::uint32_t best = none;
        std::size_t best_common = 0;
        for (const auto candidate : candidates) {
            if (taken.contains(candidate)) continue;
            const auto common = common_ending(path, difference.paths.path(difference.work[candidate].path));
            if (best == none || common > best_common) best = candidate, best_common = common;
        }
        if (best == none) return false;
        taken.insert(best);
        pairs.emplace_back(gone, best);
        return true;
    };
    std::set<core::ItemId> done;  // one new file for each vanished film: its other versions need none
    for (std::uint32_t i = 0; i < stored.size(); ++i) {
        const auto& row = stored.row(i);
        if (!may_have_moved(row) || done.contains(row.item)) continue;
        if (naming::is_extra_file(naming::stem_of(StoredTree::name_in(row)))) continue;  // a trailer is no film
        bool matched = false;
        if (!by_id.empty()) {
            for (const auto& id : ids_of(row)) {
                const auto candidates = by_id.find(id);
                if (!matched && candidates != by_id.end()) matched = take(i, candidates->second);
            }
        }
        if (!matched) {
            const auto candidates = by_title.find(title_of(stored.path(i)));
            if (candidates != by_title.end()) matched = take(i, candidates->second);
        }
        if (matched) done.insert(row.item);
    }
    settle(stored, difference, pairs);
}

}  // namespace understudy::library
