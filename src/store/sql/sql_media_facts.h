// store/sql/sql_media_facts.h: segments, loudness and chapter pictures in SQL (0009_analyses.sql). Made by app.
#pragma once

#include "store/media_facts.h"
#include "store/sql/session.h"

namespace understudy::store::sql {

class SqlMediaFacts final : public MediaSegments, public LoudnessStore, public ChapterPictures {
public:
    /// `database` must be migrated and outlive the store.
    explicit SqlMediaFacts(Database& database) : database_(database) {}

    [[nodiscard]] core::Result<std::int64_t> put_segments(const std::string& provider,
                                                          const std::vector<ItemSegments>& items,
                                                          const core::Fence& fence) override;
    [[nodiscard]] core::Result<std::map<core::ItemId, std::vector<ProvidedSegment>>> segments(
        const std::vector<core::ItemId>& items) override;
    [[nodiscard]] core::Result<void> segment_bases(
        const std::string& provider, const std::function<void(core::ItemId, std::string&&)>& each) override;

    [[nodiscard]] core::Result<void> put_loudness(const std::vector<Loudness>& rows, const core::Fence& fence) override;
    [[nodiscard]] core::Result<std::map<core::ItemId, Loudness>> loudness(
        const std::vector<core::ItemId>& items) override;
    [[nodiscard]] core::Result<void> loudness_bases(
        const std::function<void(core::ItemId, LoudnessOrigin, std::string&&)>& each) override;

    [[nodiscard]] core::Result<void> put_pictures(const std::map<ContentKey, std::vector<ChapterPicture>>& pictures,
                                                  const core::Fence& fence) override;
    [[nodiscard]] core::Result<std::map<std::pair<core::ItemId, int>, std::vector<ChapterPicture>>> pictures(
        const std::vector<core::ItemId>& items) override;

private:
    Database& database_;
};

}  // namespace understudy::store::sql
