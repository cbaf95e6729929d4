// http/pictures/scaled_pictures.h: pictures in the sizes that clients ask for: kept ones, and new ones made by a
// scaler. Part of Services; used by whoever answers with pictures.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "core/log.h"
#include "core/result.h"
#include "http/pictures/picture_cache.h"
#include "media/image_scaler.h"

namespace understudy::http {

struct ScaledPicture {
    std::string content_type, bytes;
};

/// Safe from any thread.
class ScaledPictures {
public:
    /// `at_once`: pictures that are made at a time; who comes later waits, on the caller's thread. `scaler` and `cache`
    /// outlive it.
    ScaledPictures(media::ImageScaler& scaler, PictureCache& cache, unsigned at_once = 2);

    /// What was made under this key before (letters and lengths as for PictureCache); null: nothing. Blocks on a disc.
    [[nodiscard]] std::shared_ptr<const ScaledPicture> kept(const std::string& key);

    /// Scales `original` and keeps that under `key`; equal keys at the same time are made once. Blocks as
    /// ImageScaler::scale does, and for a turn. Null: it cannot be decoded, or not in time, which is remembered by
    /// `tag`, so that nobody waits for it again. Errors: unavailable, cancelled.
    using Made = core::Result<std::shared_ptr<const ScaledPicture>>;
    [[nodiscard]] Made make(const std::string& key, const std::string& tag, const std::string& original,
                            const media::ScaleParameters& parameters);
    /// How many calls of make() waited for another's picture.
    [[nodiscard]] std::uint64_t joined() const noexcept { return joined_; }

    /// As make(), kept nowhere and remembered by nobody: for pictures that come in. Errors: all of ImageScaler.
    [[nodiscard]] core::Result<media::CoverResult> scale(const std::string& original,
                                                         const media::ScaleParameters& parameters);

private:
    class Turn;
    [[nodiscard]] Made made(const std::string& key, const std::string& tag, const std::string& original,
                            const media::ScaleParameters& parameters);

    media::ImageScaler& scaler_;
    PictureCache& cache_;
    std::mutex mutex_;
    std::condition_variable turn_;
    unsigned free_;
    std::map<std::string, std::shared_future<Made>> under_way_;
    std::set<std::string> hopeless_;
    std::atomic<std::uint64_t> joined_{0};
};

}  // namespace understudy::http
