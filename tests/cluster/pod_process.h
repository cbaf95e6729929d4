// tests/cluster/pod_process.h: one real server process, as an operator would run it. Used by the real-process suites.
#pragma once

#include <sys/types.h>

#include <boost/json/value.hpp>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/client.h"
#include "core/time.h"

namespace understudy::testing {

/// Starts on a free loopback port. Killed in the destructor, whatever state it is in.
class PodProcess {
public:
    struct Options {
        std::string name;                             ///< label
        std::filesystem::path folder;                 ///< data and log of this pod
        std::string key;                              ///< admin key
        std::map<std::string, std::string> settings;  ///< `Jellyfin:…` -> value, given through the environment
        std::vector<std::string> arguments;           ///< behind `serve`
        bool own_mounts = false;                      ///< for hide(): a mount namespace of its own
    };
    explicit PodProcess(Options options);
    ~PodProcess();
    PodProcess(const PodProcess&) = delete;
    PodProcess& operator=(const PodProcess&) = delete;

    void start();   ///< returns when it listens; throws with the end of its log if it ends first
    void kill();    ///< SIGKILL, and reaped
    void freeze();  ///< SIGSTOP to the pod and its children, and waits until they stand
    void thaw();
    /// This pod alone finds an empty folder there, until show(). Throws where that is not permitted.
    void hide(const std::filesystem::path& folder) const;
    void show(const std::filesystem::path& folder) const;
    /// May this user make mount namespaces?
    [[nodiscard]] static bool can_hide();
    void terminate() const;                ///< SIGTERM
    int await_exit(core::Millis at_most);  ///< exit code, 128 + signal; throws where it does not end
    [[nodiscard]] bool running() const;
    [[nodiscard]] pid_t pid() const noexcept { return pid_; }
    [[nodiscard]] const std::string& url() const noexcept { return url_; }
    [[nodiscard]] const std::string& name() const noexcept { return options_.name; }
    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return options_.folder; }
    [[nodiscard]] std::string log() const;  ///< all starts
    [[nodiscard]] std::vector<pid_t> children() const;

    /// Status and body; status 0 where no answer came within `at_most`.
    app::Reply request(const std::string& method, const std::string& target, const std::string& body = {},
                       std::chrono::seconds at_most = std::chrono::seconds{10}) const;
    [[nodiscard]] boost::json::value get(const std::string& target) const;  ///< null where that failed

private:
    void mount_there(const std::filesystem::path& folder, bool hidden) const;
    Options options_;
    pid_t pid_ = -1;
    std::string url_;
};

}  // namespace understudy::testing
