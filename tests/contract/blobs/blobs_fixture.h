// tests/contract/blobs/blobs_fixture.h: folders and references for the suites of blobs.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "core/random.h"
#include "store/blobs/folder_blobs.h"
#include "store/blobs/hash_bytes.h"
#include "store/sql/sql_blobs.h"
#include "support/databases.h"
#include "support/manual_clock.h"
#include "support/temp_folder.h"

namespace understudy::testing {

using core::Errc;
using core::Result;
using namespace std::chrono_literals;

template <class T>
void ok(const Result<T>& result) {
    ASSERT_TRUE(result) << to_string(result.error().code) << ": " << result.error().context;
}

class FakeReferences final : public store::BlobReferences {
public:
    std::set<store::BlobHash> used;
    std::function<void()> meanwhile;  ///< what another pod does while the references are read

    Result<std::unordered_set<store::BlobHash>> referenced(const std::vector<store::BlobHash>& hashes) override {
        std::unordered_set<store::BlobHash> found;
        for (const auto& hash : hashes) {
            if (used.contains(hash)) found.insert(hash);
        }
        if (meanwhile) meanwhile();
        return found;
    }
};

}  // namespace understudy::testing
