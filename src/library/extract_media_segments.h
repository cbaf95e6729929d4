// library/extract_media_segments.h: the task TaskExtractMediaSegments: intros, credits, commercials of films and
// episodes, as its providers know them. Wired by app, run by the task engine.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "library/segment_provider.h"
#include "store/libraries.h"
#include "store/media_facts.h"
#include "store/scan_store.h"

namespace understudy::library {

/// A library's providers in its order (`MediaSegmentProviderOrder`, then those not named in ours) without those that it
/// has switched off. A provider replaces its own rows only; what is switched off loses its rows. What an answer follows
/// from is kept beside it, so that a second run asks nobody.
class ExtractMediaSegments final : public tasks::ScheduledTask {
public:
    /// References outlive it. `providers` in our order.
    ExtractMediaSegments(store::LibraryStore& libraries, store::ScanStore& items, store::Analyses& analyses,
                         store::MediaSegments& segments, std::vector<std::unique_ptr<SegmentProvider>> providers);

    [[nodiscard]] const tasks::CatalogueEntry& info() const noexcept override;
    [[nodiscard]] core::Result<void> execute(tasks::Run& run) override;

private:
    /// Hashes of the bases that are stored, of one provider; those that are empty are left out.
    using Bases = std::unordered_map<core::ItemId, std::uint64_t>;
    struct Asked {
        const model::Library* library = nullptr;
        std::vector<SegmentProvider*> providers;  ///< in order
        std::vector<double> seconds;              ///< each one's share of the work
    };

    [[nodiscard]] core::Result<std::vector<Asked>> asked(const std::vector<model::Library>& libraries, tasks::Run& run);
    [[nodiscard]] core::Result<void> load_bases();
    /// Removes what is stored of providers that a library has switched off.
    [[nodiscard]] core::Result<void> clear(const std::vector<Asked>& asked, tasks::Run& run);
    [[nodiscard]] core::Result<std::vector<SegmentItem>> items_of(core::LibraryId library, tasks::Run& run);
    [[nodiscard]] core::Result<void> update(SegmentProvider& provider, core::LibraryId library,
                                            const std::vector<SegmentItem>& items, tasks::Run& run,
                                            ProgressSlice slice);
    [[nodiscard]] core::Result<void> update_group(SegmentProvider& provider, const SegmentGroup& group,
                                                  tasks::Run& run);
    [[nodiscard]] core::Result<void> put(const SegmentProvider& provider, const std::vector<store::ItemSegments>& rows,
                                         std::string_view counted_as, tasks::Run& run);
    /// Of a group that is asked for. What an item's failure leaves for next time is not in it.
    [[nodiscard]] static std::vector<store::ItemSegments> accept(const SegmentProvider& provider,
                                                                 const SegmentGroup& group,
                                                                 std::vector<std::string>&& bases,
                                                                 std::vector<ItemAnswer>&& answers, tasks::Run& run);

    store::LibraryStore& libraries_;
    store::ScanStore& items_;
    store::Analyses& analyses_;
    store::MediaSegments& segments_;
    std::vector<std::unique_ptr<SegmentProvider>> providers_;
    std::unordered_map<const SegmentProvider*, Bases> bases_;  ///< of the run
};

}  // namespace understudy::library
