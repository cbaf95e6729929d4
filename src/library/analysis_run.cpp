#include "library/analysis_run.h"

#include <algorithm>
#include <utility>

#include "library/naming/text.h"

namespace understudy::library {

namespace {

/// Files handed to the analyst at once: the wait for the last one of a piece is the only time that a core idles.
constexpr std::size_t piece_size = 256;
/// A dead pod costs the files in flight and this much more.
constexpr core::Millis commit_every{1'000};
constexpr std::size_t batch = 100;

/// Told again next time; everything else is the file's own fault and remembered until it changes.
bool is_passing(core::Errc code) {
    return code == core::Errc::unavailable || code == core::Errc::not_found;
}

/// Of what accept() says: the store's matter, not the file's.
bool ends_the_run(core::Errc code) {
    return code != core::Errc::corrupt && code != core::Errc::unsupported && code != core::Errc::invalid;
}

std::string_view unit_of(AnalysisWeight weight) {
    switch (weight) {
        case AnalysisWeight::duration:
            return "s of media";
        case AnalysisWeight::size:
            return "MB";
        case AnalysisWeight::files:
            break;
    }
    return "files";
}

std::string said(const core::Error& error) {
    return naming::display_text(error.context.empty() ? core::to_string(error.code) : std::string_view(error.context));
}

}  // namespace

AnalysisRun::AnalysisRun(const AnalysisPlan& plan, store::Analyses& analyses, media::Analyst& analyst,
                         core::Clock& clock, tasks::Run& run, ProgressSlice slice)
    : plan_(plan), analyses_(analyses), analyst_(analyst), clock_(clock), run_(run), slice_(slice) {}

std::string AnalysisRun::about(const core::Error& error) const {
    return plan_.subject.empty() ? said(error) : plan_.subject + ": " + said(error);
}

double AnalysisRun::weight(const store::AnalysableSource& source) const {
    // A file of unknown length counts a little, so that a library of them moves as well.
    switch (plan_.weight) {
        case AnalysisWeight::duration:
            return std::max(1.0, static_cast<double>(source.duration.count()) / 1000.0);
        case AnalysisWeight::size:
            return std::max(1.0, static_cast<double>(source.size_bytes) / 1e6);
        case AnalysisWeight::files:
            break;
    }
    return 1.0;
}

core::Result<AnalysisReport> AnalysisRun::work() {
    const auto totals = analyses_.totals(plan_.kind, store::AnalysisState::pending, plan_.filter);
    if (!totals) return tl::unexpected(totals.error());
    if (plan_.weight == AnalysisWeight::duration)
        weight_total_ = static_cast<double>(totals->duration.count()) / 1000.0;
    if (plan_.weight == AnalysisWeight::size) weight_total_ = static_cast<double>(totals->size_bytes) / 1e6;
    auto report = work({totals->files, [this](const auto& each) {
                            return analyses_.sources(plan_.kind, store::AnalysisState::pending, plan_.filter, each);
                        }});
    if (report && report->unread > 0 && report->done + report->failed + report->skipped == 0) {
        return core::fail(core::Errc::unavailable,
                          "none of " + std::to_string(report->unread) + " files could be read: " + last_unread_);
    }
    if (report) run_.report(slice_.to);
    return report;
}

core::Result<AnalysisReport> AnalysisRun::work(const GivenSources& given) {
    weight_total_ = std::max(weight_total_, static_cast<double>(given.files));
    last_commit_ = clock_.now();
    const auto streamed = given.stream([this](store::AnalysableSource&& source) { return add(std::move(source)); });
    if (!streamed) return tl::unexpected(streamed.error());
    if (!error_ && !run_.should_stop()) analyse_piece();
    flush(true);
    if (error_) return tl::unexpected(std::move(*error_));
    if (run_.should_stop()) return core::fail(core::Errc::cancelled, plan_.task);
    return report_;
}

bool AnalysisRun::add(store::AnalysableSource&& source) {
    if (!in_piece_.insert(source.content).second) {
        ++report_.repeated;
        weight_done_ += weight(source);
        return true;
    }
    piece_.push_back(std::move(source));
    if (piece_.size() >= piece_size) analyse_piece();
    return !error_ && !run_.should_stop();
}

void AnalysisRun::analyse_piece() {
    std::vector<media::AnalysisRequest> requests;
    std::vector<const store::AnalysableSource*> asked;
    for (const auto& source : piece_) {
        auto parameters = plan_.parameters ? plan_.parameters(source) : core::Result<std::string>{};
        if (parameters) {
            requests.push_back({source.path, plan_.job, std::move(*parameters), plan_.limit(source)});
            asked.push_back(&source);
        } else if (parameters.error().code == core::Errc::unsupported) {
            ++report_.skipped;
            keep(source, {}, nullptr);
        } else {
            take(source, tl::unexpected(std::move(parameters.error())));
        }
    }
    const auto stop = [this] {
        note_progress();  // a sign of life while one long file is at work
        return error_.has_value() || run_.should_stop();
    };
    analyst_.analyse(requests, stop, [&](std::size_t index, media::AnalysisResult result) {
        take(*asked[index], std::move(result));
        flush(false);
    });
    piece_.clear();
    in_piece_.clear();
}

void AnalysisRun::take(const store::AnalysableSource& source, media::AnalysisResult result) {
    if (error_) return;
    const auto fail = [&](const core::Error& error) {
        if (error.code == core::Errc::cancelled) return;  // pending still; work() says so
        run_.warn(naming::display_text(source.path) + ": " + about(error));
        if (is_passing(error.code)) {
            ++report_.unread;
            last_unread_ = said(error);
            weight_done_ += weight(source);
            return;
        }
        ++report_.failed;
        keep(source, {}, &error);
    };
    if (!result) return fail(result.error());
    if (result->size_bytes != source.size_bytes || result->mtime_ns != source.content.mtime_ns) {
        ++report_.changed;
        weight_done_ += weight(source);
        return;
    }
    auto payload = plan_.accept ? plan_.accept(source, std::move(result->payload))
                                : core::Result<std::string>(std::move(result->payload));
    if (!payload) return ends_the_run(payload.error().code) ? end_with(payload.error()) : fail(payload.error());
    ++report_.done;
    keep(source, std::move(*payload), nullptr);
}

void AnalysisRun::keep(const store::AnalysableSource& source, std::string payload, const core::Error* failure) {
    store::Analysis row;
    row.kind = plan_.kind;
    row.content = source.content;
    row.size_bytes = source.size_bytes;
    row.task = plan_.task;
    row.payload = std::move(payload);
    if (failure != nullptr) row.failure = about(*failure);
    row.at = clock_.utc_now();
    rows_.push_back(std::move(row));
    weight_done_ += weight(source);
}

void AnalysisRun::flush(bool all) {
    const bool due = rows_.size() >= batch || core::elapsed(last_commit_, clock_.now()) >= commit_every;
    if (error_ || rows_.empty() || !(all || due)) return;
    if (plan_.before_rows) {
        if (auto stored = plan_.before_rows(); !stored) return end_with(stored.error());
    }
    const auto sent =
        run_.commit(std::nullopt, [this](const core::Fence& fence) { return analyses_.put(rows_, fence); });
    if (!sent) return end_with(sent.error());
    rows_.clear();
    last_commit_ = clock_.now();
    note_progress();
}

void AnalysisRun::end_with(core::Error error) {
    if (!error_) error_ = std::move(error);
}

void AnalysisRun::note_progress() {
    const double share = weight_total_ > 0 ? std::min(1.0, weight_done_ / weight_total_) : 1.0;
    run_.report(slice_.from + (slice_.to - slice_.from) * share);
    run_.work(unit_of(plan_.weight), weight_done_, weight_total_);
}

void count(tasks::Run& run, const AnalysisReport& report, std::string_view done_as) {
    run.count(done_as, report.done);
    for (const auto& [name, number] : {std::pair{"failed", report.failed}, std::pair{"unreadable", report.unread},
                                       std::pair{"changed_meanwhile", report.changed}}) {
        if (number > 0) run.count(name, number);
    }
}

}  // namespace understudy::library
