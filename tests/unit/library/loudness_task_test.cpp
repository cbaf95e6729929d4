// AudioNormalization on real music: tracks, albums, tags, and what changes when an album grows.
#include "library/audio_normalization.h"
#include "unit/library/media_tasks_fixture.h"

namespace understudy::library {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::song;

class Normalization : public MediaTasks {
protected:
    Normalization() : task(false, *library_store, *scan_store, analyses, facts, pool, clock) {}

    void music(const std::string& options = "{}") {
        model::Library made;
        made.id = core::LibraryId::make(random);
        made.name = "Music";
        made.kind = model::LibraryKind::music;
        made.paths = {tree.path("lib")};
        made.options = options;
        ASSERT_TRUE(library_store->add(made));
        scan();
    }
    void track(int number, double volume_db, const std::vector<std::string>& more = {}) {
        const auto name = std::to_string(number) + " Song.flac";
        song_file("lib/Artist/Album/" + name, volume_db, 5, more);
        prober.say(name, song("Song " + std::to_string(number), "Artist", "Album", number));
    }
    store::Loudness of(const model::Item& item) {
        const auto rows = facts.loudness({item.id});
        EXPECT_TRUE(rows && rows->contains(item.id)) << item.name;
        return rows && rows->contains(item.id) ? rows->at(item.id) : store::Loudness{};
    }
    store::Loudness of_track(int number) {
        return of(items(model::ItemKind::track).at(static_cast<std::size_t>(number - 1)));
    }

    AudioNormalization task;
};

TEST_P(Normalization, measures_tracks_and_albums_with_one_decode_each) {
    track(1, 0);
    track(2, -12, {"-ar", "96000"});
    music();
    const auto done = execute(task);
    ASSERT_TRUE(done) << done.error().context;
    EXPECT_EQ(count("tracks"), 2);
    EXPECT_EQ(count("albums"), 1);
    EXPECT_EQ(pool.counts().messages, 2U);
    const auto loud = of_track(1), soft = of_track(2), album = of(only(model::ItemKind::album));
    ASSERT_TRUE(loud.lufs && soft.lufs && album.lufs);
    EXPECT_NEAR(*loud.lufs - *soft.lufs, 12, 0.5);
    EXPECT_GT(*album.lufs, *soft.lufs);
    EXPECT_LT(*album.lufs, *loud.lufs);
    EXPECT_NEAR(*loud.gain_db, -18 - *loud.lufs, 1e-9);
    EXPECT_EQ(*album.peak, std::max(*loud.peak, *soft.peak));

    ASSERT_TRUE(execute(task));
    EXPECT_EQ(pool.counts().messages, 2U) << "nothing is decoded twice";
    EXPECT_EQ(run->commits, 0) << "nothing is written twice";
}

TEST_P(Normalization, an_album_that_grows_is_measured_anew_without_decoding_its_old_tracks) {
    track(1, 0);
    track(2, 0);
    music();
    ASSERT_TRUE(execute(task));
    const auto before = of(only(model::ItemKind::album));
    track(3, -20);
    scan();
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(pool.counts().messages, 3U);
    EXPECT_EQ(count("albums"), 1);
    EXPECT_NE(of(only(model::ItemKind::album)).basis, before.basis);
}

TEST_P(Normalization, one_lone_track_is_stored_and_has_no_album_value) {
    track(1, 0);
    music();
    ASSERT_TRUE(execute(task));
    EXPECT_TRUE(of_track(1).lufs);
    EXPECT_EQ(count("albums"), 0);
    const auto rows = facts.loudness({only(model::ItemKind::album).id});
    ASSERT_TRUE(rows);
    EXPECT_TRUE(rows->empty());
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(pool.counts().messages, 1U);
}

TEST_P(Normalization, silence_has_no_gain) {
    track(1, -200);
    music();
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("silent"), 1);
    const auto silent = of_track(1);
    EXPECT_FALSE(silent.lufs);
    EXPECT_FALSE(silent.gain_db);
}

TEST_P(Normalization, tags_speak_where_nothing_is_measured) {
    tree.file("lib/Artist/Album/1 Song.flac", "not music");
    auto info = song("Song 1", "Artist", "Album", 1);
    info.tags.gains = {
        {"REPLAYGAIN_TRACK_GAIN", "-7.50 dB"}, {"REPLAYGAIN_TRACK_PEAK", "0.9"}, {"REPLAYGAIN_ALBUM_GAIN", "+1.5"}};
    prober.say("1 Song.flac", info);
    music();
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("failed"), 1);
    EXPECT_EQ(count("from_tags"), 1);
    const auto row = of_track(1);
    EXPECT_EQ(row.origin, store::LoudnessOrigin::replaygain);
    EXPECT_EQ(row.gain_db, -7.5);
    EXPECT_EQ(row.lufs, -10.5);
    EXPECT_EQ(row.peak, 0.9);
    EXPECT_EQ(of(only(model::ItemKind::album)).gain_db, 1.5);
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(count("from_tags"), 0) << "read once";
}

TEST_P(Normalization, a_library_that_does_not_ask_is_not_decoded) {
    track(1, 0);
    music(R"({"EnableLUFSScan":false})");
    ASSERT_TRUE(execute(task));
    EXPECT_EQ(pool.counts().spawned, 0U);
}

INSTANTIATE_TEST_SUITE_P(Stores, Normalization, databases(), store_name);

TEST(TagGains, r128_is_relative_to_23_and_in_parts_of_256) {
    const auto gains =
        gains_of({{"R128_TRACK_GAIN", "-512"}, {"REPLAYGAIN_TRACK_GAIN", "-9 dB"}, {"R128_ALBUM_GAIN", "256"}});
    ASSERT_TRUE(gains.track && gains.album);
    EXPECT_EQ(gains.track->origin, store::LoudnessOrigin::r128);
    EXPECT_EQ(gains.track->gain_db, 3.0);
    EXPECT_EQ(gains.album->gain_db, 6.0);
}

TEST(TagGains, nonsense_is_no_gain) {
    for (const auto* text : {"", "loud", "nan", "inf", "1e99", "-500 dB"})
        EXPECT_FALSE(gains_of({{"REPLAYGAIN_TRACK_GAIN", text}}).track) << text;
}

}  // namespace
}  // namespace understudy::library
