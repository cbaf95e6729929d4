#include "http/request_rates.h"

#include <algorithm>
#include <chrono>

namespace understudy::http {
namespace {

/// Remembered. More at once are an attack from many: the full buckets go, then all.
constexpr std::size_t most_remembered = 50'000;

}  // namespace

bool RequestRates::take(const std::string& who, std::uint32_t cost) {
    if (per_minute_ == 0) return true;
    const auto now = clock_.now();
    const double most = per_minute_, a_second = most / 60;
    const auto filled = [&](const Bucket& bucket) {
        return std::min(most,
                        bucket.left + a_second * std::chrono::duration<double>(core::elapsed(bucket.at, now)).count());
    };
    const std::lock_guard lock(mutex_);
    if (buckets_.size() >= most_remembered && !buckets_.contains(who)) {
        std::erase_if(buckets_, [&](const auto& each) { return filled(each.second) >= most; });
        if (buckets_.size() >= most_remembered) buckets_.clear();
    }
    auto& bucket = buckets_.try_emplace(who, Bucket{most, now}).first->second;
    bucket.left = filled(bucket);
    bucket.at = now;
    if (bucket.left < cost) return false;
    bucket.left -= cost;
    return true;
}

std::uint32_t RequestRates::retry_after_s(std::uint32_t cost) const noexcept {
    constexpr std::uint32_t minute = 60;
    return per_minute_ == 0 ? 1 : std::max<std::uint32_t>(1, (minute * cost + per_minute_ - 1) / per_minute_);
}

}  // namespace understudy::http
