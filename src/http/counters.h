// http/counters.h: what the HTTP side counts about itself, in memory. Written by server and dispatcher, read by
// /metrics.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "core/time.h"
#include "http/auth/credentials.h"

namespace understudy::http {

/// Safe from any thread.
struct HttpCounters {
    /// Upper bounds of the duration buckets, in seconds; one more bucket takes the rest.
    static constexpr std::array<double, 7> bounds{0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10};

    std::array<std::atomic<std::uint64_t>, 6> by_class{};  ///< answers by status / 100
    std::array<std::atomic<std::uint64_t>, bounds.size() + 1> by_duration{};
    std::atomic<std::uint64_t> duration_ns{0};
    std::array<std::atomic<std::uint64_t>, credential_form_count> forms_used{};
    std::array<std::atomic<std::uint64_t>, credential_form_count> forms_refused{};
    std::atomic<std::uint64_t> legacy_prefix_used{0};  ///< `/emby/…`, `/mediabrowser/…`
    std::atomic<std::int64_t> connections{0};
    std::atomic<std::uint64_t> connections_refused{0};  ///< above the limit
    std::atomic<std::uint64_t> overloaded{0};           ///< 503 because the queue was full
    std::atomic<std::uint64_t> timed_out{0};            ///< slow clients
    std::atomic<std::uint64_t> malformed{0};            ///< no HTTP, or too large

    void count(int status, core::Nanos took) noexcept {
        const auto index = static_cast<std::size_t>(status / 100);
        if (index < by_class.size()) by_class[index].fetch_add(1, std::memory_order_relaxed);
        std::size_t bucket = 0;
        const double seconds = std::chrono::duration<double>(took).count();
        while (bucket < bounds.size() && seconds > bounds[bucket]) ++bucket;
        by_duration[bucket].fetch_add(1, std::memory_order_relaxed);
        duration_ns.fetch_add(static_cast<std::uint64_t>(took.count() < 0 ? 0 : took.count()),
                              std::memory_order_relaxed);
    }
};

}  // namespace understudy::http
