#include "http/auth/admin_key.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace understudy::http {
namespace {

namespace fs = std::filesystem;

class AdminKeyFile : public ::testing::Test {
protected:
    AdminKeyFile() : folder(fs::path(::testing::TempDir()) / ("admin_key_" + std::to_string(::getpid()))) {
        fs::remove_all(folder);
        fs::create_directories(folder);
        settings.data_dir = folder;
    }
    ~AdminKeyFile() override { fs::remove_all(folder); }
    AdminKeyFile(const AdminKeyFile&) = delete;
    AdminKeyFile& operator=(const AdminKeyFile&) = delete;

    void write(const char* name, const std::string& text) const {
        std::ofstream(folder / name) << text;
        ::chmod((folder / name).c_str(), 0600);
    }
    core::Result<AdminKey> load() { return load_admin_key(settings, random); }

    fs::path folder;
    AdminKeySettings settings;
    core::SystemRandom random;
};

TEST_F(AdminKeyFile, is_made_once_readable_for_its_owner_alone) {
    const auto first = load();
    ASSERT_TRUE(first);
    EXPECT_TRUE(first->made);
    EXPECT_EQ(first->key.size(), 32U);
    EXPECT_EQ(first->file, folder / "admin.key");
    struct stat facts {};
    ASSERT_EQ(::stat(first->file.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777U, 0600U);
    const auto second = load();
    ASSERT_TRUE(second);
    EXPECT_FALSE(second->made);
    EXPECT_EQ(second->key, first->key);
    EXPECT_EQ(second->warning, "");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);  // nothing temporary is left
}

TEST_F(AdminKeyFile, is_made_anew_where_a_crash_left_it_empty) {
    write("admin.key", "\n");
    const auto key = load();
    ASSERT_TRUE(key);
    EXPECT_TRUE(key->made);
}

TEST_F(AdminKeyFile, warns_where_others_may_read_it) {
    write("admin.key", "0123456789abcdef\n");
    ::chmod((folder / "admin.key").c_str(), 0644);
    const auto key = load();
    ASSERT_TRUE(key);
    EXPECT_EQ(key->key, "0123456789abcdef");
    EXPECT_NE(key->warning.find("chmod o-rwx"), std::string::npos);
    ::chmod((folder / "admin.key").c_str(), 0640);  // as the group of a pod's volume makes it
    EXPECT_EQ(load()->warning, "");
    EXPECT_EQ(fs::status(folder / "admin.key").permissions(), fs::perms{0640}) << "what is there stays as it is";
}

TEST_F(AdminKeyFile, is_not_looked_at_where_a_key_is_configured) {
    settings.key = "configured-key-of-the-cluster";
    const auto key = load();
    ASSERT_TRUE(key);
    EXPECT_EQ(key->key, "configured-key-of-the-cluster");
    EXPECT_FALSE(key->made);
    EXPECT_FALSE(fs::exists(folder / "admin.key"));
}

TEST_F(AdminKeyFile, that_is_too_short_or_malformed_is_refused_with_the_way_out) {
    for (const char* bad :
         {"short\n", "0123456789abcde", "two words are too many", "0123456789abcdef\n0123456789abcdef",
          "0123456789abcdef\"", "clef-de-l-\xC3\xA9t\xC3\xA9-0123456789"}) {
        write("admin.key", bad);
        const auto key = load();
        ASSERT_FALSE(key) << bad;
        EXPECT_EQ(key.error().code, core::Errc::invalid);
        EXPECT_TRUE(key.error().context.starts_with((folder / "admin.key").string() + ": the key "))
            << key.error().context;
        EXPECT_NE(key.error().context.find("or remove the file"), std::string::npos) << key.error().context;
        EXPECT_EQ(key.error().context.find("0123456789"), std::string::npos) << "a key is never repeated";
    }
    write("admin.key", std::string(257, 'k'));
    EXPECT_FALSE(load());
    write("admin.key", std::string(256, 'k'));
    EXPECT_TRUE(load());
}

TEST_F(AdminKeyFile, may_be_a_mounted_secret) {
    write("secret", "  from-a-mounted-secret \n");
    settings.key_file = folder / "secret";
    EXPECT_EQ(load()->key, "from-a-mounted-secret");
    settings.key_file = folder / "nothing";
    EXPECT_EQ(load().error().code, core::Errc::invalid);
    EXPECT_NE(load().error().context.find("BootstrapKeyFile"), std::string::npos);
}

TEST_F(AdminKeyFile, refuses_keys_that_do_not_travel_and_never_repeats_them) {
    for (const char* bad :
         {"", "   ", "short", "two words-are-too-many", "line\nbreak-in-the-middle", "caf\xC3\xA9-caf\xC3\xA9"}) {
        settings.key = bad;
        const auto key = load();
        ASSERT_FALSE(key) << bad;
        EXPECT_TRUE(key.error().context.starts_with("Jellyfin:Api:BootstrapKey: the key ")) << key.error().context;
        if (std::string_view(bad).size() > 3) {
            EXPECT_EQ(key.error().context.find(bad), std::string::npos);
        }
    }
}

TEST_F(AdminKeyFile, says_what_to_do_where_it_cannot_be_written) {
    settings.data_dir = folder / "missing";
    const auto key = load();
    ASSERT_FALSE(key);
    EXPECT_EQ(key.error().code, core::Errc::unavailable);
    EXPECT_NE(key.error().context.find("Jellyfin:Api:BootstrapKey"), std::string::npos);
}

TEST(AdminKeys, know_their_keys_and_nothing_near_them) {
    const AdminKeys keys({"0123456789abcdef", "another-key-of-the-cluster"});
    EXPECT_TRUE(keys.find("0123456789abcdef")->admin);
    EXPECT_TRUE(keys.find("another-key-of-the-cluster"));
    for (const char* wrong : {"", "0", "0123456789abcde", "0123456789abcdef0", "0123456789ABCDEF"})
        EXPECT_FALSE(keys.find(wrong));
    EXPECT_FALSE(AdminKeys({}).find(""));
}

}  // namespace
}  // namespace understudy::http
