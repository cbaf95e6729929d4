#include "media/fingerprint.h"

#include "media/job_bytes.h"
#include "media/time_spans.h"

namespace understudy::media {

namespace {

using std::chrono::microseconds;

constexpr microseconds forever{std::int64_t{1} << 59};

}  // namespace

std::string encode(const FingerprintParameters& parameters) {
    packed::Writer out;
    write_spans(out, parameters.windows);
    out.real(parameters.silence_dbfs);
    out.micros(parameters.shortest_silence);
    return out.take();
}

core::Result<FingerprintParameters> decode_fingerprint_parameters(std::string_view bytes) {
    packed::Reader in(bytes);
    FingerprintParameters parameters;
    parameters.windows = read_spans(in, FingerprintParameters::most_windows, FingerprintParameters::longest_window);
    parameters.silence_dbfs = in.real();
    parameters.shortest_silence = in.micros();
    const bool sane = parameters.silence_dbfs >= -120 && parameters.silence_dbfs <= 0 &&
                      parameters.shortest_silence.count() > 0 && parameters.shortest_silence < forever;
    if (!in.whole() || !sane) return core::fail(core::Errc::corrupt, "parameters of fingerprints that do not decode");
    return parameters;
}

std::string encode(const FingerprintResult& result) {
    packed::Writer out;
    out.count(result.windows.size());
    for (const auto& window : result.windows) {
        for (const auto time : {window.start, window.heard, window.item, window.span}) out.micros(time);
        out.count(window.words.size());
        for (const auto word : window.words) out.word(word);
        write_spans(out, window.silences);
    }
    return out.take();
}

core::Result<FingerprintResult> decode_fingerprint_result(std::string_view bytes) {
    packed::Reader in(bytes);
    FingerprintResult result;
    result.windows.resize(in.elements(FingerprintParameters::most_windows, 6));
    for (auto& window : result.windows) {
        for (microseconds* time : {&window.start, &window.heard, &window.item, &window.span}) {
            *time = in.micros();
            if (*time < -forever || *time > forever) in.refuse();
        }
        window.words.resize(in.elements(FingerprintResult::most_words, 4));
        for (auto& word : window.words) word = in.word();
        window.silences = read_spans(in, FingerprintResult::most_silences, forever);
        if (window.heard.count() < 0 || window.span.count() < 0 || (window.item.count() <= 0 && !window.words.empty()))
            in.refuse();
        if (!in.good()) break;
    }
    if (!in.whole()) return core::fail(core::Errc::corrupt, "a worker's fingerprints that do not decode");
    return result;
}

}  // namespace understudy::media
