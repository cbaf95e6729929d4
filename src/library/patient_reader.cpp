#include "library/patient_reader.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace understudy::library {

// Where a request is put down and its answer picked up. A desk whose thread hangs is left to it.
struct PatientReader::Desk {
    std::mutex mutex;
    std::condition_variable asked, answered;
    std::optional<std::string> path;
    std::size_t at_most = 0;
    std::optional<int> error;
    std::string bytes;
    bool closed = false;
};

PatientReader::PatientReader(std::shared_ptr<const FileSystem> files, core::Millis patience, std::function<bool()> stop)
    : files_(std::move(files)), patience_(patience), stop_(std::move(stop)) {}

PatientReader::~PatientReader() {
    if (!desk_) return;
    const std::lock_guard lock(desk_->mutex);
    desk_->closed = true;
    desk_->asked.notify_all();
}

core::Result<std::string> PatientReader::read(const std::string& path, std::size_t at_most) {
    // Threads that hang are never more than these.
    constexpr int most_hung = 8;
    if (hung_ >= most_hung) return core::fail(core::Errc::timed_out, "does not answer");
    if (!desk_) {
        desk_ = std::make_shared<Desk>();
        std::thread([desk = desk_, files = files_] {
            std::unique_lock lock(desk->mutex);
            for (;;) {
                desk->asked.wait(lock, [&] { return desk->closed || desk->path.has_value(); });
                if (desk->closed) return;
                const auto wanted = std::move(*desk->path);
                const auto most = desk->at_most;
                desk->path.reset();
                std::string bytes;
                lock.unlock();
                const int error = files->read_file(wanted, most, bytes);
                lock.lock();
                desk->error = error;
                desk->bytes = std::move(bytes);
                desk->answered.notify_all();
            }
        }).detach();
    }
    std::unique_lock lock(desk_->mutex);
    desk_->path = path;
    desk_->at_most = at_most;
    desk_->error.reset();
    desk_->asked.notify_all();
    const auto patience = std::max(core::Millis{500}, patience_ / (1 << std::min(hung_, 6)));
    const auto since = std::chrono::steady_clock::now();
    while (!desk_->error) {
        if (stop_()) return core::fail(core::Errc::cancelled, "reading " + path);
        desk_->answered.wait_for(lock, std::chrono::milliseconds{200}, [&] { return desk_->error.has_value(); });
        if (desk_->error || std::chrono::steady_clock::now() - since < patience) continue;
        desk_->closed = true;
        lock.unlock();
        desk_.reset();
        ++hung_;
        return core::fail(core::Errc::timed_out, "does not answer");
    }
    if (*desk_->error == 0) return std::move(desk_->bytes);
    const bool gone = *desk_->error == ENOENT || *desk_->error == ENOTDIR;
    return core::fail(gone ? core::Errc::not_found : core::Errc::unavailable, error_text(*desk_->error));
}

}  // namespace understudy::library
