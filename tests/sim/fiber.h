// tests/sim/fiber.h: a stack of its own for plain blocking code, so that many "threads" of many pods take turns in one
// real thread under virtual time.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace understudy::sim {

/// Keeps stacks for the next fiber.
class Stacks {
public:
    static constexpr std::size_t size = 256 * 1024;
    Stacks() = default;
    ~Stacks();
    Stacks(const Stacks&) = delete;
    Stacks& operator=(const Stacks&) = delete;
    [[nodiscard]] void* take();
    void give(void* stack) { free_.push_back(stack); }

private:
    std::vector<void*> free_;
};

/// One thread of the process only. The body must not let an exception out.
class Fiber {
public:
    Fiber(Stacks& stacks, std::function<void()> body);
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// Goes on with the body until its next suspend() or its end. Not from within another fiber.
    void resume();
    /// From within the body.
    void suspend();
    [[nodiscard]] bool done() const noexcept { return done_; }
    [[nodiscard]] bool started() const noexcept { return started_; }

private:
    static void entry(unsigned high, unsigned low);
    void run();

    Stacks& stacks_;
    std::function<void()> body_;
    void* stack_ = nullptr;
    ucontext_t own_{}, main_{};
    bool started_ = false, done_ = false;
    // For the sanitizers, which must be told of every change of stack.
    void* fake_stack_ = nullptr;
    const void* main_bottom_ = nullptr;
    std::size_t main_size_ = 0;
    void* tsan_own_ = nullptr;
    void* tsan_main_ = nullptr;
};

}  // namespace understudy::sim
