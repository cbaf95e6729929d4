// media/time_spans.h: lists of sorted spans in packed bytes. Used by the codecs of the jobs that have windows.
#pragma once

#include <vector>

#include "media/fingerprint.h"
#include "media/job_bytes.h"

namespace understudy::media {

inline void write_spans(packed::Writer& out, const std::vector<TimeSpan>& spans) {
    out.count(spans.size());
    std::chrono::microseconds before{0};
    for (const auto& span : spans) {
        out.micros(span.start - before);
        out.micros(span.end - span.start);
        before = span.end;
    }
}

/// Refuses what is empty, not sorted, overlapping or longer than `longest`. Only the first span's start may be before
/// 0.
inline std::vector<TimeSpan> read_spans(packed::Reader& in, std::size_t most, std::chrono::microseconds longest) {
    constexpr std::int64_t far_away = std::int64_t{1} << 60;
    std::vector<TimeSpan> spans(in.elements(most, 2));
    std::int64_t before = 0;
    for (auto& span : spans) {
        const std::int64_t gap = in.number();
        const std::int64_t length = in.number();
        const bool first = &span == spans.data();
        if ((gap < 0 && !first) || gap < -far_away || gap > far_away || length <= 0 || length > longest.count())
            in.refuse();
        if (!in.good() || before + gap > far_away) {
            in.refuse();
            break;
        }
        span.start = std::chrono::microseconds{before + gap};
        span.end = span.start + std::chrono::microseconds{length};
        before = span.end.count();
    }
    return spans;
}

}  // namespace understudy::media
