// library/analysis_run.h: works through the files that a task has not looked at yet: pending sources → worker processes
// → batches under the fence. What is stored is no longer pending: that is how a run whose pod died goes on, and why a
// second run finds nothing to do. Used by the library's tasks that decode.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "library/progress_slice.h"
#include "media/analyst.h"
#include "store/analyses.h"
#include "tasks/task.h"

namespace understudy::library {

/// What a file's share of the work is measured in: seconds of media, bytes (of jobs that read but do not decode), or
/// one (of jobs that look at a small part of each).
enum class AnalysisWeight { duration, size, files };

/// What a task wants of each file.
struct AnalysisPlan {
    std::string kind;     ///< of store::Analysis; where settings change the result they are part of it
    std::string task;     ///< key of the task, for `library problems`
    std::string subject;  ///< what a failure is about, where the task's key does not say it; empty: the file
    media::Job job = media::Job::keyframes;
    store::SourceFilter filter;
    /// Parameters of the job. `unsupported`: nothing to do for this file, remembered as done with an empty payload.
    /// Other errors are remembered as the file's failure. Null: none.
    std::function<core::Result<std::string>(const store::AnalysableSource&)> parameters;
    /// Wall and processor time of the worker over the file.
    std::function<core::Millis(const store::AnalysableSource&)> limit;
    /// Looks at a whole answer, on the run's thread, and may store what follows from it (with run.commit); returns what
    /// is kept as payload. Repeating it for the same file must change nothing. Errors: corrupt, unsupported and
    /// invalid are the file's; all others end the run. Null: the payload is kept as it came.
    std::function<core::Result<std::string>(const store::AnalysableSource&, std::string&& payload)> accept;
    /// Called before rows that say that files are done are stored: stores (with run.commit) what accept() gathered of
    /// them. Errors end the run. Null: accept() gathers nothing.
    std::function<core::Result<void>()> before_rows;
    AnalysisWeight weight = AnalysisWeight::duration;
};

/// Files that the caller chose, instead of all that are pending.
struct GivenSources {
    std::int64_t files = 0;  ///< about how many
    std::function<core::Result<void>(const std::function<bool(store::AnalysableSource&&)>& each)> stream;
};

struct AnalysisReport {
    std::int64_t done = 0;      ///< files with a result
    std::int64_t failed = 0;    ///< remembered: tried again when they change
    std::int64_t skipped = 0;   ///< there was nothing to do for them; remembered too
    std::int64_t unread = 0;    ///< could not be read now (network, permissions): pending still
    std::int64_t changed = 0;   ///< changed meanwhile: the next scan sees them
    std::int64_t repeated = 0;  ///< files with the bytes of another one
};

/// One plan within a run, on the run's thread.
class AnalysisRun {
public:
    /// References outlive it.
    AnalysisRun(const AnalysisPlan& plan, store::Analyses& analyses, media::Analyst& analyst, core::Clock& clock,
                tasks::Run& run, ProgressSlice slice);

    /// Blocks until every pending file is looked at. Errors: cancelled (asked to stop; what is done is stored), fenced,
    /// and what the store says. Trouble with files is no error: it is counted and warned of.
    [[nodiscard]] core::Result<AnalysisReport> work();
    /// The same with these files, measured as AnalysisWeight::files. That none could be read is for the caller to tell.
    [[nodiscard]] core::Result<AnalysisReport> work(const GivenSources& given);

private:
    [[nodiscard]] bool add(store::AnalysableSource&& source);
    void analyse_piece();
    void take(const store::AnalysableSource& source, media::AnalysisResult result);
    void keep(const store::AnalysableSource& source, std::string payload, const core::Error* failure);
    void flush(bool all);
    void end_with(core::Error error);
    void note_progress();
    [[nodiscard]] double weight(const store::AnalysableSource& source) const;
    [[nodiscard]] std::string about(const core::Error& error) const;

    const AnalysisPlan& plan_;
    store::Analyses& analyses_;
    media::Analyst& analyst_;
    core::Clock& clock_;
    tasks::Run& run_;
    ProgressSlice slice_;

    std::vector<store::AnalysableSource> piece_;
    std::set<store::ContentKey> in_piece_;
    std::vector<store::Analysis> rows_;
    core::Instant last_commit_{};
    double weight_done_ = 0, weight_total_ = 0;
    std::optional<core::Error> error_;
    std::string last_unread_;
    AnalysisReport report_;
};

/// Adds the report's numbers to the run's counts: `<done_as>`, `failed`, `unreadable`, …; zeros are left out but for
/// the first.
void count(tasks::Run& run, const AnalysisReport& report, std::string_view done_as);

}  // namespace understudy::library
