// store/sql/sqlite_database.cpp: open_sqlite: one writer beside readers; and the backup of a live file.
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "store/sql/session.h"
#include "store/sql/session_pool.h"
#include "store/sql/sqlite_session.h"

namespace understudy::store::sql {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds wait_for_session{10}, ping_limit{2};

class SqliteDatabase final : public Database {
public:
    SqliteDatabase(const std::string& file, std::size_t readers)
        : readers_(readers, "readers of SQLite", [file](steady_clock::time_point) { return open(file, false); }),
          writer_(1, "writer of SQLite (there is one)", [file](steady_clock::time_point) { return open(file, true); }) {
        // The writer makes the file and switches it to WAL; a file that cannot be used is said now.
        const auto opened = with(Access::write, [](Session& session) -> core::Result<void> {
            return session.query("SELECT count(*) FROM sqlite_master", {}, [](const Row&) {});
        });
        if (!opened) throw std::runtime_error(opened.error().context);
    }

    [[nodiscard]] Dialect dialect() const noexcept override { return Dialect::sqlite; }

    [[nodiscard]] core::Result<void> with(Access access,
                                          const std::function<core::Result<void>(Session&)>& work) override {
        auto& pool = access == Access::write ? writer_ : readers_;
        return with_session(pool, holders_, steady_clock::now() + wait_for_session, work);
    }

    [[nodiscard]] core::Result<void> ping() override {
        return with_session(readers_, holders_, steady_clock::now() + ping_limit, [](Session& session) {
            return session.query("SELECT count(*) FROM sqlite_master", {}, [](const Row&) {});
        });
    }

private:
    static core::Result<std::unique_ptr<SqliteSession>> open(const std::string& file, bool writer) {
        auto connection = open_sqlite_connection(file, writer);
        if (!connection) return tl::unexpected(connection.error());
        return std::make_unique<SqliteSession>(std::move(*connection), writer);
    }

    Holders holders_;
    SessionPool<SqliteSession> readers_, writer_;
};

// A file in the making; gone unless kept.
class TempFile {
public:
    explicit TempFile(std::string path) : path_(std::move(path)) {}
    TempFile(const TempFile&) = delete;
    TempFile& operator=(const TempFile&) = delete;
    ~TempFile() {
        for (const char* end : {"", "-journal", "-wal", "-shm"}) ::unlink((path_ + end).c_str());
    }
    [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
    std::string path_;
};

core::Result<void> copy_database(sqlite3* from, const std::string& to_path) {
    sqlite3* raw = nullptr;
    const int code = sqlite3_open_v2(to_path.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    const SqlitePtr to{raw};
    const auto failed = [&](int why) {
        return core::fail(core::Errc::unavailable, "backup to " + to_path + ": " + sqlite3_errstr(why));
    };
    if (code != SQLITE_OK) return failed(code);
    sqlite3_backup* const backup = sqlite3_backup_init(raw, "main", from, "main");
    if (backup == nullptr) return failed(sqlite3_errcode(raw));
    // All pages in one step: with WAL nobody has to wait for this reader, and a copy in steps starts anew with each
    // write.
    const int stepped = sqlite3_backup_step(backup, -1);
    const int finished = sqlite3_backup_finish(backup);
    if (stepped != SQLITE_DONE) return failed(stepped);
    if (finished != SQLITE_OK) return failed(finished);
    return {};
}

core::Result<void> sync_path(const std::string& path, int flags) {
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC);
    const bool fine = fd >= 0 && ::fsync(fd) == 0;
    const int why = errno;
    if (fd >= 0) ::close(fd);
    if (!fine) return core::fail(core::Errc::unavailable, "backup: sync of " + path + ": " + std::strerror(why));
    return {};
}

}  // namespace

std::unique_ptr<Database> open_sqlite(const std::string& file, std::size_t readers) {
    const auto folder = std::filesystem::path(file).parent_path();
    std::error_code problem;
    if (!folder.empty()) std::filesystem::create_directories(folder, problem);
    if (problem) throw std::runtime_error("SQLite folder " + folder.string() + " cannot be made: " + problem.message());
    return std::make_unique<SqliteDatabase>(file, readers);
}

core::Result<void> backup_sqlite(const std::string& database_file, const std::string& file) {
    std::error_code problem;
    if (std::filesystem::exists(file, problem)) {
        return core::fail(core::Errc::conflict, "backup: " + file + " exists already; name another file");
    }
    if (!std::filesystem::exists(database_file, problem)) {
        return core::fail(core::Errc::not_found, "backup: there is no database " + database_file);
    }
    // Said before the copy begins, and apart from what the copy itself could fail at: this is not the database's fault.
    const auto into = std::filesystem::path(file).parent_path();
    const std::string folder_name = into.empty() ? "." : into.string();
    if (!std::filesystem::is_directory(folder_name, problem)) {
        return core::fail(core::Errc::invalid, "backup: " + file + " cannot be written: there is no folder " +
                                                   folder_name + "; make it first");
    }
    if (::access(folder_name.c_str(), W_OK | X_OK) != 0) {
        return core::fail(core::Errc::invalid, "backup: " + file + " cannot be written: " + folder_name + ": " +
                                                   std::strerror(errno) + "; name a folder that may be written");
    }
    auto from = open_sqlite_connection(database_file, false);
    if (!from) return tl::unexpected(from.error());
    const TempFile temp(file + ".tmp." + std::to_string(::getpid()));
    if (auto copied = copy_database(from->get(), temp.path()); !copied) return copied;
    if (auto synced = sync_path(temp.path(), O_RDONLY); !synced) return synced;
    // link() and not rename(): it refuses a file that somebody made meanwhile.
    if (::link(temp.path().c_str(), file.c_str()) != 0) {
        const int why = errno;
        return core::fail(why == EEXIST ? core::Errc::conflict : core::Errc::unavailable,
                          "backup: " + file + ": " + std::strerror(why));
    }
    return sync_path(folder_name, O_RDONLY | O_DIRECTORY);
}

}  // namespace understudy::store::sql
