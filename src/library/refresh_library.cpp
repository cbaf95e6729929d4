#include "library/refresh_library.h"

#include <algorithm>

#include <boost/json.hpp>

#include "core/check.h"
#include "library/naming/text.h"
#include "library/scan_options.h"

namespace understudy::library {
namespace {

constexpr double unknown_weight = 1.0;  // of a library that was never scanned, or is empty
constexpr double covers_share = 0.05;   // of the progress

struct Choice {
    model::Library library;
    double weight;  // entries of the last scan, for its share of the progress
};

core::Result<double> weight_of(store::ScanStore& store, core::LibraryId library) {
    double entries = 0;
    const auto read = store.directories(
        library, [&](store::StoredDirectory&& directory) { entries += static_cast<double>(directory.entries); });
    if (!read) return tl::unexpected(read.error());
    return std::max(entries, unknown_weight);
}

bool is_about(const model::Library& library, const ScanOptions& options) {
    if (!options.libraries.empty() && !options.libraries.contains(library.id)) return false;
    if (options.paths.empty()) return true;
    return std::ranges::any_of(library.paths, [&](const std::string& root) {
        return std::ranges::any_of(
            options.paths, [&](const std::string& path) { return is_within(path, root) || is_within(root, path); });
    });
}

ScannerSettings with_threads(ScannerSettings settings, std::size_t threads) {
    settings.walk_threads = static_cast<unsigned>(std::clamp<std::size_t>(threads, 1, 64));
    return settings;
}

}  // namespace

RefreshLibrary::RefreshLibrary(Settings settings, store::LibraryStore& libraries, store::ScanStore& store,
                               media::Prober& prober, core::Clock& clock, core::Random& random,
                               std::shared_ptr<const FileSystem> files, ScanCompanions companions,
                               EmbeddedCovers* covers)
    : settings_(std::move(settings)),
      libraries_(libraries),
      store_(store),
      scanner_(with_threads(settings_.scanner, settings_.walk_threads), store, prober, std::move(files), clock, random,
               companions),
      covers_(covers) {}

const tasks::CatalogueEntry& RefreshLibrary::info() const noexcept {
    const auto* entry = tasks::find_task("RefreshLibrary");
    CHECK(entry != nullptr);
    return *entry;
}

std::string RefreshLibrary::join_requests(const std::string& kept, const std::string& wanted) const {
    const auto one = ScanOptions::parse(kept), other = ScanOptions::parse(wanted);
    return one && other ? joined(*one, *other).json() : wanted;
}

core::Millis settle_wait(const RefreshLibrary::Settings& settings, int attempt) noexcept {
    auto wait = settings.settle;
    for (int i = 0; i < attempt && wait < settings.settle_at_most; ++i) wait *= 2;
    return std::min(wait, settings.settle_at_most);
}

core::Result<void> RefreshLibrary::execute(tasks::Run& run) {
    const auto options = ScanOptions::parse(run.options());
    if (!options) return tl::unexpected(options.error());
    const auto all = libraries_.all();
    if (!all) return tl::unexpected(all.error());
    auto roots = libraries_.roots();
    if (!roots) return tl::unexpected(roots.error());

    std::vector<Choice> choice;
    double left = 0;
    for (const auto& library : *all) {
        if (!is_about(library, *options)) continue;
        const auto weight = weight_of(store_, library.id);
        if (!weight) return tl::unexpected(weight.error());
        choice.push_back({library, *weight});
        left += *weight;
    }
    // New libraries first: nobody knows how large they are before they are walked, and progress does not go back.
    std::stable_partition(choice.begin(), choice.end(), [](const Choice& one) { return one.weight <= unknown_weight; });

    const ScanScope scope = options->paths.empty() ? ScanScope() : ScanScope(options->paths, options->missed);
    ScanOptions follow_up;
    bool still_written = false;
    double from = 0;
    if (covers_ != nullptr) left += left * covers_share;
    for (const auto& [library, weight] : choice) {
        left -= weight;
        ScanShare share{from, weight, left};
        auto report = scanner_.scan(library, (*roots)[library.id], scope, run, share);
        from = share.to();
        if (!report && report.error().code == core::Errc::not_found) {
            run.warn("Library " + library.name + " was removed during its scan");
            continue;
        }
        // The store or the fence: no other library would fare better. Trouble with files is in the report.
        if (!report) return tl::unexpected(report.error());
        // Counted with each commit; named here so that a scan that found nothing says so.
        for (const auto* name : {"added", "changed", "moved"}) run.count(name, 0);
        run.count("removed", report->removed);
        run.count("kept_offline", report->kept_offline);
        run.count("failed", report->failed);
        run.count("unchanged", report->unchanged + report->returned);
        if (report->described > 0) run.count("described", report->described);
        if (report->unusable > 0) run.count("unusable", report->unusable);
        if (!report->settling.empty()) {
            run.count("still_being_written", static_cast<std::int64_t>(report->settling.size()));
            follow_up.libraries.insert(library.id);
            follow_up.paths.merge(report->settling);
            still_written = true;
        }
        if (report->missing > 0) {
            run.count("missing", report->missing);
            follow_up.libraries.insert(library.id);
            follow_up.missed = true;
        }
        if (report->changed_anything) announce(library, *report);
    }
    if (auto asked = ask_again(run, *options, std::move(follow_up), still_written); !asked) return asked;
    if (covers_ == nullptr) return {};
    std::vector<model::Library> scanned;
    for (const auto& one : choice) scanned.push_back(one.library);
    return covers_->refresh(run, scanned, {from, 100});
}

core::Result<void> RefreshLibrary::ask_again(tasks::Run& run, const ScanOptions& options, ScanOptions follow_up,
                                             bool still_written) const {
    if (follow_up.missed) follow_up.paths.insert(options.paths.begin(), options.paths.end());
    if (follow_up.paths.empty()) return {};
    // In a row: only while files of the last follow-up are at it again.
    const bool again = options.settling > 0 && std::ranges::any_of(follow_up.paths, [&](const std::string& path) {
                           return options.paths.contains(path);
                       });
    const int attempt = again ? options.settling : 0;
    if (still_written) follow_up.settling = attempt + 1;
    return run.request_follow_up(follow_up.json(), settle_wait(settings_, attempt), attempt);
}

void RefreshLibrary::announce(const model::Library& library, const ScanReport& report) const {
    if (!settings_.on_changed) return;
    static constexpr std::size_t most = 500;  // of each: more is told as a change of the library
    const auto ids = [](const std::vector<core::ItemId>& items) {
        boost::json::array list;
        for (std::size_t i = 0; i < std::min(most, items.size()); ++i) list.emplace_back(items[i].str());
        return list;
    };
    const boost::json::object payload{{"library", library.id.str()},
                                      {"added", ids(report.items_added)},
                                      {"updated", ids(report.items_updated)},
                                      {"removed", ids(report.items_removed)},
                                      {"counts",
                                       {{"added", report.added},
                                        {"changed", report.changed},
                                        {"moved", report.moved},
                                        {"removed", report.removed},
                                        {"kept_offline", report.kept_offline}}}};
    settings_.on_changed(boost::json::serialize(payload));
}

}  // namespace understudy::library
