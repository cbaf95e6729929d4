#include "library/extract_media_segments.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "library/library_options.h"
#include "library/naming/text.h"

namespace understudy::library {

namespace {

/// What the store takes at once.
constexpr std::size_t most_rows = 500;
/// A provider that decodes nothing takes about as long as this much decoding, and a library moves the progress anyway.
constexpr double seconds_of_a_provider = 10;
/// Of a provider's slice: the rest is its questions, after the long work.
constexpr double share_of_prepare = 0.85;
/// No analysis is ever of this kind: every source is «pending».
constexpr const char* no_kind = "";
constexpr const char* key = "TaskExtractMediaSegments";

bool ends_the_run(core::Errc code) {
    return code == core::Errc::cancelled || code == core::Errc::fenced;
}

std::uint64_t hash_of(std::string_view basis) {
    return BasisHash().add(basis).value();
}

std::string said(const core::Error& error) {
    return naming::display_text(error.context.empty() ? core::to_string(error.code) : std::string_view(error.context));
}

}  // namespace

ExtractMediaSegments::ExtractMediaSegments(store::LibraryStore& libraries, store::ScanStore& items,
                                           store::Analyses& analyses, store::MediaSegments& segments,
                                           std::vector<std::unique_ptr<SegmentProvider>> providers)
    : libraries_(libraries),
      items_(items),
      analyses_(analyses),
      segments_(segments),
      providers_(std::move(providers)) {}

const tasks::CatalogueEntry& ExtractMediaSegments::info() const noexcept {
    const auto* entry = tasks::find_task(key);
    CHECK(entry != nullptr);
    return *entry;
}

core::Result<void> ExtractMediaSegments::execute(tasks::Run& run) {
    const auto all = libraries_.all();
    if (!all) return tl::unexpected(all.error());
    const auto work = asked(*all, run);
    if (!work) return tl::unexpected(work.error());
    if (auto loaded = load_bases(); !loaded) return loaded;
    run.count("items_changed", 0);
    if (auto cleared = clear(*work, run); !cleared) return cleared;

    double total = 0, done = 0;
    for (const auto& one : *work)
        for (const double seconds : one.seconds) total += seconds;
    std::size_t tried = 0, failed = 0;
    std::optional<core::Error> last;
    for (const auto& one : *work) {
        if (one.providers.empty()) continue;
        const auto items = items_of(one.library->id, run);
        if (!items) return tl::unexpected(items.error());
        for (std::size_t i = 0; i < one.providers.size(); ++i) {
            const ProgressSlice slice{100 * done / total, 100 * (done + one.seconds[i]) / total};
            ++tried;
            if (auto ok = update(*one.providers[i], one.library->id, *items, run, slice); !ok) {
                if (ends_the_run(ok.error().code)) return ok;
                ++failed;
                last = ok.error();
                run.warn("the provider " + std::string(one.providers[i]->name()) + " failed for the library " +
                         naming::display_text(one.library->name) + ": " + said(*last));
                run.count("failed_providers");
            }
            done += one.seconds[i];
            run.report(slice.to);
        }
    }
    bases_.clear();
    if (failed > 0 && failed == tried) return tl::unexpected(std::move(*last));
    run.report(100);
    return {};
}

core::Result<std::vector<ExtractMediaSegments::Asked>> ExtractMediaSegments::asked(
    const std::vector<model::Library>& libraries, tasks::Run& run) {
    std::vector<Asked> list;
    for (const auto& library : libraries) {
        const auto options = LibraryOptions::parse(library.options);
        Asked one;
        one.library = &library;
        const auto rank = [&](const SegmentProvider* provider) {
            return std::ranges::find(options.segment_order, provider->name()) - options.segment_order.begin();
        };
        for (const auto& provider : providers_) {
            if (provider->serves(library.kind) && !options.segments_off.contains(std::string(provider->name())))
                one.providers.push_back(provider.get());
        }
        std::ranges::stable_sort(one.providers, {}, rank);
        for (auto* provider : one.providers) {
            const auto ahead = provider->seconds_ahead(library.id);
            if (!ahead) return tl::unexpected(ahead.error());
            one.seconds.push_back(seconds_of_a_provider + *ahead);
        }
        if (run.should_stop()) return core::fail(core::Errc::cancelled, key);
        list.push_back(std::move(one));
    }
    return list;
}

core::Result<void> ExtractMediaSegments::load_bases() {
    bases_.clear();
    for (const auto& provider : providers_) {
        auto& bases = bases_[provider.get()];
        auto read = segments_.segment_bases(std::string(provider->name()), [&](core::ItemId item, std::string&& basis) {
            if (!basis.empty()) bases.emplace(item, hash_of(basis));
        });
        if (!read) return read;
    }
    return {};
}

core::Result<void> ExtractMediaSegments::clear(const std::vector<Asked>& asked, tasks::Run& run) {
    for (const auto& one : asked) {
        std::vector<std::pair<const SegmentProvider*, std::vector<store::ItemSegments>>> off;
        for (const auto& provider : providers_) {
            const bool wanted = std::ranges::find(one.providers, provider.get()) != one.providers.end();
            if (!wanted && provider->serves(one.library->kind) && !bases_[provider.get()].empty())
                off.emplace_back(provider.get(), std::vector<store::ItemSegments>{});
        }
        if (off.empty()) continue;
        // Through the items and not their sources: what is offline loses its rows too.
        auto read = items_.items(one.library->id, [&](store::StoredItem&& item) {
            for (auto& [provider, rows] : off)
                if (bases_[provider].erase(item.id) > 0) rows.push_back({item.id, {}, {}});
        });
        if (!read) return read;
        for (const auto& [provider, rows] : off) {
            if (run.should_stop()) return core::fail(core::Errc::cancelled, key);
            if (auto stored = put(*provider, rows, "items_cleared", run); !stored) return stored;
        }
    }
    return {};
}

core::Result<std::vector<SegmentItem>> ExtractMediaSegments::items_of(core::LibraryId library, tasks::Run& run) {
    std::vector<SegmentItem> items;
    std::unordered_map<core::ItemId, std::size_t> places;
    store::SourceFilter filter;
    filter.libraries = {library};
    filter.kinds = {model::ItemKind::movie, model::ItemKind::episode};
    auto read =
        analyses_.sources(no_kind, store::AnalysisState::pending, filter, [&](store::AnalysableSource&& source) {
            const auto [place, is_new] = places.try_emplace(source.item, items.size());
            if (is_new) items.push_back({source.item, source.parent, source.kind, {}});
            items[place->second].sources.push_back(std::move(source));
            return !run.should_stop();
        });
    if (!read) return tl::unexpected(read.error());
    if (run.should_stop()) return core::fail(core::Errc::cancelled, key);
    for (auto& item : items) std::ranges::sort(item.sources, {}, &store::AnalysableSource::number);
    return items;
}

core::Result<void> ExtractMediaSegments::update(SegmentProvider& provider, core::LibraryId library,
                                                const std::vector<SegmentItem>& items, tasks::Run& run,
                                                ProgressSlice slice) {
    const double middle = slice.from + (slice.to - slice.from) * share_of_prepare;
    if (auto ready = provider.prepare(library, run, {slice.from, middle}); !ready) return ready;
    const auto groups = provider.groups(items);
    std::size_t done = 0;
    for (const auto& group : groups) {
        if (run.should_stop()) return core::fail(core::Errc::cancelled, key);
        if (auto ok = update_group(provider, group, run); !ok) return ok;
        ++done;
        run.report(middle + (slice.to - middle) * static_cast<double>(done) / static_cast<double>(groups.size()));
    }
    return {};
}

core::Result<void> ExtractMediaSegments::update_group(SegmentProvider& provider, const SegmentGroup& group,
                                                      tasks::Run& run) {
    auto bases = provider.bases(group);
    CHECK(bases.size() == group.items.size());
    const auto& stored = bases_[&provider];
    SegmentGroup changed;
    std::vector<std::string> new_bases;
    const auto is_new = [&](std::size_t i) {
        const auto known = stored.find(group.items[i]->id);
        return bases[i]->empty() ? known != stored.end() : known == stored.end() || known->second != hash_of(*bases[i]);
    };
    bool any = false;
    for (std::size_t i = 0; i < bases.size(); ++i) {
        if (bases[i]) {
            any = any || is_new(i);
            continue;
        }
        run.warn(group.items[i]->shown() + ": " + std::string(provider.name()) + ": " + said(bases[i].error()));
        run.count("failed");
    }
    if (!any) return {};
    for (std::size_t i = 0; i < bases.size(); ++i) {
        if (!bases[i] || !(group.together || is_new(i))) continue;
        changed.items.push_back(group.items[i]);
        new_bases.push_back(std::move(*bases[i]));
    }
    changed.together = group.together;
    auto answers = provider.segments(changed, run);
    if (!answers) return tl::unexpected(answers.error());
    CHECK(answers->size() == changed.items.size());
    return put(provider, accept(provider, changed, std::move(new_bases), std::move(*answers), run), "items_changed",
               run);
}

std::vector<store::ItemSegments> ExtractMediaSegments::accept(const SegmentProvider& provider,
                                                              const SegmentGroup& group,
                                                              std::vector<std::string>&& bases,
                                                              std::vector<ItemAnswer>&& answers, tasks::Run& run) {
    std::vector<store::ItemSegments> rows;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const auto& item = *group.items[i];
        store::ItemSegments row{item.id, std::move(bases[i]), {}};
        if (answers[i]) {
            auto checked = segments::check(std::move(*answers[i]), item.runtime());
            for (const auto& reason : checked.refused) {
                run.warn(item.shown() + ": " + std::string(provider.name()) + ": " + reason);
                run.count("refused");
            }
            for (const auto& segment : checked.segments) run.count(provider.counted_as(segment.kind));
            row.segments = std::move(checked.segments);
        } else {
            run.warn(item.shown() + ": " + std::string(provider.name()) + ": " + said(answers[i].error()));
            run.count("failed");
            if (answers[i].error().code == core::Errc::unavailable) continue;  // what it had stays until next time
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

core::Result<void> ExtractMediaSegments::put(const SegmentProvider& provider,
                                             const std::vector<store::ItemSegments>& rows, std::string_view counted_as,
                                             tasks::Run& run) {
    for (std::size_t at = 0; at < rows.size(); at += most_rows) {
        const auto end = std::min(rows.size(), at + most_rows);
        const std::vector<store::ItemSegments> part(rows.begin() + static_cast<std::ptrdiff_t>(at),
                                                    rows.begin() + static_cast<std::ptrdiff_t>(end));
        std::int64_t changed = 0;
        auto stored = run.commit(std::nullopt, [&](const core::Fence& fence) -> core::Result<void> {
            const auto count = segments_.put_segments(std::string(provider.name()), part, fence);
            if (!count) return tl::unexpected(count.error());
            changed = *count;
            return {};
        });
        if (!stored) return stored;
        if (changed > 0) run.count(counted_as, changed);
    }
    return {};
}

}  // namespace understudy::library
