#include "lease/redis/redis_lease_store.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <set>

#include "core/check.h"
#include "lease/redis/advice.h"
#include "lease/redis/lease_script.h"
#include "redis/connection.h"

namespace understudy::lease {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// `name:value` of an INFO text; empty where there is none.
std::string_view info_field(std::string_view info, std::string_view name) {
    std::size_t at = 0;
    while (at < info.size()) {
        const auto end = std::min(info.find('\n', at), info.size());
        auto line = info.substr(at, end - at);
        at = end + 1;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == ':') {
            return line.substr(name.size() + 1);
        }
    }
    return {};
}

std::string_view word(LeaseRequest::Verb verb) {
    switch (verb) {
        case LeaseRequest::Verb::acquire:
            return "acquire";
        case LeaseRequest::Verb::renew:
            return "renew";
        case LeaseRequest::Verb::release:
            return "release";
    }
    return "";
}

constexpr auto first_retry = 1s;  // of a subscription that broke while the other connection lives
constexpr auto longest_retry = 30s;

}  // namespace

struct RedisLeaseStore::State {
    State(RedisLeaseConfig given, core::Log& logger)
        : config(std::move(given)),
          log(logger),
          settings(config.connection),
          label(fit_label(config.label)),
          command(loop, config.call_timeout),
          notices(loop, config.call_timeout) {}

    RedisLeaseConfig config;
    core::Log& log;
    redis::ConnectionSettings settings;  // of the connection that is open or was tried last
    std::string label;
    std::string channel;
    redis::Script script = lease_script();
    std::string last_run_id;
    std::set<std::string> said;  // warnings, so that each is said once

    redis::Loop loop;
    redis::Connection command;
    redis::Connection notices;
    bool noticed = false;
    bool subscribed = false;  // as far as we know; notices.is_open() tells
    Clock::time_point subscribed_at{};
    Clock::time_point resubscribe_at{};
    Clock::duration retry = first_retry;
    bool notices_missing = false;
    std::atomic<bool> interrupted{false};

    [[nodiscard]] redis::Deadline connect_deadline() const {
        return Clock::now() + std::min(config.call_timeout, settings.connect_timeout.value_or(config.call_timeout));
    }
    [[nodiscard]] redis::Deadline call_deadline() const {
        return Clock::now() + std::min(config.call_timeout, settings.command_timeout.value_or(config.call_timeout));
    }

    void close() noexcept {
        command.close();
        notices.close();
        subscribed = false;
    }

    /// Closes what must not be used again and puts the failure into words.
    LeaseNoAnswer give_up(const redis::Failure& failure) {
        // A right that is missing is looked for, and named, by the self-test of the next connection.
        if (failure.cause == redis::Cause::right || !command.is_open()) close();
        return explain(failure, settings.setting, config.key);
    }

    void warn_once(const std::string& text) {
        if (said.insert(text).second) log.warning("redis: " + text + " (" + settings.setting + ")");
    }

    redis::Outcome<redis::Reply> run(redis::Deadline deadline, std::string_view verb, std::string_view token,
                                     std::string_view ttl) {
        const std::array<std::string_view, 1> keys = {config.key};
        const std::array<std::string_view, 5> arguments = {verb, token, label, ttl, channel};
        return command.evaluate(script, keys, arguments, deadline);
    }

    redis::Outcome<std::optional<StoreRestart>> read_age(redis::Deadline deadline) {
        const auto info = command.call({"INFO", "server"}, deadline);
        if (!info) return tl::unexpected(info.error());
        if (info->is_error()) {
            auto failure = redis::failure_of(*info);
            if (failure.cause != redis::Cause::right && failure.cause != redis::Cause::command) {
                return tl::unexpected(std::move(failure));
            }
            warn_once("INFO: " + failure.detail + "; a restart of the server then goes unnoticed");
            return std::optional<StoreRestart>{};
        }
        const auto uptime_text = info_field(info->text, "uptime_in_seconds");
        const std::string run_id(info_field(info->text, "run_id"));
        std::int64_t uptime = 0;
        const auto [end, error] = std::from_chars(uptime_text.data(), uptime_text.data() + uptime_text.size(), uptime);
        if (uptime_text.empty() || error != std::errc{} || uptime < 0 || uptime > 1'000'000'000'000 || run_id.empty()) {
            warn_once("INFO server tells no uptime_in_seconds and run_id; a restart of the server then goes unnoticed");
            return std::optional<StoreRestart>{};
        }
        StoreRestart age;
        age.uptime = std::chrono::seconds{uptime};
        age.identity_changed = !last_run_id.empty() && last_run_id != run_id;
        last_run_id = run_id;
        return std::optional<StoreRestart>(age);
    }

    redis::Failure lacking(const std::vector<Refusal>& refusals) const {
        std::string what, grants;
        for (const auto& refusal : refusals) {
            what += (what.empty() ? "" : ", ") + refusal.verb;
            if ((grants + " ").find(refusal.grant + " ") == std::string::npos) {
                grants += (grants.empty() ? "" : " ") + refusal.grant;
            }
        }
        return {redis::ErrorClass::misconfigured, redis::Cause::right, false,
                "NOPERM: the lease may not use " + what + "; missing: " + grants};
    }

    /// EVAL, EVALSHA and, inside, each command of the lease on its own key and channel. Changes nothing.
    redis::Outcome<void> self_test(redis::Deadline deadline) {
        const auto tried =
            command.call({"EVAL", script.text(), "1", config.key, "check", "", "", "", channel}, deadline);
        if (!tried) return tl::unexpected(tried.error());
        if (tried->is_error()) return tl::unexpected(refused("EVAL", *tried));
        const auto refusals = read_check(*tried, config.key, channel);
        if (!refusals) return tl::unexpected(not_an_answer("the self-test"));
        if (!refusals->empty()) return tl::unexpected(lacking(*refusals));
        const auto again = run(deadline, "ping", "", "");
        if (!again) return tl::unexpected(again.error());
        if (again->is_error()) return tl::unexpected(refused("EVALSHA", *again));
        return {};
    }

    redis::Failure refused(std::string_view verb, const redis::Reply& error) const {
        auto failure = redis::failure_of(error);
        if (failure.cause == redis::Cause::right) return lacking({read_refusal(verb, error.text, config.key, channel)});
        return failure;
    }

    redis::Failure not_an_answer(std::string_view verb) const {
        return {redis::ErrorClass::misconfigured, redis::Cause::other, true,
                std::string(verb) + " at " + command.peer() + ": not an answer of the lease script"};
    }

    redis::Outcome<void> subscribe(redis::Deadline deadline) {
        if (auto opened = notices.open_beside(command, settings, deadline); !opened) return opened;
        auto heard = notices.subscribe(
            channel, [this](std::string_view text) { noticed = noticed || text == released_notice; }, deadline);
        if (!heard && heard.error().cause == redis::Cause::right) {
            return tl::unexpected(lacking({read_refusal("SUBSCRIBE", heard.error().detail, config.key, channel)}));
        }
        if (!heard) return heard;
        subscribed = true;
        subscribed_at = Clock::now();
        return {};
    }

    /// The lease calls go on without notices; so a subscription that cannot be had again is tried less and less often.
    void resubscribe() {
        if (notices.is_open() || Clock::now() < resubscribe_at) return;
        subscribed = false;
        if (const auto back = subscribe(connect_deadline()); !back) {
            notices.close();
            resubscribe_at = Clock::now() + retry;
            retry = std::min<Clock::duration>(retry * 2, longest_retry);
            if (!notices_missing) {
                log.warning("redis: no notices, a release is seen only at the next poll: " +
                            explain(back.error(), settings.setting, config.key).detail);
            }
            notices_missing = true;
            return;
        }
        listen_again();
    }

    void listen_again() {
        if (notices_missing) log.info("redis: notices are back");
        notices_missing = false;
        retry = first_retry;
    }

    redis::Outcome<std::optional<StoreRestart>> open_all() {
        const auto deadline = connect_deadline();
        if (auto opened = command.open(settings, deadline); !opened) return tl::unexpected(opened.error());
        for (const auto& warning : command.warnings()) warn_once(warning);
        auto age = read_age(deadline);
        if (!age) return age;
        if (const auto tested = self_test(deadline); !tested) return tl::unexpected(tested.error());
        if (const auto heard = subscribe(deadline); !heard) return tl::unexpected(heard.error());
        listen_again();
        return age;
    }
};

RedisLeaseStore::RedisLeaseStore(RedisLeaseConfig config, core::Log& log)
    : state_(std::make_unique<State>(std::move(config), log)) {
    CHECK(!state_->config.key.empty());
}

RedisLeaseStore::~RedisLeaseStore() = default;

tl::expected<std::optional<StoreRestart>, LeaseNoAnswer> RedisLeaseStore::connect() {
    auto& state = *state_;
    if (state.command.is_open()) {
        state.resubscribe();
        return std::optional<StoreRestart>{};
    }
    state.close();
    if (state.config.reread) {
        auto fresh = state.config.reread();
        if (!fresh) return tl::unexpected(LeaseNoAnswer{NoAnswer::misconfigured, false, fresh.error().context});
        state.settings = std::move(*fresh);
    }
    state.channel = notice_channel(state.config.key, state.settings.channel_prefix);
    auto age = state.open_all();
    if (!age) {
        state.close();
        auto answer = explain(age.error(), state.settings.setting, state.config.key);
        answer.ambiguous = false;  // nothing was asked of the lease yet
        return tl::unexpected(std::move(answer));
    }
    return *age;
}

LeaseReply RedisLeaseStore::ask(const LeaseRequest& request) {
    auto& state = *state_;
    const auto verb = word(request.verb);
    const auto reply = state.run(state.call_deadline(), verb, request.token.str(), std::to_string(request.ttl.count()));
    if (!reply) return state.give_up(reply.error());
    if (reply->is_error()) return state.give_up(state.refused(verb, *reply));
    std::string note;
    auto answer = read_answer(*reply, note);
    if (!answer) return state.give_up(state.not_an_answer(verb));
    if (!note.empty()) state.warn_once("the lease was released without a notice: " + redis::printable_error(note));
    return *std::move(answer);
}

LeaseStore::Wake RedisLeaseStore::wait(core::Nanos at_most) {
    auto& state = *state_;
    const auto deadline = Clock::now() + std::clamp<core::Nanos>(at_most, 0s, std::chrono::hours{24});
    // A subscription that lived and is gone is news too: subscribe again and look. One that dies at once is not.
    const auto lost = [&state] {
        if (!state.subscribed || state.notices.is_open()) return false;
        state.subscribed = false;
        return Clock::now() - state.subscribed_at >= 1s;
    };
    bool look = false;
    state.loop.run_until(deadline, [&] {
        look = look || lost();
        return state.interrupted.load() || state.noticed || look;
    });
    if (state.interrupted.exchange(false)) return Wake::interrupted;
    if (state.noticed || look) {
        state.noticed = false;
        return Wake::notice;
    }
    return Wake::timeout;
}

void RedisLeaseStore::interrupt() noexcept {
    state_->interrupted.store(true);
    state_->loop.wake();
}

}  // namespace understudy::lease
