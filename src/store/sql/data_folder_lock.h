// store/sql/data_folder_lock.h: one process a data folder: held by a server on SQLite from start to end. Used by app.
#pragma once

#include <string>

namespace understudy::store::sql {

/// flock on `<folder>/understudy.lock`; the kernel lets go when the process ends, however it ends. On SQLite it is also
/// the proof that no other pod lives.
class DataFolderLock {
public:
    /// Makes the folder where it is missing. `who` is written into the file for the next one to read: the pod's name;
    /// the pid comes by itself. Throws std::runtime_error where another process has it, naming that one and the way
    /// out.
    DataFolderLock(const std::string& folder, const std::string& who);
    DataFolderLock(const DataFolderLock&) = delete;
    DataFolderLock& operator=(const DataFolderLock&) = delete;
    ~DataFolderLock();

private:
    int fd_ = -1;
};

}  // namespace understudy::store::sql
