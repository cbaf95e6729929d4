// tests/contract/blobs/blobs_contract.h: what both providers of blobs must do.
#pragma once

#include "contract/blobs/blobs_fixture.h"

namespace understudy::testing {

enum class Provider { folder, sqlite, postgresql };
inline std::ostream& operator<<(std::ostream& out, Provider provider) {
    return out << (provider == Provider::folder ? "folder" : provider == Provider::sqlite ? "sqlite" : "postgresql");
}

inline std::string provider_name(const ::testing::TestParamInfo<Provider>& info) {
    return ::testing::PrintToString(info.param);
}

class BlobsContract : public ::testing::TestWithParam<Provider> {
protected:
    void SetUp() override {
        base_ =
            make_test_database(GetParam() == Provider::postgresql ? DatabaseKind::postgresql : DatabaseKind::sqlite);
        database_ = base_->open();
        ok(store::sql::migrate(*database_));
        if (GetParam() == Provider::folder) {
            store::sql::SqlBlobFolderRegistry registry(*database_);
            auto opened = store::FolderBlobs::open(folder_.path().string(), registry, clock_, random_);
            ok(opened);
            blobs_ = std::move(*opened);
        } else {
            blobs_ = std::make_unique<store::sql::SqlBlobs>(*database_);
        }
    }
    Result<void> sql(const std::string& text) {
        return database_->with(store::sql::Access::write, [&](store::sql::Session& session) -> Result<void> {
            auto done = session.execute(text);
            if (!done) return tl::unexpected(done.error());
            return {};
        });
    }
    /// Everything put so far was put two days ago.
    void age() {
        clock_.advance(48h);
        ok(sql("UPDATE blobs SET touched_at_ms = touched_at_ms - 172800000"));
    }
    store::BlobHash put(std::string_view bytes) {
        const auto hash = blobs_->put(bytes);
        ok(hash);
        return hash.value_or(store::BlobHash{});
    }
    std::optional<std::string> get(const store::BlobHash& hash) {
        const auto bytes = blobs_->get(hash);
        ok(bytes);
        return bytes.value_or(std::nullopt);
    }
    std::int64_t clean() {
        std::int64_t removed = 0;
        std::string cursor;
        do {
            const auto step = blobs_->remove_unreferenced(cursor, references_, store::blob_grace);
            ok(step);
            if (!step) return -1;
            removed += step->removed;
            cursor = step->cursor;
        } while (!cursor.empty());
        return removed;
    }

    ManualClock clock_;
    core::SystemRandom random_;
    TempFolder folder_;
    FakeReferences references_;
    std::unique_ptr<TestDatabase> base_;
    std::unique_ptr<store::sql::Database> database_;
    std::unique_ptr<store::BlobStore> blobs_;
};

TEST_P(BlobsContract, bytes_come_back_by_their_hash) {
    const std::string bytes("\0\xff binary \x01", 11);
    const auto hash = put(bytes);
    // RFC 7693's hash with 32 bytes of output, of "abc".
    EXPECT_EQ(put("abc").str(), "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
    EXPECT_EQ(get(hash), bytes);
    EXPECT_TRUE(blobs_->exists(hash).value());
    EXPECT_EQ(store::BlobHash::parse(hash.str()), hash);
}

TEST_P(BlobsContract, one_that_is_not_there_is_none) {
    const auto hash = store::hash_bytes("never put");
    EXPECT_FALSE(get(hash));
    EXPECT_FALSE(blobs_->exists(hash).value());
    EXPECT_EQ(blobs_->totals()->blobs, 0);
}

TEST_P(BlobsContract, putting_again_changes_nothing) {
    EXPECT_EQ(put("same"), put("same"));
    put("other!");
    EXPECT_EQ(blobs_->totals()->blobs, 2);
    EXPECT_EQ(blobs_->totals()->size_bytes, 10);
}

TEST_P(BlobsContract, no_bytes_and_many_bytes_are_kept_too) {
    const auto none = put("");
    EXPECT_EQ(get(none), "");
    std::string large(5'500'000, 'x');  // several chunks, the last one short
    for (std::size_t i = 0; i < large.size(); i += 1'000) large[i] = static_cast<char>(i / 1'000);
    EXPECT_EQ(get(put(large)), large);
}

TEST_P(BlobsContract, what_nothing_refers_to_goes_after_its_grace) {
    const auto used = put("used"), unused = put("unused");
    references_.used = {used};
    EXPECT_EQ(clean(), 0);  // just written
    age();
    const auto fresh = put("fresh");
    EXPECT_EQ(clean(), 1);
    EXPECT_TRUE(get(used));
    EXPECT_FALSE(get(unused));
    EXPECT_TRUE(get(fresh));
    EXPECT_EQ(clean(), 0);
}

TEST_P(BlobsContract, one_put_again_has_its_grace_again) {
    const auto hash = put("again");
    age();
    put("again");
    EXPECT_EQ(clean(), 0);
    EXPECT_TRUE(get(hash));
}

TEST_P(BlobsContract, one_put_again_while_it_is_being_removed_stays) {
    const auto hash = put("again");
    age();
    references_.meanwhile = [&] { put("again"); };
    EXPECT_EQ(clean(), 0);
    EXPECT_EQ(get(hash), "again");
}

TEST_P(BlobsContract, many_are_removed_in_steps) {
    for (int i = 0; i < 1'100; ++i) {
        const auto hash = put("blob " + std::to_string(i));
        if (i % 2 == 0) references_.used.insert(hash);
    }
    age();
    const auto first = blobs_->remove_unreferenced("", references_, store::blob_grace);
    ok(first);
    EXPECT_FALSE(first->cursor.empty());
    EXPECT_LE(first->looked_at, 1'000);
    EXPECT_EQ(first->removed + clean(), 550);
    EXPECT_EQ(blobs_->totals()->blobs, 550);
    EXPECT_EQ(blobs_->remove_unreferenced("no cursor", references_, 0ms).error().code, Errc::invalid);
}

TEST_P(BlobsContract, many_may_put_the_same_bytes_at_once) {
    const std::string bytes(300'000, 'z');
    std::vector<std::thread> threads;
    std::vector<Result<store::BlobHash>> hashes(4, core::fail(Errc::unavailable, ""));
    for (auto& hash : hashes) threads.emplace_back([&] { hash = blobs_->put(bytes); });
    for (auto& thread : threads) thread.join();
    for (const auto& hash : hashes) ok(hash);
    EXPECT_EQ(get(store::hash_bytes(bytes)), bytes);
    EXPECT_EQ(blobs_->totals()->blobs, 1);
}

}  // namespace understudy::testing
