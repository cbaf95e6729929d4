#include "support/library/faulty_file_system.h"

#include <algorithm>

namespace understudy::testing {

class FaultyDirectory final : public library::OpenDirectory {
public:
    FaultyDirectory(const FaultyFileSystem& files, std::string path, std::unique_ptr<library::OpenDirectory> real)
        : files_(files), path_(std::move(path)), real_(std::move(real)) {}

    bool next(std::string_view& name, library::FileKind& kind, int& error) override {
        if (const int fault = read_ > 0 ? files_.fault(files_.read_, path_) : 0; fault != 0) {
            error = fault;
            return false;
        }
        ++read_;
        return real_->next(name, kind, error);
    }
    int status(const char* name, bool follow, library::FileStatus& status) override {
        const auto full = path_ + "/" + name;
        if (const int fault = files_.fault(files_.status_, full); fault != 0) return fault;
        {
            const std::lock_guard lock(files_.mutex_);
            ++files_.stats_;
        }
        const int error = real_->status(name, follow, status);
        files_.put_device(full, status);
        return error;
    }

private:
    const FaultyFileSystem& files_;
    std::string path_;
    std::unique_ptr<library::OpenDirectory> real_;
    int read_ = 0;
};

int FaultyFileSystem::open_directory(const std::string& path, library::FileStatus& self,
                                     std::unique_ptr<library::OpenDirectory>& directory) const {
    {
        std::unique_lock lock(mutex_);
        opened_.insert(path);
        released_.wait(lock, [&] { return !hanging_.contains(path); });
    }
    if (const int error = fault(open_, path); error != 0) return error;
    std::unique_ptr<library::OpenDirectory> real;
    if (const int error = PosixFileSystem::open_directory(path, self, real); error != 0) return error;
    put_device(path, self);
    directory = std::make_unique<FaultyDirectory>(*this, path, std::move(real));
    return 0;
}

int FaultyFileSystem::status(const std::string& path, library::FileStatus& status) const {
    if (const int error = fault(status_, path); error != 0) return error;
    const int error = PosixFileSystem::status(path, status);
    put_device(path, status);
    return error;
}

int FaultyFileSystem::read_file(const std::string& path, std::size_t at_most, std::string& bytes) const {
    {
        std::unique_lock lock(mutex_);
        files_read_.insert(path);
        most_reading_ = std::max(most_reading_, ++reading_);
        if (reading_ >= meeting_) {
            meeting_ = 0;
            released_.notify_all();
        }
        released_.wait(lock, [&] { return meeting_ == 0 && !hanging_.contains(path); });
    }
    const int fault_now = fault(file_, path);
    const int error = fault_now != 0 ? fault_now : PosixFileSystem::read_file(path, at_most, bytes);
    const std::lock_guard lock(mutex_);
    --reading_;
    return error;
}

int FaultyFileSystem::fault(const std::map<std::string, int>& of, const std::string& path) const {
    const std::lock_guard lock(mutex_);
    const auto found = of.find(path);
    return found == of.end() ? 0 : found->second;
}

void FaultyFileSystem::put_device(const std::string& path, library::FileStatus& status) const {
    const std::lock_guard lock(mutex_);
    std::size_t deepest = 0;
    for (const auto& [folder, device] : devices_) {
        if (folder.size() >= deepest && path.starts_with(folder)) status.device = device, deepest = folder.size();
    }
}

void FaultyFileSystem::fail_open(const std::string& folder, int error) {
    const std::lock_guard lock(mutex_);
    open_[folder] = error;
}
void FaultyFileSystem::fail_read(const std::string& folder, int error) {
    const std::lock_guard lock(mutex_);
    read_[folder] = error;
}
void FaultyFileSystem::fail_status(const std::string& path, int error) {
    const std::lock_guard lock(mutex_);
    status_[path] = error;
}
void FaultyFileSystem::fail_file(const std::string& path, int error) {
    const std::lock_guard lock(mutex_);
    file_[path] = error;
}
void FaultyFileSystem::set_device(const std::string& folder, std::uint64_t device) {
    const std::lock_guard lock(mutex_);
    devices_[folder] = device;
}
void FaultyFileSystem::clear_device(const std::string& folder) {
    const std::lock_guard lock(mutex_);
    devices_.erase(folder);
}
void FaultyFileSystem::hang(const std::string& path) {
    const std::lock_guard lock(mutex_);
    hanging_.insert(path);
}
void FaultyFileSystem::meet(std::size_t readers) {
    const std::lock_guard lock(mutex_);
    meeting_ = readers;
}
std::size_t FaultyFileSystem::most_read_at_once() const {
    const std::lock_guard lock(mutex_);
    return most_reading_;
}
void FaultyFileSystem::release() {
    {
        const std::lock_guard lock(mutex_);
        hanging_.clear();
        meeting_ = 0;
    }
    released_.notify_all();
}
std::set<std::string> FaultyFileSystem::folders_opened() const {
    const std::lock_guard lock(mutex_);
    return opened_;
}
std::multiset<std::string> FaultyFileSystem::files_read() const {
    const std::lock_guard lock(mutex_);
    return files_read_;
}
void FaultyFileSystem::forget() {
    const std::lock_guard lock(mutex_);
    opened_.clear();
    files_read_.clear();
    stats_ = 0;
    most_reading_ = reading_;
}
std::size_t FaultyFileSystem::stats() const {
    const std::lock_guard lock(mutex_);
    return stats_;
}

}  // namespace understudy::testing
