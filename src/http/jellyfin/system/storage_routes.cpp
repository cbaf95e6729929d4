// /System/Info/Storage: how full the places of this pod are. A share that hangs holds nobody up: its place is -1.
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <memory>

#include "http/json_writer.h"
#include "http/patience.h"
#include "http/problem.h"
#include "http/routes.h"

namespace understudy::http {
namespace {

struct Space {
    std::int64_t free_bytes = -1, used_bytes = -1;  ///< -1: not known, as in the reference
    std::string device;
};

core::Result<Space> look_at(const std::string& path) {
    struct ::statvfs system {};
    struct ::stat status {};
    if (::statvfs(path.c_str(), &system) != 0 || ::stat(path.c_str(), &status) != 0) return Space{};
    const auto block = static_cast<std::int64_t>(system.f_frsize);
    Space space;
    space.free_bytes = static_cast<std::int64_t>(system.f_bavail) * block;
    space.used_bytes = static_cast<std::int64_t>(system.f_blocks) * block - space.free_bytes;
    space.device = std::to_string(status.st_dev);
    return space;
}

class Places {
public:
    explicit Places(const Patience& patience) : patience_(patience) {}

    void write_folder(JsonWriter& out, const std::string& path) {
        constexpr int most_silent =
            2;  // each costs the patience: a rack that went away must not cost it for every disc
        Space space;
        if (!path.empty() && silent_ < most_silent) {
            auto seen = patience_.ask<Space>(path, [path] { return look_at(path); });
            if (seen)
                space = std::move(*seen);
            else
                ++silent_;
        }
        out.begin_object().field("Path", path).field("FreeSpace", space.free_bytes);
        out.field("UsedSpace", space.used_bytes).text_if_any("DeviceId", space.device).end_object();
    }

private:
    const Patience& patience_;
    int silent_ = 0;
};

Response storage(const Services& services, const Request& request, const Patience& patience) {
    const auto libraries = services.libraries.all();
    if (!libraries) return problem(libraries.error());
    Places places(patience);
    const auto& system = services.system;
    const auto data = services.info.data_dir.string();
    JsonWriter out(request.spelling);
    out.begin_object();
    const std::pair<const char*, std::string> folders[] = {{"ProgramDataFolder", data},
                                                           {"WebFolder", system.web_dir.string()},
                                                           {"ImageCacheFolder", system.cache_dir.string()},
                                                           {"CacheFolder", system.cache_dir.string()},
                                                           {"LogFolder", system.log_dir.string()},
                                                           {"InternalMetadataFolder", data},
                                                           {"TranscodingTempFolder", system.cache_dir.string()}};
    for (const auto& [name, path] : folders) {
        out.name(name);
        places.write_folder(out, path);
    }
    out.name("Libraries").begin_array();
    for (const auto& library : *libraries) {
        out.begin_object().field("Id", library.id).field("Name", library.name).name("Folders").begin_array();
        for (const auto& path : library.paths) places.write_folder(out, path);
        out.end_array().end_object();
    }
    out.end_array().end_object();
    return json_answer(out.take()).with("X-Understudy-Pod", services.info.pod);
}

}  // namespace

void add_storage_routes(Router& router, const Services& services) {
    Route route;
    route.path = "/System/Info/Storage";
    route.handler = [&services, patience = std::make_shared<Patience>()](const Request& request) {
        return storage(services, request, *patience);
    };
    router.add(std::move(route));
}

}  // namespace understudy::http
