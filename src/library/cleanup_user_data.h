// library/cleanup_user_data.h: the task CleanupUserDataTask: what users did with items that vanished long ago goes.
// Wired by app, run by the task engine.
#pragma once

#include <chrono>

#include "core/time.h"
#include "store/user_data.h"
#include "tasks/task.h"

namespace understudy::library {

class CleanupUserData final : public tasks::ScheduledTask {
public:
    /// `keep`: `Jellyfin:UserData:KeepDays`, how long it waits for the file to come back. References outlive it.
    CleanupUserData(std::chrono::days keep, store::UserData& data, core::Clock& clock)
        : keep_(keep), data_(data), clock_(clock) {}

    [[nodiscard]] const tasks::CatalogueEntry& info() const noexcept override;
    [[nodiscard]] core::Result<void> execute(tasks::Run& run) override;

private:
    std::chrono::days keep_;
    store::UserData& data_;
    core::Clock& clock_;
};

}  // namespace understudy::library
