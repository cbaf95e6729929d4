#include "media/pool_engine.h"

#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <utility>

#include "core/check.h"

namespace understudy::media {

namespace {

using namespace std::chrono_literals;

/// A process that hung up is ended by hand if it is still there after this.
constexpr auto last_moments = 1s;
/// Sleeping this much longer than asked means that the machine or this process was stopped: no worker is to blame.
constexpr auto oversleep = 2s;
constexpr unsigned most_start_failures = 3;

WorkerPoolSettings checked(WorkerPoolSettings settings) {
    if (settings.workers == 0) settings.workers = std::max(1u, std::thread::hardware_concurrency());
    settings.batch = std::clamp<std::size_t>(settings.batch, 1, wire::max_batch);
    settings.nice = std::clamp(settings.nice, 0, 19);
    return settings;
}

}  // namespace

PoolEngine::PoolEngine(WorkerPoolSettings settings, core::Log& log)
    : settings_(checked(std::move(settings))),
      log_(log),
      events_(epoll_create1(EPOLL_CLOEXEC)),
      bell_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    CHECK(events_ && bell_);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = bell_.get();
    CHECK(epoll_ctl(events_.get(), EPOLL_CTL_ADD, bell_.get(), &event) == 0);
}

PoolEngine::~PoolEngine() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake();
    if (thread_.joinable()) thread_.join();
}

void PoolEngine::wake() const noexcept {
    const std::uint64_t one = 1;
    static_cast<void>(::write(bell_.get(), &one, sizeof one));  // fails only when it already rings
}

// The kernel ends workers with the thread that started them (PR_SET_PDEATHSIG): so it is this one, which lives as long
// as the pool, never a caller's.
void PoolEngine::run() {
    pthread_setname_np(pthread_self(), "media-pool");
    for (;;) {
        {
            const std::lock_guard lock(mutex_);
            if (stopping_) break;
            handle_cancelled();
            dispatch(std::chrono::steady_clock::now());
        }
        wait_for_events();
        check_limits(std::chrono::steady_clock::now());
        reap();
    }
    shut_down();
}

void PoolEngine::shut_down() {
    {
        const std::lock_guard lock(mutex_);
        for (const auto& call : calls_) call->cancelled = true;
        cancels_pending_ = true;
        handle_cancelled();
        while (!workers_.empty()) retire(workers_.size() - 1, true);
    }
    for (auto& dying : dying_) dying.process->kill();
    const auto until = std::chrono::steady_clock::now() + 2s;
    while (!dying_.empty() && std::chrono::steady_clock::now() < until) {
        reap();
        if (!dying_.empty()) std::this_thread::sleep_for(1ms);
    }
    for (auto& dying : dying_) dying.process->forget();  // stuck in the kernel: init reaps it
    dying_.clear();
}

void PoolEngine::wait_for_events() {
    std::array<epoll_event, 32> events;
    const auto before = std::chrono::steady_clock::now();
    const int timeout = timeout_ms(before);
    const int count = epoll_wait(events_.get(), events.data(), static_cast<int>(events.size()), timeout);
    const auto slept = std::chrono::steady_clock::now() - before;
    if (timeout >= 0 && slept > std::chrono::milliseconds(timeout) + oversleep)
        for (auto& worker : workers_) worker.since += slept;
    for (int i = 0; i < count; ++i) {
        const int fd = events[static_cast<std::size_t>(i)].data.fd;
        if (fd == bell_.get()) {
            std::uint64_t rings = 0;
            static_cast<void>(::read(fd, &rings, sizeof rings));
            continue;
        }
        const auto found =
            std::find_if(workers_.begin(), workers_.end(), [&](const auto& w) { return w.process->socket() == fd; });
        if (found != workers_.end()) on_readable(static_cast<std::size_t>(found - workers_.begin()));
    }
}

void PoolEngine::on_readable(std::size_t i) {
    auto& worker = workers_[i];
    const bool open = worker.process->receive();
    Finished finished;
    const bool sense = take_answers(worker, finished);
    const std::lock_guard lock(mutex_);
    for (auto& [file, payload] : finished) finish(std::move(file), std::move(payload));
    if (!sense) {
        blame(std::exchange(worker.in_hand, {}), {core::Errc::corrupt, "its parser answered nonsense and was ended"},
              Guilt::certain);
        retire(i, true);
    } else if (!open) {
        retire(i, false);
    }
}

bool PoolEngine::take_answers(Worker& worker, Finished& finished) {
    while (auto answer = worker.process->answers().next()) {
        if (answer->id == wire::hello_id) {
            if (worker.ready || !on_hello(worker, *answer)) return false;
            continue;
        }
        if (worker.in_hand.empty() || worker.in_hand.front().id != answer->id) return false;
        finished.emplace_back(std::move(worker.in_hand.front().file), std::move(answer->payload));
        worker.in_hand.pop_front();
        worker.since = std::chrono::steady_clock::now();
        probed_.fetch_add(1, std::memory_order_relaxed);
    }
    return !worker.process->answers().broken();
}

bool PoolEngine::on_hello(Worker& worker, const wire::Answer& answer) {
    if (!answer.payload) {
        worker.fault = "its sandbox failed: " + answer.hello;  // it leaves by itself
        return true;
    }
    if (answer.hello != wire::hello_word) {
        worker.fault = "it speaks '" + answer.hello + "', this server '" + std::string(wire::hello_word) + "'";
        return false;
    }
    worker.process->came_up();
    worker.ready = true;
    worker.since = std::chrono::steady_clock::now();
    start_failures_ = 0;
    if (std::exchange(said_broken_, false)) log_.info("media files can be read again");
    return true;
}

void PoolEngine::retire(std::size_t i, bool kill, std::vector<std::shared_ptr<PoolCall>> for_calls) {
    auto& worker = workers_[i];
    epoll_ctl(events_.get(), EPOLL_CTL_DEL, worker.process->socket(), nullptr);
    std::erase(pids_, worker.process->pid());
    if (kill) {
        worker.process->kill();
        killed_.fetch_add(1, std::memory_order_relaxed);
    }
    worker.process->hang_up();
    dying_.push_back({.process = std::move(worker.process),
                      .in_hand = std::move(worker.in_hand),
                      .for_calls = std::move(for_calls),
                      .since = std::chrono::steady_clock::now(),
                      .killed = kill,
                      .was_ready = worker.ready,
                      .fault = std::move(worker.fault)});
    workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(i));
}

PoolEngine::Time PoolEngine::deadline(const Worker& worker) const {
    if (!worker.ready) return worker.since + settings_.start_limit;
    if (worker.in_hand.empty()) return worker.since + settings_.idle_limit;
    const auto limit = worker.in_hand.front().file->limit;
    // Nobody waits the whole limit behind a file that is slow.
    return worker.since + (worker.in_hand.size() == 1 ? limit : std::min(limit, settings_.batch_patience));
}

int PoolEngine::timeout_ms(Time now) const {
    Time next = Time::max();
    for (const auto& worker : workers_) next = std::min(next, deadline(worker));
    // The end of a process wakes nobody here; it takes a millisecond or two, unless it hangs in the kernel.
    for (const auto& dying : dying_) next = std::min(next, now + (now - dying.since < 100ms ? 2ms : 100ms));
    if (next == Time::max()) return -1;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(std::max(next - now, Time::duration::zero())).count();
    return static_cast<int>(std::min<std::int64_t>(left, std::numeric_limits<int>::max()));
}

void PoolEngine::check_limits(Time now) {
    for (std::size_t i = workers_.size(); i-- > 0;) {
        auto& worker = workers_[i];
        if (now < deadline(worker)) continue;
        const std::lock_guard lock(mutex_);
        if (!worker.ready) {
            worker.fault = "it did not come up in time";
            retire(i, true);
        } else if (worker.in_hand.empty()) {
            retire(i, false);
        } else {
            const bool last = worker.in_hand.size() == 1;  // it had its whole limit
            const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(now - worker.since);
            blame(std::exchange(worker.in_hand, {}),
                  {core::Errc::timed_out, "its parser gave no answer for " + std::to_string(waited.count()) + " ms"},
                  last ? Guilt::certain : Guilt::likely);
            retire(i, true);
        }
    }
}

void PoolEngine::reap() {
    const auto now = std::chrono::steady_clock::now();
    for (std::size_t i = dying_.size(); i-- > 0;) {
        auto& dying = dying_[i];
        const auto status = dying.process->try_reap();
        if (!status) {
            if (now - dying.since > last_moments) dying.process->kill();
            continue;
        }
        judge(dying, *status);
        dying_.erase(dying_.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

void PoolEngine::judge(Dying& dead, int wait_status) {
    const std::lock_guard lock(mutex_);
    for (const auto& call : dead.for_calls) {
        --call->dying_workers;
        call->wake.notify_all();
    }
    if (!dead.was_ready && (!dead.killed || !dead.fault.empty())) {
        ++start_failures_;
        const std::string why = dead.fault.empty() ? "it ended with " + describe_exit(wait_status) : dead.fault;
        if (start_failures_ >= most_start_failures)
            on_broken_start("media worker '" + settings_.worker.string() + "' does not come up: " + why);
        return;
    }
    if (dead.in_hand.empty()) return;
    crashed_.fetch_add(1, std::memory_order_relaxed);
    const bool by_signal = WIFSIGNALED(wait_status);
    const bool foreign = by_signal && WTERMSIG(wait_status) == SIGKILL;
    const bool overtime = by_signal && WTERMSIG(wait_status) == SIGXCPU;
    const auto code = overtime ? core::Errc::timed_out : foreign ? core::Errc::unavailable : core::Errc::corrupt;
    blame(std::exchange(dead.in_hand, {}), {code, "its parser ended with " + describe_exit(wait_status)},
          foreign ? Guilt::none : Guilt::certain);
}

}  // namespace understudy::media
