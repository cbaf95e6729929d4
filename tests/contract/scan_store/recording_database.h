// tests/contract/scan_store/recording_database.h: a database that keeps what it is asked, for tests of how much that
// is.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "store/sql/session.h"

namespace understudy::testing {

/// One thread at a time.
class RecordingDatabase final : public store::sql::Database {
public:
    explicit RecordingDatabase(store::sql::Database& database) : database_(database) {}

    std::vector<std::string> asked;
    [[nodiscard]] std::ptrdiff_t count(std::string_view part) const {
        return std::ranges::count_if(asked,
                                     [&](const std::string& sql) { return sql.find(part) != std::string::npos; });
    }

    [[nodiscard]] store::sql::Dialect dialect() const noexcept override { return database_.dialect(); }
    [[nodiscard]] core::Result<void> with(
        store::sql::Access access, const std::function<core::Result<void>(store::sql::Session&)>& work) override {
        return database_.with(access, [&](store::sql::Session& session) {
            Recorder recorder(session, asked);
            return work(recorder);
        });
    }
    [[nodiscard]] core::Result<void> ping() override { return database_.ping(); }

private:
    class Recorder final : public store::sql::Session {
    public:
        Recorder(store::sql::Session& session, std::vector<std::string>& asked) : session_(session), asked_(asked) {}
        [[nodiscard]] store::sql::Dialect dialect() const noexcept override { return session_.dialect(); }
        [[nodiscard]] core::Result<std::int64_t> execute(std::string_view sql,
                                                         const std::vector<store::sql::Value>& values) override {
            asked_.emplace_back(sql);
            return session_.execute(sql, values);
        }
        [[nodiscard]] core::Result<void> query(std::string_view sql, const std::vector<store::sql::Value>& values,
                                               const std::function<void(const store::sql::Row&)>& each) override {
            asked_.emplace_back(sql);
            return session_.query(sql, values, each);
        }
        [[nodiscard]] core::Result<void> transaction(const std::function<core::Result<void>()>& work) override {
            return session_.transaction(work);
        }
        [[nodiscard]] core::Result<void> snapshot(const std::function<core::Result<void>()>& work) override {
            return session_.snapshot(work);
        }
        void set_limit(core::Millis limit) override { session_.set_limit(limit); }
        void set_stop(const std::function<bool()>& stop) override { session_.set_stop(stop); }

    private:
        store::sql::Session& session_;
        std::vector<std::string>& asked_;
    };
    store::sql::Database& database_;
};

}  // namespace understudy::testing
