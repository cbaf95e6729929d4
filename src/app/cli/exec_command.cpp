// understudy exec: a command that runs only while this process holds a lease of the cluster's.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "app/cli/command.h"
#include "app/config/load.h"
#include "app/exec/lease_exec.h"

namespace understudy::app {
namespace {

struct ExecOptions {
    std::string lease, ttl = "30s", wait, kill_after;
    bool no_wait = false;
    std::vector<std::string> stray;  ///< words before `--`
};

[[noreturn]] void wrong(const std::string& text) {
    throw CommandFailure{Exit::usage, text + "\n`understudy exec --help` says more."};
}

core::Millis duration_of(const std::string& option, const std::string& text) {
    const auto parsed = parse_duration(text);
    if (!parsed) wrong(option + ": " + printable(parsed.error().context));
    return *parsed;
}

void require_store(const Settings& settings) {
    if (settings.scan_leader.store == LeaseProvider::none) {
        throw CommandFailure{Exit::usage,
                             "exec needs a lease store: set Jellyfin:TranscodeStore:RedisConnectionString, or "
                             "Jellyfin:ScanLeader:Provider=Database for one without Redis; the command is not run"};
    }
    std::error_code error;
    const std::filesystem::path file = settings.database.connection;
    const bool sqlite = settings.scan_leader.store == LeaseProvider::database && !settings.database.postgresql;
    // A database is not made by asking it.
    if (sqlite && !std::filesystem::exists(file, error)) {
        throw CommandFailure{static_cast<Exit>(exec_exit::no_store),
                             "there is no database " + file.string() +
                                 "; `understudy serve` makes it, --data-dir names another folder; the command is not "
                                 "run"};
    }
}

int exec(Command& command, const ExecOptions& given) {
    const auto& behind = command.options().behind_dashes;
    if (!given.stray.empty() || behind.empty())
        wrong("the command stands behind --, as in `understudy exec --lease nightly -- /usr/local/bin/backup --all`");
    LeaseExecOptions options;
    const auto ttl = duration_of("--ttl", given.ttl);
    options.kill_after =
        given.kill_after.empty() ? default_kill_after(ttl) : duration_of("--kill-after", given.kill_after);
    const auto lease = exec_lease_settings(ttl, options.kill_after);
    if (!lease) wrong(lease.error().context);
    options.lease = *lease;
    if (given.no_wait && !given.wait.empty()) wrong("--wait and --no-wait do not go together");
    if (given.no_wait) options.wait = core::Millis{0};
    if (!given.wait.empty()) options.wait = duration_of("--wait", given.wait);

    const auto settings = load_settings_or_fail(command.options());
    const auto key = exec_lease_key(settings.scan_leader.key, given.lease);
    if (!key) wrong(key.error().context);
    options.key = *key;
    options.name = given.lease;
    options.command = behind;
    options.mask = command.options().inherited_umask;
    require_store(settings);
    try {
        return run_under_lease(settings, options, command.err());
    } catch (const std::exception& error) {
        throw CommandFailure{static_cast<Exit>(exec_exit::no_process), error.what()};
    }
}

}  // namespace

void add_exec_command(CLI::App& root, Action& chosen) {
    auto* sub = root.add_subcommand("exec", "run a command only while holding a lease of the cluster's");
    auto options = std::make_shared<ExecOptions>();
    sub->add_option("--lease", options->lease, "NAME of the lease: letters, digits, '.', '_' and '-'")->required();
    sub->add_option("--ttl", options->ttl, "how long the lease outlives a holder that died (3s to 24h)")
        ->capture_default_str();
    sub->add_option("--wait", options->wait, "how long to wait for the lease (default: for ever)");
    sub->add_flag("--no-wait", options->no_wait, "end with 75 where another one holds it");
    sub->add_option("--kill-after", options->kill_after,
                    "time between SIGTERM and SIGKILL where the lease is lost (default: 10s, or a third of --ttl)");
    sub->add_option("COMMAND", options->stray, "behind --: the command and its arguments");
    sub->footer(
        "Example, a line of every pod's crontab:\n"
        "  0 3 * * *  understudy exec --lease nightly --no-wait -- /usr/local/bin/backup --all\n"
        "The lease is kept where the server keeps its own (Redis, or Jellyfin:ScanLeader:Provider=Database), by the\n"
        "same settings, below a key of its own. It is renewed while COMMAND runs and let go of at its end. Where it "
        "is\n"
        "lost, or cannot be renewed in time, COMMAND and all that it started get SIGTERM, and SIGKILL before anybody\n"
        "else can hold it; so too where exec is killed or stands still. Without a store COMMAND does not run.\n"
        "COMMAND finds UNDERSTUDY_LEASE_NAME, UNDERSTUDY_LEASE_TOKEN (of this holding alone) and\n"
        "UNDERSTUDY_LEASE_EPOCH (the store's clock in ms when it was granted; later holders have a higher one).\n"
        "SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 are passed on to it.\n"
        "Exit codes: COMMAND's own, 128 + n by signal n; 2 wrong words or settings, 69 no store answers, 75 another\n"
        "holds it, 79 COMMAND was stopped because the lease was lost, 125 exec itself failed, 126 COMMAND cannot be\n"
        "executed, 127 there is no COMMAND.");
    sub->callback([&chosen, options] { chosen = [options](Command& command) { return exec(command, *options); }; });
}

}  // namespace understudy::app
