#include "media/worker_pool.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "media/media_info_codec.h"
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

/// The payload with size and date as they are now that the job is over.
AnalysisResult with_state(const PoolFile& file, Payload payload) {
    if (!payload) return tl::unexpected(std::move(payload.error()));
    struct stat state {};
    if (fstat(file.fd.get(), &state) != 0)
        return core::fail(core::Errc::unavailable, std::string("stat after the job: ") + std::strerror(errno));
    return AnalysisAnswer{.payload = std::move(*payload),
                          .size_bytes = state.st_size,
                          .mtime_ns = std::int64_t{state.st_mtim.tv_sec} * 1'000'000'000 + state.st_mtim.tv_nsec};
}

/// What probe() and analyse() have in common, without a copy of the caller's texts.
struct Request {
    const std::string& path;
    Job job;
    std::string_view parameters;
    core::Millis limit;  ///< 0: by size
};

ProbeKind kind_of(Job job) {
    return job == Job::probe_audio ? ProbeKind::audio : ProbeKind::video;
}

/// One call of probe() or analyse() on the caller's thread. Its end, by return or by an exception of `done`, leaves
/// nothing in the engine.
class Call {
public:
    using RequestOf = std::function<Request(std::size_t)>;
    using Done = std::function<void(std::size_t, AnalysisResult)>;

    Call(PoolEngine& engine, std::size_t count, bool probes, const RequestOf& request,
         const std::function<bool()>& stop, const Done& done)
        : engine_(engine), count_(count), window_(engine.window(probes)), request_(request), stop_(stop), done_(done) {
        engine_.enter(call_);
    }
    ~Call() {
        if (in_engine() != 0) cancel();
        std::unique_lock lock(engine_.mutex());
        call_->wake.wait(lock, [&] { return call_->finished.size() == call_->in_engine; });
        call_->wake.wait_for(lock, reap_patience, [&] { return call_->dying_workers == 0; });
        lock.unlock();
        engine_.leave(*call_);
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    void run() {
        for (;;) {
            if (!cancelled_ && stop_()) cancel();
            const bool more_to_open = !cancelled_ && open_some();
            take_payloads(more_to_open);
            if ((cancelled_ || next_ == count_) && in_engine() == 0) break;
        }
        for (; next_ < count_; ++next_) done_(next_, core::fail(core::Errc::cancelled, "media file"));
    }

private:
    std::size_t in_engine() {
        const std::lock_guard lock(engine_.mutex());
        return call_->in_engine;
    }

    void cancel() {
        cancelled_ = true;
        engine_.cancel(*call_);
    }

    /// True: there is room for more at once.
    bool open_some() {
        std::vector<PoolFilePtr> batch;
        bool full = open_ >= window_;
        while (next_ < count_ && batch.size() < open_at_once && !full) {
            const auto request = request_(next_);
            auto opened = open_media(request.path);
            if (!opened && (errno == EMFILE || errno == ENFILE) && open_ > 0) {
                full = true;  // as many as this process may have: go on when some are done
                break;
            }
            const std::size_t index = next_++;
            if (opened && request.parameters.size() > max_parameter_bytes)
                opened = core::fail(core::Errc::invalid, std::string(to_string(request.job)) + ": " +
                                                             std::to_string(request.parameters.size()) +
                                                             " bytes of parameters; ask for less at once");
            if (!opened) {
                done_(index, tl::unexpected(std::move(opened.error())));
                continue;
            }
            auto file = std::make_unique<PoolFile>();
            file->call = call_.get();
            file->index = index;
            file->fd = std::move(opened->fd);
            file->size_bytes = opened->size_bytes;
            file->job = request.job;
            file->parameters = request.parameters;
            file->limit = request.limit > core::Millis{0}
                              ? request.limit
                              : time_limit(engine_.settings().file_limit, kind_of(request.job), opened->size_bytes);
            batch.push_back(std::move(file));
            ++open_;
            full = open_ >= window_;
        }
        if (!batch.empty()) engine_.submit(*call_, std::move(batch));
        return next_ < count_ && !full;
    }

    void take_payloads(bool in_a_hurry) {
        std::vector<std::pair<PoolFilePtr, Payload>> payloads;
        {
            std::unique_lock lock(engine_.mutex());
            if (!in_a_hurry)
                call_->wake.wait_for(lock, stop_asked_every,
                                     [&] { return !call_->finished.empty() || call_->in_engine == 0; });
            payloads.swap(call_->finished);
            call_->in_engine -= payloads.size();
        }
        open_ -= payloads.size();
        for (auto& [file, payload] : payloads) done_(file->index, with_state(*file, std::move(payload)));
    }

    PoolEngine& engine_;
    const std::size_t count_, window_;
    const RequestOf& request_;
    const std::function<bool()>& stop_;
    const Done& done_;
    std::shared_ptr<PoolCall> call_ = std::make_shared<PoolCall>();
    std::size_t next_ = 0, open_ = 0;
    bool cancelled_ = false;
};

ProbeResult probed(AnalysisResult answer) {
    if (!answer) return tl::unexpected(std::move(answer.error()));
    auto info = decode_media_info(answer->payload);
    if (info) info->size_bytes = answer->size_bytes, info->mtime_ns = answer->mtime_ns;
    return info;
}

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
    const Call::RequestOf request = [&](std::size_t i) {
        return Request{.path = files[i].path, .job = job_of(files[i].kind), .parameters = {}, .limit = {}};
    };
    const Call::Done done_with = [&](std::size_t i, AnalysisResult answer) { done(i, probed(std::move(answer))); };
    Call call(*engine_, files.size(), true, request, stop, done_with);
    call.run();
}

void WorkerPool::analyse(const std::vector<AnalysisRequest>& files, const std::function<bool()>& stop,
                         const std::function<void(std::size_t, AnalysisResult)>& done) {
    if (files.empty()) return;
    const Call::RequestOf request = [&](std::size_t i) {
        const auto& file = files[i];
        return Request{.path = file.path, .job = file.job, .parameters = file.parameters, .limit = file.limit};
    };
    Call call(*engine_, files.size(), false, request, stop, done);
    call.run();
}

WorkerPoolCounts WorkerPool::counts() const noexcept {
    return engine_->counts();
}

std::vector<pid_t> WorkerPool::workers() const {
    return engine_->workers();
}

}  // namespace understudy::media
