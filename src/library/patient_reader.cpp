#include "library/patient_reader.h"

#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

namespace understudy::library {

struct PatientReader::Job {
    enum class State : unsigned char { waiting, running, done };
    std::string path;
    std::size_t at_most = 0;
    std::uint64_t batch = 0;
    State state = State::waiting;
    bool wanted = false;  ///< its reader waits for it, or nobody will
    bool ahead = false;   ///< was begun before
    bool given_up = false;
    int error = 0;
    std::string bytes;
};

// Where requests are put down and answers picked up. A thread that hangs is left alone with its job.
struct PatientReader::Desk {
    std::mutex mutex;
    std::condition_variable asked, answered;
    std::deque<std::shared_ptr<Job>> ahead;  ///< those that became wanted, or are not any more, are passed over
    std::shared_ptr<Job> urgent;
    std::unordered_map<std::string, std::shared_ptr<Job>> expected;  ///< not asked for yet
    std::size_t threads = 0, idle = 0;
    std::size_t running = 0;               ///< begun ahead of need, whoever waits for them now
    std::size_t held = 0, held_bytes = 0;  ///< read ahead and not yet asked for
    bool closed = false;

    /// The next to do; null: nothing, or too much is read ahead.
    std::shared_ptr<Job> next() {
        if (urgent) return std::exchange(urgent, nullptr);
        while (!ahead.empty() && (ahead.front()->wanted || ahead.front()->state != Job::State::waiting))
            ahead.pop_front();
        const bool room = running < most_at_once && running + held < most_ahead && held_bytes < most_bytes_ahead;
        if (ahead.empty() || !room) return nullptr;
        auto job = std::move(ahead.front());
        ahead.pop_front();
        job->ahead = true;
        ++running;
        return job;
    }
    /// It counts as read ahead no longer.
    void take(Job& job) {
        if (job.wanted) return;
        job.wanted = true;
        if (job.state != Job::State::done) return;
        --held;
        held_bytes -= job.bytes.size();
    }
    void work(const FileSystem& files) {
        std::unique_lock lock(mutex);
        for (;;) {
            std::shared_ptr<Job> job;
            ++idle;
            asked.wait(lock, [&] { return closed || (job = next()) != nullptr; });
            --idle;
            if (closed) return;
            job->state = Job::State::running;
            std::string bytes;
            lock.unlock();
            const int error = files.read_file(job->path, job->at_most, bytes);
            lock.lock();
            if (job->given_up) return;  // another thread has taken our place
            if (job->ahead) --running;
            job->state = Job::State::done;
            job->error = error;
            if (!job->wanted) {
                ++held;
                held_bytes += bytes.size();
            }
            job->bytes = std::move(bytes);
            answered.notify_all();
            asked.notify_one();
        }
    }
};

PatientReader::PatientReader(std::shared_ptr<const FileSystem> files, core::Millis patience, std::function<bool()> stop)
    : files_(std::move(files)), patience_(patience), stop_(std::move(stop)), desk_(std::make_shared<Desk>()) {}

PatientReader::~PatientReader() {
    const std::lock_guard lock(desk_->mutex);
    desk_->closed = true;
    desk_->asked.notify_all();
}

// With the desk's lock held.
void PatientReader::add_threads(std::size_t wanted) {
    for (auto ready = desk_->idle; ready < wanted && desk_->threads < most_at_once + 1; ++ready) {
        ++desk_->threads;
        std::thread([desk = desk_, files = files_] {
            ::pthread_setname_np(::pthread_self(), "sidecar");
            desk->work(*files);
        }).detach();
    }
}

void PatientReader::expect(const std::vector<std::string>& paths, std::size_t at_most, std::uint64_t batch) {
    const std::lock_guard lock(desk_->mutex);
    for (const auto& path : paths) {
        auto& job = desk_->expected[path];
        if (job) continue;
        job = std::make_shared<Job>();
        job->path = path;
        job->at_most = at_most;
        job->batch = batch;
        desk_->ahead.push_back(job);
    }
    if (paths.size() > 1 || desk_->expected.size() > 1) add_threads(std::min(desk_->ahead.size(), most_at_once));
    desk_->asked.notify_all();
}

void PatientReader::forget(std::uint64_t up_to) {
    const std::lock_guard lock(desk_->mutex);
    std::erase_if(desk_->expected, [&](const auto& one) {
        if (one.second->batch > up_to) return false;
        desk_->take(*one.second);
        return true;
    });
    desk_->asked.notify_all();
}

core::Result<std::string> PatientReader::read(const std::string& path, std::size_t at_most) {
    // Threads that hang with what was waited for are never more than these.
    constexpr int most_hung = 8;
    if (hung_ >= most_hung) return core::fail(core::Errc::timed_out, "does not answer");
    std::unique_lock lock(desk_->mutex);
    std::shared_ptr<Job> job;
    if (const auto known = desk_->expected.find(path); known != desk_->expected.end()) {
        job = std::move(known->second);
        desk_->expected.erase(known);
        desk_->take(*job);
    }
    if (!job || job->at_most != at_most) {
        job = std::make_shared<Job>();
        job->path = path;
        job->at_most = at_most;
        job->wanted = true;
    }
    if (job->state == Job::State::waiting) {
        desk_->urgent = job;
        add_threads(1);
    }
    desk_->asked.notify_all();
    const auto patience = std::max(core::Millis{500}, patience_ / (1 << std::min(hung_, 6)));
    const auto since = std::chrono::steady_clock::now();
    const auto done = [&] { return job->state == Job::State::done; };
    while (!done()) {
        if (stop_()) return core::fail(core::Errc::cancelled, "reading " + path);
        desk_->answered.wait_for(lock, std::chrono::milliseconds{200}, done);
        if (done() || std::chrono::steady_clock::now() - since < patience) continue;
        if (job->state == Job::State::running) {
            job->given_up = true;
            --desk_->threads;
            if (job->ahead) --desk_->running;
        }
        if (desk_->urgent == job) desk_->urgent.reset();
        ++hung_;
        return core::fail(core::Errc::timed_out, "does not answer");
    }
    if (job->error == 0) return std::move(job->bytes);
    const bool gone = job->error == ENOENT || job->error == ENOTDIR;
    return core::fail(gone ? core::Errc::not_found : core::Errc::unavailable, error_text(job->error));
}

}  // namespace understudy::library
