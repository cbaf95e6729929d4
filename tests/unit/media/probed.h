// tests/unit/media/probed.h: a file as our parsers see it, in this process. Used by the tests of media.
#pragma once

#include <fcntl.h>

#include <filesystem>

#include "media/unique_fd.h"
#include "media/worker/probe_file.h"

namespace understudy::media {

inline ProbeResult probed(const std::filesystem::path& path, ProbeKind kind) {
    const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    ByteSource bytes;
    bytes.open(file.get(), static_cast<std::int64_t>(std::filesystem::file_size(path)));
    return probe_file(bytes, kind);
}

}  // namespace understudy::media
