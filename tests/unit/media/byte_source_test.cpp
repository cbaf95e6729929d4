#include "media/byte_source.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "media/sniff.h"
#include "media/text.h"
#include "media/unique_fd.h"
#include "support/media_files.h"

namespace understudy::media {
namespace {

std::string random_bytes(std::size_t length) {
    std::mt19937 engine(static_cast<unsigned>(length));
    std::string bytes(length, '\0');
    for (char& byte : bytes) byte = static_cast<char>(engine());
    return bytes;
}

std::string text_of(std::span<const std::uint8_t> bytes) {
    return {bytes.begin(), bytes.end()};
}

TEST(ByteSource, reads_the_same_bytes_as_the_file_at_every_seam) {
    const test::TempFolder folder;
    constexpr std::size_t page = ByteSource::page_bytes;
    ByteSource source;
    for (const std::size_t length :
         {std::size_t{0}, std::size_t{1}, page - 1, page, page + 1, 2 * page, 2 * page + 1, 5 * page + 7}) {
        SCOPED_TRACE(length);
        const std::string bytes = random_bytes(length);
        const UniqueFd file(open(folder.write("file", bytes).c_str(), O_RDONLY | O_CLOEXEC));
        for (const std::size_t offset : {std::size_t{0}, page - 3, page, 2 * page - 3, 3 * page, 4 * page + 6,
                                         length - std::min<std::size_t>(length, 2)}) {
            source.open(file.get(), static_cast<std::int64_t>(length));
            std::vector<std::uint8_t> into(3 * page);
            const std::size_t got = source.read(static_cast<std::int64_t>(offset), into);
            const std::string want = offset < length ? bytes.substr(offset, into.size()) : std::string{};
            EXPECT_EQ(text_of(std::span(into).first(got)) == want, true) << offset;
        }
        EXPECT_EQ(text_of(source.head()) == bytes.substr(0, page), true);
        EXPECT_EQ(text_of(source.tail()) == bytes.substr(length - std::min(length, page)), true);
        const auto ends = source.ends();
        const std::string both = length <= 2 * page ? bytes : bytes.substr(0, page) + bytes.substr(length - page);
        EXPECT_EQ(text_of(ends.first) + text_of(ends.last) == both, true);
        EXPECT_EQ(source.fault(), 0);
    }
}

TEST(ByteSource, stops_at_the_end_of_a_file_that_shrank) {
    const test::TempFolder folder;
    const UniqueFd file(open(folder.write("file", random_bytes(1000)).c_str(), O_RDONLY | O_CLOEXEC));
    ByteSource source;
    source.open(file.get(), 500'000);
    std::vector<std::uint8_t> into(2000);
    EXPECT_EQ(source.read(0, into), 1000u);
    EXPECT_EQ(source.read(499'000, into), 0u);
    EXPECT_EQ(source.fault(), 0);
}

TEST(ByteSource, remembers_why_a_read_failed) {
    const test::TempFolder folder;
    const UniqueFd directory(open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ByteSource source;
    source.open(directory.get(), 4096);
    std::vector<std::uint8_t> into(10);
    EXPECT_EQ(source.read(0, into), 0u);
    EXPECT_EQ(source.fault(), EISDIR);
}

TEST(Sniff, names_formats_by_their_first_bytes) {
    const test::TempFolder folder;
    struct Row {
        std::string bytes;
        std::string_view demuxer;
    };
    std::string transport(188 * 4, '\0');
    for (std::size_t i = 0; i < 4; ++i) transport[188 * i] = 0x47;
    const Row rows[] = {
        {"\x1A\x45\xDF\xA3", "matroska"},
        {std::string("\0\0\0\x18", 4) + "ftypisom", "mov"},
        {"RIFF____WAVE", "wav"},
        {"RIFF____AVI ", "avi"},
        {"RIFF____WEBP", ""},
        {"FORM____AIFC", "aiff"},
        {"fLaC", "flac"},
        {std::string("ID3\x04\0\0\0\0\0\x02", 10) + "xxfLaC", "flac"},
        {std::string("ID3\x04\0\0\0\0\0\x02", 10) + "xx", "mp3"},
        {"\xFF\xFB\x90\x64", "mp3"},
        {"\xFF\xF1\x50\x80", "aac"},
        {"\xFF\xFF\xFF\xFF", ""},
        {transport, "mpegts"},
        {transport.substr(0, 500), ""},
        {std::string("\0\0\x01\xBA", 4), "mpeg"},
        {"#EXTM3U\n", ""},
        {"", ""},
    };
    for (const auto& row : rows) {
        const UniqueFd file(open(folder.write("file", row.bytes).c_str(), O_RDONLY | O_CLOEXEC));
        ByteSource source;
        source.open(file.get(), static_cast<std::int64_t>(row.bytes.size()));
        EXPECT_EQ(sniff(source).demuxer, row.demuxer) << row.bytes;
    }
}

TEST(CleanText, keeps_good_text_and_repairs_the_rest) {
    EXPECT_EQ(clean_text("Blå himmel"), "Blå himmel");
    EXPECT_EQ(clean_text("  padded \r\n"), "padded");
    EXPECT_EQ(clean_text(std::string_view("cut\0here", 8)), "cut");
    EXPECT_EQ(clean_text("Bl\xE5 himmel"), "Bl\xEF\xBF\xBD himmel");                // Latin-1
    EXPECT_EQ(clean_text("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // a lone surrogate
    EXPECT_EQ(clean_text("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // an overlong slash
    EXPECT_EQ(clean_text("\xF0\x9F\x8E\xB5"), "\xF0\x9F\x8E\xB5");
    EXPECT_EQ(clean_text("end\xF0\x9F"), "end\xEF\xBF\xBD\xEF\xBF\xBD");
    EXPECT_LE(clean_text(std::string(100'000, 'x')).size(), max_text_bytes);
    EXPECT_LE(clean_text(std::string(100'000, '\xFF')).size(), max_text_bytes);
}

}  // namespace
}  // namespace understudy::media
