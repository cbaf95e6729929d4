// store/media_facts.h: what follows from analyses for items: segments, loudness, chapter pictures. Written by the
// library's tasks, read by http. All of an item goes with it and stays with it when its file moves. Contract for all
// adapters: tests/contract/media_stores/media_facts_contract.h
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/fence.h"
#include "core/ids.h"
#include "core/result.h"
#include "model/segment.h"
#include "store/analyses.h"
#include "store/blob_hash.h"

namespace understudy::store {

struct ItemSegments {
    core::ItemId item;
    std::string basis;  ///< what was looked at, in the provider's own words; kept also where nothing was found
    std::vector<model::Segment> segments;  ///< any order; those with end <= start are left out
};
struct ProvidedSegment {
    std::string provider;
    model::Segment segment;
};

/// All calls block. Errors of all ports here: unavailable, timed_out; fenced where there is a fence.
class MediaSegments {
public:
    virtual ~MediaSegments() = default;
    /// Replaces what `provider` said of these items (at most 500), where it differs; other providers' rows stay. Items
    /// that are gone are left out. Returns how many items changed their segments.
    [[nodiscard]] virtual core::Result<std::int64_t> put_segments(const std::string& provider,
                                                                  const std::vector<ItemSegments>& items,
                                                                  const core::Fence& fence) = 0;
    /// By provider, then start.
    [[nodiscard]] virtual core::Result<std::map<core::ItemId, std::vector<ProvidedSegment>>> segments(
        const std::vector<core::ItemId>& items) = 0;
    /// The basis of every item that `provider` has looked at: with it a task knows what is left to do.
    [[nodiscard]] virtual core::Result<void> segment_bases(
        const std::string& provider, const std::function<void(core::ItemId, std::string&&)>& each) = 0;
};

enum class LoudnessOrigin { measured, replaygain, r128 };

struct Loudness {
    core::ItemId item;
    LoudnessOrigin origin = LoudnessOrigin::measured;
    std::string basis;           ///< what it was computed from
    std::optional<double> lufs;  ///< nullopt: silence, or only a gain is known
    std::optional<double> peak;  ///< linear, 1.0 is full scale
    std::optional<double> gain_db;
    friend bool operator==(const Loudness&, const Loudness&) = default;
};

class LoudnessStore {
public:
    virtual ~LoudnessStore() = default;
    /// Adds or replaces, at most 500; items that are gone are left out. Numbers are finite.
    [[nodiscard]] virtual core::Result<void> put_loudness(const std::vector<Loudness>& rows,
                                                          const core::Fence& fence) = 0;
    [[nodiscard]] virtual core::Result<std::map<core::ItemId, Loudness>> loudness(
        const std::vector<core::ItemId>& items) = 0;
    /// Of every item that has one.
    [[nodiscard]] virtual core::Result<void> loudness_bases(
        const std::function<void(core::ItemId, LoudnessOrigin, std::string&&)>& each) = 0;
};

struct ChapterPicture {
    int number = 0;  ///< of the chapter, from 0
    BlobHash blob;
    int width = 0, height = 0;
    std::string format;  ///< `jpeg`, `webp`
    friend bool operator==(const ChapterPicture&, const ChapterPicture&) = default;
};

class ChapterPictures {
public:
    virtual ~ChapterPictures() = default;
    /// Replaces the pictures of these contents (at most 500). They are kept by content: every item with these bytes has
    /// them.
    [[nodiscard]] virtual core::Result<void> put_pictures(
        const std::map<ContentKey, std::vector<ChapterPicture>>& pictures, const core::Fence& fence) = 0;
    /// By item and number of the source; sources without pictures are left out.
    [[nodiscard]] virtual core::Result<std::map<std::pair<core::ItemId, int>, std::vector<ChapterPicture>>> pictures(
        const std::vector<core::ItemId>& items) = 0;
};

}  // namespace understudy::store
