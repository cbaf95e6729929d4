// library/audio_normalization.h: the task AudioNormalization: how loud each track and each album is (EBU R 128), and
// what a player adds. A file is decoded once, for its track and its album alike. Wired by app, run by the task engine.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "library/analysis_run.h"
#include "store/libraries.h"
#include "store/media_facts.h"
#include "store/scan_store.h"

namespace understudy::library {

class AudioNormalization final : public tasks::ScheduledTask {
public:
    /// `analyses` rows of these kinds hold a media::Loudness as its encode() writes it; the second also has true peaks.
    static constexpr const char* kind = "loudness";
    static constexpr const char* true_peak_kind = "loudness:truepeak";

    /// `true_peak`: `Jellyfin:AudioNormalization:TruePeak`. References outlive it.
    AudioNormalization(bool true_peak, store::LibraryStore& libraries, store::ScanStore& items,
                       store::Analyses& analyses, store::LoudnessStore& loudness, media::Analyst& analyst,
                       core::Clock& clock);

    [[nodiscard]] const tasks::CatalogueEntry& info() const noexcept override;
    /// Counts: `tracks` and `albums` measured, `silent` among them, `from_tags` where tags say a gain and nothing was
    /// measured.
    [[nodiscard]] core::Result<void> execute(tasks::Run& run) override;

private:
    struct Track {
        core::ItemId item;
        store::ContentKey content;
    };
    /// What a run knows of the gains that are stored and those that are to be.
    struct Work {
        std::map<core::ItemId, std::string> bases;          ///< of what is stored
        std::map<core::ItemId, std::vector<Track>> albums;  ///< measured tracks
        std::vector<Track> tracks;                          ///< measured, stored gain is of other bytes
        std::vector<Track> tagged;                          ///< not measured, tags not read yet
        std::map<core::ItemId, core::ItemId> album_of;      ///< of `tagged`
    };
    [[nodiscard]] core::Result<AnalysisReport> measure(tasks::Run& run, const std::vector<core::LibraryId>& wanted);
    [[nodiscard]] core::Result<Work> look(const std::vector<core::LibraryId>& wanted,
                                          const std::vector<core::LibraryId>& others);
    [[nodiscard]] core::Result<void> store_tracks(tasks::Run& run, const Work& work);
    [[nodiscard]] core::Result<void> store_albums(tasks::Run& run, const Work& work);
    [[nodiscard]] core::Result<void> store_tagged(tasks::Run& run, const Work& work);
    [[nodiscard]] core::Result<void> put(tasks::Run& run, std::vector<store::Loudness>& rows, bool all);

    const bool true_peak_;
    const std::string kind_;  ///< of the analyses
    store::LibraryStore& libraries_;
    store::ScanStore& items_;
    store::Analyses& analyses_;
    store::LoudnessStore& loudness_;
    media::Analyst& analyst_;
    core::Clock& clock_;
};

/// What tags say of a gain, for a track and for its album: `REPLAYGAIN_TRACK_GAIN` (`-7.31 dB`, relative to -18 LUFS),
/// `REPLAYGAIN_TRACK_PEAK`, `R128_TRACK_GAIN` (RFC 7845 §5.2.1: a whole number of 1/256 dB, relative to -23 LUFS), and
/// the same with ALBUM. R128 wins where both stand. Numbers that make no sense are none.
struct TagGains {
    struct Gain {
        store::LoudnessOrigin origin = store::LoudnessOrigin::replaygain;
        double gain_db = 0;
        std::optional<double> peak;
    };
    std::optional<Gain> track, album;
};
[[nodiscard]] TagGains gains_of(const std::map<std::string, std::string>& tags);

}  // namespace understudy::library
