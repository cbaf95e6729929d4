#include "http/jellyfin/libraries/library_rules.h"

#include <algorithm>
#include <array>

#include "http/jellyfin/libraries/folder_browser.h"
#include "http/text.h"

namespace understudy::http {
namespace fs = std::filesystem;
namespace {

std::string without_slash(const fs::path& path) {
    auto text = path.string();
    while (text.size() > 1 && text.back() == '/') text.pop_back();
    return text;
}

/// Links followed as far as the path exists: two names of one folder are one folder.
std::string real(const std::string& path) {
    std::error_code error;
    const auto canonical = fs::weakly_canonical(path, error);
    return without_slash(error ? fs::path(path).lexically_normal() : canonical);
}

bool same_or_below(const std::string& path, const std::string& folder) {
    if (path == folder) return true;
    const auto prefix = folder == "/" ? folder : folder + "/";
    return path.starts_with(prefix);
}

bool overlap(const std::string& a, const std::string& b) {
    return same_or_below(a, b) || same_or_below(b, a);
}

core::Result<std::string> check_folder(const std::string& text) {
    const auto wrong = [&](const std::string& why) {
        return core::fail(core::Errc::invalid, "paths: '" + printable(text) + "' " + why);
    };
    if (text.find('\0') != std::string::npos) return wrong("holds a NUL byte");
    if (!text.starts_with('/')) return wrong("is not absolute; start it with /");
    auto path = without_slash(fs::path(text).lexically_normal());
    if (path.size() > model::most_path_bytes)
        return wrong("is longer than " + std::to_string(model::most_path_bytes) + " bytes");
    // A scan would go round in /proc/self/root for ever, by way of the data folder too.
    if (leads_to_the_kernel(path)) return wrong("is the kernel's own; name a folder with media");
    std::error_code error;
    const auto status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) return wrong("does not exist on this pod; mount or create it first");
    if (error) return wrong("cannot be looked at: " + error.message());
    if (status.type() != fs::file_type::directory) return wrong("is no directory");
    return path;
}

}  // namespace

core::Result<std::vector<std::string>> check_paths(const std::vector<std::string>& paths,
                                                   const std::vector<model::Library>& libraries,
                                                   const fs::path& data_dir) {
    std::vector<std::string> checked;
    if (paths.empty()) return core::fail(core::Errc::invalid, "paths: missing; name at least one folder");
    for (const auto& text : paths) {
        const auto path = check_folder(text);
        if (!path) return tl::unexpected(path.error());
        const auto own = real(*path);
        if (!data_dir.empty() && overlap(own, real(fs::absolute(data_dir).string()))) {
            return core::fail(core::Errc::invalid, "paths: '" + printable(*path) + "' overlaps the data folder " +
                                                       printable(data_dir.string()) + "; keep media and data apart");
        }
        for (const auto& other : checked) {
            if (overlap(own, real(other))) {
                return core::fail(core::Errc::invalid, "paths: '" + printable(*path) + "' overlaps '" +
                                                           printable(other) +
                                                           "' of the same library; name only the outer one");
            }
        }
        for (const auto& library : libraries) {
            for (const auto& other : library.paths) {
                if (!overlap(own, real(other))) continue;
                return core::fail(core::Errc::conflict, "paths: '" + printable(*path) + "' overlaps '" +
                                                            printable(other) + "' of library '" + library.name +
                                                            "'; a file belongs to one library only");
            }
        }
        checked.push_back(*path);
    }
    return checked;
}

core::Result<model::LibraryKind> check_kind(const std::string& collection_type) {
    const auto type = trim(collection_type);
    if (const auto kind = model::parse_library_kind(type)) return *kind;
    constexpr std::string_view served = "movies, tvshows or music";
    if (type.empty()) {
        return core::fail(core::Errc::invalid, "collectionType: missing; use " + std::string(served));
    }
    constexpr std::array<std::string_view, 5> not_yet{"musicvideos", "homevideos", "boxsets", "books", "mixed"};
    const bool known = std::ranges::any_of(not_yet, [&](std::string_view each) { return iequals(each, type); });
    return core::fail(core::Errc::invalid, "collectionType: '" + printable(type) + "' is " +
                                               (known ? "not served yet" : "not known") + "; use " +
                                               std::string(served));
}

}  // namespace understudy::http
