#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <random>

#include "unit/media/pool_fixture.h"

namespace understudy::media {
namespace {

class BrokenMedia : public PoolTest {
protected:
    ProbeResult probe(const std::string& path, ProbeKind kind = ProbeKind::video) {
        auto result = std::move(probe_all(pool_, {path}, kind)[0]);
        // Whatever it was, the next good file is read by the same worker.
        EXPECT_TRUE(probe_all(pool_, {test::media_file("film.mkv").string()}, ProbeKind::video)[0]);
        EXPECT_EQ(pool_.counts().crashed, 0u);
        EXPECT_EQ(pool_.counts().killed, 0u);
        return result;
    }
    std::string write(const std::string& name, const std::string& bytes) { return folder_.write(name, bytes).string(); }

    WorkerPool pool_{settings(false), log_};
};

TEST_F(BrokenMedia, empty_files_have_no_media) {
    EXPECT_EQ(code_of(probe(write("empty.mkv", ""))), core::Errc::unsupported);
    EXPECT_EQ(code_of(probe(write("empty.mp3", ""), ProbeKind::audio)), core::Errc::unsupported);
}

TEST_F(BrokenMedia, garbage_has_no_media) {
    std::mt19937 engine(7);
    for (int round = 0; round < 20; ++round) {
        std::string bytes(200'000, '\0');
        for (char& byte : bytes) byte = static_cast<char>(engine());
        EXPECT_EQ(code_of(probe(write("garbage.mkv", bytes), round % 2 == 0 ? ProbeKind::video : ProbeKind::audio)),
                  core::Errc::unsupported);
    }
    EXPECT_EQ(code_of(probe(write("text.avi", std::string(5000, 'a')))), core::Errc::unsupported);
}

TEST_F(BrokenMedia, a_header_alone_is_corrupt) {
    const auto mkv = test::read_bytes(test::media_file("film.mkv"));
    const auto mp4 = test::read_bytes(test::media_file("film.mp4"));
    EXPECT_EQ(code_of(probe(write("head.mkv", mkv.substr(0, 40)))), core::Errc::corrupt);
    EXPECT_EQ(code_of(probe(write("head.mp4", mp4.substr(0, 40)))), core::Errc::corrupt);
    EXPECT_EQ(code_of(probe(write("head.flac", "fLaC"), ProbeKind::audio)), core::Errc::corrupt);
}

TEST_F(BrokenMedia, a_download_cut_short_gives_what_its_header_says_or_is_corrupt) {
    for (const auto& name : test::video_file_names()) {
        const auto bytes = test::read_bytes(test::media_file(name));
        for (const std::size_t part : {2u, 10u}) {
            const auto result = probe(write("cut " + name, bytes.substr(0, bytes.size() / part)));
            if (!result) {
                EXPECT_TRUE(code_of(result) == core::Errc::corrupt || code_of(result) == core::Errc::unsupported)
                    << name << said(result);
            }
            // The index of this one is at its end.
            if (name == "film.mp4") {
                EXPECT_EQ(code_of(result), core::Errc::corrupt);
            }
            if (name == "film.mkv" || name == "fast.mp4") {
                EXPECT_TRUE(result) << said(result);
            }
        }
    }
}

TEST_F(BrokenMedia, flipped_bytes_cost_no_worker) {
    std::mt19937 engine(11);
    std::vector<std::string> names = test::video_file_names();
    for (const auto& name : test::audio_file_names()) names.push_back(name);
    std::vector<std::string> video, audio;
    for (const auto& name : names) {
        const auto good = test::read_bytes(test::media_file(name));
        for (int copy = 0; copy < 6; ++copy) {
            auto bytes = good;
            const std::size_t reach = copy % 2 == 0 ? std::min<std::size_t>(bytes.size(), 2000) : bytes.size();
            for (int flips = 0; flips < 40; ++flips) bytes[engine() % reach] = static_cast<char>(engine());
            (copy % 3 == 0 ? video : audio).push_back(write(std::to_string(copy) + name, bytes));
        }
    }
    probe_all(pool_, video, ProbeKind::video);
    probe_all(pool_, audio, ProbeKind::audio);
    EXPECT_EQ(pool_.counts().killed, 0u);
    EXPECT_EQ(pool_.counts().probed, video.size() + audio.size());
}

TEST_F(BrokenMedia, a_gigabyte_of_nothing_is_no_media) {
    const auto path = write("zeros.mkv", "");
    ASSERT_EQ(truncate(path.c_str(), 1 << 30), 0);
    EXPECT_EQ(code_of(probe(path)), core::Errc::unsupported);
    EXPECT_EQ(code_of(probe(path, ProbeKind::audio)), core::Errc::unsupported);
}

TEST_F(BrokenMedia, playlists_lead_nowhere) {
    const auto film = test::media_file("film.mkv").string();
    EXPECT_EQ(code_of(probe(
                  write("self.mkv", "#EXTM3U\n#EXTINF:1,\nself.mkv\n#EXTINF:1,\nfile:" + film + "\n#EXT-X-ENDLIST\n"))),
              core::Errc::unsupported);
    EXPECT_EQ(code_of(probe(write("list.mkv", "ffconcat version 1.0\nfile '" + film + "'\n"))),
              core::Errc::unsupported);
    EXPECT_EQ(code_of(probe(
                  write("call.mkv", "v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n"))),
              core::Errc::unsupported);
}

TEST_F(BrokenMedia, what_is_no_regular_file_is_not_even_handed_over) {
    const auto fifo = (folder_.path() / "pipe.mkv").string();
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    std::filesystem::create_directory(folder_.path() / "folder.mkv");
    std::filesystem::create_symlink("nowhere", folder_.path() / "dangling.mkv");
    std::filesystem::create_symlink("loop.mkv", folder_.path() / "loop.mkv");
    EXPECT_EQ(code_of(probe(fifo)), core::Errc::unsupported);
    EXPECT_EQ(code_of(probe((folder_.path() / "folder.mkv").string())), core::Errc::unsupported);
    EXPECT_EQ(code_of(probe("/dev/zero")), core::Errc::unsupported);
    EXPECT_EQ(code_of(probe((folder_.path() / "dangling.mkv").string())), core::Errc::not_found);
    EXPECT_EQ(code_of(probe((folder_.path() / "loop.mkv").string())), core::Errc::unavailable);
    EXPECT_EQ(code_of(probe((folder_.path() / "none" / "at all.mkv").string())), core::Errc::not_found);
}

TEST_F(BrokenMedia, links_lead_to_their_targets) {
    std::filesystem::create_symlink(test::media_file("film.mkv"), folder_.path() / "link.mkv");
    const auto result = probe((folder_.path() / "link.mkv").string());
    ASSERT_TRUE(result) << said(result);
    EXPECT_EQ(result->size_bytes, static_cast<std::int64_t>(std::filesystem::file_size(test::media_file("film.mkv"))));
}

TEST_F(BrokenMedia, size_and_date_are_those_after_the_probe) {
    const auto bytes = test::read_bytes(test::media_file("show.ts"));
    const auto path = write("growing.ts", bytes.substr(0, bytes.size() / 2));
    const auto first = probe(path);
    std::ofstream(path, std::ios::binary | std::ios::app) << bytes.substr(bytes.size() / 2);
    const auto second = probe(path);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->size_bytes, static_cast<std::int64_t>(bytes.size() / 2));
    EXPECT_EQ(second->size_bytes, static_cast<std::int64_t>(bytes.size()));
    EXPECT_NE(first->content_sample, second->content_sample);
    struct stat state {};
    ASSERT_EQ(stat(path.c_str(), &state), 0);
    EXPECT_EQ(second->mtime_ns, std::int64_t{state.st_mtim.tv_sec} * 1'000'000'000 + state.st_mtim.tv_nsec);
}

}  // namespace
}  // namespace understudy::media
