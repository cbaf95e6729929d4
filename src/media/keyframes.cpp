#include "media/keyframes.h"

#include "media/packed.h"

namespace understudy::media {

namespace {

constexpr std::uint64_t format = 1;
/// Times of files lie within this of zero (31,000 years): sums of two cannot overflow.
constexpr std::int64_t farthest = 1'000'000'000'000'000'000;

}  // namespace

std::string encode(const Keyframes& keyframes) {
    PackWriter out;
    out.number(format);
    out.number(static_cast<std::uint64_t>(keyframes.duration.count()));
    out.number(keyframes.times.size());
    // Distances are mostly the same or nearly: so it is the change of the distance that is kept.
    std::int64_t last = 0, distance = 0;
    for (const auto time : keyframes.times) {
        const auto next = time.count() - last;
        out.signed_number(next - distance);
        last = time.count();
        distance = next;
    }
    return out.take();
}

core::Result<Keyframes> decode_keyframes(std::string_view payload) {
    PackReader in(payload);
    if (in.number() != format) in.fail();
    Keyframes keyframes;
    const auto duration = in.number();
    if (duration > static_cast<std::uint64_t>(farthest)) in.fail();
    keyframes.duration = std::chrono::microseconds(duration);
    const auto count = in.count(1);
    keyframes.times.reserve(count);
    std::int64_t last = 0, distance = 0;
    for (std::size_t i = 0; i < count && in.good(); ++i) {
        const auto change = in.signed_number();
        if (change > farthest || change < -farthest) in.fail();
        distance += change;
        const auto time = last + distance;
        if (distance > farthest || distance < -farthest || time > farthest || time < -farthest) in.fail();
        if (i > 0 && distance <= 0) in.fail();
        if (!in.good()) break;
        keyframes.times.emplace_back(time);
        last = time;
    }
    if (!in.whole()) return core::fail(core::Errc::corrupt, "keyframes that make no sense");
    return keyframes;
}

}  // namespace understudy::media
