#include "app/media_folders.h"

#include <algorithm>
#include <filesystem>

#include "core/text.h"
#include "library/file_system.h"
#include "library/kind_guess.h"
#include "library/walk.h"

namespace understudy::app {
namespace {

/// Is one of them within the other, links followed?
bool overlap(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code error;
    const auto real = [&](const std::filesystem::path& path) {
        return std::filesystem::weakly_canonical(path, error).string();
    };
    const auto first = real(a), second = real(b);
    return library::is_within(first, second) || library::is_within(second, first);
}

}  // namespace

core::Result<MediaFolder> parse_media_folder(const std::string& text) {
    MediaFolder folder;
    auto path = text;
    std::error_code error;
    // A folder may have `=` in its name: only a known kind before it counts, unless there is no such folder.
    if (const auto equals = text.find('='); equals != std::string::npos && !std::filesystem::exists(text, error)) {
        folder.kind = model::parse_library_kind(text.substr(0, equals));
        if (!folder.kind) {
            return core::fail(core::Errc::invalid,
                              "--media '" + text +
                                  "': the kind must be movies, tvshows or music, and there is no folder of that name");
        }
        path = text.substr(equals + 1);
    }
    if (!std::filesystem::is_directory(path, error)) {
        return core::fail(core::Errc::invalid,
                          "--media '" + path + "' is no folder" + (error ? " (" + error.message() + ")" : ""));
    }
    auto absolute = std::filesystem::absolute(path).lexically_normal();
    if (!absolute.has_filename() && absolute != absolute.root_path()) absolute = absolute.parent_path();
    folder.path = absolute.string();
    return folder;
}

core::Result<bool> add_media_folders(const std::vector<MediaFolder>& folders, const std::filesystem::path& data_dir,
                                     store::LibraryStore& libraries, core::Random& random, core::Log& log) {
    auto known = libraries.all();
    if (!known) return tl::unexpected(known.error());
    bool added = false;
    for (const auto& folder : folders) {
        const auto has_path = [&](const model::Library& library) {
            return std::ranges::find(library.paths, folder.path) != library.paths.end();
        };
        if (std::ranges::any_of(*known, has_path)) continue;
        if (overlap(folder.path, data_dir)) {
            return core::fail(core::Errc::conflict, "--media '" + folder.path + "' overlaps the data folder " +
                                                        data_dir.string() + "; give each its own");
        }
        for (const auto& library : *known) {
            for (const auto& path : library.paths) {
                if (!overlap(folder.path, path)) continue;
                return core::fail(core::Errc::conflict, "--media '" + folder.path + "' overlaps " + path +
                                                            " of library '" + library.name +
                                                            "'; name only the outer one, or remove that library");
            }
        }
        model::Library library;
        library.id = core::LibraryId::make(random);
        library.kind = folder.kind ? *folder.kind : library::guess_kind(folder.path);
        library.paths = {folder.path};
        const auto base = std::filesystem::path(folder.path).filename().string();
        library.name = base;
        const auto taken = [&](const std::string& name) {
            return std::ranges::any_of(*known,
                                       [&](const auto& one) { return core::equals_ignoring_case(one.name, name); });
        };
        for (int n = 2; taken(library.name); ++n) library.name = base + " " + std::to_string(n);
        if (const auto done = libraries.add(library); !done) return tl::unexpected(done.error());
        log.info(
            "library made",
            {{"name", library.name}, {"kind", std::string(model::to_string(library.kind))}, {"path", folder.path}});
        known->push_back(library);
        added = true;
    }
    return added;
}

}  // namespace understudy::app
