// tests/http/named_shelf.h: a shelf whose items share names: genres, studios, artists and a year. Used by the tests of
// names.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "http/login_house.h"

namespace understudy::testing {

/// Tracks of two artists, of whom one is an item; films and music share the name of a genre.
struct NamedShelf : LoginHouse {
    NamedShelf() {
        catalog.rows[4].item.genres = {"drama, SLOW", "Rock"};
        auto piers = listed('6', model::ItemKind::artist, "the piers", id_of<core::LibraryId>('c'));
        catalog.rows.push_back(piers);
        catalog.rows[4].artist_items = {{"The Piers", piers.item.id}};
        model::Library music;
        music.id = id_of<core::LibraryId>('c');
        music.name = "Music";
        music.kind = model::LibraryKind::music;
        libraries.rows.push_back(music);
    }
    boost::json::value asked(const std::string& target) {
        const auto answer = House::get(target);
        EXPECT_EQ(answer.status, 200) << target << ": " << answer.body;
        return boost::json::parse(answer.body);
    }
    std::vector<std::string> names(const std::string& target) {
        std::vector<std::string> found;
        const auto page = asked(target);
        for (const auto& item : page.at("Items").as_array()) found.emplace_back(item.at("Name").as_string());
        return found;
    }
};

}  // namespace understudy::testing
