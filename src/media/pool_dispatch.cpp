// The half of PoolEngine that shares files out: jobs, turns, batches, and what becomes of a file whose worker died.
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "media/pool_engine.h"

namespace understudy::media {

std::size_t PoolEngine::window() const noexcept {
    // Two messages in each worker's hands and as much again waiting; at most 256 of the usual 1024 descriptors.
    return std::clamp<std::size_t>(settings_.workers * settings_.batch * 4, 16, 256);
}

void PoolEngine::enter(const std::shared_ptr<ProbeJob>& job) {
    std::call_once(started_, [this] { thread_ = std::jthread([this] { run(); }); });
    const std::lock_guard lock(mutex_);
    jobs_.push_back(job);
}

void PoolEngine::submit(ProbeJob& job, std::vector<ProbeFilePtr> files) {
    bool ring = false;
    {
        const std::lock_guard lock(mutex_);
        job.in_engine += files.size();
        for (auto& file : files) {
            if (job.cancelled || stopping_)
                finish(std::move(file), core::fail(core::Errc::cancelled, "probe"));
            else
                job.ready.push_back(std::move(file));
        }
        ring = std::exchange(hungry_, false);
    }
    if (ring) wake();
}

void PoolEngine::cancel(ProbeJob& job) {
    {
        const std::lock_guard lock(mutex_);
        job.cancelled = true;
        cancels_pending_ = true;
    }
    wake();
}

void PoolEngine::leave(const ProbeJob& job) {
    const std::lock_guard lock(mutex_);
    std::erase_if(jobs_, [&](const auto& other) { return other.get() == &job; });
}

std::size_t PoolEngine::ready_files() const {
    std::size_t count = 0;
    for (const auto& job : jobs_) count += job->ready.size();
    return count;
}

void PoolEngine::finish(ProbeFilePtr file, ProbeResult result) {
    ProbeJob& job = *file->job;
    job.finished.emplace_back(std::move(file), std::move(result));
    job.wake.notify_all();
}

void PoolEngine::give_back(ProbeFilePtr file, bool alone) {
    if (file->job->cancelled) return finish(std::move(file), core::fail(core::Errc::cancelled, "probe"));
    file->alone |= alone;
    retried_.fetch_add(1, std::memory_order_relaxed);
    auto& ready = file->job->ready;
    ready.push_front(std::move(file));
}

void PoolEngine::fail_all_ready(const core::Error& why) {
    for (const auto& job : jobs_)
        while (!job->ready.empty()) {
            auto file = std::move(job->ready.front());
            job->ready.pop_front();
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
    const auto cancelled = core::Error{core::Errc::cancelled, "probe"};
    for (const auto& job : jobs_) {
        if (!job->cancelled) continue;
        for (; !job->ready.empty(); job->ready.pop_front())
            finish(std::move(job->ready.front()), tl::unexpected(cancelled));
    }
    for (std::size_t i = workers_.size(); i-- > 0;) {
        auto& worker = workers_[i];
        std::vector<std::shared_ptr<ProbeJob>> for_jobs;
        for (const auto& job : jobs_) {
            const auto its = [&](const InHand& h) { return h.file->job == job.get(); };
            if (job->cancelled && std::any_of(worker.in_hand.begin(), worker.in_hand.end(), its))
                for_jobs.push_back(job);
        }
        if (for_jobs.empty()) continue;
        for (; !worker.in_hand.empty(); worker.in_hand.pop_back())
            give_back(std::move(worker.in_hand.back().file), false);
        for (const auto& job : for_jobs) ++job->dying_workers;
        retire(i, true, std::move(for_jobs));
    }
    for (auto& dying : dying_) {
        std::deque<InHand> others;
        for (auto& held : dying.in_hand) {
            if (held.file->job->cancelled)
                finish(std::move(held.file), tl::unexpected(cancelled));
            else
                others.push_back(std::move(held));
        }
        dying.in_hand = std::move(others);
    }
}

std::vector<ProbeFilePtr> PoolEngine::next_batch(bool for_idle_worker) {
    const auto is_alone = [](const ProbeJob& job) { return !job.ready.empty() && job.ready.front()->alone; };
    // A file to be tried alone goes first, and only to a worker that has nothing else.
    auto chosen = std::find_if(jobs_.begin(), jobs_.end(), [&](const auto& job) { return is_alone(*job); });
    if (chosen != jobs_.end() && !for_idle_worker) return {};
    if (chosen == jobs_.end())
        chosen = std::find_if(jobs_.begin(), jobs_.end(), [](const auto& job) { return !job->ready.empty(); });
    if (chosen == jobs_.end()) return {};

    const auto job = *chosen;
    jobs_.erase(chosen);
    jobs_.push_back(job);
    std::vector<ProbeFilePtr> batch;
    // Few files are spread over the workers, many are sent by the full message.
    const std::size_t share = ready_files() / (2 * std::size_t{settings_.workers});
    const std::size_t most = is_alone(*job) ? 1 : std::clamp<std::size_t>(share, 1, settings_.batch);
    while (!job->ready.empty() && batch.size() < most && (batch.empty() || !job->ready.front()->alone)) {
        batch.push_back(std::move(job->ready.front()));
        job->ready.pop_front();
    }
    return batch;
}

bool PoolEngine::feed(Worker& worker, Time now) {
    if (!worker.ready) return false;
    auto& held = worker.in_hand;
    const bool two_messages = !held.empty() && held.front().message != held.back().message;
    if (two_messages || (!held.empty() && held.back().file->alone)) return false;
    auto batch = next_batch(held.empty());
    if (batch.empty()) return false;

    std::array<wire::Order, wire::max_batch> orders{};
    std::array<int, wire::max_batch> files{};
    ++next_message_;
    if (held.empty()) worker.since = now;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const auto& file = *batch[i];
        if (++next_id_ == wire::hello_id) next_id_ = 0;
        const auto limit = time_limit(settings_.file_limit, file.kind, file.size_bytes);
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(limit).count();
        orders[i] = {.size_bytes = file.size_bytes,
                     .id = next_id_,
                     .cpu_seconds = static_cast<std::uint16_t>(std::min<std::int64_t>(seconds, UINT16_MAX)),
                     .kind = static_cast<std::uint8_t>(file.kind)};
        files[i] = file.fd.get();
        held.push_back({std::move(batch[i]), next_id_, next_message_});
    }
    messages_.fetch_add(1, std::memory_order_relaxed);
    // A failed send means that it is dead or dying: its socket says so next, and the files are given back there.
    if (!worker.process->send(std::span(orders).first(batch.size()), std::span(files).first(batch.size())))
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
    const std::size_t ready = ready_files();
    auto free = static_cast<std::size_t>(
        std::count_if(workers_.begin(), workers_.end(), [](const Worker& w) { return w.in_hand.empty(); }));
    // A start costs 0.1 s of processor time: a handful of files waits for the worker that is already there. Workers
    // that hang in the kernel after their SIGKILL (dead network mount) count, or a dead mount would collect processes.
    constexpr std::size_t worth_a_start = 4;
    while (ready > 0 && workers_.size() < settings_.workers && dying_.size() < settings_.workers &&
           (free == 0 || ready > free * worth_a_start)) {
        auto process = WorkerProcess::start({.binary = settings_.worker,
                                             .nice = settings_.nice,
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
    if (!std::exchange(said_broken_, true)) log_.error("media files cannot be probed", {{"reason", error.context}});
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
