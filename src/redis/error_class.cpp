#include "redis/error_class.h"

#include <algorithm>
#include <array>

namespace understudy::redis {
namespace {

struct Row {
    std::string_view code;
    ErrorReading reading;
};

constexpr auto transient = ErrorClass::transient;
constexpr auto redirect = ErrorClass::redirect;
constexpr auto misconfigured = ErrorClass::misconfigured;

// By the first word.
constexpr std::array by_code = {
    Row{"LOADING", {transient, Cause::load, false}},
    Row{"BUSY", {transient, Cause::load, false}},
    Row{"OOM", {transient, Cause::load, false}},
    Row{"MISCONF", {transient, Cause::load, false}},  // cannot save to disc; reads and our renew go on
    Row{"TRYAGAIN", {transient, Cause::load, false}},
    Row{"NOREPLICAS", {transient, Cause::load, false}},
    Row{"NOSCRIPT", {transient, Cause::load, false}},
    Row{"CLUSTERDOWN", {transient, Cause::load, false}},
    Row{"MASTERDOWN", {transient, Cause::role, true}},
    Row{"READONLY", {transient, Cause::role, true}},
    Row{"UNBLOCKED", {transient, Cause::role, true}},  // "force unblock …, instance state changed"
    Row{"MOVED", {redirect, Cause::cluster, false}},
    Row{"ASK", {redirect, Cause::cluster, false}},
    Row{"CROSSSLOT", {misconfigured, Cause::cluster, false}},
    // A login that is refused is tried again on a new connection, with a secret read afresh.
    Row{"WRONGPASS", {misconfigured, Cause::login, true}},
    Row{"NOAUTH", {misconfigured, Cause::login, true}},
    Row{"NOPERM", {misconfigured, Cause::right, false}},
    Row{"DENIED", {misconfigured, Cause::protected_mode, true}},
    Row{"WRONGTYPE", {misconfigured, Cause::key_type, false}},
};

// Words inside a plain ERR, of Redis 6.2 to 7.4. Order counts.
constexpr std::array by_words = {
    Row{"max number of clients", {transient, Cause::load, true}},
    Row{"DB index is out of range", {misconfigured, Cause::database, true}},
    Row{"SELECT is not allowed in cluster mode", {misconfigured, Cause::database, true}},
    Row{"without any password configured", {misconfigured, Cause::login, true}},
    Row{"no password is set", {misconfigured, Cause::login, true}},
    Row{"invalid password", {misconfigured, Cause::login, true}},
    // The three of a script's ACL check (6.2, 7.0), and 7.2's one for all.
    Row{"executing the script can't", {misconfigured, Cause::right, false}},
    Row{"ACL failure in script", {misconfigured, Cause::right, false}},
    Row{"Write commands not allowed after", {transient, Cause::load, false}},
    Row{"read only replica", {transient, Cause::role, true}},
    Row{"nknown Redis command", {misconfigured, Cause::command, false}},
    Row{"nknown command", {misconfigured, Cause::command, false}},
    Row{"nknown subcommand", {misconfigured, Cause::command, false}},
    Row{"disallowed command", {misconfigured, Cause::command, false}},
};

}  // namespace

ErrorReading read_error(std::string_view text) {
    const auto code = text.substr(0, text.find(' '));
    for (const auto& row : by_code) {
        if (row.code == code) return row.reading;
    }
    // Redis 6.2 wraps what a script did not catch: "ERR Error running script (…): @user_script:12: -OOM command …".
    for (const auto& row : by_code) {
        if (text.find(": -" + std::string(row.code) + " ") != std::string_view::npos) return row.reading;
    }
    for (const auto& row : by_words) {
        if (text.find(row.code) != std::string_view::npos) return row.reading;
    }
    return {};
}

std::string printable_error(std::string_view text) {
    text = text.substr(0, text.find(", with args"));
    text = text.substr(0, text.find(" script: "));  // "script: <sha>, on @user_script:1." tells an operator nothing
    std::string line(text.substr(0, 200));
    std::replace_if(
        line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
    return line;
}

}  // namespace understudy::redis
