// All nine gated tasks over real media on three pods, while the leader is killed again and again: what is stored in the
// end is, row by row, what an undisturbed cluster stores. And a library of broken files: each is named with its reason,
// and no server dies of it.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <boost/json.hpp>
#include <iterator>
#include <map>
#include <random>
#include <sstream>

#include "cluster/cluster.h"
#include "support/made_music.h"
#include "support/media_files.h"

namespace understudy::testing {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr std::array tasks{
    "RefreshLibrary",           "KeyframeExtraction", "AudioNormalization",           "RefreshChapterImages",
    "TaskExtractMediaSegments", "RefreshPeople",      "CleanCollectionsAndPlaylists", "CleanupUserDataTask",
    "OptimizeDatabaseTask"};
constexpr std::size_t long_ones = 5;  // of these, which last long enough to be caught in the middle

std::vector<std::string> words(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

void encode(const std::filesystem::path& to, const test::Sound& sound, const std::vector<std::string>& arguments) {
    std::filesystem::create_directories(to.parent_path());
    const auto wav = to.parent_path() / "sound.tmp.wav";
    test::write_wav(wav, sound);
    std::vector<std::string> command{"ffmpeg", "-nostdin", "-v", "error", "-y"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    for (auto& argument : command) {
        if (argument == "{sound}") argument = wav.string();
    }
    command.push_back(to.string());
    (void)test::output_of(command);
    std::filesystem::remove(wav);
}

/// A season with a common intro, films with chapters and a poster in the file, albums with a cover in each track.
class Media {
public:
    Media() {
        for (unsigned n = 1; n <= 5; ++n) {
            test::Sound sound;
            test::add_music(sound, 1.5 * n, 100 + n);
            test::add_music(sound, 16, 7);  // the intro, within the first quarter
            test::add_music(sound, 100 - test::seconds_of(sound), 300 + n);
            video(shows() / "Line (2020)" / "Season 01" / ("Line - S01E0" + std::to_string(n) + ".mkv"), sound, {});
        }
        const auto chapters = folder_.write("chapters.txt",
                                            ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=10\ntitle=Intro\n"
                                            "[CHAPTER]\nTIMEBASE=1/1\nSTART=10\nEND=30\ntitle=The middle\n");
        const auto poster = folder_.path() / "poster.jpg";
        (void)test::output_of({"ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                               "color=blue:size=40x60:duration=0.04", "-frames:v", "1", poster.string()});
        for (unsigned n = 1; n <= 5; ++n) {
            test::Sound sound;
            test::add_music(sound, 30, 500 + n);
            const auto name = "Film " + std::to_string(n) + " (2001)";
            video(films() / name / (name + ".mkv"), sound,
                  {"-i", chapters.string(), "-map_metadata", "2", "-attach", poster.string(), "-metadata:s:t",
                   "mimetype=image/jpeg"});
        }
        for (unsigned n = 0; n < 10; ++n) {
            test::Sound sound;
            test::add_music(sound, 6, 700 + n);
            const auto album = "Album " + std::to_string(n / 5), number = std::to_string(n % 5 + 1);
            auto arguments = words(
                "-i {sound} -f lavfi -i color=red:size=64x64:duration=0.04 -map 0:a -map 1:v -c:v mjpeg -frames:v 1 "
                "-disposition:v attached_pic -metadata artist=Quartet");
            for (const auto& tag : {"album=" + album, "track=" + number, "title=Take " + number})
                arguments.insert(arguments.end(), {"-metadata", tag});
            encode(music() / "Quartet" / album / (number + " Take.flac"), sound, arguments);
        }
    }
    [[nodiscard]] std::filesystem::path shows() const { return folder_.path() / "shows"; }
    [[nodiscard]] std::filesystem::path films() const { return folder_.path() / "films"; }
    [[nodiscard]] std::filesystem::path music() const { return folder_.path() / "music"; }

private:
    static void video(const std::filesystem::path& to, const test::Sound& sound, const std::vector<std::string>& more) {
        const auto length = std::to_string(test::seconds_of(sound));
        std::vector<std::string> arguments{"-f", "lavfi",  "-i", "testsrc2=size=64x36:rate=10:duration=" + length,
                                           "-i", "{sound}"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const std::vector<std::string> codecs{"-map", "0:v", "-map", "1:a", "-c:v",     "mpeg4",
                                              "-g",   "20",  "-c:a", "aac", "-threads", "1"};
        arguments.insert(arguments.end(), codecs.begin(), codecs.end());
        encode(to, sound, arguments);
    }
    test::TempFolder folder_;
};

void add_libraries(Cluster& cluster, const Media& media) {
    auto& pod = cluster.pod(1);
    constexpr auto pictures = R"({"EnableChapterImageExtraction":true})";
    cluster.add_library(pod, "Shows", "tvshows", media.shows(), pictures);
    cluster.add_library(pod, "Films", "movies", media.films(), pictures);
    cluster.add_library(pod, "Music", "music", media.music());
}

/// What the tasks stored, without ids and times: a line a fact.
std::string facts(Cluster& cluster) {
    const std::string path = "encode(s.path, 'escape')";
    std::string all;
    const auto add = [&](const std::string& what, const std::string& line, const std::string& from) {
        all +=
            "-- " + what + "\n" +
            cluster.sql("SELECT COALESCE(string_agg(line, E'\\n' ORDER BY line), '') FROM (SELECT concat_ws(' | ', " +
                        line + ") AS line FROM " + from + ") AS lines") +
            "\n";
    };
    add("items",
        "i.kind, i.name, i.season_number, i.episode_number, i.track_number, encode(i.original_key, 'escape'), p.name, "
        "i.available",
        "items i LEFT JOIN items p ON p.id = i.parent_id");
    add("sources", path + ", s.content_sample, s.container, s.duration_ms, i.name",
        "media_sources s JOIN items i ON i.id = s.item_id");
    add("files", "encode(path, 'escape'), available, failure, item_id IS NULL", "files");
    add("analyses", "kind, content_sample, md5(payload), failure", "analyses");
    add("loudness", "i.name, p.name, l.origin, l.lufs, l.peak, l.gain_db",
        "item_loudness l JOIN items i ON i.id = l.item_id LEFT JOIN items p ON p.id = i.parent_id");
    add("segments", path + ", m.provider, m.kind, m.start_ms, m.end_ms",
        "media_segments m JOIN media_sources s ON s.item_id = m.item_id");
    add("covers", "content_sample, encode(blob, 'hex'), size_bytes, width, height", "covers");
    add("shown covers", "i.kind, i.name, c.content_sample", "item_covers c JOIN items i ON i.id = c.item_id");
    add("pictures", "content_sample, number, encode(blob, 'hex'), width, height, format", "chapter_pictures");
    return all;
}

std::string ids(Cluster& cluster) {
    return cluster.sql("SELECT string_agg(encode(id, 'hex') || ' ' || name, E'\\n' ORDER BY id) FROM items");
}

/// Counts of the newest run of a task, by name.
json::object counts(Cluster& cluster, const std::string& task) {
    const auto runs = cluster.living().front()->get("/cluster/runs?limit=1&task=" + task);
    return runs.at("items").as_array().at(0).at("counts").as_object();
}

class NineTasks : public ::testing::Test {
protected:
    static ClusterOptions options() {
        ClusterOptions options;
        options.patient = true;
        options.settings["Jellyfin:Blobs:Provider"] = "Database";  // the pods of a test share no folder
        return options;
    }
    static const Media& media() {
        static const Media made;
        return made;
    }
};

TEST_F(NineTasks, end_the_same_whether_or_not_leaders_are_killed) {
    std::string undisturbed;
    {
        Cluster cluster(options());
        ASSERT_NE(cluster.await_leader(), nullptr);
        add_libraries(cluster, media());
        for (const auto* task : tasks) {
            cluster.run(cluster.pod(1), task);
            ASSERT_TRUE(cluster.await_end(task, "completed", 60s)) << task << ": " << cluster.newest_state(task);
        }
        undisturbed = facts(cluster);
        EXPECT_EQ(
            cluster.sql("SELECT string_agg(i.kind, ',' ORDER BY i.kind) FROM item_covers c JOIN items i ON i.id = "
                        "c.item_id"),
            "album,album,movie,movie,movie,movie,movie");
        cluster.expect_promises_kept();
    }
    ASSERT_NE(undisturbed.find("| intro |"), std::string::npos) << undisturbed;

    Cluster cluster(options());
    ASSERT_NE(cluster.await_leader(), nullptr);
    add_libraries(cluster, media());
    std::string known;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const std::string task = tasks[i];
        auto* leader = cluster.await_leader();
        ASSERT_NE(leader, nullptr);
        cluster.run(*leader, task);
        if (i < long_ones) {
            ASSERT_TRUE(cluster.await_progress(task, 15, 60s)) << task;
            ASSERT_EQ(cluster.newest_state(task), "running") << task << " was over before it could be caught";
        }
        leader->kill();
        ASSERT_TRUE(cluster.await_end(task, "completed", 60s)) << task << ": " << cluster.newest_state(task);
        if (i < long_ones) {
            EXPECT_EQ(
                cluster.sql("SELECT string_agg(state, ',' ORDER BY epoch) FROM task_runs WHERE task = '" + task + "'"),
                "aborted,completed");
        }
        leader->start();
        if (i == 0) known = ids(cluster);
        EXPECT_EQ(ids(cluster), known) << "ids changed in " << task;
    }
    EXPECT_EQ(facts(cluster), undisturbed);

    // Again, and there is nothing to do: no run counts anything done, no worker is started.
    for (const auto* task : tasks) {
        auto& pod = *cluster.living().front();
        const auto before = pod.children();
        cluster.run(pod, task);
        ASSERT_TRUE(eventually(60s, [&] {
            return cluster.sql("SELECT state FROM task_runs WHERE task = '" + std::string(task) +
                               "' ORDER BY epoch DESC LIMIT 1") == "completed" &&
                   cluster.count("SELECT count(*) FROM task_runs WHERE task = '" + std::string(task) +
                                 "' AND resumed_from IS NULL") == 2;
        })) << task;
        EXPECT_EQ(pod.children(), before) << task << " started a worker";
        for (const auto& [name, value] : counts(cluster, task)) {
            if (name == "unchanged" || name == "looked_at") continue;
            EXPECT_EQ(value, 0) << task << ": " << name;
        }
    }
    EXPECT_EQ(facts(cluster), undisturbed);
    cluster.expect_promises_kept();
}

/// Films that no player can play, and one that can be.
void make_broken_films(const test::TempFolder& folder) {
    const auto film = test::read_bytes(test::media_file("film.mkv"));
    std::mt19937 engine(7);
    std::string garbage(200'000, '\0');
    for (char& byte : garbage) byte = static_cast<char>(engine());
    const auto mp4 = test::read_bytes(test::media_file("film.mp4"));
    folder.write("good.mkv", film);
    folder.write("cut.mp4", mp4.substr(0, mp4.size() / 2));  // its index was at its end
    folder.write("empty.mkv", "");
    folder.write("text.mkv", std::string(5000, 'a'));
    folder.write("garbage.mkv", garbage);
    folder.write("header.mkv", film.substr(0, 40));
    folder.write("itself.mkv", "#EXTM3U\n#EXTINF:1,\nitself.mkv\n#EXT-X-ENDLIST\n");
    // EBML header; a segment without end; a SeekHead whose only entry says that a SeekHead is at offset 0: itself.
    folder.write("seekhead.mkv", film.substr(0, film.find("\x18\x53\x80\x67")) +
                                     std::string("\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff"
                                                 "\x11\x4d\x9b\x74\x8e\x4d\xbb\x8b\x53\xab\x84\x11\x4d\x9b\x74"
                                                 "\x53\xac\x81\x00",
                                                 31));
    ASSERT_EQ(truncate(folder.write("zeros.mkv", "").c_str(), 1 << 30), 0);
    ASSERT_EQ(mkfifo((folder.path() / "pipe.mkv").c_str(), 0600), 0);
    std::filesystem::create_symlink("/dev/zero", folder.path() / "endless.mkv");
    std::filesystem::create_symlink("nowhere.mkv", folder.path() / "dangling.mkv");
}

TEST(BrokenMedia, is_named_with_its_reason_and_no_server_dies_of_it) {
    const test::TempFolder films, music;
    make_broken_films(films);
    const auto flac = test::read_bytes(test::media_file("song.flac"));
    music.write("good.flac", flac);
    // The header says what there is, so that the scan believes it; what should follow is not there.
    music.write("hollow.flac", flac.substr(0, flac.size() / 2) + std::string(flac.size() / 2, '\x55'));

    ClusterOptions options;
    options.pods = 1;
    options.redis = false;
    Cluster cluster(options);
    ASSERT_NE(cluster.await_leader(), nullptr);
    auto& pod = cluster.pod(1);
    const auto pid = pod.pid();
    cluster.add_library(pod, "Films", "movies", films.path(), R"({"EnableChapterImageExtraction":true})");
    cluster.add_library(pod, "Music", "music", music.path());
    for (const auto* task : tasks) {
        cluster.run(pod, task);
        ASSERT_TRUE(cluster.await_end(task, "completed", 60s)) << task << ": " << cluster.newest_state(task);
    }
    std::map<std::string, std::string> reasons;
    const auto answer = pod.get("/cluster/problems");
    for (const auto& problem : answer.at("items").as_array()) {
        const std::filesystem::path path(std::string(problem.at("path").as_string()));
        reasons[path.filename()] = std::string(problem.at("reason").as_string());
    }
    for (const auto* name : {"cut.mp4", "empty.mkv", "text.mkv", "garbage.mkv", "header.mkv", "itself.mkv",
                             "seekhead.mkv", "zeros.mkv", "pipe.mkv", "endless.mkv", "dangling.mkv", "hollow.flac"})
        EXPECT_FALSE(reasons[name].empty()) << name;
    EXPECT_FALSE(reasons.contains("good.mkv") || reasons.contains("good.flac"));
    EXPECT_EQ(cluster.sql("SELECT string_agg(name, ',' ORDER BY name) FROM items WHERE kind IN ('movie', 'track')"),
              "Blå himmel,Blå himmel,good");
    EXPECT_EQ(pod.pid(), pid);
    EXPECT_TRUE(pod.running());
    EXPECT_EQ(Cluster::lines_with(pod, "a worker died"), 0);
    for (const auto& [name, reason] : reasons) std::printf("%-14s %s\n", name.c_str(), reason.c_str());
}

}  // namespace
}  // namespace understudy::testing
