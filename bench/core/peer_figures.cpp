// A first scan against the servers people use: MPD on the music, minidlna on all. Each runs on loopback or a socket of
// its own, with its data in a temporary folder, and is ended with the figure.
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/lone_server.h"
#include "core/processes.h"
#include "core/report.h"
#include "corpus/corpus.h"
#include "support/redis_server.h"

namespace understudy::bench {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t files = 20'000, tracks = 12'000;

/// A program in a process group of its own, so that its children end with it.
class Peer {
public:
    Peer(std::vector<std::string> words, const fs::path& log) {
        std::vector<char*> arguments;
        for (auto& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        pid_ = ::fork();
        if (pid_ < 0) throw std::runtime_error("fork failed");
        if (pid_ == 0) {
            ::setpgid(0, 0);
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (std::freopen(log.c_str(), "a", stdout) == nullptr || ::dup2(1, 2) < 0) ::_exit(126);
            ::execvp(arguments[0], arguments.data());
            ::_exit(127);
        }
        ::setpgid(pid_, pid_);
    }
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;
    ~Peer() { end(); }

    [[nodiscard]] bool runs() {
        if (pid_ > 0 && ::waitpid(pid_, nullptr, WNOHANG) == pid_) pid_ = -1;
        return pid_ > 0;
    }
    void end() {
        if (pid_ <= 0) return;
        ::kill(-pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
        pid_ = -1;
    }

private:
    pid_t pid_ = -1;
};

bool is_there(const std::string& program) {
    return std::system(("command -v " + program + " >/dev/null").c_str()) == 0;  // NOLINT(cert-env33-c)
}

std::string text_in(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// From before the program starts until `done`, looked at a hundred times a second.
template <class Done>
double seconds_until(Peer& peer, const fs::path& log, const Done& done) {
    const auto begun = steady_clock::now();
    while (!done()) {
        if (!peer.runs()) throw std::runtime_error("it ended:\n" + text_in(log));
        if (steady_clock::now() - begun > 15min) throw std::runtime_error("it takes more than 15 minutes");
        std::this_thread::sleep_for(10ms);
    }
    return std::chrono::duration<double>(steady_clock::now() - begun).count();
}

/// MPD without a database reads the whole tree when it starts; the file is put in its place when it is complete.
double first_scan_of_mpd(const Corpus& corpus, const fs::path& folder) {
    fs::create_directories(folder);
    std::ofstream(folder / "mpd.conf") << "music_directory \"" << corpus.music.string() << "\"\n"
                                       << "bind_to_address \"" << (folder / "socket").string() << "\"\n"
                                       << "zeroconf_enabled \"no\"\n"
                                       << "audio_output {\ntype \"null\"\nname \"null\"\n}\n"
                                       << "database {\nplugin \"simple\"\npath \"" << (folder / "db").string()
                                       << "\"\n}\n";
    Peer peer({"mpd", "--no-daemon", "--stderr", (folder / "mpd.conf").string()}, folder / "log");
    return seconds_until(peer, folder / "log", [&] { return fs::exists(folder / "db"); });
}

/// minidlna looks for playlists when it is through with its folders.
double first_scan_of_minidlna(const Corpus& corpus, const fs::path& folder) {
    fs::create_directories(folder);
    std::ofstream(folder / "minidlna.conf")
        << "media_dir=V," << corpus.films.string() << "\nmedia_dir=V," << corpus.series.string() << "\nmedia_dir=A,"
        << corpus.music.string() << "\ndb_dir=" << folder.string() << "\nlog_dir=" << folder.string()
        << "\nnetwork_interface=lo\nport=" << 20'000 + ::getpid() % 20'000 << "\ninotify=no\n";
    Peer peer({"minidlnad", "-S", "-f", (folder / "minidlna.conf").string(), "-P", (folder / "pid").string()},
              folder / "out");
    return seconds_until(peer, folder / "out", [&] {
        return text_in(folder / "minidlna.log").find("Finished parsing playlists") != std::string::npos;
    });
}

ScanResult own_scan(const Corpus& corpus, const fs::path& folder, bool all) {
    LoneServer server(folder);
    server.start();
    if (all) {
        server.add_library("Films", "movies", corpus.films);
        server.add_library("Series", "tvshows", corpus.series);
    }
    server.add_library("Music", "music", corpus.music);
    auto result = server.scan();
    if (const auto wanted = all ? files : tracks; result.counts["added"] != static_cast<std::int64_t>(wanted))
        throw std::runtime_error(fmt::format("{} files added, not {}", result.counts["added"], wanted));
    server.stop();
    return result;
}

struct Comparison {
    const char *program, *what;
    double (*peer)(const Corpus&, const fs::path&);
    bool all;
    int pairs;
    double budget;
};

void compare(Bench& bench, const Corpus& corpus, const fs::path& folder, const Comparison& with) {
    if (!is_there(with.program)) {
        bench.add({.what = with.what,
                   .measured = fmt::format("the peer {} is missing: script/bench installs it", with.program),
                   .budget = fmt::format("<= {} x", with.budget),
                   .ok = false});
        return;
    }
    std::vector<double> theirs, ours;
    for (int pair = 0; pair < (bench.quick ? 1 : with.pairs); ++pair) {
        const auto place = folder / fmt::format("{}-{}", with.program, pair);
        theirs.push_back(with.peer(corpus, place));
        ours.push_back(own_scan(corpus, place / "own", with.all).seconds);
        bench.say(
            fmt::format("{}, pair {}: {:.2f} s, ours {:.2f} s", with.program, pair + 1, theirs.back(), ours.back()));
    }
    const double ratio = median(ours) / median(theirs);
    bench.add({.what = with.what,
               .measured = fmt::format("{:.2f} s", median(ours)),
               .limit = fmt::format("{}: {:.2f} s", with.program, median(theirs)),
               .ratio = fmt::format("{:.3f} (medians of {})", ratio, ours.size()),
               .budget = fmt::format("<= {} x", with.budget),
               .ok = ratio <= with.budget});
}

void try_to_compare(Bench& bench, const Corpus& corpus, const fs::path& folder, const Comparison& with) {
    try {
        compare(bench, corpus, folder, with);
    } catch (const std::exception& error) {
        bench.add({.what = with.what,
                   .measured = fmt::format("failed: {}: {}", with.program, error.what()),
                   .budget = fmt::format("<= {} x", with.budget),
                   .ok = false});
    }
}

}  // namespace

void measure_peers(Bench& bench) {
    const auto corpus = make_corpus(corpus_folder(bench.build, files), files);
    const testing::TempFolder folder("peers");
    (void)own_scan(corpus, folder.path() / "warm", true);  // into the page cache
    try_to_compare(bench, corpus, folder.path(),
                   {"mpd", "first scan of 12000 tagged tracks, SQLite", first_scan_of_mpd, false, 5, 0.35});
    try_to_compare(bench, corpus, folder.path(),
                   {"minidlnad", "first scan of 20000 small files, SQLite", first_scan_of_minidlna, true, 3, 0.125});
}

}  // namespace understudy::bench
