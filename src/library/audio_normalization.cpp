#include "library/audio_normalization.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "core/check.h"
#include "library/library_options.h"
#include "media/loudness.h"

namespace understudy::library {

namespace {

constexpr std::size_t page = 500;
/// Decoding takes most of the time; what follows are sums.
constexpr ProgressSlice decoding{0, 95};

std::string basis_of(const store::ContentKey& content) {
    return content.sample + ":" + std::to_string(content.mtime_ns);
}

/// FNV-1a, 64 bits (public domain, Fowler, Noll, Vo): names a set of tracks, nothing hangs on its strength.
std::string basis_of_album(std::vector<std::string> tracks) {
    std::ranges::sort(tracks);
    std::uint64_t hash = 14695981039346656037U;
    for (const auto& track : tracks) {
        for (const char c : track) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
        hash = (hash ^ 0xFFU) * 1099511628211U;
    }
    return std::to_string(tracks.size()) + ":" + std::to_string(hash);
}

/// Decoders of music run at a hundred times the speed of playing; a tenth of it is a slow machine at idle priority.
core::Millis limit(const store::AnalysableSource& source) {
    return core::Millis{120'000 + source.duration.count() / 10};
}

store::Loudness row_of(core::ItemId item, std::string basis, std::optional<double> lufs, double peak) {
    store::Loudness row;
    row.item = item;
    row.basis = std::move(basis);
    row.lufs = lufs;
    if (peak > 0) row.peak = peak;
    row.gain_db = media::gain_db(lufs);
    return row;
}

/// Answers are checked before they are stored: a row that cannot be read was changed by somebody else.
void warn_of(tasks::Run& run, core::ItemId item, const core::Error& error) {
    run.warn("item " + item.str() + ": the stored loudness cannot be read (" + error.context +
             "); it is left out until its file changes");
}

double peak_of(const media::Loudness& loudness) {
    return loudness.true_peak.value_or(loudness.sample_peak);
}

/// The number that `text` begins with; nullopt: none, or none that a gain or a peak can be.
std::optional<double> number(const std::map<std::string, std::string>& tags, const char* name, double most) {
    const auto found = tags.find(name);
    if (found == tags.end()) return std::nullopt;
    std::string_view text = found->second;
    while (!text.empty() && (text.front() == ' ' || text.front() == '+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end == text.data() || !std::isfinite(value) || std::abs(value) > most)
        return std::nullopt;
    return value;
}

std::optional<TagGains::Gain> gain_of(const std::map<std::string, std::string>& tags, const char* r128,
                                      const char* replaygain, const char* peak) {
    constexpr double most_gain_db = 100, most_peak = 100, fixed_point = 256, r128_reference_lufs = -23;
    TagGains::Gain gain;
    gain.peak = number(tags, peak, most_peak);
    if (gain.peak && *gain.peak <= 0) gain.peak.reset();
    if (const auto said = number(tags, r128, INT16_MAX)) {
        gain.origin = store::LoudnessOrigin::r128;
        gain.gain_db = *said / fixed_point + (media::target_lufs - r128_reference_lufs);
        return gain;
    }
    const auto said = number(tags, replaygain, most_gain_db);
    if (!said) return std::nullopt;
    gain.gain_db = *said;
    return gain;
}

store::Loudness row_of(core::ItemId item, std::string basis, const std::optional<TagGains::Gain>& gain) {
    store::Loudness row;
    row.item = item;
    row.basis = std::move(basis);
    row.origin = gain ? gain->origin : store::LoudnessOrigin::replaygain;
    if (!gain) return row;
    row.gain_db = gain->gain_db;
    row.lufs = media::target_lufs - gain->gain_db;
    row.peak = gain->peak;
    return row;
}

}  // namespace

TagGains gains_of(const std::map<std::string, std::string>& tags) {
    return {gain_of(tags, "R128_TRACK_GAIN", "REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_PEAK"),
            gain_of(tags, "R128_ALBUM_GAIN", "REPLAYGAIN_ALBUM_GAIN", "REPLAYGAIN_ALBUM_PEAK")};
}

AudioNormalization::AudioNormalization(bool true_peak, store::LibraryStore& libraries, store::ScanStore& items,
                                       store::Analyses& analyses, store::LoudnessStore& loudness,
                                       media::Analyst& analyst, core::Clock& clock)
    : true_peak_(true_peak),
      kind_(true_peak ? true_peak_kind : kind),
      libraries_(libraries),
      items_(items),
      analyses_(analyses),
      loudness_(loudness),
      analyst_(analyst),
      clock_(clock) {}

const tasks::CatalogueEntry& AudioNormalization::info() const noexcept {
    const auto* entry = tasks::find_task("AudioNormalization");
    CHECK(entry != nullptr);
    return *entry;
}

core::Result<void> AudioNormalization::execute(tasks::Run& run) {
    const auto all = libraries_.all();
    if (!all) return tl::unexpected(all.error());
    const auto music = [](bool measured) {
        return [measured](const model::Library& library, const LibraryOptions& options) {
            return library.kind == model::LibraryKind::music && options.loudness == measured;
        };
    };
    const auto wanted = libraries_that(*all, music(true));
    const auto others = libraries_that(*all, music(false));

    const auto measured = measure(run, wanted);
    if (!measured) return tl::unexpected(measured.error());
    const auto work = look(wanted, others);
    if (!work) return tl::unexpected(work.error());
    count(run, *measured, "tracks");
    run.count("albums", 0);
    for (const auto step :
         {&AudioNormalization::store_tracks, &AudioNormalization::store_albums, &AudioNormalization::store_tagged}) {
        if (auto done = (this->*step)(run, *work); !done) return done;
    }
    run.report(100);
    return {};
}

core::Result<AnalysisReport> AudioNormalization::measure(tasks::Run& run, const std::vector<core::LibraryId>& wanted) {
    if (wanted.empty()) return AnalysisReport{};
    AnalysisPlan plan;
    plan.kind = kind_;
    plan.task = info().key;
    plan.job = media::Job::loudness;
    plan.filter.libraries = wanted;
    plan.filter.kinds = {model::ItemKind::track};
    plan.limit = limit;
    plan.parameters = [this](const store::AnalysableSource&) -> core::Result<std::string> {
        return media::encode(media::LoudnessParameters{.true_peak = true_peak_});
    };
    plan.accept = [&run](const store::AnalysableSource&, std::string&& payload) -> core::Result<std::string> {
        const auto loudness = media::decode_loudness(payload);
        if (!loudness) return tl::unexpected(loudness.error());
        if (!loudness->integrated_lufs) run.count("silent");
        return std::move(payload);
    };
    return AnalysisRun(plan, analyses_, analyst_, clock_, run, decoding).work();
}

core::Result<AudioNormalization::Work> AudioNormalization::look(const std::vector<core::LibraryId>& wanted,
                                                                const std::vector<core::LibraryId>& others) {
    Work work;
    const auto known =
        loudness_.loudness_bases([&](core::ItemId item, store::LoudnessOrigin origin, std::string&& basis) {
            if (origin != store::LoudnessOrigin::measured) basis.insert(0, "tags:");
            work.bases.emplace(item, std::move(basis));
        });
    if (!known) return tl::unexpected(known.error());
    const auto stored_as = [&](core::ItemId item) {
        const auto found = work.bases.find(item);
        return found == work.bases.end() ? std::string_view{} : std::string_view(found->second);
    };
    const auto tagged = [&](store::AnalysableSource&& source) {
        if (source.number == 0 && stored_as(source.item) != "tags:" + basis_of(source.content)) {
            work.album_of.emplace(source.item, source.parent);
            work.tagged.push_back({source.item, std::move(source.content)});
        }
        return true;
    };
    const auto stream = [&](store::AnalysisState state, const std::vector<core::LibraryId>& libraries,
                            const std::function<bool(store::AnalysableSource &&)>& each) -> core::Result<void> {
        if (libraries.empty()) return {};
        return analyses_.sources(kind_, state, {libraries, {model::ItemKind::track}, std::nullopt}, each);
    };

    std::set<core::ItemId> failed;
    auto read = stream(store::AnalysisState::failed, wanted, [&](store::AnalysableSource&& source) {
        failed.insert(source.item);
        return tagged(std::move(source));
    });
    if (read) {
        read = stream(store::AnalysisState::done, wanted, [&](store::AnalysableSource&& source) {
            if (source.number != 0 || failed.contains(source.item)) return true;
            Track track{source.item, std::move(source.content)};
            if (stored_as(track.item) != basis_of(track.content)) work.tracks.push_back(track);
            if (!source.parent.empty()) work.albums[source.parent].push_back(std::move(track));
            return true;
        });
    }
    for (const auto state : {store::AnalysisState::pending, store::AnalysisState::done})
        if (read) read = stream(state, others, tagged);
    if (!read) return tl::unexpected(read.error());
    return work;
}

core::Result<void> AudioNormalization::put(tasks::Run& run, std::vector<store::Loudness>& rows, bool all) {
    if (run.should_stop()) return core::fail(core::Errc::cancelled, std::string(info().key));
    if (rows.empty() || (!all && rows.size() < page)) return {};
    auto sent = run.commit(std::nullopt, [&](const core::Fence& fence) { return loudness_.put_loudness(rows, fence); });
    rows.clear();
    return sent;
}

core::Result<void> AudioNormalization::store_tracks(tasks::Run& run, const Work& work) {
    std::vector<store::Loudness> rows;
    for (std::size_t at = 0; at < work.tracks.size(); at += page) {
        const auto end = std::min(work.tracks.size(), at + page);
        std::vector<store::ContentKey> contents;
        for (auto i = at; i < end; ++i) contents.push_back(work.tracks[i].content);
        const auto found = analyses_.get(kind_, contents);
        if (!found) return tl::unexpected(found.error());
        std::map<store::ContentKey, const store::Analysis*> by_content;
        for (const auto& analysis : *found) by_content.emplace(analysis.content, &analysis);
        for (auto i = at; i < end; ++i) {
            const auto& track = work.tracks[i];
            const auto analysis = by_content.find(track.content);
            if (analysis == by_content.end()) continue;  // removed meanwhile: pending again
            const auto loudness = media::decode_loudness(analysis->second->payload);
            if (!loudness) {
                warn_of(run, track.item, loudness.error());
                continue;
            }
            rows.push_back(row_of(track.item, basis_of(track.content), loudness->integrated_lufs, peak_of(*loudness)));
        }
        if (auto sent = put(run, rows, true); !sent) return sent;
    }
    return {};
}

core::Result<void> AudioNormalization::store_albums(tasks::Run& run, const Work& work) {
    constexpr std::size_t least_tracks = 2;
    std::vector<store::Loudness> rows;
    for (const auto& [album, tracks] : work.albums) {
        std::vector<std::string> names;
        std::vector<store::ContentKey> contents;
        for (const auto& track : tracks) {
            names.push_back(basis_of(track.content));
            contents.push_back(track.content);
        }
        const auto basis = basis_of_album(std::move(names));
        const auto known = work.bases.find(album);
        if (known != work.bases.end() && known->second == basis) continue;
        if (tracks.size() < least_tracks) {
            // Alone it is no album; what was said of it with more tracks is no longer true.
            if (known != work.bases.end()) rows.push_back(row_of(album, basis, std::nullopt, 0));
        } else {
            const auto found = analyses_.get(kind_, contents);
            if (!found) return tl::unexpected(found.error());
            std::vector<media::LoudnessHistogram> histograms;
            double peak = 0;
            for (const auto& analysis : *found) {
                auto loudness = media::decode_loudness(analysis.payload);
                if (!loudness) {
                    warn_of(run, album, loudness.error());
                    continue;
                }
                peak = std::max(peak, peak_of(*loudness));
                histograms.push_back(std::move(loudness->histogram));
            }
            rows.push_back(row_of(album, basis, media::integrated_lufs(histograms), peak));
            run.count("albums");
        }
        if (auto sent = put(run, rows, false); !sent) return sent;
    }
    return put(run, rows, true);
}

core::Result<void> AudioNormalization::store_tagged(tasks::Run& run, const Work& work) {
    std::vector<store::Loudness> rows;
    std::map<core::ItemId, store::Loudness> albums;
    for (std::size_t at = 0; at < work.tagged.size(); at += page) {
        const auto end = std::min(work.tagged.size(), at + page);
        std::vector<core::ItemId> ids;
        std::map<core::ItemId, std::string> bases;
        for (auto i = at; i < end; ++i) {
            ids.push_back(work.tagged[i].item);
            bases.emplace(work.tagged[i].item, basis_of(work.tagged[i].content));
        }
        const auto items = items_.load(ids);
        if (!items) return tl::unexpected(items.error());
        for (const auto& item : *items) {
            const auto gains = item.sources.empty() ? TagGains{} : gains_of(item.sources.front().info.tags.gains);
            if (gains.track) run.count("from_tags");
            rows.push_back(row_of(item.id, bases[item.id], gains.track));
            const auto album = work.album_of.find(item.id);
            if (gains.album && album != work.album_of.end() && !work.albums.contains(album->second))
                albums.emplace(album->second, row_of(album->second, "album", gains.album));
        }
        if (auto sent = put(run, rows, true); !sent) return sent;
    }
    for (auto& [id, row] : albums) {
        rows.push_back(std::move(row));
        if (auto sent = put(run, rows, false); !sent) return sent;
    }
    return put(run, rows, true);
}

}  // namespace understudy::library
