#include "tasks/zones/zone.h"

#include <date/tz.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <fstream>

namespace understudy::tasks {
namespace {

// Debian's date-tz is built with USE_OS_TZDB: it reads the compiled files below this folder, as libc does.
constexpr const char* zoneinfo = "/usr/share/zoneinfo/";

// Files of the folder that the library lists beside the zones, and names that mean another zone on each machine.
bool is_zone_name(std::string_view name) {
    static constexpr std::string_view others[] = {"Factory", "localtime", "posixrules"};
    for (const auto other : others) {
        if (name == other) return false;
    }
    for (const char c : name) {
        const bool usual = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
                           c == '_' || c == '-' || c == '+';
        if (!usual) return false;
    }
    return !name.empty() && name.front() != '/' && !name.starts_with("posix/") && !name.starts_with("right/");
}

bool is_utc(std::string_view name) {
    return name == "UTC" || name == "Etc/UTC";
}

// `…/zoneinfo/Europe/Berlin` or `…/zoneinfo/posix/Europe/Berlin` -> `Europe/Berlin`; empty where it is no such link.
std::string linked_zone(const std::string& link) {
    std::array<char, PATH_MAX> target{};
    const auto length = ::readlink(link.c_str(), target.data(), target.size());
    if (length <= 0) return {};
    std::string_view path{target.data(), static_cast<std::size_t>(length)};
    constexpr std::string_view folder = "/zoneinfo/";
    const auto at = path.rfind(folder);
    if (at == std::string_view::npos) return {};
    path.remove_prefix(at + folder.size());
    if (path.starts_with("posix/")) path.remove_prefix(6);
    return std::string(path);
}

}  // namespace

Zone::Zone() : zone_(nullptr) {}

core::Result<Zone> Zone::named(std::string name) {
    const std::string given = name;
    if (name.starts_with(':')) name.erase(0, 1);
    Zone zone;
    zone.name_ = name;
    if (is_utc(name)) return zone;  // needs no tzdata, so a bare container starts
    std::string why = "is no IANA time zone";
    if (is_zone_name(name)) {
        try {
            zone.zone_ = date::locate_zone(name);
            (void)zone.zone_->get_info(date::sys_seconds{});  // reads the file now: a broken one must not throw later
            return zone;
        } catch (const std::exception& error) {
            why = std::string("is not in the tzdata of this system (") + zoneinfo + "): " + error.what();
        }
    }
    return core::fail(core::Errc::invalid,
                      "TZ=" + given + ": " + why +
                          "; set a name like Europe/Berlin, or leave TZ unset to use the zone that "
                          "/etc/localtime links to");
}

core::Result<Zone> Zone::configured(const char* tz, const std::string& localtime) {
    if (tz != nullptr && *tz != '\0') return named(tz);
    const auto linked = linked_zone(localtime);
    if (linked.empty()) return Zone();
    auto zone = named(linked);
    return zone ? zone : Zone();
}

std::chrono::local_days Zone::local_date(core::UtcTime at) const {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(at);
    const auto offset = zone_ == nullptr ? std::chrono::seconds{0} : zone_->get_info(seconds).offset;
    const auto days = std::chrono::floor<std::chrono::days>(seconds + offset);
    return std::chrono::local_days{days.time_since_epoch()};
}

core::UtcTime Zone::at(std::chrono::local_days date, core::Millis time_of_day) const {
    const auto local = core::Millis{date.time_since_epoch()} + time_of_day;
    if (zone_ == nullptr) return core::UtcTime{local};
    const auto info = zone_->get_info(date::local_time<core::Millis>{local});
    // In a gap `first` ends and `second` begins at the transition: the first instant after it. In a repeated hour
    // `first` holds the earlier occurrence.
    if (info.result == date::local_info::nonexistent) return core::UtcTime{info.second.begin};
    return core::UtcTime{local - info.first.offset};
}

std::string Zone::tzdata_version() {
    std::string line;
    if (std::ifstream file(std::string(zoneinfo) + "tzdata.zi"); std::getline(file, line)) {
        constexpr std::string_view words = "# version ";
        if (line.starts_with(words)) return line.substr(words.size());
    }
    if (std::ifstream file(std::string(zoneinfo) + "+VERSION"); std::getline(file, line)) return line;
    return {};
}

}  // namespace understudy::tasks
