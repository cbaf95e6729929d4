// app/cli/command.h: what the CLI's commands share: where the server is, how to print, how to fail.
#pragma once

#include <boost/json/value.hpp>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/client.h"

namespace CLI {
class App;
}

namespace understudy::app {

/// Options that every command takes, as parsed.
struct CommonOptions {
    /// The pods to talk to: the first one that answers, and the next one where it no longer does. Each may hold several
    /// with blanks or commas between.
    std::vector<std::string> urls{"http://127.0.0.1:8096"};
    std::string key;       ///< empty: UNDERSTUDY_KEY, Jellyfin:Api:BootstrapKey or `<data dir>/admin.key`
    std::string data_dir;  ///< empty: the default
    std::optional<std::string> config_file;
    std::vector<std::pair<std::string, std::string>> settings;  ///< `--set KEY=VALUE`, `--Jellyfin:…=VALUE`
    bool json = false;
    std::vector<std::string> behind_dashes;  ///< of `exec`: what stands behind `--`, untouched
    unsigned inherited_umask = 022;          ///< before ours
};

/// Throw it to end a command with a line on stderr and an exit code.
struct CommandFailure {
    Exit code = Exit::failed;
    std::string message;
};

/// One command's view of the world. The client is made at first use, so that `config` and `db` need no server.
class Command {
public:
    Command(const CommonOptions& options, std::ostream& out, std::ostream& err)
        : options_(options), out_(out), err_(err) {}

    [[nodiscard]] const CommonOptions& options() const noexcept { return options_; }
    [[nodiscard]] std::ostream& out() const noexcept { return out_; }
    [[nodiscard]] std::ostream& err() const noexcept { return err_; }
    /// The one that is talked to now.
    [[nodiscard]] const Client& client();

    /// Sends, and throws CommandFailure where no answer comes or the answer is an error. With several servers it goes
    /// on at the next one where this one does not answer, and says so; what may have counted is not sent twice.
    Reply call(std::string_view method, const std::string& target, const std::string& body = {});
    boost::json::value get(const std::string& target) { return call("GET", target).json(); }
    /// `--json`: the value as it came, on one line.
    void print_json(const boost::json::value& value) const;
    /// Columns as wide as their widest cell.
    /// Control characters of foreign names are shown, not obeyed.
    void print_table(const std::vector<std::string>& head, std::vector<std::vector<std::string>> rows) const;

private:
    void make_clients();
    core::Result<Reply> ask_all(std::string_view method, const std::string& target, const std::string& body);
    /// What a 404 of a path that we know must mean.
    std::string no_such_path(const std::string& target);
    void require_ours(const Reply& reply);

    const CommonOptions& options_;
    std::ostream& out_;
    std::ostream& err_;
    std::vector<Client> clients_;
    std::size_t now_ = 0;
};

/// As typed, from UNDERSTUDY_KEY, from the settings, or what `serve` wrote; empty: none is found.
[[nodiscard]] std::string admin_key(const CommonOptions& options);
/// One URL each; throws CommandFailure{usage}.
[[nodiscard]] std::vector<Client> clients_of(const CommonOptions& options);

/// Line breaks, escapes and the like as `\\n`, `\\x1b`.
[[nodiscard]] std::string printable(std::string_view text);
/// Values of JSON answers, for tables: missing and null give "".
[[nodiscard]] std::string text_of(const boost::json::value& object, std::string_view name);
[[nodiscard]] double number_of(const boost::json::value& object, std::string_view name);
[[nodiscard]] const boost::json::array& array_of(const boost::json::value& object, std::string_view name);
/// What it gives lives in `object`: an answer needs a name first.
const boost::json::array& array_of(boost::json::value&& object, std::string_view name) = delete;
/// `in 3 h 12 min`, `5 min ago`, from an ISO time against another.
[[nodiscard]] std::string relative_time(const std::string& iso, core::UtcTime now);
[[nodiscard]] std::string duration_text(core::Millis duration);

/// Why no trigger fires, as `tasks list` and `leader status` say it.
inline constexpr std::string_view timers_paused_words =
    "TIMERS ARE PAUSED on all pods: no trigger fires until `understudy tasks resume`; runs by hand still start";

/// Each adds its sub-commands; `run` of the chosen one is set by its callback.
using Action = std::function<int(Command&)>;
void add_tasks_commands(CLI::App& root, Action& chosen);
void add_leader_commands(CLI::App& root, Action& chosen);
void add_leader_watch_command(CLI::App& leader, Action& chosen);
void add_library_commands(CLI::App& root, Action& chosen);
void add_library_options_command(CLI::App& library, Action& chosen);
void add_items_command(CLI::App& root, Action& chosen);
void add_users_commands(CLI::App& root, Action& chosen);
void add_config_commands(CLI::App& root, Action& chosen);
void add_db_commands(CLI::App& root, Action& chosen);
void add_serve_command(CLI::App& root, Action& chosen);
void add_exec_command(CLI::App& root, Action& chosen);

}  // namespace understudy::app
