// tests/contract/scan_store/libraries_contract.h: what every LibraryStore must do.
#pragma once

#include "contract/scan_store/store_fixture.h"

namespace understudy::testing {

class LibrariesContract : public StoreFixture {};

TEST_P(LibrariesContract, a_library_comes_back_as_it_was_added) {
    model::Library library;
    library.id = library_id(1);
    library.name = "Musik & mehr";
    library.kind = model::LibraryKind::music;
    library.paths = {"/z/\xff", "/a"};
    library.options = R"({"EnablePhotos":true})";
    library.remove_missing_after = 24h;
    library.created_at = core::from_unix_ms(1'700'000'000'001);
    ok(libraries_->add(library));
    const auto all = libraries_->all();
    ok(all);
    ASSERT_EQ(all->size(), 1U);
    const auto& found = all->front();
    EXPECT_EQ(found.id, library.id);
    EXPECT_EQ(found.name, library.name);
    EXPECT_EQ(found.kind, library.kind);
    EXPECT_EQ(found.paths, library.paths);  // in their order
    EXPECT_EQ(found.options, library.options);
    EXPECT_EQ(found.remove_missing_after, library.remove_missing_after);
    EXPECT_EQ(found.created_at, library.created_at);
    EXPECT_FALSE(found.scanned_at);
}

TEST_P(LibrariesContract, come_by_name) {
    add_library(1, "zebra", {"/1"});
    add_library(2, "Apfel", {"/2"});
    add_library(3, "äpfel", {"/3"});
    add_library(4, "Birne", {"/4"});
    std::string names;
    const auto all = libraries_->all();
    ok(all);
    for (const auto& library : *all) names += library.name + " ";
    EXPECT_EQ(names, "Apfel Birne zebra äpfel ");
}

TEST_P(LibrariesContract, a_name_or_path_in_use_is_a_conflict) {
    add_library(1, "Ärzte", {"/media/a", "/media/b"});
    model::Library other;
    other.id = library_id(2);
    other.name = "ärzte";
    other.paths = {"/media/c"};
    auto refused = libraries_->add(other);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::conflict);
    EXPECT_NE(refused.error().context.find("name"), std::string::npos);
    other.name = "Other";
    other.paths = {"/media/c", "/media/b"};
    refused = libraries_->add(other);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::conflict);
    EXPECT_NE(refused.error().context.find("/media/b"), std::string::npos);
    EXPECT_EQ(libraries_->all()->size(), 1U);
}

TEST_P(LibrariesContract, an_update_replaces_name_paths_and_options) {
    auto library = add_library(1, "Films", {"/a", "/b"});
    add_library(2, "Taken", {"/taken"});
    library.name = "FILMS";
    library.paths = {"/b", "/c"};
    library.options = R"({"x":1})";
    library.remove_missing_after = 1h;
    ok(libraries_->update(library));
    const auto found = libraries_->all()->front();
    EXPECT_EQ(found.name, "FILMS");
    EXPECT_EQ(found.paths, library.paths);
    EXPECT_EQ(found.options, library.options);
    EXPECT_EQ(found.remove_missing_after, library.remove_missing_after);
    library.name = "taken";
    auto refused = libraries_->update(library);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::conflict);
    library.name = "Films";
    library.paths = {"/taken"};
    refused = libraries_->update(library);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::conflict);
    EXPECT_EQ(libraries_->all()->front().name, "FILMS");
    library.id = library_id(9);
    EXPECT_EQ(libraries_->update(library).error().code, Errc::not_found);
}

TEST_P(LibrariesContract, one_that_is_removed_takes_everything_with_it_and_frees_its_name) {
    add_library(1, "Films", {"/media"});
    add_library(2, "Other", {"/other"});
    for (std::uint32_t from = 0; from < 5'000; from += 500) {  // more than two portions
        auto part = batch();
        for (std::uint32_t i = from; i < from + 500; ++i) {
            part.upsert_items.push_back(movie(i + 1, std::to_string(i)));
            part.upsert_files.push_back(file("/media/" + std::to_string(i), i + 1));
        }
        part.upsert_directories = {{"/media/" + std::to_string(from), 1, 1}};
        part.roots = std::vector<model::RootState>{{"/media", true, "", {}, 1}};
        ok(apply(part));
    }
    ok(apply_items({movie(9'000, "stays", 2)}, 2));
    ok(libraries_->remove(library_id(1)));
    EXPECT_EQ(libraries_->all()->size(), 1U);
    EXPECT_EQ(count("items"), 1);
    EXPECT_EQ(count("media_sources"), 1);
    EXPECT_EQ(count("files") + count("directories") + count("library_roots"), 0);
    EXPECT_EQ(count("libraries"), 1);
    EXPECT_EQ(libraries_->remove(library_id(1)).error().code, Errc::not_found);
    add_library(3, "films", {"/media"});
}

TEST_P(LibrariesContract, a_removal_that_was_cut_short_is_hidden_and_finished_later) {
    add_library(1, "Films", {"/media"});
    ok(apply_items({movie(1, "a")}));
    ok(sql("UPDATE libraries SET removing = 1"));  // as a server that died after its first transaction
    EXPECT_TRUE(libraries_->all()->empty());
    EXPECT_TRUE(catalog_->list({})->items.empty());
    store::sql::SqlLibraryStore after_restart(*database_);
    ok(after_restart.finish_removals());
    EXPECT_EQ(count("items") + count("libraries"), 0);
}

}  // namespace understudy::testing
