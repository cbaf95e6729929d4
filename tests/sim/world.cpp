#include "world.h"

#include <algorithm>

#include "core/check.h"

namespace understudy::sim {

void World::push(Event event) {
    event.sequence = ++sequence_;
    events_.push_back(std::move(event));
    std::push_heap(events_.begin(), events_.end(), Later{});
}

void World::at(Nanos when, std::function<void()> act) {
    push({std::max(when, now_), 0, std::move(act), nullptr, 0});
}

std::shared_ptr<Thread> World::spawn(Process& process, std::function<void()> body) {
    auto thread = std::make_shared<Thread>(stacks_, process, [body = std::move(body)] {
        try {
            body();
        } catch (const Killed&) {
        }
    });
    std::erase_if(process.threads, [](const auto& one) { return one->fiber.done(); });
    process.threads.push_back(thread);
    push({now_, 0, nullptr, thread, 0});
    return thread;
}

void World::kill(Process& process) {
    CHECK(current_ == nullptr);
    process.dead = true;
    const auto threads = std::move(process.threads);
    process.threads.clear();
    for (const auto& thread : threads) {
        thread->killed = true;
        if (thread->fiber.started() && !thread->fiber.done()) resume(thread);
        CHECK(!thread->fiber.started() || thread->fiber.done());
    }
}

void World::resume(const std::shared_ptr<Thread>& thread) {
    current_ = thread;
    thread->fiber.resume();
    current_ = nullptr;
}

void World::run_until(Nanos end) {
    while (!events_.empty() && events_.front().at <= end) {
        std::pop_heap(events_.begin(), events_.end(), Later{});
        auto event = std::move(events_.back());
        events_.pop_back();
        now_ = event.at;
        if (event.act) {
            event.act();
            continue;
        }
        const auto& thread = event.thread;
        if (thread->killed || thread->fiber.done() || thread->waits != event.wait) continue;
        if (thread->process->stopped_until > now_) {
            event.at = std::min(thread->process->stopped_until, now_ + 1s);  // it may go on earlier than it was to
            push(std::move(event));
            continue;
        }
        resume(thread);
    }
    now_ = std::max(now_, end);
}

void World::sleep(Nanos time) {
    // A destructor on a killed stack must not wait: there is nobody left to wake it.
    if (current_->killed) throw Killed{};
    push({now_ + std::max(time, Nanos{0}), 0, nullptr, current_, current_->waits + 1});
    await_wake();
}

void World::await_wake() {
    const auto thread = current_;
    if (thread->killed) throw Killed{};
    ++thread->waits;
    thread->fiber.suspend();
    ++thread->waits;
    if (thread->killed) throw Killed{};
}

void World::wake(const std::shared_ptr<Thread>& thread, std::uint64_t wait) {
    if (thread->killed || thread->fiber.done() || thread->waits != wait || wait % 2 == 0) return;
    push({now_, 0, nullptr, thread, wait});
}

bool SimClock::wait_for(std::unique_lock<std::mutex>& lock, std::condition_variable&, Nanos at_most,
                        const std::function<bool()>& done) {
    const auto end = now().boot + at_most;
    while (!done() && now().boot < end) {
        lock.unlock();
        world_.sleep(std::min(end - now().boot, Nanos{250ms}) + 1us);
        lock.lock();
    }
    return done();
}

}  // namespace understudy::sim
