#include "library/segments/season.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <numeric>
#include <unordered_map>

namespace understudy::library::segments {

namespace {

using Words = std::span<const std::uint32_t>;

/// A word that stands more often than that in a window is silence or hum and leads to no shift.
constexpr std::size_t most_places = 24;
/// Shifts that are tried word by word, the most voted for first.
constexpr std::size_t most_shifts = 6;
/// Equal words that must agree on a shift before it is tried: 15 s are 120 words, some 30 of which are equal to the bit
/// after any codec.
constexpr int least_votes = 6;

/// What a window's words are, sorted, with their places.
struct Index {
    struct Entry {
        std::uint32_t word;
        std::uint32_t place;
    };
    std::vector<Entry> entries;

    explicit Index(Words words) {
        entries.reserve(words.size());
        for (std::size_t i = 0; i < words.size(); ++i) entries.push_back({words[i], static_cast<std::uint32_t>(i)});
        std::ranges::sort(entries, {}, [](const Entry& e) { return std::pair(e.word, e.place); });
        // Words that are everywhere are gone: they say nothing of where.
        std::size_t kept = 0;
        for (std::size_t first = 0; first < entries.size();) {
            std::size_t last = first;
            while (last < entries.size() && entries[last].word == entries[first].word) ++last;
            if (last - first <= most_places)
                for (std::size_t i = first; i < last; ++i) entries[kept++] = entries[i];
            first = last;
        }
        entries.resize(kept);
    }
};

/// Shifts (place in b less place in a) by the number of equal words; a merge of two sorted lists.
std::vector<int> likely_shifts(const Index& a, const Index& b, std::size_t length_a, std::size_t length_b) {
    std::vector<int> votes(length_a + length_b + 1, 0);
    for (std::size_t i = 0, j = 0; i < a.entries.size() && j < b.entries.size();) {
        const std::uint32_t word_a = a.entries[i].word, word_b = b.entries[j].word;
        if (word_a != word_b) {
            (word_a < word_b ? i : j)++;
            continue;
        }
        std::size_t end_a = i, end_b = j;
        while (end_a < a.entries.size() && a.entries[end_a].word == word_a) ++end_a;
        while (end_b < b.entries.size() && b.entries[end_b].word == word_a) ++end_b;
        for (std::size_t x = i; x < end_a; ++x)
            for (std::size_t y = j; y < end_b; ++y) ++votes[length_a + b.entries[y].place - a.entries[x].place];
        i = end_a;
        j = end_b;
    }
    // Neighbours vote together: two encodings lie between the steps of one word.
    std::vector<int> best;
    std::vector<std::size_t> order;
    const auto support = [&](std::size_t s) {
        return votes[s] + (s > 0 ? votes[s - 1] : 0) + (s + 1 < votes.size() ? votes[s + 1] : 0);
    };
    for (std::size_t s = 0; s < votes.size(); ++s)
        if (votes[s] > 0 && support(s) >= least_votes) order.push_back(s);
    std::ranges::sort(order, [&](std::size_t x, std::size_t y) {
        return std::pair(support(x), votes[x]) > std::pair(support(y), votes[y]);
    });
    for (std::size_t i = 0; i < order.size() && i < most_shifts; ++i)
        best.push_back(static_cast<int>(order[i]) - static_cast<int>(length_a));
    return best;
}

struct Run {
    std::size_t first_a = 0, length = 0, equal = 0;
    int shift = 0;
    [[nodiscard]] std::size_t first_b() const {
        return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(first_a) + shift);
    }
};

int bits_between(std::uint32_t a, std::uint32_t b) {
    return std::popcount(a ^ b);
}

/// The stretch with the largest sum of +1 for each equal and -2 for each other word (Kadane): it bridges gaps as long
/// as half of what it gained, and begins and ends with equal words.
Run best_run(Words a, Words b, int shift, const MatchSettings& settings) {
    Run best{.shift = shift};
    const std::size_t begin = shift < 0 ? static_cast<std::size_t>(-shift) : 0;
    const auto end_by_b = static_cast<std::ptrdiff_t>(b.size()) - shift;
    const std::size_t end = end_by_b < 0 ? 0 : std::min(a.size(), static_cast<std::size_t>(end_by_b));
    int sum = 0, best_sum = 0;
    std::size_t first = begin, equal = 0;
    // A gain counts up to 3 s only: longer foreign parts end a run, whatever came before.
    constexpr int most_gain = 48;
    for (std::size_t i = begin; i < end; ++i) {
        const bool same = bits_between(a[i], b[static_cast<std::size_t>(static_cast<std::ptrdiff_t>(i) + shift)]) <=
                          settings.most_bits;
        if (sum == 0) {
            if (!same) continue;
            first = i;
            equal = 0;
        }
        equal += same ? 1u : 0u;
        sum = same ? std::min(sum + 1, most_gain) : std::max(sum - 2, 0);
        // Longer is better once the gain is at its most.
        if (same && sum >= best_sum && (sum > best_sum || i + 1 - first > best.length)) {
            best_sum = sum;
            best.first_a = first;
            best.length = i + 1 - first;
            best.equal = equal;
        }
    }
    return best;
}

double varied_share(Words words) {
    if (words.size() < 2) return 0;
    std::size_t varied = 0;
    for (std::size_t i = 1; i < words.size(); ++i) varied += bits_between(words[i], words[i - 1]) > 0 ? 1u : 0u;
    return static_cast<double>(varied) / static_cast<double>(words.size() - 1);
}

/// Where the words change from like to unlike: a word that half belongs to the common part differs in half of the 16
/// bits. Five words around are taken together. Returns the place, counted from the run's edge outwards.
std::ptrdiff_t edge_outwards(Words a, Words b, std::size_t at_a, std::size_t at_b, int direction, std::ptrdiff_t most) {
    constexpr int half_unlike = 8, around = 2;
    const auto bits = [&](std::ptrdiff_t step) {
        const auto i = static_cast<std::ptrdiff_t>(at_a) + step, j = static_cast<std::ptrdiff_t>(at_b) + step;
        if (i < 0 || j < 0 || i >= std::ssize(a) || j >= std::ssize(b)) return 16;
        return bits_between(a[static_cast<std::size_t>(i)], b[static_cast<std::size_t>(j)]);
    };
    std::ptrdiff_t out = 0;
    while (out < most) {
        int sum = 0;
        for (int k = -around; k <= around; ++k) sum += bits(direction * (out + 1) + k);
        if (sum > half_unlike * (2 * around + 1)) break;
        ++out;
    }
    return out;
}

/// Words `first` to `last` as time. Where likeness ends within the windows, a word is half like as far over the edge as
/// word_start and word_end say. Where a window ends first, words are whole.
Span time_of(const Fingerprint& print, std::ptrdiff_t first, std::ptrdiff_t last, bool open_start, bool open_end) {
    return {print.start + print.item * first + (open_start ? Micros{0} : word_start(print.span)),
            print.start + print.item * last + (open_end ? print.span : word_end(print.span))};
}

std::optional<SharedRun> shared_run(const Fingerprint& a, const Index& index_a, const Fingerprint& b,
                                    const Index& index_b, const MatchSettings& settings) {
    if (a.item.count() <= 0 || b.item.count() <= 0 || a.words.empty() || b.words.empty()) return std::nullopt;
    std::optional<Run> best;
    for (const int shift : likely_shifts(index_a, index_b, a.words.size(), b.words.size())) {
        const Run run = best_run(a.words, b.words, shift, settings);
        if (!best || run.equal > best->equal) best = run;
    }
    if (!best || best->length == 0) return std::nullopt;
    if (static_cast<double>(best->equal) < settings.least_equal * static_cast<double>(best->length))
        return std::nullopt;
    if (varied_share(Words(a.words).subspan(best->first_a, best->length)) < settings.least_varied) return std::nullopt;
    const std::ptrdiff_t most = a.span / a.item;
    const auto before = edge_outwards(a.words, b.words, best->first_a, best->first_b(), -1, most);
    const auto after =
        edge_outwards(a.words, b.words, best->first_a + best->length - 1, best->first_b() + best->length - 1, 1, most);
    const auto first_a = static_cast<std::ptrdiff_t>(best->first_a) - before;
    const auto length = static_cast<std::ptrdiff_t>(best->length) + before + after;
    const auto first_b = first_a + best->shift;
    const auto last_a = first_a + length - 1, last_b = first_b + length - 1;
    const bool open_start = std::min(first_a, first_b) <= 1;
    const bool open_end = last_a + 2 >= std::ssize(a.words) || last_b + 2 >= std::ssize(b.words);
    const SharedRun shared{time_of(a, first_a, last_a, open_start, open_end),
                           time_of(b, first_b, last_b, open_start, open_end), best->equal};
    const Micros heard = shared.a.end - shared.a.start;
    if (heard < settings.shortest || heard > settings.longest) return std::nullopt;
    return shared;
}

/// Of one episode: runs that it shares with several others lie in about the same place.
struct Group {
    std::vector<Span> spans;
    std::vector<std::size_t> runs;  ///< numbers of shared runs
    [[nodiscard]] Span middle() const {
        const auto median = [&](auto member) {
            std::vector<Micros> values;
            for (const auto& span : spans) values.push_back(span.*member);
            std::ranges::sort(values);
            return values[values.size() / 2];
        };
        return {median(&Span::start), median(&Span::end)};
    }
};

bool overlap(const Span& a, const Span& b) {
    const auto common = std::min(a.end, b.end) - std::max(a.start, b.start);
    return 2 * common > std::max(a.end - a.start, b.end - b.start);  // more than half of the longer one
}

struct Sets {
    std::vector<std::size_t> parent;
    std::size_t root(std::size_t i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    }
};

}  // namespace

std::optional<SharedRun> shared_run(const Fingerprint& a, const Fingerprint& b, const MatchSettings& settings) {
    return shared_run(a, Index(a.words), b, Index(b.words), settings);
}

std::vector<std::optional<CommonPart>> common_parts(std::span<const Fingerprint> episodes,
                                                    const MatchSettings& settings) {
    std::vector<Index> indexes;
    for (const auto& episode : episodes) indexes.emplace_back(episode.words);

    // Each run joins a group of one episode with a group of another.
    std::vector<std::vector<Group>> groups(episodes.size());
    std::size_t runs = 0;
    const auto file = [&](std::size_t episode, const Span& span) {
        for (auto& group : groups[episode]) {
            if (!overlap(group.middle(), span)) continue;
            group.spans.push_back(span);
            group.runs.push_back(runs);
            return;
        }
        groups[episode].push_back({{span}, {runs}});
    };
    for (std::size_t i = 0; i < episodes.size(); ++i) {
        for (std::size_t j = i + 1; j < episodes.size(); ++j) {
            const auto shared = shared_run(episodes[i], indexes[i], episodes[j], indexes[j], settings);
            if (!shared) continue;
            file(i, shared->a);
            file(j, shared->b);
            ++runs;
        }
    }

    // Groups joined by runs are one sound.
    struct Node {
        std::size_t episode;
        const Group* group;
    };
    std::vector<Node> nodes;
    std::vector<std::vector<std::size_t>> ends(runs);
    for (std::size_t episode = 0; episode < episodes.size(); ++episode)
        for (const auto& group : groups[episode]) {
            for (const auto run : group.runs) ends[run].push_back(nodes.size());
            nodes.push_back({episode, &group});
        }
    Sets sets{std::vector<std::size_t>(nodes.size())};
    std::iota(sets.parent.begin(), sets.parent.end(), std::size_t{0});
    for (const auto& pair : ends) sets.parent[sets.root(pair.front())] = sets.root(pair.back());

    std::map<std::size_t, std::vector<std::size_t>> clusters;
    for (std::size_t i = 0; i < nodes.size(); ++i) clusters[sets.root(i)].push_back(i);
    const std::size_t least = episodes.size() <= settings.least_episodes ? 2 : settings.least_episodes;
    std::vector<std::optional<CommonPart>> parts(episodes.size());
    std::vector<std::size_t> support(episodes.size(), 0);
    std::size_t number = 0;
    for (const auto& [root, members] : clusters) {
        std::vector<std::size_t> who;
        for (const auto member : members) who.push_back(nodes[member].episode);
        std::ranges::sort(who);
        who.erase(std::unique(who.begin(), who.end()), who.end());
        if (who.size() < least) continue;
        ++number;
        for (const auto member : members) {
            const auto& [episode, group] = nodes[member];
            const CommonPart part{group->middle(), who.size(), number};
            // The sound that most episodes have; of two groups of one the one that more others agree on.
            const std::size_t agreed = group->runs.size();
            if (parts[episode] &&
                std::pair(parts[episode]->episodes, support[episode]) >= std::pair(who.size(), agreed))
                continue;
            parts[episode] = part;
            support[episode] = agreed;
        }
    }
    return parts;
}

Span refine(const Span& part, std::span<const Span> silences, std::span<const Span> blacks, Micros reach,
            Micros runtime) {
    const auto nearest = [&](Micros at, auto edge) {
        std::optional<Micros> best;
        for (const auto& list : {silences, blacks})
            for (const auto& span : list) {
                const Micros candidate = span.*edge;
                if (std::chrono::abs(candidate - at) > reach) continue;
                if (!best || std::chrono::abs(candidate - at) < std::chrono::abs(*best - at)) best = candidate;
            }
        return best.value_or(at);
    };
    Span out{nearest(part.start, &Span::end), nearest(part.end, &Span::start)};
    if (part.start <= reach) out.start = std::min(out.start, part.start);
    if (runtime.count() > 0 && runtime - part.end <= reach) out.end = runtime;
    return out.end > out.start ? out : part;
}

}  // namespace understudy::library::segments
