// http/server/body_budget.h: how much memory the bodies of all requests, or those of all answers, may take together.
// Used by the server.
#pragma once

#include <atomic>
#include <cstddef>

namespace understudy::http {

/// Anybody may send a body or fetch a picture, and as slowly as they like: without a bound for all of them a client
/// without a token could take all the memory there is. Safe from any thread.
class BodyBudget {
public:
    /// What every connection may have without asking: whoever fills the rest keeps nobody from what is small.
    static constexpr std::size_t free_bytes = std::size_t{64} * 1024;

    explicit BodyBudget(std::size_t most_bytes) : most_bytes_(most_bytes) {}
    BodyBudget(const BodyBudget&) = delete;
    BodyBudget& operator=(const BodyBudget&) = delete;

    /// One connection's part; given back when it is destroyed. One thread at a time.
    class Share {
    public:
        explicit Share(BodyBudget& budget) : budget_(budget) {}
        ~Share() { give_back(); }
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;

        /// Its body has `bytes` by now. False: too much for all together; what was taken before stays taken.
        [[nodiscard]] bool grow_to(std::size_t bytes) noexcept {
            if (bytes <= free_bytes + taken_) return true;
            const auto more = bytes - free_bytes - taken_;
            if (budget_.taken_.fetch_add(more) + more > budget_.most_bytes_) {
                budget_.taken_ -= more;
                return false;
            }
            taken_ += more;
            return true;
        }
        void give_back() noexcept {
            budget_.taken_ -= taken_;
            taken_ = 0;
        }

    private:
        BodyBudget& budget_;
        std::size_t taken_ = 0;
    };

private:
    const std::size_t most_bytes_;
    std::atomic<std::size_t> taken_ = 0;
};

}  // namespace understudy::http
