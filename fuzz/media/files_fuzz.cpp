// fuzz/media/files_fuzz.cpp: files of any bytes through both probes, without the sandbox.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "media/unique_fd.h"
#include "media/worker/probe_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace understudy::media;
    static const bool prepared = (prepare_parsers(), true);
    static_cast<void>(prepared);
    const UniqueFd file(memfd_create("fuzz", MFD_CLOEXEC));
    if (write(file.get(), data, size) != static_cast<ssize_t>(size)) std::abort();
    for (const auto kind : {ProbeKind::audio, ProbeKind::video}) {
        ByteSource bytes;
        bytes.open(file.get(), static_cast<std::int64_t>(size));
        const auto result = probe_file(bytes, kind);
        if (result && (result->content_sample.size() != 32 || result->duration.count() < 0 || result->streams.empty()))
            std::abort();
    }
    return 0;
}
