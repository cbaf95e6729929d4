// tests/http/described_shelf.h: a shelf whose film, show and album have what files beside the media say of them.
#pragma once

#include <string>

#include "http/fake_people.h"
#include "http/shelf.h"

namespace understudy::testing {

struct DescribedShelf : Shelf {
    DescribedShelf() {
        services.people = &people;
        auto& film = catalog.rows[0];
        describe(film.item.about);
        film.item.images = {image(Kind::primary, "poster"), image(Kind::backdrop, "b1"), image(Kind::backdrop, "b2"),
                            image(Kind::logo, "logo")};
        film.item.sources[0].external = {subtitle("Tide.de.srt", "subrip"), subtitle("Tide.sup", "hdmv_pgs_subtitle")};
        film.extra_counts = {{"trailer", 1}, {"clip", 2}, {"theme_song", 1}};
        catalog.rows[1].item.about.status = "Ended";
        catalog.rows[1].item.folder = "/m/shows/Harbour";
        catalog.rows[1].item.images = {image(Kind::primary, "series"), image(Kind::backdrop, "sb")};
        auto& episode = catalog.rows[3];
        episode.item.images = {image(Kind::thumb, "own thumb")};
        episode.ancestors = {
            {id_of<core::ItemId>('3'), model::ItemKind::season, {image(Kind::primary, "season")}},
            {id_of<core::ItemId>('2'),
             model::ItemKind::series,
             {image(Kind::primary, "series"), image(Kind::backdrop, "sb"), image(Kind::thumb, "series thumb")}}};
        catalog.rows[4].ancestors = {
            {id_of<core::ItemId>('6'), model::ItemKind::album, {image(Kind::primary, "album")}}};
        catalog.rows.push_back(extra('7', "Teaser", "trailer"));
        catalog.rows.push_back(extra('8', "Cut", "deleted_scene"));
        catalog.rows.push_back(extra('9', "Theme", "theme_song"));
        store::Person ann;
        ann.id = id_of<core::PersonId>('d');
        ann.name = ann.sort_name = "Ann Lee";
        ann.overview = "Acts.";
        ann.provider_ids = {{"Imdb", "nm1"}};
        ann.image.bytes[0] = 0xcd;
        auto bo = ann;
        bo.id = id_of<core::PersonId>('f');
        bo.name = "Bo Lee";
        bo.image = {};
        people.rows = {ann, bo};
        people.by_item[id_of<core::ItemId>('1')] = {
            {bo.id, bo.name, {}, model::CreditKind::director, ""},
            {ann.id, ann.name, ann.image, model::CreditKind::actor, "The Diver"},
            {bo.id, bo.name, {}, model::CreditKind::guest_star, "Gull"}};
    }
    static void describe(model::Description& about) {
        about.original_title = "Gezeitentümpel";
        about.sort_title = "Tide 01";
        about.overview = "Water comes.\nAnd goes.";
        about.tagline = "Twice a day";
        about.official_rating = "FSK-6";
        about.community_rating = 7.5;
        about.premiered = core::from_unix_ms(922'320'000'000);  // 1999-03-25
        about.ended = core::from_unix_ms(1'796'032'000'000);
        about.studios = {"Foam & Co"};
        about.tags = {"sea"};
        about.countries = {"Norway"};
        about.trailers = {"https://example.org/t", "javascript:alert(1)"};
    }
    static model::ItemImage image(model::ImageKind kind, const std::string& name) {
        return {kind, "/m/pictures/" + name, 10, 20};
    }
    static model::ExternalStream subtitle(const std::string& name, const std::string& codec) {
        model::ExternalStream made;
        made.path = "/m/films/Tide/" + name;
        made.stream.kind = model::StreamKind::subtitle;
        made.stream.codec = codec;
        made.stream.language = "deu";
        made.stream.is_forced = made.stream.is_hearing_impaired = true;
        return made;
    }
    store::ListedItem extra(char digit, const char* name, const char* type) const {
        auto row = listed(digit, model::ItemKind::extra, name, films.id);
        row.item.parent = id_of<core::ItemId>('1');
        row.item.extra_type = type;
        model::MediaSource source;
        source.file.path = std::string("/m/films/Tide/") + name + ".mkv";
        row.item.sources = {source};
        return row;
    }
    using Kind = model::ImageKind;
    FakePeople people;
};

}  // namespace understudy::testing
