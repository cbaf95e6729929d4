#include "media/fingerprint.h"

#include "media/packed.h"
#include "media/time_spans.h"

namespace understudy::media {

namespace {

using std::chrono::microseconds;

constexpr microseconds forever{std::int64_t{1} << 59};

}  // namespace

std::string encode(const FingerprintParameters& parameters) {
    PackWriter out;
    write_spans(out, parameters.windows);
    out.real(parameters.silence_dbfs);
    out.signed_number(parameters.shortest_silence.count());
    return out.take();
}

core::Result<FingerprintParameters> decode_fingerprint_parameters(std::string_view bytes) {
    PackReader in(bytes);
    FingerprintParameters parameters;
    parameters.windows = read_spans(in, FingerprintParameters::most_windows, FingerprintParameters::longest_window);
    parameters.silence_dbfs = in.real();
    parameters.shortest_silence = std::chrono::microseconds{in.signed_number()};
    const bool sane = parameters.silence_dbfs >= -120 && parameters.silence_dbfs <= 0 &&
                      parameters.shortest_silence.count() > 0 && parameters.shortest_silence < forever;
    if (!in.whole() || !sane) return core::fail(core::Errc::corrupt, "parameters of fingerprints that do not decode");
    return parameters;
}

std::string encode(const FingerprintResult& result) {
    PackWriter out;
    out.number(result.windows.size());
    for (const auto& window : result.windows) {
        for (const auto time : {window.start, window.heard, window.item, window.span}) out.signed_number(time.count());
        out.number(window.words.size());
        for (const auto word : window.words) out.word(word);
        write_spans(out, window.silences);
    }
    return out.take();
}

core::Result<FingerprintResult> decode_fingerprint_result(std::string_view bytes) {
    PackReader in(bytes);
    FingerprintResult result;
    result.windows.resize(in.count(6, FingerprintParameters::most_windows));
    for (auto& window : result.windows) {
        for (microseconds* time : {&window.start, &window.heard, &window.item, &window.span}) {
            *time = std::chrono::microseconds{in.signed_number()};
            if (*time < -forever || *time > forever) in.fail();
        }
        window.words.resize(in.count(4, FingerprintResult::most_words));
        for (auto& word : window.words) word = in.word();
        window.silences = read_spans(in, FingerprintResult::most_silences, forever);
        if (window.heard.count() < 0 || window.span.count() < 0 || (window.item.count() <= 0 && !window.words.empty()))
            in.fail();
        if (!in.good()) break;
    }
    if (!in.whole()) return core::fail(core::Errc::corrupt, "a worker's fingerprints that do not decode");
    return result;
}

}  // namespace understudy::media
