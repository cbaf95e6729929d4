// library/scan_session.h: the state of one scan while it runs, one method a phase. Private to scanner.cpp and its
// tests.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "library/describer.h"
#include "library/diff.h"
#include "library/extra_owners.h"
#include "library/found_playlists.h"
#include "library/found_sets.h"
#include "library/item_index.h"
#include "library/patient_reader.h"
#include "library/probe_ahead.h"
#include "library/resolve.h"
#include "library/scanner.h"
#include "library/sidecars.h"
#include "library/stored_tree.h"

namespace understudy::library {

/// What one scan works with; references and settings of the scanner.
struct ScanParts {
    const ScannerSettings& settings;
    store::ScanStore& store;
    media::Prober& prober;
    std::shared_ptr<const FileSystem> files;
    core::Clock& clock;
    core::Random& random;
    ScanCompanions companions;
};

/// A row among the directories that is no path: this library's scan has committed items of whose credits, sets and
/// playlists the companions may not know yet.
inline constexpr std::string_view owed_mark = "?companions";

class ScanSession {
public:
    ScanSession(ScanParts parts, const model::Library& library, const std::vector<model::RootState>& before,
                const ScanScope& scope, tasks::Run& run, ScanShare& share);

    [[nodiscard]] core::Result<ScanReport> scan();

private:
    // The phases, in order.
    [[nodiscard]] core::Result<void> walk_and_compare();
    [[nodiscard]] core::Result<void> note_problems();
    [[nodiscard]] core::Result<void> know_items();
    [[nodiscard]] core::Result<void> match_moves();
    void count_what_stays();
    [[nodiscard]] core::Result<void> note_availability();
    [[nodiscard]] core::Result<void> choose_described();
    [[nodiscard]] std::unordered_map<core::ItemId, std::string> films_beside();
    [[nodiscard]] core::Result<void> work();
    [[nodiscard]] core::Result<void> retire();
    [[nodiscard]] core::Result<void> settle_companions();
    [[nodiscard]] core::Result<void> finish();

    // Parts of work().
    struct Group {
        std::size_t begin = 0, end = 0;  ///< in order_
        std::string folder;
        bool extras = false;  ///< behind all others: their owners are resolved by then
    };
    void order_work();
    void place_sidecars();
    [[nodiscard]] store::StoredFile seen_sidecar(const FoundFile& file) const;
    [[nodiscard]] core::Result<void> commit_late();
    void note_faults();
    [[nodiscard]] bool needs_probe(std::uint32_t index) const;
    // scan_extras.cpp
    [[nodiscard]] std::unordered_map<core::ItemId, std::vector<std::string>> folders_of_owners();
    void choose_extras();
    [[nodiscard]] bool may_be_item(const FoundFile& file) const;
    void expect_owners();
    void note_owners(std::size_t first_step);
    [[nodiscard]] core::Result<void> work_on_extras(FolderGroup&& group, Resolver& resolver);
    [[nodiscard]] core::Result<void> retire_ownerless();
    [[nodiscard]] FoundFile known_file(std::uint32_t row);
    [[nodiscard]] core::Result<void> work_on(const Group& group, ProbeAhead& probes, Resolver& resolver);
    // scan_read_ahead.cpp
    class NfoFiles;
    [[nodiscard]] std::vector<std::string> nfo_files_of(const Group& group);
    void read_ahead(std::size_t group);
    [[nodiscard]] std::vector<core::ItemId> items_beside(const std::string& folder) const;
    /// One file's answer into `into` or into a step of its own. False: stopped.
    [[nodiscard]] bool take_answer(std::uint32_t index, std::optional<media::ProbeResult> answer, FolderGroup& into);
    void set_aside(const ScannedFile& scanned, bool transient, std::string why, const std::string& folder);
    [[nodiscard]] core::Result<void> flush(bool all);
    [[nodiscard]] FoundSets* sets();
    [[nodiscard]] core::Result<void> put_said(std::vector<SaidOfItem>&& said);
    [[nodiscard]] core::Result<void> put_credits(std::vector<store::ItemCredits>&& credits);
    [[nodiscard]] core::Result<void> put_credits_of_tracks();
    void mark_owed(store::ScanBatch& batch);
    [[nodiscard]] FoundPlaylists playlists_of(core::LibraryId library);
    [[nodiscard]] core::Result<void> look_at_playlists_elsewhere();
    void count(std::int64_t added, std::int64_t changed, std::int64_t moved);
    [[nodiscard]] core::Result<void> commit(store::ScanBatch& batch, const std::string& folder);
    [[nodiscard]] core::Result<std::vector<std::uint32_t>> still_gone();

    [[nodiscard]] core::Result<void> stopped() const {
        return core::fail(core::Errc::cancelled, "scan of " + library_.name);
    }
    void report(double inner) { run_.report(share_.from + (share_.to() - share_.from) * inner / 100.0); }
    void report_work() {
        if (to_do_ == 0) return;
        const auto done = static_cast<double>(done_), all = static_cast<double>(to_do_);
        report(10.0 + 90.0 * done / all);
        run_.work("files", done, all);
    }
    void warn_of_roots();
    [[nodiscard]] store::StoredFile stored_file(std::uint32_t row) const;
    [[nodiscard]] std::string cursor_of(const std::string& folder) const;

    ScanParts parts_;
    const model::Library& library_;
    const std::vector<model::RootState>& before_;
    const ScanScope& scope_;
    tasks::Run& run_;
    ScanShare& share_;

    StoredTree stored_;
    Difference difference_;
    ItemIndex index_;
    bool index_loaded_ = false;
    std::vector<store::StoredDirectory> stored_directories_;
    std::unordered_map<std::uint32_t, model::MediaInfo> probed_;  ///< for their sample, before the matching; used again
    std::vector<std::uint32_t> order_;                            ///< of work, folder by folder
    std::vector<std::string_view> group_of_;  ///< by run of paths: the folder whose film or album it is
    std::vector<Group> groups_;
    std::vector<std::vector<std::uint32_t>> sidecars_of_;  ///< by group: those that are described once it is done
    std::vector<store::StoredFile> late_;                  ///< described and committed: to be noted as seen
    std::optional<Sidecars> sidecars_;
    std::optional<PatientReader> reader_;
    std::optional<Describer> describer_;
    std::unique_ptr<FoundSets> sets_;
    std::optional<ExtraOwners> owners_;
    std::unordered_set<std::uint32_t> chosen_extras_;  ///< rows that are worked on though their files did not change
    bool let_go_ = false;                              ///< an extra that nobody owns any more
    bool owed_ = false;                                ///< a scan before this one died owing
    bool marked_ = false;                              ///< this one has said so of itself
    std::vector<bool> secondary_;                      ///< a disc's smaller streams: known, no item
    std::vector<bool> went_;                           ///< by row: moved, and the new name was taken up
    std::size_t next_probe_ = 0, foreseen_groups_ = 0;
    std::string foreseen_;  ///< the folder whose NFO files were foreseen last
    std::vector<Step> pending_;
    std::size_t done_ = 0, to_do_ = 0;
    std::int64_t told_added_ = 0, told_changed_ = 0, told_moved_ = 0;  ///< counted in the run so far
    core::Instant last_commit_{};
    core::UtcTime resolved_at_{};  ///< items made by this scan carry it as created_at
    ScanReport report_;
};

}  // namespace understudy::library
