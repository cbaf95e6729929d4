#include "library/roots.h"

#include <cerrno>

#include "library/naming/entries.h"

namespace understudy::library {

RootLook look_at_root(const FileSystem& files, const std::string& root) {
    FileStatus self;
    std::unique_ptr<OpenDirectory> directory;
    if (const int error = files.open_directory(root, self, directory); error != 0) {
        return {false, error == ENOENT || error == ENOTDIR ? "missing" : error_text(error), 0};
    }
    std::string_view name;
    FileKind kind{};
    int error = 0;
    while (directory->next(name, kind, error)) {
        if (!naming::is_junk(name)) return {true, {}, self.device};
    }
    return {false, error != 0 ? error_text(error) : "empty", 0};
}

}  // namespace understudy::library
