// library/refresh_chapter_images.h: the task RefreshChapterImages: a picture for each chapter of the videos whose
// library asks for it. Wired by app, run by the task engine.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/time.h"
#include "library/analysis_run.h"
#include "media/pictures.h"
#include "store/blobs.h"
#include "store/libraries.h"
#include "store/media_facts.h"
#include "store/scan_store.h"

namespace understudy::library {

struct ChapterImageSettings {
    int width = 400;  ///< `Jellyfin:ChapterImages:Width`, pixels
    media::PictureFormat format = media::PictureFormat::jpeg;
    int quality = 85;
    media::PictureChoice choice = media::PictureChoice::exact;
    /// `Jellyfin:ChapterImages:DummySeconds`: a file with at most one chapter gets one every so often; 0: it gets none.
    std::chrono::seconds dummy{0};
};

/// Where pictures are taken, one for each chapter number of `chapters`, in the order of time: negative starts count as
/// 0, the first chapter at 0 is sampled at min(15 s, runtime) because films begin black, chapters at or beyond the
/// runtime get none, and a file whose chapters are less than a second apart on average gets none at all.
/// `runtime` 0: unknown, nothing is dropped.
struct ChapterTime {
    int number = 0;  ///< index in `chapters`
    core::Millis at{};
};
[[nodiscard]] std::vector<ChapterTime> chapter_times(const std::vector<model::Chapter>& chapters, core::Millis runtime);

/// Chapters a file without any (or with one) is given: at 0, then every `every` up to the runtime. At most 200.
[[nodiscard]] std::vector<model::Chapter> dummy_chapters(core::Millis runtime, std::chrono::seconds every);

class RefreshChapterImages final : public tasks::ScheduledTask {
public:
    /// References outlive it.
    RefreshChapterImages(ChapterImageSettings settings, store::LibraryStore& libraries, store::ScanStore& items,
                         store::Analyses& analyses, store::ChapterPictures& pictures, store::BlobStore& blobs,
                         media::Analyst& analyst, core::Clock& clock);

    [[nodiscard]] const tasks::CatalogueEntry& info() const noexcept override;
    [[nodiscard]] core::Result<void> execute(tasks::Run& run) override;

private:
    [[nodiscard]] core::Result<std::vector<ChapterTime>> times_of(const store::AnalysableSource& source) const;
    /// All that an analysis of today's settings is called.
    [[nodiscard]] std::string kind() const;

    ChapterImageSettings settings_;
    store::LibraryStore& libraries_;
    store::ScanStore& items_;
    store::Analyses& analyses_;
    store::ChapterPictures& pictures_;
    store::BlobStore& blobs_;
    media::Analyst& analyst_;
    core::Clock& clock_;
};

}  // namespace understudy::library
