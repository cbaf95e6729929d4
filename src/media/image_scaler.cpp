#include "media/image_scaler.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "media/unique_fd.h"

namespace understudy::media {

namespace {

/// A picture of 50 million pixels takes some 2 s.
constexpr core::Millis time_limit_of_one{10'000};

core::Result<UniqueFd> file_of(std::string_view bytes) {
    const auto failed = [] {
        return core::fail(core::Errc::unavailable, std::string("no memory for a picture: ") + std::strerror(errno));
    };
    UniqueFd file(memfd_create("picture", MFD_CLOEXEC));
    if (!file) return failed();
    while (!bytes.empty()) {
        const auto written = ::write(file.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return failed();
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return file;
}

}  // namespace

core::Result<CoverResult> PooledScaler::scale(std::string_view image, const ScaleParameters& parameters) {
    const auto file = file_of(image);
    if (!file) return tl::unexpected(file.error());
    AnalysisRequest request;
    // Workers take files: this one has no name but its descriptor's.
    request.path = "/proc/self/fd/" + std::to_string(file->get());
    request.job = Job::scale;
    request.parameters = encode(parameters);
    request.limit = time_limit_of_one;
    core::Result<CoverResult> result = core::fail(core::Errc::cancelled, "a picture");
    analyst_.analyse(
        {request}, [this] { return stopping_.load(); },
        [&](std::size_t, AnalysisResult answer) {
            if (answer)
                result = decode_cover_result(answer->payload);
            else
                result = tl::unexpected(std::move(answer.error()));
        });
    return result;
}

}  // namespace understudy::media
