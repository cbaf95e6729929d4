// tests/http/fake_home.h: series as somebody watches them and what is new, of the rows of a FakeCatalog; segments as
// told. Used by golden tests.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "http/fake_users.h"
#include "store/discovery.h"
#include "store/media_facts.h"
#include "store/shows.h"

namespace understudy::testing {

class FakeShows final : public store::Shows {
public:
    FakeShows(FakeCatalog& catalog, FakeUserData& data) : catalog_(catalog), data_(data) {}

    int looks = 0;  ///< episodes()
    store::ShowsFilter last_filter;

    core::Result<std::vector<store::BegunSeries>> begun(core::UserId user, const store::ShowsFilter& filter) override {
        last_filter = filter;
        std::map<core::ItemId, core::UtcTime> at;
        for (const auto& row : episode_rows(filter)) {
            const auto data = data_.rows.find({user, row.item.id});
            if (data == data_.rows.end() || !data->second.played) continue;
            auto& last = at[row.series];
            last = std::max(last, data->second.last_played_at.value_or(core::UtcTime{}));
        }
        std::vector<store::BegunSeries> found;
        for (const auto& [series, last] : at) {
            if (!filter.since || last >= *filter.since) found.push_back({series, last});
        }
        std::ranges::stable_sort(found,
                                 [](const auto& a, const auto& b) { return a.last_watched_at > b.last_watched_at; });
        return found;
    }
    core::Result<std::vector<store::ShowEpisode>> episodes(core::UserId user, const std::vector<core::ItemId>& series,
                                                           const std::optional<store::Viewer>& viewer) override {
        ++looks;
        store::ShowsFilter filter;
        filter.viewer = viewer;
        std::vector<store::ShowEpisode> found;
        for (const auto& row : episode_rows(filter)) {
            if (std::ranges::find(series, row.series) == series.end()) continue;
            const auto& item = row.item;
            store::ShowEpisode episode;
            episode.id = item.id;
            episode.series = row.series;
            episode.season = item.parent;
            episode.season_number = item.season_number;
            episode.number = item.episode_number;
            episode.number_end = item.episode_number_end;
            episode.airs_before_season = item.about.airs_before_season;
            episode.airs_before_episode = item.about.airs_before_episode;
            if (const auto at = data_.rows.find({user, item.id}); at != data_.rows.end()) {
                episode.played = at->second.played;
                episode.position = at->second.position;
                episode.last_played_at = at->second.last_played_at;
            }
            found.push_back(episode);
        }
        return found;
    }
    core::Result<store::UpcomingEpisodes> upcoming(const store::ShowsFilter& filter, std::size_t start_index,
                                                   std::size_t limit) override {
        last_filter = filter;
        store::UpcomingEpisodes found;
        for (const auto& row : episode_rows(filter)) {
            const auto& premiered = row.item.about.premiered;
            if (!premiered || (filter.since && *premiered < *filter.since)) continue;
            if (found.total++ >= start_index && found.episodes.size() < limit) found.episodes.push_back(row.item.id);
        }
        return found;
    }

private:
    std::vector<store::ListedItem> episode_rows(const store::ShowsFilter& filter) const {
        auto rows = catalog_.rows;
        std::erase_if(rows, [&](const store::ListedItem& row) {
            if (row.item.kind != model::ItemKind::episode || !sees(filter.viewer, row.item.library)) return true;
            return (filter.library && row.item.library != *filter.library) ||
                   (filter.series && row.series != *filter.series);
        });
        return rows;
    }
    FakeCatalog& catalog_;
    FakeUserData& data_;
};

/// Answers as told, and keeps what was asked.
class FakeDiscovery final : public store::Discovery {
public:
    std::vector<store::LatestItem> latest_items;
    store::LatestQuery last_latest;

    std::vector<core::ItemId> similar_items, mixed;
    store::SimilarQuery last_similar;
    store::MixQuery last_mix;
    store::Hints found_hints;
    store::HintQuery last_hint;

    core::Result<std::vector<store::LatestItem>> latest(const store::LatestQuery& query) override {
        last_latest = query;
        return latest_items;
    }
    core::Result<std::vector<core::ItemId>> similar(const store::SimilarQuery& query) override {
        last_similar = query;
        return similar_items;
    }
    core::Result<std::vector<core::ItemId>> mix(const store::MixQuery& query) override {
        last_mix = query;
        return mixed;
    }
    core::Result<store::Hints> hints(const store::HintQuery& query) override {
        last_hint = query;
        return found_hints;
    }
};

struct FakeSegments final : store::MediaSegments {
    std::map<core::ItemId, std::vector<store::ProvidedSegment>> rows;

    core::Result<std::map<core::ItemId, std::vector<store::ProvidedSegment>>> segments(
        const std::vector<core::ItemId>& items) override {
        std::map<core::ItemId, std::vector<store::ProvidedSegment>> found;
        for (const auto& id : items)
            if (const auto at = rows.find(id); at != rows.end()) found.insert(*at);
        return found;
    }
    core::Result<std::int64_t> put_segments(const std::string&, const std::vector<store::ItemSegments>&,
                                            const core::Fence&) override {
        return 0;
    }
    core::Result<void> segment_bases(const std::string&,
                                     const std::function<void(core::ItemId, std::string&&)>&) override {
        return {};
    }
};

}  // namespace understudy::testing
