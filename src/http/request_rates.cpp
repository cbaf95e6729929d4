#include "http/request_rates.h"

#include <algorithm>
#include <chrono>

namespace understudy::http {
namespace {

/// Addresses remembered. More at once are an attack from many: the full buckets go, then all.
constexpr std::size_t most_addresses = 50'000;

}  // namespace

bool RequestRates::take(const std::string& address) {
    if (per_minute_ == 0) return true;
    const auto now = clock_.now();
    const double most = per_minute_, a_second = most / 60;
    const auto filled = [&](const Bucket& bucket) {
        return std::min(most,
                        bucket.left + a_second * std::chrono::duration<double>(core::elapsed(bucket.at, now)).count());
    };
    const std::lock_guard lock(mutex_);
    if (buckets_.size() >= most_addresses && !buckets_.contains(address)) {
        std::erase_if(buckets_, [&](const auto& each) { return filled(each.second) >= most; });
        if (buckets_.size() >= most_addresses) buckets_.clear();
    }
    auto& bucket = buckets_.try_emplace(address, Bucket{most, now}).first->second;
    bucket.left = filled(bucket);
    bucket.at = now;
    if (bucket.left < 1) return false;
    bucket.left -= 1;
    return true;
}

std::uint32_t RequestRates::retry_after_s() const noexcept {
    return per_minute_ == 0 ? 1 : std::max<std::uint32_t>(1, (60 + per_minute_ - 1) / per_minute_);
}

}  // namespace understudy::http
