#include "app/stores.h"

#include <filesystem>
#include <stdexcept>

#include "store/blobs/folder_blobs.h"

namespace understudy::app {
namespace {

std::unique_ptr<store::sql::DataFolderLock> lock_folder(const Settings& settings) {
    if (!on_sqlite(settings)) return nullptr;
    const auto folder = std::filesystem::path(settings.database.connection).parent_path();
    return std::make_unique<store::sql::DataFolderLock>(folder.empty() ? "." : folder.string(), settings.pod);
}

std::unique_ptr<store::sql::Database> open_database(const Settings& settings) {
    if (on_sqlite(settings)) return store::sql::open_sqlite(settings.database.connection);
    return store::sql::open_postgresql(settings.database.connection, settings.database.max_connections);
}

}  // namespace

std::string where_database(const Settings& settings) {
    return on_sqlite(settings) ? "SQLite " + settings.database.connection
                               : store::sql::postgresql_address(settings.database.connection);
}

Stores::Stores(const Settings& settings, core::Random& random, core::Log& log)
    : folder_lock(lock_folder(settings)),
      database(open_database(settings)),
      outage(where_database(settings), log),
      libraries(database),
      scans(database),
      catalog(database),
      analyses(database),
      covers(database),
      names(database),
      people(database, random),
      shows(database),
      discovery(database),
      collections(database, random),
      user_data(database),
      users(database),
      sessions(database),
      open_sockets(database),
      attempts(database),
      server_settings(database),
      configurations(database),
      display_preferences(database),
      maintenance(database),
      blob_references(database) {}

void Stores::open_blobs(const Settings& settings, core::Clock& clock, core::Random& random) {
    if (settings.blob_folder.empty()) {
        blobs.open(std::make_unique<store::sql::SqlBlobs>(database));
        return;
    }
    store::sql::SqlBlobFolderRegistry registry(database);
    auto folder = store::FolderBlobs::open(settings.blob_folder.string(), registry, clock, random);
    if (!folder) throw std::runtime_error("Jellyfin:Blobs:Folder: " + folder.error().context);
    blobs.open(std::move(*folder));
}

}  // namespace understudy::app
