// app/stores.h: the database and all that is kept in it, one adapter a port. Opened first, destroyed last. Used by
// Parts.
#pragma once

#include <memory>
#include <string>

#include "app/config/settings.h"
#include "app/database_watch.h"
#include "app/late_blobs.h"
#include "core/log.h"
#include "core/random.h"
#include "core/time.h"
#include "store/sql/data_folder_lock.h"
#include "store/sql/sql_analyses.h"
#include "store/sql/sql_blobs.h"
#include "store/sql/sql_catalog.h"
#include "store/sql/sql_collections.h"
#include "store/sql/sql_configurations.h"
#include "store/sql/sql_covers.h"
#include "store/sql/sql_discovery.h"
#include "store/sql/sql_library_store.h"
#include "store/sql/sql_maintenance.h"
#include "store/sql/sql_names.h"
#include "store/sql/sql_open_sockets.h"
#include "store/sql/sql_people.h"
#include "store/sql/sql_scan_store.h"
#include "store/sql/sql_sessions.h"
#include "store/sql/sql_shows.h"
#include "store/sql/sql_user_data.h"
#include "store/sql/sql_users.h"

namespace understudy::app {

[[nodiscard]] inline bool on_sqlite(const Settings& settings) noexcept {
    return !settings.database.postgresql;
}
/// For people; without the password.
[[nodiscard]] std::string where_database(const Settings& settings);

struct Stores {
    /// References outlive it. Connects to nothing yet, but on SQLite takes the lock on the data folder: throws
    /// std::runtime_error where another server has it.
    Stores(const Settings& settings, core::Random& random, core::Log& log);
    /// Once the database is migrated. Throws std::runtime_error where the folder cannot be used.
    void open_blobs(const Settings& settings, core::Clock& clock, core::Random& random);

    std::unique_ptr<store::sql::DataFolderLock> folder_lock;  ///< SQLite alone
    WatchedDatabase database;
    OutageTeller outage;
    store::sql::SqlLibraryStore libraries;
    store::sql::SqlScanStore scans;
    store::sql::SqlCatalog catalog;
    store::sql::SqlAnalyses analyses;
    store::sql::SqlCovers covers;
    store::sql::SqlNames names;
    store::sql::SqlPeople people;
    store::sql::SqlShows shows;
    store::sql::SqlDiscovery discovery;
    store::sql::SqlCollections collections;
    store::sql::SqlUserData user_data;
    store::sql::SqlUsers users;
    store::sql::SqlSessions sessions;
    store::sql::SqlOpenSockets open_sockets;
    store::sql::SqlLoginAttempts attempts;
    store::sql::SqlServerSettings server_settings;
    store::sql::SqlConfigurations configurations;
    store::sql::SqlDisplayPreferences display_preferences;
    store::sql::SqlMaintenance maintenance;
    store::sql::SqlBlobReferences blob_references;
    LateBlobs blobs;
};

}  // namespace understudy::app
