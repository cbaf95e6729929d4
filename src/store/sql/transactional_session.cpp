#include "store/sql/transactional_session.h"

#include <array>
#include <chrono>
#include <thread>
#include <utility>

#include "core/check.h"

namespace understudy::store::sql {
namespace {

// Waits between tries. A deadlock's other side needs some milliseconds to finish; four tries within 0.2 s cover all
// that was seen, more would only hide a design fault.
constexpr std::array<std::chrono::milliseconds, 3> pauses{std::chrono::milliseconds{5}, std::chrono::milliseconds{30},
                                                          std::chrono::milliseconds{150}};

}  // namespace

core::Result<void> TransactionalSession::transaction(const std::function<core::Result<void>()>& work) {
    return run(Mode::write, work);
}

core::Result<void> TransactionalSession::snapshot(const std::function<core::Result<void>()>& work) {
    return run(Mode::snapshot, work);
}

core::Error TransactionalSession::note_failure(core::Error error, bool worth_another_try) {
    if (!failed_) {
        failed_ = error.context;
        worth_another_try_ = worth_another_try;
    }
    return error;
}

core::Result<void> TransactionalSession::check_not_failed() const {
    if (in_transaction() && failed_) {
        return core::fail(core::Errc::corrupt,
                          "a statement after a failed one in the same transaction; it failed with: " + *failed_);
    }
    return {};
}

core::Result<void> TransactionalSession::run(Mode mode, const std::function<core::Result<void>()>& work) {
    CHECK(!in_transaction());  // transactions do not nest
    for (std::size_t attempt = 0;; ++attempt) {
        auto result = run_once(mode, work);
        if (result || !worth_another_try_ || !usable() || attempt == pauses.size()) return result;
        std::this_thread::sleep_for(pauses.at(attempt));
    }
}

core::Result<void> TransactionalSession::run_once(Mode mode, const std::function<core::Result<void>()>& work) {
    failed_.reset();
    worth_another_try_ = false;
    if (auto begun = begin(mode); !begun) return begun;
    failed_.reset();
    worth_another_try_ = false;
    mode_ = mode;

    core::Result<void> result;
    try {
        result = work();
    } catch (...) {
        mode_.reset();
        roll_back();
        throw;
    }
    if (result && failed_)
        result = core::fail(core::Errc::corrupt, "transaction committed after a failure: " + *failed_);
    if (!result) {
        mode_.reset();
        roll_back();
        return result;
    }
    result = commit();
    mode_.reset();
    worth_another_try_ = false;  // something was sent to COMMIT
    if (!result && usable()) roll_back();
    return result;
}

}  // namespace understudy::store::sql
