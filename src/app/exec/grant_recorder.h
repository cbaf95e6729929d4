// app/exec/grant_recorder.h: a lease store that remembers what was granted last: token and time, which a command gets
// for fencing. Used by `understudy exec`.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "lease/lease_store.h"

namespace understudy::app {

/// Threads as the port says; last() from any.
class GrantRecorder final : public lease::LeaseStore {
public:
    struct Grant {
        core::LeaseToken token;
        std::optional<core::UtcTime> store_time;  ///< when it was granted, by the store's clock
    };
    explicit GrantRecorder(std::unique_ptr<lease::LeaseStore> store) : store_(std::move(store)) {}

    /// Of the latest acquire; nullopt: none was granted yet.
    [[nodiscard]] std::optional<Grant> last() const {
        const std::lock_guard lock(mutex_);
        return last_;
    }

    [[nodiscard]] std::string_view provider() const noexcept override { return store_->provider(); }
    [[nodiscard]] tl::expected<std::optional<lease::StoreRestart>, lease::LeaseNoAnswer> connect() override {
        return store_->connect();
    }
    [[nodiscard]] lease::LeaseReply ask(const lease::LeaseRequest& request) override {
        auto reply = store_->ask(request);
        const auto* answer = std::get_if<lease::LeaseAnswer>(&reply);
        if (answer != nullptr && request.verb == lease::LeaseRequest::Verb::acquire &&
            answer->verdict == lease::LeaseAnswer::Verdict::granted) {
            const std::lock_guard lock(mutex_);
            last_ = Grant{request.token, answer->server_time};
        }
        return reply;
    }
    [[nodiscard]] Wake wait(core::Nanos at_most) override { return store_->wait(at_most); }
    void interrupt() noexcept override { store_->interrupt(); }

private:
    std::unique_ptr<lease::LeaseStore> store_;
    mutable std::mutex mutex_;
    std::optional<Grant> last_;
};

}  // namespace understudy::app
