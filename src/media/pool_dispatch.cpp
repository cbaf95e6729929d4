// The half of PoolEngine that shares files out: calls, turns, batches, and what becomes of a file whose worker died.
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "media/pool_engine.h"

namespace understudy::media {

namespace {

/// A start costs 0.1 s of processor time: a handful of small files waits for the worker that is already there.
constexpr std::size_t worth_a_start = 4;

core::Error cancelled_file() {
    return {core::Errc::cancelled, "media file"};
}

}  // namespace

std::size_t PoolEngine::window(bool probes) const noexcept {
    if (!probes) return std::clamp<std::size_t>(settings_.workers * std::size_t{2}, 2, 256);
    // Two messages in each worker's hands and as much again waiting; at most 256 of the usual 1024 descriptors.
    return std::clamp<std::size_t>(settings_.workers * settings_.batch * 4, 16, 256);
}

void PoolEngine::enter(const std::shared_ptr<PoolCall>& call) {
    std::call_once(started_, [this] { thread_ = std::jthread([this] { run(); }); });
    const std::lock_guard lock(mutex_);
    calls_.push_back(call);
}

void PoolEngine::submit(PoolCall& call, std::vector<PoolFilePtr> files) {
    bool ring = false;
    {
        const std::lock_guard lock(mutex_);
        call.in_engine += files.size();
        for (auto& file : files) {
            if (call.cancelled || stopping_)
                finish(std::move(file), tl::unexpected(cancelled_file()));
            else
                call.ready.push_back(std::move(file));
        }
        ring = std::exchange(hungry_, false);
    }
    if (ring) wake();
}

void PoolEngine::cancel(PoolCall& call) {
    {
        const std::lock_guard lock(mutex_);
        call.cancelled = true;
        cancels_pending_ = true;
    }
    wake();
}

void PoolEngine::leave(const PoolCall& call) {
    const std::lock_guard lock(mutex_);
    std::erase_if(calls_, [&](const auto& other) { return other.get() == &call; });
}

std::size_t PoolEngine::ready_files() const {
    std::size_t count = 0;
    for (const auto& call : calls_) count += call->ready.size();
    return count;
}

std::size_t PoolEngine::ready_load() const {
    std::size_t load = 0;
    for (const auto& call : calls_)
        if (!call->ready.empty())  // all files of a call are of one sort
            load += call->ready.size() * (is_probe(call->ready.front()->job) ? 1 : worth_a_start);
    return load;
}

void PoolEngine::finish(PoolFilePtr file, Payload payload) {
    PoolCall& call = *file->call;
    call.finished.emplace_back(std::move(file), std::move(payload));
    call.wake.notify_all();
}

void PoolEngine::give_back(PoolFilePtr file, bool alone) {
    if (file->call->cancelled) return finish(std::move(file), tl::unexpected(cancelled_file()));
    file->alone |= alone;
    retried_.fetch_add(1, std::memory_order_relaxed);
    auto& ready = file->call->ready;
    ready.push_front(std::move(file));
}

void PoolEngine::fail_all_ready(const core::Error& why) {
    for (const auto& call : calls_)
        while (!call->ready.empty()) {
            auto file = std::move(call->ready.front());
            call->ready.pop_front();
            finish(std::move(file), tl::unexpected(why));
        }
}

void PoolEngine::blame(std::deque<InHand> in_hand, const core::Error& why, Guilt guilt) {
    if (in_hand.empty()) return;
    constexpr int most_foreign_deaths = 3;
    const std::uint64_t first = in_hand.front().message;
    const auto suspects =
        std::count_if(in_hand.begin(), in_hand.end(), [&](const auto& h) { return h.message == first; });
    // From the back, so that what is put back in front of the queue keeps its order.
    for (; !in_hand.empty(); in_hand.pop_back()) {
        auto& [file, id, message] = in_hand.back();
        const bool suspect = message == first;
        if (suspect && guilt == Guilt::none) ++file->foreign_deaths;
        const bool proven = guilt == Guilt::certain || (guilt == Guilt::likely && file->alone) ||
                            file->foreign_deaths >= most_foreign_deaths;
        if (suspect && suspects == 1 && proven) {
            finish(std::move(file), tl::unexpected(why));
            probed_.fetch_add(1, std::memory_order_relaxed);
        } else {
            give_back(std::move(file), suspect);
        }
    }
}

void PoolEngine::handle_cancelled() {
    if (!std::exchange(cancels_pending_, false)) return;
    const auto cancelled = cancelled_file();
    for (const auto& call : calls_) {
        if (!call->cancelled) continue;
        for (; !call->ready.empty(); call->ready.pop_front())
            finish(std::move(call->ready.front()), tl::unexpected(cancelled));
    }
    for (std::size_t i = workers_.size(); i-- > 0;) {
        auto& worker = workers_[i];
        std::vector<std::shared_ptr<PoolCall>> for_calls;
        for (const auto& call : calls_) {
            const auto its = [&](const InHand& h) { return h.file->call == call.get(); };
            if (call->cancelled && std::any_of(worker.in_hand.begin(), worker.in_hand.end(), its))
                for_calls.push_back(call);
        }
        if (for_calls.empty()) continue;
        for (; !worker.in_hand.empty(); worker.in_hand.pop_back())
            give_back(std::move(worker.in_hand.back().file), false);
        for (const auto& call : for_calls) ++call->dying_workers;
        retire(i, true, std::move(for_calls));
    }
    for (auto& dying : dying_) {
        std::deque<InHand> others;
        for (auto& held : dying.in_hand) {
            if (held.file->call->cancelled)
                finish(std::move(held.file), tl::unexpected(cancelled));
            else
                others.push_back(std::move(held));
        }
        dying.in_hand = std::move(others);
    }
}

std::vector<PoolFilePtr> PoolEngine::next_batch(bool for_idle_worker) {
    const auto is_alone = [](const PoolCall& call) { return !call.ready.empty() && call.ready.front()->alone; };
    // A file to be tried again alone goes first.
    auto chosen = std::find_if(calls_.begin(), calls_.end(), [&](const auto& call) { return is_alone(*call); });
    if (chosen == calls_.end())
        chosen = std::find_if(calls_.begin(), calls_.end(), [](const auto& call) { return !call->ready.empty(); });
    if (chosen == calls_.end()) return {};
    // Neither sort of work starves the other: its turn waits until this worker has nothing else.
    const bool single = (*chosen)->ready.front()->travels_alone();
    if (single && !for_idle_worker) return {};

    const auto call = *chosen;
    calls_.erase(chosen);
    calls_.push_back(call);
    std::vector<PoolFilePtr> batch;
    // Few files are spread over the workers, many are sent by the full message.
    const std::size_t share = ready_files() / (2 * std::size_t{settings_.workers});
    const std::size_t most = single ? 1 : std::clamp<std::size_t>(share, 1, settings_.batch);
    while (!call->ready.empty() && batch.size() < most && (batch.empty() || !call->ready.front()->alone)) {
        batch.push_back(std::move(call->ready.front()));
        call->ready.pop_front();
    }
    return batch;
}

bool PoolEngine::feed(Worker& worker, Time now) {
    if (!worker.ready) return false;
    auto& held = worker.in_hand;
    const bool two_messages = !held.empty() && held.front().message != held.back().message;
    if (two_messages || (!held.empty() && held.back().file->travels_alone())) return false;
    auto batch = next_batch(held.empty());
    if (batch.empty()) return false;

    std::array<wire::Order, wire::max_batch> orders{};
    std::array<int, wire::max_batch> files{};
    std::string_view parameters;  // only a file that travels alone has some
    ++next_message_;
    if (held.empty()) worker.since = now;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const auto& file = *batch[i];
        if (++next_id_ == wire::hello_id) next_id_ = 0;
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(file.limit).count();
        orders[i] = {.size_bytes = file.size_bytes,
                     .id = next_id_,
                     .cpu_seconds = static_cast<std::uint16_t>(std::min<std::int64_t>(seconds, UINT16_MAX)),
                     .job = file.job,
                     .parameter_bytes = static_cast<std::uint32_t>(file.parameters.size())};
        parameters = file.parameters;
        files[i] = file.fd.get();
        held.push_back({std::move(batch[i]), next_id_, next_message_});
    }
    messages_.fetch_add(1, std::memory_order_relaxed);
    // A failed send means that it is dead or dying: its socket says so next, and the files are given back there.
    if (!worker.process->send(std::span(orders).first(batch.size()), std::span(files).first(batch.size()), parameters))
        worker.process->kill();
    return true;
}

void PoolEngine::dispatch(Time now) {
    // Round by round, so that the first worker does not get all of a short queue.
    for (bool fed = true; fed;) {
        fed = false;
        for (auto& worker : workers_) fed |= feed(worker, now);
    }
    start_workers(now);
    hungry_ = ready_files() == 0;
}

void PoolEngine::start_workers(Time now) {
    const std::size_t ready = ready_load();
    auto free = static_cast<std::size_t>(
        std::count_if(workers_.begin(), workers_.end(), [](const Worker& w) { return w.in_hand.empty(); }));
    // Workers that hang in the kernel after their SIGKILL (dead network mount) count, or a dead mount would collect
    // processes.
    while (ready > 0 && workers_.size() < settings_.workers && dying_.size() < settings_.workers &&
           (free == 0 || ready > free * worth_a_start)) {
        auto process = WorkerProcess::start({.binary = settings_.worker,
                                             .nice = settings_.nice,
                                             .idle = settings_.idle,
                                             .keep_stderr = settings_.keep_stderr,
                                             .environment = settings_.environment});
        if (!process) {
            on_broken_start(process.error().context);
            return;
        }
        spawned_.fetch_add(1, std::memory_order_relaxed);
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.fd = (*process)->socket();
        epoll_ctl(events_.get(), EPOLL_CTL_ADD, event.data.fd, &event);
        pids_.push_back((*process)->pid());
        workers_.push_back({.process = std::move(*process), .since = now});
        ++free;
    }
}

void PoolEngine::on_broken_start(const std::string& why) {
    const core::Error error{core::Errc::unavailable,
                            why + "; set Jellyfin:Media:WorkerPath to the understudy-media of this build"};
    if (!std::exchange(said_broken_, true)) log_.error("media files cannot be read", {{"reason", error.context}});
    fail_all_ready(error);
}

WorkerPoolCounts PoolEngine::counts() const noexcept {
    return {.spawned = spawned_,
            .killed = killed_,
            .crashed = crashed_,
            .probed = probed_,
            .retried = retried_,
            .messages = messages_};
}

std::vector<pid_t> PoolEngine::workers() const {
    const std::lock_guard lock(mutex_);
    return pids_;
}

}  // namespace understudy::media
