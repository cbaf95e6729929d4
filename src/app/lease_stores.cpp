#include "app/lease_stores.h"

#include <stdexcept>

#include "app/stores.h"
#include "lease/redis/redis_lease_store.h"

namespace understudy::app {

std::unique_ptr<lease::LeaseStore> make_redis_lease_store(const Settings& settings, std::string key, std::string label,
                                                          core::Millis call_timeout, core::Log& log) {
    auto connection = redis::parse_connection_string(settings.redis);  // checked already
    if (!connection) throw std::runtime_error(connection.error().context);
    lease::RedisLeaseConfig config;
    config.connection = std::move(*connection);
    if (!settings.redis_file.empty()) config.reread = [file = settings.redis_file] { return reread_redis(file); };
    config.key = std::move(key);
    config.label = std::move(label);
    config.call_timeout = call_timeout;
    return std::make_unique<lease::RedisLeaseStore>(std::move(config), log);
}

lease::DatabaseLeaseStore::Settings database_lease_settings(const Settings& settings, std::string key,
                                                            std::string label, core::Millis call_timeout) {
    lease::DatabaseLeaseStore::Settings config;
    config.key = std::move(key);
    config.pod = std::move(label);
    config.call_timeout = call_timeout;
    config.database = "see Jellyfin:Database:ConnectionString (" + where_database(settings) + ")";
    return config;
}

}  // namespace understudy::app
