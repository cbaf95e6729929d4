#include "app/exec/lease_exec.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <memory>
#include <ostream>
#include <system_error>

#include "app/exec/command_guard.h"
#include "app/exec/grant_recorder.h"
#include "app/lease_stores.h"
#include "core/random.h"
#include "core/spdlog_log.h"
#include "lease/kept_scan_leader_lease.h"
#include "store/sql/session.h"

namespace understudy::app {
namespace {

using core::Millis;
using core::Nanos;
using namespace std::chrono_literals;

constexpr Millis look_every{50};  // at the lease; the guard has its deadline whether exec looks or not
constexpr std::array passed_on{SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

/// Signals as something to read. They stay blocked for the rest of the process.
class SignalReader {
public:
    SignalReader() {
        sigset_t set;
        sigemptyset(&set);
        for (const int signal : passed_on) sigaddset(&set, signal);
        ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
        std::signal(SIGPIPE, SIG_IGN);
        descriptor_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    }
    ~SignalReader() { ::close(descriptor_); }
    SignalReader(const SignalReader&) = delete;
    SignalReader& operator=(const SignalReader&) = delete;

    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
    /// 0: none came.
    [[nodiscard]] int read() const {
        signalfd_siginfo info{};
        const bool got = ::read(descriptor_, &info, sizeof info) == static_cast<ssize_t>(sizeof info);
        return got ? static_cast<int>(info.ssi_signo) : 0;
    }

private:
    int descriptor_ = -1;
};

class LeaseExec {
public:
    LeaseExec(const Settings& settings, const LeaseExecOptions& options, std::ostream& err)
        : options_(options),
          err_(err),
          guard_(options.command, options.kill_after, options.mask),  // before any thread
          log_({.level = core::LogLevel::error, .pod = settings.pod, .directory = std::nullopt}) {
        const auto label = fmt::format("{} (exec, process {})", settings.pod, ::getpid());
        auto recorder = std::make_unique<GrantRecorder>(make_store(settings, label));
        recorder_ = recorder.get();
        lease::KeptScanLeaderLease::Settings kept;
        kept.lease = options.lease;
        kept.pod = label;
        lease_ =
            std::make_unique<lease::KeptScanLeaderLease>(std::move(kept), std::move(recorder), clock_, random_, log_);
    }

    int run() {
        lease_->start();
        const int refused = await_lease();
        const int code = refused != 0 ? refused : run_command();
        if (const auto released = lease_->release(2 * options_.lease.call_timeout); !released && refused == 0)
            say(released.error().context);
        return code;
    }

private:
    void say(const std::string& text) { err_ << "understudy exec: " << text << '\n' << std::flush; }

    std::unique_ptr<lease::LeaseStore> make_store(const Settings& settings, const std::string& label) {
        const auto timeout = options_.lease.call_timeout;
        if (settings.scan_leader.store == LeaseProvider::redis)
            return make_redis_lease_store(settings, options_.key, label, timeout, log_);
        database_ = settings.database.postgresql ? store::sql::open_postgresql(settings.database.connection, 1)
                                                 : store::sql::open_sqlite(settings.database.connection, 1);
        return std::make_unique<lease::DatabaseLeaseStore>(
            database_lease_settings(settings, options_.key, label, timeout), *database_, clock_);
    }

    /// 0: it is held.
    int await_lease() {
        const auto begun = clock_.now();
        const WaitRule rule{options_.wait, 2 * options_.lease.call_timeout + 1s};
        bool told = false, told_outage = false;
        for (;;) {
            const auto view = lease_->view();
            switch (judge_wait(view, core::elapsed(begun, clock_.now()), rule)) {
                case WaitVerdict::hold:
                    return 0;
                case WaitVerdict::held_elsewhere:
                    say(held_text(view));
                    return exec_exit::held_elsewhere;
                case WaitVerdict::no_store:
                    say(fmt::format("no lease store answers ({}): {}; the command is not run", lease_->view().provider,
                                    view.outage ? view.outage->detail : std::string("no word from it yet")));
                    return exec_exit::no_store;
                case WaitVerdict::wait:
                    break;
            }
            if (!told && view.standing == lease::Standing::follower) {
                told = true;
                say(held_text(view) + "; waiting for it");
            }
            if (!told_outage && view.outage) {
                told_outage = true;
                say("no usable answer from the lease store: " + view.outage->detail + "; asking on");
            }
            std::array<pollfd, 1> watched{pollfd{signals_.descriptor(), POLLIN, 0}};
            ::poll(watched.data(), watched.size(), static_cast<int>(look_every.count()));
            if (const int signal = signals_.read(); signal != 0) return 128 + signal;
        }
    }

    std::string held_text(const lease::LeaseView& view) const {
        if (view.waits_until) {
            return fmt::format(
                "lease {} may be held by somebody whom its store, just started, has forgotten; it is "
                "free for others at {}",
                options_.name, core::to_iso8601(*view.waits_until));
        }
        return fmt::format("lease {} is held by {}", options_.name,
                           view.holder ? view.holder->pod : std::string("another"));
    }

    int run_command() {
        const auto term = lease_->view().term;
        extend(term);
        const auto grant = recorder_->last();
        std::vector<std::string> variables{"UNDERSTUDY_LEASE_NAME=" + options_.name};
        if (grant) {
            variables.push_back("UNDERSTUDY_LEASE_TOKEN=" + grant->token.str());
            const auto at = grant->store_time.value_or(clock_.utc_now());
            variables.push_back("UNDERSTUDY_LEASE_EPOCH=" + std::to_string(core::to_unix_ms(at)));
        }
        guard_.start(variables);
        for (;;) {
            std::array<pollfd, 2> watched{pollfd{signals_.descriptor(), POLLIN, 0},
                                          pollfd{guard_.descriptor(), POLLIN, 0}};
            ::poll(watched.data(), watched.size(), static_cast<int>(look_every.count()));
            for (int signal = signals_.read(); signal != 0; signal = signals_.read()) guard_.pass_on(signal);
            while (const auto report = guard_.read()) {
                if (report->kind != GuardReport::Kind::started) return end_of(*report);
                group_ = report->number;
            }
            guard_.wake();
            if (!lost_) extend(term);
            // The guard stands still: nobody else is there to do it. Its unreaped child keeps the group's number.
            if (group_ > 0 && core::elapsed(proved_at_, clock_.now()) >= proved_for_) ::kill(-group_, SIGKILL);
        }
    }

    /// Tells the guard how long the lease is proved, or that it is lost.
    void extend(std::int64_t term) {
        const auto now = clock_.now();  // before the look: what passes between the two only shortens trust
        const auto left = lease_->trust_left();
        if (left == 0ns || lease_->view().term != term) {
            lost_ = true;
            say("lease " + options_.name + " is lost; stopping the command");
            guard_.stop();
            return;
        }
        const auto before = proved_for_ - core::elapsed(proved_at_, now);
        if (left <= before + 1ms) return;  // nothing new was granted
        proved_at_ = now;
        proved_for_ = left;
        guard_.trust(now, left);
    }

    int end_of(const GuardReport& report) {
        switch (report.kind) {
            case GuardReport::Kind::started:
                break;
            case GuardReport::Kind::not_found: {
                say(options_.command.front() + ": " + std::generic_category().message(report.number));
                const bool missing = report.number == ENOENT || report.number == ENOTDIR;
                const bool ours = report.number == EAGAIN || report.number == ENOMEM || report.number == EMFILE;
                return missing ? exec_exit::not_found : ours ? exec_exit::no_process : exec_exit::cannot_execute;
            }
            case GuardReport::Kind::ended:
                if (report.stopped_for_the_lease)
                    say("the command was stopped: lease " + options_.name + " was lost or could not be renewed");
                return exit_code_of(report.number, report.stopped_for_the_lease);
            case GuardReport::Kind::gone:
                if (group_ > 0) ::kill(-group_, SIGKILL);
                say("the process that watches the command was killed; the command was stopped");
                return exec_exit::lease_lost;
        }
        return exec_exit::no_process;
    }

    const LeaseExecOptions& options_;
    std::ostream& err_;
    CommandGuard guard_;
    SignalReader signals_;  // before the threads of all others, so that they leave the signals alone
    core::SystemClock clock_;
    core::SystemRandom random_;
    core::SpdlogLog log_;
    std::unique_ptr<store::sql::Database> database_;
    GrantRecorder* recorder_ = nullptr;
    std::unique_ptr<lease::KeptScanLeaderLease> lease_;

    core::Instant proved_at_{};
    Nanos proved_for_{};
    pid_t group_ = -1;
    bool lost_ = false;
};

}  // namespace

int run_under_lease(const Settings& settings, const LeaseExecOptions& options, std::ostream& err) {
    return LeaseExec(settings, options, err).run();
}

}  // namespace understudy::app
