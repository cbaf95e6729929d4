// app/scaled_pictures.h: what makes and keeps pictures in the sizes that clients ask for: worker processes of their
// own, so that no scan keeps a page of posters waiting, and a folder of this pod's cache. Made and kept by Parts.
#pragma once

#include "app/config/settings.h"
#include "core/log.h"
#include "core/random.h"
#include "core/time.h"
#include "http/pictures/picture_cache.h"
#include "http/pictures/scaled_pictures.h"
#include "media/image_scaler.h"
#include "media/worker_pool.h"

namespace understudy::app {

struct PictureParts {
    static constexpr unsigned at_once = 2;

    /// References outlive it.
    PictureParts(const Settings& settings, core::Random& random, core::Clock& clock, core::Log& log)
        : workers(pool_settings(settings), log),
          scaler(workers),
          cache({settings.cache_dir / "images", settings.image_cache_megabytes * 1024 * 1024}, random, clock, log),
          pictures(scaler, cache, at_once) {}

    media::WorkerPool workers;
    media::PooledScaler scaler;
    http::PictureCache cache;
    http::ScaledPictures pictures;

private:
    static media::WorkerPoolSettings pool_settings(const Settings& settings) {
        media::WorkerPoolSettings pool;
        pool.worker = settings.worker_path;
        pool.workers = at_once;
        return pool;
    }
};

}  // namespace understudy::app
