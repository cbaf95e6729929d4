#include "app/media_tasks.h"

#include <utility>
#include <vector>

#include "library/audio_normalization.h"
#include "library/chapter_segments.h"
#include "library/edl_segments.h"
#include "library/extract_media_segments.h"
#include "library/fingerprint_segments.h"
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
      facts_(parts.database),
      analyst_(idle_workers(settings), parts.log) {}

void MediaTasks::add_to(tasks::TaskManager& manager) {
    auto& [database, libraries, items, analyses, blobs, files, clock, log] = parts_;
    manager.add(std::make_unique<library::KeyframeExtraction>(libraries, analyses, analyst_, clock));
    manager.add(std::make_unique<library::AudioNormalization>(settings_.true_peak, libraries, items, analyses, facts_,
                                                              analyst_, clock));
    manager.add(std::make_unique<library::RefreshChapterImages>(picture_settings(settings_), libraries, items, analyses,
                                                                facts_, blobs, analyst_, clock));
    std::vector<std::unique_ptr<library::SegmentProvider>> providers;
    providers.push_back(std::make_unique<library::ChapterSegments>(items));
    providers.push_back(std::make_unique<library::EdlSegments>(items, files));
    providers.push_back(
        std::make_unique<library::FingerprintSegments>(library::FingerprintSettings{}, analyses, analyst_, clock));
    manager.add(
        std::make_unique<library::ExtractMediaSegments>(libraries, items, analyses, facts_, std::move(providers)));
}

}  // namespace understudy::app
