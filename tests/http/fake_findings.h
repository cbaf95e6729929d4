// tests/http/fake_findings.h: what tasks found out of one item, as a test says.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "store/analyses.h"
#include "store/blobs.h"
#include "store/media_facts.h"

namespace understudy::testing {

struct FakeFindings final : store::Analyses,
                            store::LoudnessStore,
                            store::MediaSegments,
                            store::ChapterPictures,
                            store::BlobStore {
    std::vector<store::Analysis> analyses;
    store::Loudness row;
    store::ProvidedSegment segment;
    store::ChapterPicture picture;
    std::string bytes;

    core::Result<std::vector<store::Analysis>> get(const std::string& kind,
                                                   const std::vector<store::ContentKey>& contents) override {
        std::vector<store::Analysis> found;
        for (const auto& analysis : analyses)
            if (kind == analysis.kind && contents == std::vector{analysis.content}) found.push_back(analysis);
        return found;
    }
    core::Result<std::map<core::ItemId, store::Loudness>> loudness(const std::vector<core::ItemId>& items) override {
        return filtered(items, row);
    }
    core::Result<std::map<core::ItemId, std::vector<store::ProvidedSegment>>> segments(
        const std::vector<core::ItemId>& items) override {
        return filtered(items, std::vector{segment});
    }
    core::Result<std::map<std::pair<core::ItemId, int>, std::vector<store::ChapterPicture>>> pictures(
        const std::vector<core::ItemId>& items) override {
        std::map<std::pair<core::ItemId, int>, std::vector<store::ChapterPicture>> found;
        for (const auto& id : items)
            if (id == row.item) found[{id, 0}] = {picture};
        return found;
    }
    core::Result<std::optional<std::string>> get(const store::BlobHash& hash) override {
        return hash == picture.blob ? std::optional(bytes) : std::nullopt;
    }

    // The side of the tasks: not http's.
    core::Result<void> sources(const std::string&, store::AnalysisState, const store::SourceFilter&,
                               const std::function<bool(store::AnalysableSource&&)>&) override {
        return none();
    }
    core::Result<store::SourceTotals> totals(const std::string&, store::AnalysisState,
                                             const store::SourceFilter&) override {
        return none();
    }
    core::Result<void> put(const std::vector<store::Analysis>&, const core::Fence&) override { return none(); }
    core::Result<store::CleanStep> purge_unreferenced(const std::string&, const core::Fence&) override {
        return none();
    }
    core::Result<std::int64_t> purge_kinds(const std::string&, const std::string&, std::int64_t,
                                           const core::Fence&) override {
        return none();
    }
    core::Result<void> put_loudness(const std::vector<store::Loudness>&, const core::Fence&) override { return none(); }
    core::Result<void> loudness_bases(
        const std::function<void(core::ItemId, store::LoudnessOrigin, std::string&&)>&) override {
        return none();
    }
    core::Result<std::int64_t> put_segments(const std::string&, const std::vector<store::ItemSegments>&,
                                            const core::Fence&) override {
        return none();
    }
    core::Result<void> segment_bases(const std::string&,
                                     const std::function<void(core::ItemId, std::string&&)>&) override {
        return none();
    }
    core::Result<void> put_pictures(const std::map<store::ContentKey, std::vector<store::ChapterPicture>>&,
                                    const core::Fence&) override {
        return none();
    }
    core::Result<store::BlobHash> put(std::string_view) override { return none(); }
    core::Result<bool> exists(const store::BlobHash& hash) override { return hash == picture.blob; }
    core::Result<store::BlobTotals> totals() override { return none(); }
    core::Result<store::CleanStep> remove_unreferenced(const std::string&, store::BlobReferences&,
                                                       core::Millis) override {
        return none();
    }

private:
    template <class T>
    std::map<core::ItemId, T> filtered(const std::vector<core::ItemId>& items, const T& thing) const {
        std::map<core::ItemId, T> found;
        for (const auto& id : items)
            if (id == row.item) found.emplace(id, thing);
        return found;
    }
    static tl::unexpected<core::Error> none() {
        return core::fail(core::Errc::unsupported, "http finds nothing out by itself");
    }
};

}  // namespace understudy::testing
