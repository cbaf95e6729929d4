// media/time_spans.h: lists of sorted spans in packed bytes. Used by the codecs of the jobs that have windows.
#pragma once

#include <vector>

#include "media/fingerprint.h"
#include "media/packed.h"

namespace understudy::media {

inline void write_spans(PackWriter& out, const std::vector<TimeSpan>& spans) {
    out.number(spans.size());
    std::chrono::microseconds before{0};
    for (const auto& span : spans) {
        out.signed_number((span.start - before).count());
        out.signed_number((span.end - span.start).count());
        before = span.end;
    }
}

/// Refuses what is empty, not sorted, overlapping or longer than `longest`. Only the first span's start may be before
/// 0.
inline std::vector<TimeSpan> read_spans(PackReader& in, std::size_t most, std::chrono::microseconds longest) {
    constexpr std::int64_t far_away = std::int64_t{1} << 60;
    std::vector<TimeSpan> spans(in.count(2, most));
    std::int64_t before = 0;
    for (auto& span : spans) {
        const std::int64_t gap = in.signed_number();
        const std::int64_t length = in.signed_number();
        const bool first = &span == spans.data();
        if ((gap < 0 && !first) || gap < -far_away || gap > far_away || length <= 0 || length > longest.count())
            in.fail();
        if (!in.good() || before + gap > far_away) {
            in.fail();
            break;
        }
        span.start = std::chrono::microseconds{before + gap};
        span.end = span.start + std::chrono::microseconds{length};
        before = span.end.count();
    }
    return spans;
}

}  // namespace understudy::media
