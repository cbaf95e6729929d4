#include "library/chapter_segments.h"

#include <map>

#include "library/segments/chapter_names.h"

namespace understudy::library {

namespace {

/// To be raised when segments::segments_from_chapters says something else of the same chapters.
constexpr std::string_view version = "1:";

std::vector<segments::Segment> of_source(const model::Item& item, const std::string& path) {
    for (const auto& source : item.sources) {
        if (source.file.path != path) continue;
        std::vector<segments::NamedChapter> chapters;
        for (const auto& chapter : source.info.chapters) chapters.push_back({chapter.start, chapter.name});
        return segments::segments_from_chapters(chapters, source.info.duration);
    }
    return {};
}

}  // namespace

std::vector<core::Result<std::string>> ChapterSegments::bases(const SegmentGroup& group) {
    std::vector<core::Result<std::string>> list;
    for (const auto* item : group.items) {
        BasisHash hash;
        for (const auto* source : item->sources_in_step()) hash.add(*source);
        list.emplace_back(std::string(version) + hash.str());
    }
    return list;
}

core::Result<std::vector<ItemAnswer>> ChapterSegments::segments(const SegmentGroup& group, tasks::Run&) {
    std::vector<core::ItemId> ids;
    for (const auto* item : group.items) ids.push_back(item->id);
    const auto loaded = items_.load(ids);
    if (!loaded) return tl::unexpected(loaded.error());
    std::map<core::ItemId, const model::Item*> by_id;
    for (const auto& item : *loaded) by_id.emplace(item.id, &item);
    std::vector<ItemAnswer> answers;
    for (const auto* item : group.items) {
        std::vector<segments::Segment> found;
        if (const auto known = by_id.find(item->id); known != by_id.end()) {
            // The first version that says anything: a remux may have lost its chapters.
            for (const auto* source : item->sources_in_step())
                if (found.empty()) found = of_source(*known->second, source->path);
        }
        answers.emplace_back(std::move(found));
    }
    return answers;
}

}  // namespace understudy::library
