// tests/http/home_shelf.h: a house with somebody who watches a series of two seasons and specials.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "http/fake_home.h"
#include "http/login_house.h"

namespace understudy::testing {

/// The series Harbour (2): specials (season e0: `e1`), season 3 (episodes 4 and `e2`, 1x02-03 and 1x04) and season `e3`
/// (`e4`, 2x01). Ann sees all, Kid Films alone.
struct HomeShelf : LoginHouse {
    HomeShelf() {
        services.shows = &shows_store;
        services.discovery = &discovery;
        catalog.rows.push_back(in_series("e0", model::ItemKind::season, "Specials", "22", 0));
        auto special = in_series("e1", model::ItemKind::episode, "Gale", "e0", 0, 1);
        special.item.about.airs_before_season = 1;
        special.item.about.airs_before_episode = 4;
        catalog.rows.push_back(special);
        catalog.rows.push_back(in_series("e2", model::ItemKind::episode, "Tow", "33", 1, 4));
        catalog.rows.push_back(in_series("e3", model::ItemKind::season, "Season 2", "22", 2));
        catalog.rows.push_back(in_series("e4", model::ItemKind::episode, "Lee", "e3", 2, 1));
        ann_id = add("Ann", "sea");
        const auto kid_id = add("Kid", "toy");
        ann = log_in("Ann", "sea");
        kid = log_in("Kid", "toy");
        EXPECT_EQ(post("/Users/" + kid_id + "/Policy",
                       R"({"EnableAllFolders":false,"EnabledFolders":[")" + films.id.str() + "\"]}")
                      .status,
                  204);
    }
    /// `22`: 32 digits of it; `e1`: `e1` sixteen times.
    static std::string id(const std::string& two) {
        std::string all;
        for (int i = 0; i < 16; ++i) all += two;
        return all;
    }
    static core::ItemId item_id(const std::string& two) { return *core::ItemId::parse(id(two)); }
    store::ListedItem in_series(const std::string& two, model::ItemKind kind, const char* name,
                                const std::string& parent, int season, std::optional<int> number = std::nullopt) const {
        auto row = listed('0', kind, name, shows.id);
        row.item.id = item_id(two);
        row.item.parent = item_id(parent);
        row.item.season_number = season;
        row.item.episode_number = number;
        row.series = item_id("22");
        row.series_name = "Harbour";
        return row;
    }
    void played(const std::string& two, const std::string& when = {}) {
        const auto date = when.empty() ? "" : "?datePlayed=" + when;
        EXPECT_EQ(as(ann, http::Method::post, "/UserPlayedItems/" + id(two) + date).status, 200);
    }
    boost::json::value value(const std::string& token, const std::string& target) {
        const auto answer = as(token, http::Method::get, target);
        EXPECT_EQ(answer.status, 200) << target << ": " << answer.body;
        return boost::json::parse(answer.body);
    }
    /// The names in a page or a bare array, with blanks between.
    std::string names_of(const std::string& token, const std::string& target) {
        const auto answer = value(token, target);
        const auto& items = answer.is_array() ? answer.as_array() : answer.at("Items").as_array();
        std::string all;
        for (const auto& item : items) all += (all.empty() ? "" : " ") + std::string(item.at("Name").as_string());
        return all;
    }
    std::string as_ann(const std::string& target) { return names_of(ann, target); }
    std::string as_kid(const std::string& target) { return names_of(kid, target); }
    std::int64_t total(const std::string& target) { return value(ann, target).at("TotalRecordCount").as_int64(); }
    int status(const std::string& token, const std::string& target) {
        return as(token, http::Method::get, target).status;
    }
    void configure(const std::string& json) {
        EXPECT_EQ(post("/Users/Configuration?userId=" + ann_id, json).status, 204);
    }

    FakeShows shows_store{catalog, user_data};
    FakeDiscovery discovery;
    std::string ann_id, ann, kid;
};

}  // namespace understudy::testing
