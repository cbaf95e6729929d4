#include "tasks/catalogue.h"

#include <array>

#include "core/ids.h"

namespace understudy::tasks {
namespace {

using namespace std::chrono_literals;

// Names and descriptions are the reference's English ones (10.11): clients show them as they are.
constexpr std::array<CatalogueEntry, 12> entries{{
    {"RefreshLibrary", "7738148ffcd07979c7ceb148e06b3aed", "Scan Media Library",
     "Scans your media library for new files and refreshes metadata.", "Library", Scope::cluster, Group::library, true},
    {"RefreshPeople", "866456ed0d44e15468124ce33d85961e", "Refresh People",
     "Updates metadata for actors and directors in your media library.", "Library", Scope::cluster, Group::library,
     true},
    {"RefreshChapterImages", "4e6637c832ed644d1af3370a2506e80a", "Extract Chapter Images",
     "Creates thumbnails for videos that have chapters.", "Library", Scope::cluster, Group::library, true},
    {"AudioNormalization", "ec2f221fd8e7706b3d3afd2c4591b4d7", "Audio Normalization",
     "Scans files for audio normalization data.", "Library", Scope::cluster, Group::library, true},
    {"TaskExtractMediaSegments", "f861734dd71b37f9482b52a820e39013", "Media Segment Scan",
     "Extracts or obtains media segments from MediaSegment enabled plugins.", "Library", Scope::cluster, Group::library,
     true},
    {"KeyframeExtraction", "f302d80f31bcacf76f979d277d448581", "Keyframe Extractor",
     "Extracts keyframes from video files to create more precise HLS playlists. This task may run for a long time.",
     "Library", Scope::cluster, Group::library, true},
    {"CleanCollectionsAndPlaylists", "3a025083141d3c17dd96d5f9b951287b", "Clean up collections and playlists",
     "Removes items from collections and playlists that no longer exist.", "Maintenance", Scope::cluster,
     Group::optimize, true},
    {"CleanupUserDataTask", "8240e309407dbbf43c99d30a6cbd239e", "User data cleanup task",
     "Cleans all user data (Watch state, favorite status etc) from media that is no longer present for at least 90 "
     "days.",
     "Maintenance", Scope::cluster, Group::optimize, true},
    {"OptimizeDatabaseTask", "31de9ce83b9223d338c77b1a635e144b", "Optimize database",
     "Compacts database and truncates free space. Running this task after scanning the library or doing other changes "
     "that imply database modifications might improve performance.",
     "Maintenance", Scope::cluster, Group::optimize, true},
    {"DeleteCacheFiles", "241d4fcb19a1d557ee62428e411da609", "Clean Cache Directory",
     "Deletes cache files no longer needed by the system.", "Maintenance", Scope::pod, Group::none, false},
    {"CleanLogFiles", "1c8ede62c521bea0bf851344f5b8ca40", "Clean Log Directory",
     "Deletes log files that are more than 3 days old.", "Maintenance", Scope::pod, Group::none, false},
    {"CleanActivityLog", "b461ef918ab28520928183e794350e3c", "Clean Activity Log",
     "Deletes activity log entries older than the configured age.", "Maintenance", Scope::cluster, Group::none, false},
}};

Trigger every(core::Millis interval) {
    return Trigger{IntervalTrigger{interval}, std::nullopt, {}};
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_word(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (lower(a[i]) != lower(b[i])) return false;
    }
    return true;
}

}  // namespace

std::vector<Trigger> CatalogueEntry::default_triggers() const {
    if (key == "RefreshLibrary" || key == "TaskExtractMediaSegments") return {every(12h)};
    if (key == "RefreshPeople") return {every(7 * 24h)};
    if (key == "RefreshChapterImages") return {Trigger{DailyTrigger{2h}, core::Millis{4h}, {}}};
    if (key == "AudioNormalization" || key == "DeleteCacheFiles" || key == "CleanLogFiles") return {every(24h)};
    if (key == "CleanCollectionsAndPlaylists") return {Trigger{StartupTrigger{}, std::nullopt, {}}};
    if (key == "OptimizeDatabaseTask") return {every(6h)};
    return {};
}

std::span<const CatalogueEntry> catalogue() noexcept {
    return entries;
}

const CatalogueEntry* find_task(std::string_view key_or_id) noexcept {
    for (const auto& entry : entries) {
        if (same_word(entry.key, key_or_id)) return &entry;
    }
    // Ids are read by the bytes: dashes and case do not matter.
    if (const auto id = core::id_from_hex(key_or_id)) {
        for (const auto& entry : entries) {
            if (core::id_from_hex(entry.id) == id) return &entry;
        }
    }
    return nullptr;
}

}  // namespace understudy::tasks
