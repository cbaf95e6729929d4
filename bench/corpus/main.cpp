// bench_make_corpus BUILD_FOLDER [FILES]: makes the corpus if it is not there and prints its folder.
#include <cstdio>
#include <exception>
#include <string>

#include "corpus/corpus.h"

int main(int argc, char** argv) try {
    if (argc < 2) {
        std::fputs("usage: bench_make_corpus BUILD_FOLDER [FILES]\n", stderr);
        return 2;
    }
    const std::size_t files = argc > 2 ? std::stoul(argv[2]) : 20'000;
    const auto folder = understudy::bench::corpus_folder(argv[1], files);
    static_cast<void>(understudy::bench::make_corpus(folder, files));
    std::puts(folder.c_str());
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "bench_make_corpus: %s\n", error.what());
    return 1;
}
