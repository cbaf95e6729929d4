// store/sql/transactional_session.h: how a transaction goes, the same for both databases: begin, work, commit or roll
// back, and which failures are worth another try. Base of the two sessions.
#pragma once

#include <optional>
#include <string>

#include "store/sql/session.h"

namespace understudy::store::sql {

class TransactionalSession : public Session {
public:
    [[nodiscard]] core::Result<void> transaction(const std::function<core::Result<void>()>& work) final;
    [[nodiscard]] core::Result<void> snapshot(const std::function<core::Result<void>()>& work) final;
    /// False once the connection has failed: the pool then closes it.
    [[nodiscard]] virtual bool usable() const noexcept = 0;
    /// Called by the pool when the session comes back: limits as at the start.
    virtual void reset() = 0;

protected:
    enum class Mode { write, snapshot };
    [[nodiscard]] virtual core::Result<void> begin(Mode mode) = 0;
    [[nodiscard]] virtual core::Result<void> commit() = 0;
    virtual void roll_back() noexcept = 0;

    /// For adapters: a statement failed. Inside a transaction nothing more may be sent (PostgreSQL would refuse it;
    /// SQLite behaves the same here, so that code tested on one is right on the other).
    [[nodiscard]] core::Error note_failure(core::Error error, bool worth_another_try);
    /// The error to answer a statement with that comes after a failed one.
    [[nodiscard]] core::Result<void> check_not_failed() const;
    [[nodiscard]] bool in_transaction() const noexcept { return mode_.has_value(); }
    [[nodiscard]] bool in_snapshot() const noexcept { return mode_ == Mode::snapshot; }

private:
    [[nodiscard]] core::Result<void> run(Mode mode, const std::function<core::Result<void>()>& work);
    [[nodiscard]] core::Result<void> run_once(Mode mode, const std::function<core::Result<void>()>& work);

    std::optional<Mode> mode_;
    std::optional<std::string> failed_;  // what went wrong first in this transaction
    bool worth_another_try_ = false;
};

}  // namespace understudy::store::sql
