#include "media/worker_pool.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "media/pool_engine.h"

namespace understudy::media {

namespace {

using namespace std::chrono_literals;

constexpr auto stop_asked_every = 20ms;
/// A worker that hangs in the kernel (a dead network mount) cannot be reaped: cancelling does not wait longer for it.
constexpr auto reap_patience = 2s;
/// Files opened between two looks at `stop`.
constexpr std::size_t open_at_once = 16;

struct Opened {
    UniqueFd fd;
    std::int64_t size_bytes = 0;
};

core::Errc errc_of_open(int code) {
    switch (code) {
        case ENOENT:
        case ENOTDIR:
            return core::Errc::not_found;
        case ENXIO:
            return core::Errc::unsupported;  // a socket
        default:
            return core::Errc::unavailable;  // EACCES, EIO, ESTALE, ELOOP, …: no proof that it is gone
    }
}

core::Result<Opened> open_media(const std::string& path) {
    // Without O_NONBLOCK a FIFO would wait for its writer for ever. Links are followed: the target's bytes count.
    Opened file{.fd = UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))};
    if (!file.fd) return core::fail(errc_of_open(errno), std::string("open: ") + std::strerror(errno));
    struct stat state {};
    if (fstat(file.fd.get(), &state) != 0)
        return core::fail(core::Errc::unavailable, std::string("stat: ") + std::strerror(errno));
    if (!S_ISREG(state.st_mode)) return core::fail(core::Errc::unsupported, "not a regular file");
    file.size_bytes = state.st_size;
    return file;
}

/// Size and date as they are now that the probe is over.
ProbeResult with_state(const ProbeFile& file, ProbeResult result) {
    if (!result) return result;
    struct stat state {};
    if (fstat(file.fd.get(), &state) != 0)
        return core::fail(core::Errc::unavailable, std::string("stat after the probe: ") + std::strerror(errno));
    result->size_bytes = state.st_size;
    result->mtime_ns = std::int64_t{state.st_mtim.tv_sec} * 1'000'000'000 + state.st_mtim.tv_nsec;
    return result;
}

/// One probe() call on the caller's thread. Its end, by return or by an exception of `done`, leaves nothing in the
/// engine.
class Call {
public:
    Call(PoolEngine& engine, const std::vector<ProbeRequest>& files, const std::function<bool()>& stop,
         const std::function<void(std::size_t, ProbeResult)>& done)
        : engine_(engine), files_(files), stop_(stop), done_(done) {
        engine_.enter(job_);
    }
    ~Call() {
        if (in_engine() != 0) cancel();
        std::unique_lock lock(engine_.mutex());
        job_->wake.wait(lock, [&] { return job_->finished.size() == job_->in_engine; });
        job_->wake.wait_for(lock, reap_patience, [&] { return job_->dying_workers == 0; });
        lock.unlock();
        engine_.leave(*job_);
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    void run() {
        for (;;) {
            if (!cancelled_ && stop_()) cancel();
            const bool more_to_open = !cancelled_ && open_some();
            take_results(more_to_open);
            if ((cancelled_ || next_ == files_.size()) && in_engine() == 0) break;
        }
        for (; next_ < files_.size(); ++next_) done_(next_, core::fail(core::Errc::cancelled, "probe"));
    }

private:
    std::size_t in_engine() {
        const std::lock_guard lock(engine_.mutex());
        return job_->in_engine;
    }

    void cancel() {
        cancelled_ = true;
        engine_.cancel(*job_);
    }

    /// True: there is room for more at once.
    bool open_some() {
        std::vector<ProbeFilePtr> batch;
        bool full = open_ >= engine_.window();
        while (next_ < files_.size() && batch.size() < open_at_once && !full) {
            const auto& request = files_[next_];
            auto opened = open_media(request.path);
            if (!opened && (errno == EMFILE || errno == ENFILE) && open_ > 0) {
                full = true;  // as many as this process may have: go on when some are done
                break;
            }
            const std::size_t index = next_++;
            if (!opened) {
                done_(index, tl::unexpected(std::move(opened.error())));
                continue;
            }
            auto file = std::make_unique<ProbeFile>();
            file->job = job_.get();
            file->index = index;
            file->fd = std::move(opened->fd);
            file->size_bytes = opened->size_bytes;
            file->kind = request.kind;
            batch.push_back(std::move(file));
            ++open_;
            full = open_ >= engine_.window();
        }
        if (!batch.empty()) engine_.submit(*job_, std::move(batch));
        return next_ < files_.size() && !full;
    }

    void take_results(bool in_a_hurry) {
        std::vector<std::pair<ProbeFilePtr, ProbeResult>> results;
        {
            std::unique_lock lock(engine_.mutex());
            if (!in_a_hurry)
                job_->wake.wait_for(lock, stop_asked_every,
                                    [&] { return !job_->finished.empty() || job_->in_engine == 0; });
            results.swap(job_->finished);
            job_->in_engine -= results.size();
        }
        open_ -= results.size();
        for (auto& [file, result] : results) done_(file->index, with_state(*file, std::move(result)));
    }

    PoolEngine& engine_;
    const std::vector<ProbeRequest>& files_;
    const std::function<bool()>& stop_;
    const std::function<void(std::size_t, ProbeResult)>& done_;
    std::shared_ptr<ProbeJob> job_ = std::make_shared<ProbeJob>();
    std::size_t next_ = 0, open_ = 0;
    bool cancelled_ = false;
};

}  // namespace

core::Millis time_limit(core::Millis base, ProbeKind kind, std::int64_t size_bytes) noexcept {
    const std::int64_t per_second = (kind == ProbeKind::audio ? std::int64_t{256} : std::int64_t{4096}) * 1024 * 1024;
    return base + core::Millis{1000 * std::clamp<std::int64_t>(size_bytes / per_second, 0, 60)};
}

WorkerPool::WorkerPool(WorkerPoolSettings settings, core::Log& log)
    : engine_(std::make_unique<PoolEngine>(std::move(settings), log)) {}

WorkerPool::~WorkerPool() = default;

void WorkerPool::probe(const std::vector<ProbeRequest>& files, const std::function<bool()>& stop,
                       const std::function<void(std::size_t, ProbeResult)>& done) {
    if (files.empty()) return;
    Call call(*engine_, files, stop, done);
    call.run();
}

WorkerPoolCounts WorkerPool::counts() const noexcept {
    return engine_->counts();
}

std::vector<pid_t> WorkerPool::workers() const {
    return engine_->workers();
}

}  // namespace understudy::media
