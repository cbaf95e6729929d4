#include "library/refresh_people.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/check.h"
#include "library/actor_folders.h"
#include "library/naming/text.h"
#include "media/cover.h"

namespace understudy::library {

namespace {

constexpr const char* merge_phase = "merge";
constexpr const char* remove_phase = "remove";
constexpr const char* refresh_phase = "refresh";
constexpr double third = 100.0 / 3;

constexpr std::size_t page_size = 100;
// Whoever is in more films than this has a picture beside one of them, or nowhere.
constexpr std::size_t most_items = 50;
constexpr int picture_side = 600;  // pixels: what clients show of a person at most
constexpr core::Millis picture_limit{30'000};

std::string folder_of(const std::string& path) {
    const auto end = path.rfind('/');
    return end == std::string::npos || end == 0 ? std::string{} : path.substr(0, end);
}

bool has_folder(model::ItemKind kind) {
    return kind == model::ItemKind::movie || kind == model::ItemKind::series || kind == model::ItemKind::season ||
           kind == model::ItemKind::episode;
}

/// Told again next time; everything else is the picture's own fault.
bool is_passing(core::Errc code) {
    return code == core::Errc::unavailable || code == core::Errc::not_found || code == core::Errc::cancelled;
}

store::PersonRefresh refreshed_at(core::PersonId person, core::UtcTime now) {
    store::PersonRefresh row;
    row.id = person;
    row.refreshed_at = now;
    return row;
}

/// Looks for the picture of one person after the other.
class PictureSearch {
public:
    PictureSearch(store::People& people, store::Catalog& catalog, const std::shared_ptr<const FileSystem>& files)
        : people_(people), catalog_(catalog), folders_(files) {}

    /// Empty: there is none. Errors: not_found where a folder that may hold one is not to be seen now; others are the
    /// store's.
    core::Result<std::string> find(const store::Person& person) {
        auto items = people_.items_of(person.id);
        if (!items) return tl::unexpected(items.error());
        if (items->size() > most_items) items->resize(most_items);
        if (items->empty()) return std::string{};
        store::ItemQuery query;
        query.ids = *items;
        query.limit = items->size();
        query.recursive = true;
        query.with_sources = true;
        const auto page = catalog_.list(query);
        if (!page) return tl::unexpected(page.error());
        std::set<std::string> looked_at;
        bool unseen = false;
        for (const auto& listed : page->items) {
            const auto folders = folders_of(listed.item);
            if (!folders) return tl::unexpected(folders.error());
            for (const auto& folder : *folders) {
                if (!looked_at.insert(folder).second) continue;
                auto found = folders_.find(folder, person.name);
                if (found && !found->empty()) return found;
                unseen |= !found;
            }
        }
        if (unseen) return core::fail(core::Errc::not_found, "a folder is offline");
        return std::string{};
    }

private:
    /// The folder of a film; those of an episode and of its series.
    core::Result<std::vector<std::string>> folders_of(const model::Item& item) {
        std::vector<std::string> folders;
        if (!has_folder(item.kind)) return folders;
        auto sources = item.sources;
        const bool is_film = item.kind == model::ItemKind::movie;
        if (sources.empty() && !is_film) {
            store::ItemQuery query;
            query.parent = item.id;
            query.recursive = true;
            query.kinds = {model::ItemKind::episode};
            query.limit = 1;
            query.with_sources = true;
            const auto page = catalog_.list(query);
            if (!page) return tl::unexpected(page.error());
            for (const auto& below : page->items) sources = below.item.sources;
        }
        for (const auto& source : sources) {
            folders.push_back(folder_of(source.file.path));
            if (!is_film) folders.push_back(folder_of(folders.back()));
        }
        std::erase(folders, std::string{});
        return folders;
    }

    store::People& people_;
    store::Catalog& catalog_;
    ActorFolders folders_;
};

}  // namespace

const tasks::CatalogueEntry& RefreshPeople::info() const noexcept {
    const auto* entry = tasks::find_task("RefreshPeople");
    CHECK(entry != nullptr);
    return *entry;
}

core::Result<void> RefreshPeople::execute(tasks::Run& run) {
    const auto from = CleanPlace::parse(run.cursor());
    if (from.phase != remove_phase && from.phase != refresh_phase) {
        if (auto done = merge(run, from); !done) return done;
    }
    run.report(third);
    if (from.phase != refresh_phase) {
        if (auto done = remove(run, from); !done) return done;
    }
    run.report(2 * third);
    if (auto done = refresh(run); !done) return done;
    run.report(100);
    return {};
}

core::Result<std::int64_t> RefreshPeople::everyone() {
    return people_.count_due(core::UtcTime::max());
}

core::Result<void> RefreshPeople::merge(tasks::Run& run, const CleanPlace& from) {
    const auto whole = everyone();
    if (!whole) return tl::unexpected(whole.error());
    const auto merged = clean_in_steps(
        run, {merge_phase, from.phase == merge_phase ? from.cursor : ""},
        [&](const std::string& at, const core::Fence& fence) { return people_.merge_duplicates(at, fence); },
        [&](const CleanTotals& totals) { run.report(progress_within(0, third, totals.looked_at, *whole)); });
    if (!merged) return tl::unexpected(merged.error());
    run.count("merged", merged->removed);
    return {};
}

core::Result<void> RefreshPeople::remove(tasks::Run& run, const CleanPlace& from) {
    const auto whole = everyone();
    if (!whole) return tl::unexpected(whole.error());
    const auto removed = clean_in_steps(
        run, {remove_phase, from.phase == remove_phase ? from.cursor : ""},
        [&](const std::string& at, const core::Fence& fence) { return people_.remove_without_credits(at, fence); },
        [&](const CleanTotals& totals) { run.report(progress_within(third, 2 * third, totals.looked_at, *whole)); });
    if (!removed) return tl::unexpected(removed.error());
    run.count("removed", removed->removed);
    return {};
}

core::Result<void> RefreshPeople::refresh(tasks::Run& run) {
    const auto now = clock_.utc_now();
    const auto before = now - again_after;
    const auto due = people_.count_due(before);
    if (!due) return tl::unexpected(due.error());
    media::CoverParameters parameters;
    parameters.max_side = picture_side;
    PictureSearch search(people_, catalog_, files_);
    std::int64_t looked_at = 0, refreshed = 0, pictures = 0, failed = 0, later = 0;
    std::optional<store::RefreshPlace> after;
    for (;;) {
        if (run.should_stop()) return core::fail(core::Errc::cancelled, refresh_phase);
        const auto page = people_.due_for_refresh(before, after, page_size);
        if (!page) return tl::unexpected(page.error());
        if (page->empty()) break;
        after = store::RefreshPlace{page->back().refreshed_at.value_or(core::UtcTime{}), page->back().id};

        std::vector<store::PersonRefresh> rows;
        std::vector<media::AnalysisRequest> requests;
        std::vector<core::PersonId> asked;
        for (const auto& person : *page) {
            if (run.should_stop()) return core::fail(core::Errc::cancelled, refresh_phase);
            bool has_image = false;
            if (!person.image.empty()) {
                const auto there = blobs_.exists(person.image);
                if (!there) return tl::unexpected(there.error());
                has_image = *there;
            }
            const auto path = has_image ? core::Result<std::string>{} : search.find(person);
            if (!path && path.error().code != core::Errc::not_found) return tl::unexpected(path.error());
            if (!path) {
                ++later;  // due again at the next run
            } else if (path->empty()) {
                rows.push_back(refreshed_at(person.id, now));
            } else {
                requests.push_back({*path, media::Job::cover, encode(parameters), picture_limit});
                asked.push_back(person.id);
            }
        }

        std::optional<core::Error> error;
        const auto fail = [&](std::size_t index, const core::Error& why) {
            if (is_passing(why.code)) {
                ++later;
                return;
            }
            ++failed;
            run.warn(naming::display_text(requests[index].path) + ": " + naming::display_text(why.context));
            rows.push_back(refreshed_at(asked[index], now));
        };
        analyst_.analyse(
            requests,
            [&] {
                // A sign of life while pictures are read from a slow share.
                run.report(progress_within(2 * third, 100, looked_at, *due));
                return error || run.should_stop();
            },
            [&](std::size_t index, media::AnalysisResult answer) {
                if (!answer) return fail(index, answer.error());
                const auto cover = media::decode_cover_result(answer->payload);
                if (!cover) return fail(index, cover.error());
                const auto blob = blobs_.put(cover->bytes);
                if (!blob) {
                    error = blob.error();
                    return;
                }
                ++pictures;
                rows.push_back(refreshed_at(asked[index], now));
                rows.back().image = *blob;
            });
        if (error) return tl::unexpected(*error);
        if (!rows.empty()) {
            const auto stored = run.commit(CleanPlace{refresh_phase, ""}.str(),
                                           [&](const core::Fence& fence) { return people_.refresh(rows, fence); });
            if (!stored) return tl::unexpected(stored.error());
        }
        refreshed += static_cast<std::int64_t>(rows.size());
        looked_at += static_cast<std::int64_t>(page->size());
        run.report(progress_within(2 * third, 100, looked_at, *due));
    }
    run.count("refreshed", refreshed);
    run.count("pictures", pictures);
    if (failed > 0) run.count("failed", failed);
    if (later > 0) run.count("offline", later);
    return {};
}

}  // namespace understudy::library
