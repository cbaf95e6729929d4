#include "app/media_tasks.h"

#include "library/audio_normalization.h"
#include "library/keyframe_extraction.h"
#include "library/refresh_chapter_images.h"

namespace understudy::app {

namespace {

media::WorkerPoolSettings idle_workers(const Settings& settings) {
    media::WorkerPoolSettings workers;
    workers.worker = settings.worker_path;
    workers.workers = static_cast<unsigned>(settings.analyses.workers);
    workers.idle = true;
    return workers;
}

library::ChapterImageSettings picture_settings(const Settings::Analyses& settings) {
    library::ChapterImageSettings pictures;
    pictures.width = settings.picture_width;
    pictures.quality = settings.picture_quality;
    if (settings.picture_webp) pictures.format = media::PictureFormat::webp;
    if (settings.picture_at_keyframe) pictures.choice = media::PictureChoice::keyframe;
    pictures.dummy = settings.dummy_chapters;
    return pictures;
}

}  // namespace

MediaTasks::MediaTasks(const Settings& settings, const Parts& parts)
    : settings_(settings.analyses),
      parts_(parts),
      analyses_(parts.database),
      facts_(parts.database),
      analyst_(idle_workers(settings), parts.log) {}

void MediaTasks::add_to(tasks::TaskManager& manager) {
    auto& [database, libraries, items, blobs, clock, log] = parts_;
    manager.add(std::make_unique<library::KeyframeExtraction>(libraries, analyses_, analyst_, clock));
    manager.add(std::make_unique<library::AudioNormalization>(settings_.true_peak, libraries, items, analyses_, facts_,
                                                              analyst_, clock));
    manager.add(std::make_unique<library::RefreshChapterImages>(picture_settings(settings_), libraries, items,
                                                                analyses_, facts_, blobs, analyst_, clock));
}

}  // namespace understudy::app
