// media/image_scaler.h: port through which pictures get the size that somebody asked for. Used by http; the adapter
// (PooledScaler) hands the bytes to a sandboxed worker.
#pragma once

#include <atomic>
#include <string_view>

#include "core/result.h"
#include "media/analyst.h"
#include "media/scaled.h"

namespace understudy::media {

class ImageScaler {
public:
    virtual ~ImageScaler() = default;
    /// `image`: a whole image file, foreign bytes, at most 64 MiB. Of an animation the first frame counts. Safe from
    /// any thread; blocks until a worker is free and done, each of which has a limit. Errors: corrupt, unsupported (of
    /// no kind that is decoded, too many pixels), timed_out (it takes longer than a picture may), unavailable (no
    /// worker can be had), cancelled (the server stops).
    [[nodiscard]] virtual core::Result<CoverResult> scale(std::string_view image,
                                                          const ScaleParameters& parameters) = 0;
};

class PooledScaler final : public ImageScaler {
public:
    /// `analyst` outlives it.
    explicit PooledScaler(Analyst& analyst) : analyst_(analyst) {}
    [[nodiscard]] core::Result<CoverResult> scale(std::string_view image, const ScaleParameters& parameters) override;
    /// Ends what is under way and refuses what comes.
    void stop() noexcept { stopping_ = true; }

private:
    Analyst& analyst_;
    std::atomic<bool> stopping_{false};
};

}  // namespace understudy::media
