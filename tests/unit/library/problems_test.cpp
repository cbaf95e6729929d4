// Rule 3: what cannot be used is counted, named once, and forgotten when it is mended.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "unit/library/scan_fixture.h"

namespace understudy::library {
namespace {

using model::LibraryKind;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Problems : public ScanTest {
protected:
    void SetUp() override {
        tree.file("lib/A (2001)/A (2001).mkv");
        tree.file("lib/B (2002)/B (2002).mkv");
    }
    void start() { library_ = add_library(LibraryKind::movies, {tree.path("lib")}); }
    [[nodiscard]] std::map<std::string, store::StoredProblem> problems() { return tables->problems[library_]; }

    core::LibraryId library_;
};

TEST_P(Problems, are_named_once_counted_always_and_forgotten_when_mended) {
    tree.link("lib/A (2001)/gone.mkv", "/nope");
    tree.link("lib/A (2001)/loop", "..");
    files->fail_open(tree.path("lib/C (2003)"), EACCES);
    tree.file("lib/C (2003)/C (2003).mkv");
    start();
    scan();
    EXPECT_THAT(run->warnings, SizeIs(3));
    EXPECT_EQ(count("unusable"), 3);
    ASSERT_EQ(problems().size(), 3U);
    const auto since = problems().at(tree.path("lib/A (2001)/gone.mkv")).since;
    EXPECT_EQ(problems().at(tree.path("lib/A (2001)/gone.mkv")).reason, "links to nothing");

    clock.advance(std::chrono::hours{1});
    scan();
    EXPECT_THAT(run->warnings, IsEmpty()) << "named once";
    EXPECT_EQ(count("unusable"), 3);
    EXPECT_EQ(problems().at(tree.path("lib/A (2001)/gone.mkv")).since, since);

    tree.remove("lib/A (2001)/gone.mkv");
    tree.link("lib/A (2001)/gone.mkv", "gone.mkv");  // another reason is news
    files->fail_open(tree.path("lib/C (2003)"), 0);
    scan();
    EXPECT_THAT(run->warnings, ElementsAre(HasSubstr("gone.mkv: links to itself")));
    EXPECT_EQ(count("unusable"), 2);
    EXPECT_GT(problems().at(tree.path("lib/A (2001)/gone.mkv")).since, since);

    tree.remove("lib/A (2001)/gone.mkv");
    tree.remove("lib/A (2001)/loop");
    scan();
    EXPECT_THAT(problems(), IsEmpty());
    EXPECT_EQ(count("unusable"), 0);
}

TEST_P(Problems, stay_while_the_folder_above_them_cannot_be_looked_at) {
    tree.link("lib/A (2001)/gone.mkv", "/nope");
    start();
    scan();
    files->fail_open(tree.path("lib/A (2001)"), EIO);
    scan();
    EXPECT_THAT(problems(), SizeIs(2));
    tree.rename("lib", "away");
    scan();
    EXPECT_THAT(problems(), SizeIs(2));
    tree.rename("away", "lib");
    files->fail_open(tree.path("lib/A (2001)"), 0);
    scan();
    EXPECT_THAT(problems(), SizeIs(1));
    EXPECT_THAT(run->warnings, IsEmpty());
}

TEST_P(Problems, out_of_a_scans_scope_stay) {
    tree.link("lib/A (2001)/gone.mkv", "/nope");
    tree.link("lib/B (2002)/gone.mkv", "/nope");
    start();
    scan();
    tree.remove("lib/A (2001)/gone.mkv");
    tree.remove("lib/B (2002)/gone.mkv");
    scan(R"({"paths":[")" + tree.path("lib/A (2001)") + R"("]})");
    EXPECT_THAT(problems(), SizeIs(1));
    scan();
    EXPECT_THAT(problems(), IsEmpty());
}

TEST_P(Problems, a_run_that_keeps_files_says_so_even_where_the_reason_is_old) {
    start();
    scan();
    files->fail_open(tree.path("lib/A (2001)"), EACCES);
    scan();
    EXPECT_THAT(run->warnings, ElementsAre(HasSubstr("A (2001): Permission denied")));
    scan();
    EXPECT_EQ(count("kept_offline"), 1);
    EXPECT_THAT(run->warnings, ElementsAre(HasSubstr("1 known files are kept")));
}

TEST_P(Problems, pipes_sockets_and_devices_with_media_names_are_named_and_never_opened) {
    ASSERT_EQ(::mkfifo(tree.path("lib/pipe.mkv").c_str(), 0644), 0);
    ASSERT_EQ(::mkfifo(tree.path("lib/notes.txt").c_str(), 0644), 0);
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_GE(descriptor, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const auto name = tree.path("lib/s.mkv");
    ASSERT_LT(name.size(), sizeof(address.sun_path));
    std::memcpy(static_cast<void*>(address.sun_path), name.c_str(), name.size() + 1);
    ASSERT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    ::close(descriptor);
    tree.link("lib/zero.mkv", "/dev/zero");
    tree.link("lib/to-pipe.mkv", "pipe.mkv");
    start();
    scan();
    EXPECT_EQ(prober.opens(), 2U) << "the films alone";
    EXPECT_EQ(count("unusable"), 4);
    for (const auto* entry : {"pipe", "s", "zero", "to-pipe"}) {
        EXPECT_THAT(run->warnings,
                    Contains(tree.path("lib/") + entry + ".mkv: is a pipe, a socket or a device, no file"));
    }
    EXPECT_THAT(problems(), SizeIs(4));
    tree.remove("lib/pipe.mkv");
    tree.file("lib/pipe.mkv");
    scan();
    EXPECT_THAT(problems(), SizeIs(2)) << "the link leads to a film now";
}

TEST_P(Problems, a_path_that_is_too_long_is_named_and_harms_nothing) {
    std::string deep = "lib";
    while (tree.path(deep).size() < model::most_path_bytes - 200) deep += "/" + std::string(150, 'd');
    const auto left = model::most_path_bytes - tree.path(deep).size() - 1;
    tree.file(deep + "/" + std::string(left - 4, 'f') + ".mkv");
    tree.file(deep + "/" + std::string(left - 3, 'g') + ".mkv");
    tree.file(deep + "/" + std::string(left + 1, 'h') + "/H (2003).mkv");
    start();
    scan();
    EXPECT_EQ(count("added"), 3) << "the two films, and the one whose path just fits";
    EXPECT_EQ(count("unusable"), 2);
    EXPECT_THAT(problems(), SizeIs(2));
    EXPECT_THAT(run->warnings, Contains(HasSubstr("its path has more than 2000 bytes: shorten it")));
    scan();
    EXPECT_EQ(count("added"), 0);
    EXPECT_THAT(problems(), SizeIs(2));
}

TEST_P(Problems, a_name_that_is_not_utf8_is_used_and_told) {
    tree.file("lib/Caf\xe9 (2005)/Caf\xe9 (2005).mkv");
    start();
    scan();
    EXPECT_THAT(run->warnings, SizeIs(2));
    EXPECT_THAT(run->warnings, Contains(HasSubstr("the name is not UTF-8")));
    EXPECT_EQ(items(model::ItemKind::movie).size(), 3U);
    scan();
    EXPECT_THAT(run->warnings, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(stores, Problems, all_stores(), store_name);

}  // namespace
}  // namespace understudy::library
