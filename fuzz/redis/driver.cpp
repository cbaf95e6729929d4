// fuzz/redis/driver.cpp: a small stand-in for libFuzzer where the compiler has none: runs every file of a corpus, then
// for -max_total_time=SECONDS mutations of them (without coverage to guide it). The same arguments as libFuzzer's:
//   TARGET [-max_total_time=N] [-seed=N] [-max_len=N] CORPUS…
#include "driver.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

struct Options {
    unsigned long seconds = 0;
    unsigned long seed = 0;
    unsigned long longest = 4096;
    std::vector<fs::path> corpus;
};

bool read_number(std::string_view argument, std::string_view name, unsigned long& into) {
    if (!argument.starts_with(name)) return false;
    argument.remove_prefix(name.size());
    return std::from_chars(argument.data(), argument.data() + argument.size(), into).ec == std::errc{};
}

Bytes read_file(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

class Mutator {
public:
    Mutator(unsigned long seed, std::size_t longest) : engine_(seed), longest_(longest) {}

    Bytes change(const std::vector<Bytes>& corpus) {
        Bytes bytes = pick(corpus);
        for (std::size_t times = 1 + below(6); times > 0; --times) change_once(bytes, corpus);
        bytes.resize(std::min(bytes.size(), longest_));
        return bytes;
    }

private:
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : static_cast<std::size_t>(engine_() % limit); }
    const Bytes& pick(const std::vector<Bytes>& corpus) { return corpus[below(corpus.size())]; }

    void change_once(Bytes& bytes, const std::vector<Bytes>& corpus) {
        const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(below(bytes.size() + 1));
        const auto rest = static_cast<std::size_t>(bytes.end() - at);
        switch (below(7)) {
            case 0:
                bytes.insert(at, static_cast<std::uint8_t>(engine_()));
                break;
            case 1:
                bytes.erase(at, at + static_cast<std::ptrdiff_t>(below(rest + 1)));
                break;
            case 2:
                if (rest > 0) *at = static_cast<std::uint8_t>(*at ^ (1U << below(8)));
                break;
            case 3: {  // a piece twice
                const Bytes piece(at, at + static_cast<std::ptrdiff_t>(below(std::min<std::size_t>(rest, 64) + 1)));
                bytes.insert(at, piece.begin(), piece.end());
                break;
            }
            case 4: {  // the head of one, the tail of another
                const Bytes& other = pick(corpus);
                bytes.erase(at, bytes.end());
                bytes.insert(bytes.end(), other.begin() + static_cast<std::ptrdiff_t>(below(other.size() + 1)),
                             other.end());
                break;
            }
            case 5: {  // numbers at their edges
                static constexpr std::string_view edges[] = {"0",
                                                             "-1",
                                                             "-2",
                                                             "65536",
                                                             "2147483647",
                                                             "2147483648",
                                                             "4294967296",
                                                             "9223372036854775807",
                                                             "9223372036854775808",
                                                             "1000000000"};
                const auto edge = edges[below(std::size(edges))];
                bytes.insert(at, edge.begin(), edge.end());
                break;
            }
            default: {  // what parsers look for
                static constexpr std::string_view marks = "\r\n$*:+-,=[]@/?%&'\" \0\xff";
                bytes.insert(at, static_cast<std::uint8_t>(marks[below(marks.size())]));
                break;
            }
        }
    }

    std::mt19937_64 engine_;
    std::size_t longest_;
};

void run(const Bytes& bytes) {
    // A copy of exactly this size, so that AddressSanitizer sees a read beyond its end; written out where it aborts.
    const Bytes exact(bytes.begin(), bytes.end());
    (void)LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

Bytes current;  // NOLINT: for the signal handler alone

extern "C" void save_and_abort(int signal) {
    if (std::FILE* out = std::fopen("crash.bin", "wb"); out != nullptr) {
        (void)std::fwrite(current.data(), 1, current.size(), out);
        (void)std::fclose(out);
        (void)std::fputs("the input that failed: crash.bin\n", stderr);
    }
    (void)std::signal(signal, SIG_DFL);
    (void)std::raise(signal);
}

}  // namespace

int main(int count, char** words) {
    Options options;
    options.seed = std::random_device{}();
    for (const std::string_view word : std::vector<std::string_view>(words + 1, words + count)) {
        if (read_number(word, "-max_total_time=", options.seconds) || read_number(word, "-seed=", options.seed) ||
            read_number(word, "-max_len=", options.longest)) {
            continue;
        }
        if (!word.starts_with('-')) options.corpus.emplace_back(word);
    }
    std::vector<Bytes> corpus;
    for (const auto& path : options.corpus) {
        if (fs::is_regular_file(path)) corpus.push_back(read_file(path));
        if (!fs::is_directory(path)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(path)) {
            if (entry.is_regular_file()) corpus.push_back(read_file(entry.path()));
        }
    }
    if (corpus.empty()) {
        (void)std::fputs("no corpus: name files or folders\n", stderr);
        return 2;
    }
    (void)std::signal(SIGABRT, save_and_abort);
    (void)std::signal(SIGSEGV, save_and_abort);
    for (const auto& bytes : corpus) run(current = bytes);
    std::printf("%zu inputs, seed %lu, %lu s\n", corpus.size(), options.seed, options.seconds);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{options.seconds};
    Mutator mutator(options.seed, options.longest);
    unsigned long long runs = 0;
    while (std::chrono::steady_clock::now() < end) {
        for (int i = 0; i < 100; ++i, ++runs) run(current = mutator.change(corpus));
    }
    std::printf("%llu mutations, no failure\n", runs);
    return 0;
}
