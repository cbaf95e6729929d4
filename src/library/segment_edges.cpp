#include "library/segment_edges.h"

#include <algorithm>

namespace understudy::library {

namespace {

using namespace std::chrono_literals;
using segments::Micros;
using segments::Span;

/// Wider than what is asked for, so that an edge that another episode moves a little is still inside.
constexpr Micros margin = 2s;

core::Millis limit(const store::AnalysableSource& source) {
    constexpr std::int64_t slow_bytes_a_second = 20'000'000;  // a file without an index may be read up to its end
    return core::Millis{60'000 + 1000 * (source.size_bytes / slow_bytes_a_second)};
}

/// Length of the parameters in decimal, a colon, the parameters, the result.
std::string pack(const std::string& parameters, const std::string& result) {
    return std::to_string(parameters.size()) + ":" + parameters + result;
}

struct Known {
    std::vector<media::TimeSpan> windows;
    std::vector<Span> blacks;
};

void add_blacks(const media::EdgesResult& result, std::vector<Span>& into) {
    for (const auto& window : result.blacks)
        for (const auto& black : window) into.push_back({black.start, black.end});
}

std::optional<Known> unpack(const std::string& payload) {
    constexpr std::size_t most_digits = 6;
    const auto colon = payload.find(':');
    if (colon == std::string::npos || colon == 0 || colon > most_digits) return std::nullopt;
    std::size_t length = 0;
    for (std::size_t i = 0; i < colon; ++i) {
        if (payload[i] < '0' || payload[i] > '9') return std::nullopt;
        length = 10 * length + static_cast<std::size_t>(payload[i] - '0');
    }
    const auto rest = std::string_view(payload).substr(colon + 1);
    if (length > rest.size()) return std::nullopt;
    const auto parameters = media::decode_edges_parameters(rest.substr(0, length));
    const auto result = media::decode_edges_result(rest.substr(length));
    if (!parameters || !result) return std::nullopt;
    Known known{parameters->windows, {}};
    add_blacks(*result, known.blacks);
    return known;
}

/// What is asked lies in what was looked at.
bool covers(const Known& known, const EdgeQuestion& question) {
    const auto wanted = edge_windows(question.edges, segments::refine_reach, question.source->duration);
    return std::ranges::all_of(wanted, [&](const media::TimeSpan& window) {
        return std::ranges::any_of(known.windows, [&](const media::TimeSpan& seen) {
            return seen.start <= window.start && window.end <= seen.end;
        });
    });
}

}  // namespace

std::vector<media::TimeSpan> edge_windows(std::vector<Micros> edges, Micros margin_of_each, core::Millis duration) {
    std::ranges::sort(edges);
    std::vector<media::TimeSpan> windows;
    for (const auto edge : edges) {
        media::TimeSpan window{std::max(edge - margin_of_each, Micros{0}), edge + margin_of_each};
        if (duration > 0ms) window.end = std::min(window.end, Micros(duration));
        if (window.end <= window.start) continue;
        if (!windows.empty() && window.start <= windows.back().end) {
            windows.back().end = std::max(windows.back().end, window.end);
        } else {
            windows.push_back(window);
        }
    }
    return windows;
}

core::Result<EdgeAnswers> SegmentEdges::blacks(const std::vector<EdgeQuestion>& questions, tasks::Run& run) {
    EdgeAnswers found;
    std::vector<store::ContentKey> contents;
    contents.reserve(questions.size());
    for (const auto& question : questions) contents.push_back(question.source->content);
    const auto stored = analyses_.get(kind, contents);
    if (!stored) return tl::unexpected(stored.error());
    std::map<store::ContentKey, const store::Analysis*> rows;
    for (const auto& row : *stored) rows.emplace(row.content, &row);

    std::vector<const EdgeQuestion*> open;
    for (const auto& question : questions) {
        const auto row = rows.find(question.source->content);
        if (row != rows.end() && row->second->payload.empty()) continue;  // it could not say
        auto known = row == rows.end() ? std::nullopt : unpack(row->second->payload);
        if (known && covers(*known, question)) {
            found.blacks[question.source->content] = std::move(known->blacks);
        } else {
            open.push_back(&question);
        }
    }
    if (auto looked = look(open, found, run); !looked) return tl::unexpected(looked.error());
    return found;
}

core::Result<void> SegmentEdges::look(const std::vector<const EdgeQuestion*>& questions, EdgeAnswers& into,
                                      tasks::Run& run) {
    std::vector<media::AnalysisRequest> requests;
    std::vector<const store::AnalysableSource*> sources;
    for (const auto* question : questions) {
        media::EdgesParameters parameters;
        parameters.windows = edge_windows(question->edges, margin, question->source->duration);
        if (parameters.windows.empty()) continue;
        requests.push_back({question->source->path, media::Job::edges, encode(parameters), limit(*question->source)});
        sources.push_back(question->source);
    }
    if (requests.empty()) return {};
    std::vector<store::Analysis> rows;
    const auto keep = [&](const store::AnalysableSource& source, std::string payload) {
        store::Analysis row{kind, source.content, source.size_bytes, "TaskExtractMediaSegments", std::move(payload)};
        row.at = clock_.utc_now();
        rows.push_back(std::move(row));
    };
    const auto stop = [&run] {
        run.report(0);  // no progress, a sign of life
        return run.should_stop();
    };
    analyst_.analyse(requests, stop, [&](std::size_t index, media::AnalysisResult answer) {
        const auto& source = *sources[index];
        if (!answer) {
            // Without a picture, or with one that cannot be decoded: the sound's edges stand, and nobody asks again.
            const auto code = answer.error().code;
            if (code == core::Errc::unsupported || code == core::Errc::corrupt || code == core::Errc::timed_out)
                return keep(source, {});
            into.unread.emplace(source.content, std::move(answer.error()));
            return;
        }
        if (answer->size_bytes != source.size_bytes || answer->mtime_ns != source.content.mtime_ns) return;
        const auto result = media::decode_edges_result(answer->payload);
        if (!result) return keep(source, {});
        add_blacks(*result, into.blacks[source.content]);
        keep(source, pack(requests[index].parameters, answer->payload));
    });
    if (!rows.empty()) {
        auto stored = run.commit(std::nullopt, [&](const core::Fence& fence) { return analyses_.put(rows, fence); });
        if (!stored) return stored;
    }
    if (run.should_stop()) return core::fail(core::Errc::cancelled, "black pictures at the edges of segments");
    return {};
}

}  // namespace understudy::library
