// tests/unit/media/pool_fixture.h: a WorkerPool on the real or the misbehaving worker, and one call that collects its
// answers.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "media/worker_pool.h"
#include "support/media_files.h"

namespace understudy::media {

class PoolTest : public ::testing::Test {
protected:
    static WorkerPoolSettings settings(bool misbehaving = true) {
        WorkerPoolSettings s;
        s.worker = misbehaving ? UNDERSTUDY_MEDIA_TEST_WORKER : UNDERSTUDY_MEDIA_WORKER;
        s.workers = 2;
        return s;
    }

    std::string order(const std::string& what) {
        return folder_.write("order " + std::to_string(++orders_), "understudy-test-order: " + what).string();
    }

    /// One result for each path, and CHECKs that each came exactly once.
    static std::vector<ProbeResult> probe_all(
        Prober& pool, const std::vector<std::string>& paths, ProbeKind kind = ProbeKind::audio,
        const std::function<bool()>& stop = [] { return false; }) {
        std::vector<ProbeRequest> requests;
        for (const auto& path : paths) requests.push_back({.path = path, .kind = kind});
        std::vector<std::optional<ProbeResult>> slots(paths.size());
        pool.probe(requests, stop, [&](std::size_t i, ProbeResult result) {
            EXPECT_FALSE(slots.at(i).has_value()) << "answered twice";
            slots[i] = std::move(result);
        });
        std::vector<ProbeResult> results;
        for (auto& slot : slots) {
            EXPECT_TRUE(slot.has_value()) << "never answered";
            results.push_back(slot ? std::move(*slot) : core::fail(core::Errc::invalid, "never answered"));
        }
        return results;
    }

    static core::Errc code_of(const ProbeResult& result) { return result ? core::Errc::conflict : result.error().code; }
    static std::string said(const ProbeResult& result) { return result ? "a result" : result.error().context; }

    test::TempFolder folder_;
    core::NullLog log_;
    int orders_ = 0;
};

}  // namespace understudy::media
