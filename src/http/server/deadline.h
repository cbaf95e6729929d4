// http/server/deadline.h: the time a client has for one step of its request. Used by session.cpp alone.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/time.h"

namespace understudy::http {

/// Cancels what the socket waits for once a time is up. Belongs to one strand.
class Deadline {
public:
    explicit Deadline(boost::asio::ip::tcp::socket& socket) : socket_(socket), timer_(socket.get_executor()) {}
    /// `owner` keeps socket and deadline alive until the timer has fired or was disarmed.
    template <class Owner>
    void arm(core::Millis within, std::shared_ptr<Owner> owner) {
        expired_ = false;
        wait(within, std::move(owner), ++round_);
    }
    void disarm() {
        ++round_;
        timer_.cancel();
    }
    [[nodiscard]] bool expired() const noexcept { return expired_; }

private:
    /// Until it is disarmed, again and again: between two reads there is nothing to cancel.
    template <class Owner>
    void wait(core::Millis within, std::shared_ptr<Owner> owner, std::uint64_t round) {
        timer_.expires_after(within);
        timer_.async_wait([this, round, owner = std::move(owner)](boost::system::error_code error) mutable {
            if (error || round != round_) return;  // disarmed, perhaps with this call under way already
            expired_ = true;
            boost::system::error_code ignored;
            socket_.cancel(ignored);
            constexpr core::Millis again{50};
            wait(again, std::move(owner), round);
        });
    }

    boost::asio::ip::tcp::socket& socket_;
    boost::asio::steady_timer timer_;
    std::uint64_t round_ = 0;
    bool expired_ = false;
};

}  // namespace understudy::http
