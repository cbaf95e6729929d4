#include "media/edges.h"

#include "media/packed.h"
#include "media/time_spans.h"

namespace understudy::media {

std::string encode(const EdgesParameters& parameters) {
    PackWriter out;
    write_spans(out, parameters.windows);
    out.real(parameters.picture_black_ratio);
    out.real(parameters.pixel_black);
    out.signed_number(parameters.shortest.count());
    return out.take();
}

core::Result<EdgesParameters> decode_edges_parameters(std::string_view bytes) {
    PackReader in(bytes);
    EdgesParameters parameters;
    parameters.windows = read_spans(in, EdgesParameters::most_windows, EdgesParameters::longest_window);
    parameters.picture_black_ratio = in.real();
    parameters.pixel_black = in.real();
    parameters.shortest = std::chrono::microseconds{in.signed_number()};
    const auto is_share = [](double value) { return value >= 0 && value <= 1; };
    if (!in.whole() || !is_share(parameters.picture_black_ratio) || !is_share(parameters.pixel_black) ||
        parameters.shortest.count() < 0)
        return core::fail(core::Errc::corrupt, "parameters of edges that do not decode");
    return parameters;
}

std::string encode(const EdgesResult& result) {
    PackWriter out;
    out.number(result.blacks.size());
    for (const auto& spans : result.blacks) write_spans(out, spans);
    return out.take();
}

core::Result<EdgesResult> decode_edges_result(std::string_view bytes) {
    PackReader in(bytes);
    EdgesResult result;
    result.blacks.resize(in.count(1, EdgesParameters::most_windows));
    for (auto& spans : result.blacks) {
        spans = read_spans(in, EdgesResult::most_blacks, EdgesParameters::longest_window);
        if (!in.good()) break;
    }
    if (!in.whole()) return core::fail(core::Errc::corrupt, "a worker's edges that do not decode");
    return result;
}

}  // namespace understudy::media
