#include "fiber.h"

#include <sys/mman.h>

#include <cstdint>

#include "core/check.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace understudy::sim {

Stacks::~Stacks() {
    for (void* stack : free_) ::munmap(stack, size);
}

void* Stacks::take() {
    if (!free_.empty()) {
        void* stack = free_.back();
        free_.pop_back();
        return stack;
    }
    void* stack = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(stack != MAP_FAILED);
    CHECK(::mprotect(stack, 4096, PROT_NONE) == 0);  // an overflow faults instead of writing into the next stack
    return stack;
}

Fiber::Fiber(Stacks& stacks, std::function<void()> body) : stacks_(stacks), body_(std::move(body)) {}

Fiber::~Fiber() {
    CHECK(!started_ || done_);  // what lies on its stack would never be destroyed
    if (stack_ != nullptr) stacks_.give(stack_);
#if defined(__SANITIZE_THREAD__)
    if (tsan_own_ != nullptr) __tsan_destroy_fiber(tsan_own_);
#endif
}

void Fiber::entry(unsigned high, unsigned low) {
    auto* self = reinterpret_cast<Fiber*>((static_cast<std::uintptr_t>(high) << 32U) | low);
    self->run();
}

void Fiber::run() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, &main_bottom_, &main_size_);
#endif
    body_();
    body_ = nullptr;
    done_ = true;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(nullptr, main_bottom_, main_size_);
#endif
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(tsan_main_, 0);
#endif
    ::swapcontext(&own_, &main_);
}

void Fiber::resume() {
    CHECK(!done_);
    if (!started_) {
        started_ = true;
        stack_ = stacks_.take();
        CHECK(::getcontext(&own_) == 0);
        own_.uc_stack.ss_sp = stack_;
        own_.uc_stack.ss_size = Stacks::size;
        own_.uc_link = nullptr;
        const auto address = reinterpret_cast<std::uintptr_t>(this);
        ::makecontext(&own_, reinterpret_cast<void (*)()>(&Fiber::entry), 2, static_cast<unsigned>(address >> 32U),
                      static_cast<unsigned>(address & 0xffffffffU));
#if defined(__SANITIZE_THREAD__)
        tsan_own_ = __tsan_create_fiber(0);
#endif
    }
#if defined(__SANITIZE_ADDRESS__)
    void* fake = nullptr;
    __sanitizer_start_switch_fiber(&fake, stack_, Stacks::size);
#endif
#if defined(__SANITIZE_THREAD__)
    tsan_main_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(tsan_own_, 0);
#endif
    CHECK(::swapcontext(&main_, &own_) == 0);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

void Fiber::suspend() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&fake_stack_, main_bottom_, main_size_);
#endif
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(tsan_main_, 0);
#endif
    CHECK(::swapcontext(&own_, &main_) == 0);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake_stack_, &main_bottom_, &main_size_);
#endif
}

}  // namespace understudy::sim
