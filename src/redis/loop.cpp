#include "redis/loop.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace understudy::redis {

struct Loop::State {
    boost::asio::io_context context;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work =
        boost::asio::make_work_guard(context);
};

Loop::Loop() : state_(std::make_unique<State>()) {}
Loop::~Loop() = default;

boost::asio::io_context& Loop::context() noexcept {
    return state_->context;
}

bool Loop::run_until(Deadline deadline, const std::function<bool()>& done) {
    while (!done()) {
        if (state_->context.run_one_until(deadline) == 0) return done();
    }
    return true;
}

void Loop::poll() {
    state_->context.poll();
}

void Loop::wake() noexcept {
    try {
        boost::asio::post(state_->context, [] {});
    } catch (const std::bad_alloc&) {  // the waiter then finds out at its deadline
    }
}

}  // namespace understudy::redis
