#include "store/sql/data_folder_lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "support/temp_folder.h"

namespace understudy::testing {

using store::sql::DataFolderLock;

TEST(DataFolderLock, refuses_a_second_one_and_names_the_first_and_the_way_out) {
    const TempFolder folder;
    const auto data = folder / "new/data";  // made where it is missing
    const DataFolderLock first(data, "pod-a");
    try {
        const DataFolderLock second(data, "pod-b");
        FAIL() << "a second process got the lock";
    } catch (const std::exception& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("pid " + std::to_string(::getpid())), std::string::npos) << text;
        EXPECT_NE(text.find("pod-a"), std::string::npos) << text;
        EXPECT_NE(text.find("PostgreSQL"), std::string::npos) << text;
        EXPECT_NE(text.find(data), std::string::npos) << text;
    }
}

TEST(DataFolderLock, is_free_again_with_its_end) {
    const TempFolder folder;
    { const DataFolderLock first(folder.path(), "a"); }
    EXPECT_NO_THROW(DataFolderLock(folder.path(), "b"));
}

TEST(DataFolderLock, is_let_go_by_the_kernel_when_its_process_is_killed) {
    const TempFolder folder;
    int ready[2] = {-1, -1};
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const DataFolderLock lock(folder.path(), "victim");
        (void)!::write(ready[1], "x", 1);
        ::pause();
        ::_exit(0);
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    EXPECT_THROW(DataFolderLock(folder.path(), "next"), std::runtime_error);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_NO_THROW(DataFolderLock(folder.path(), "next"));
    ::close(ready[0]);
    ::close(ready[1]);
}

}  // namespace understudy::testing
