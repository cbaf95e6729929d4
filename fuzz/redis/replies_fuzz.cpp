// fuzz/redis/replies_fuzz.cpp: whatever a Redis, or what stands in its place, may send. The first byte says in which
// pieces.
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "driver.h"
#include "redis/error_class.h"
#include "redis/reply.h"

namespace {

using understudy::redis::Reply;

constexpr understudy::redis::ReplyLimits limits{4096, 64};

void require(bool holds) {
    if (!holds) std::abort();
}

struct Cost {
    std::size_t bytes = 0, elements = 0;
};

Cost cost_of(const Reply& reply) {
    Cost cost{reply.text.size(), reply.elements.size()};
    require(reply.kind == Reply::Kind::array || reply.elements.empty());
    for (const auto& element : reply.elements) {
        const auto more = cost_of(element);
        cost.bytes += more.bytes;
        cost.elements += more.elements;
    }
    if (reply.is_error()) {
        (void)understudy::redis::read_error(reply.text);
        const auto line = understudy::redis::printable_error(reply.text);
        require(line.size() <= 200 && line.find_first_of("\r\n") == std::string::npos);
    }
    return cost;
}

/// All replies up to the first fault, in pieces of `step` bytes.
std::pair<std::vector<Cost>, bool> read_all(std::string_view bytes, std::size_t step) {
    understudy::redis::ReplyReader reader(limits);
    std::vector<Cost> costs;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        if (!reader.feed(bytes.substr(at, step))) return {costs, false};
        for (;;) {
            const auto reply = reader.next();
            if (!reply) return {costs, false};
            if (!*reply) break;
            costs.push_back(cost_of(**reply));
            require(costs.back().bytes <= limits.bytes && costs.back().elements <= limits.elements);
        }
    }
    return {costs, true};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::size_t step = 1U + (data[0] & 63U);
    const auto pieces = read_all(bytes, step);
    // The pieces in which bytes arrive must not change what they say.
    if (bytes.size() <= limits.bytes) {
        const auto single = read_all(bytes, 1);
        require(single.first.size() == pieces.first.size() && single.second == pieces.second);
    }
    return 0;
}
