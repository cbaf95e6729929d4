#include "http/jellyfin/users/login_check.h"

#include "http/auth/secrets.h"
#include "http/jellyfin/events/activity.h"
#include "http/problem.h"
#include "http/proxies.h"
#include "http/text.h"

namespace understudy::http {
namespace {

/// A name that nobody has may be a password typed into the wrong field: not kept as it is.
std::string subject_of(const std::optional<store::User>& user, std::string_view typed) {
    if (user) return "user:" + user->id.str();
    std::string hex;
    constexpr std::string_view digits = "0123456789abcdef";
    for (const auto c : hash_secret(to_lower(trim(typed)))) {
        const auto byte = static_cast<unsigned char>(c);
        hex += digits[byte >> 4U];
        hex += digits[byte & 15U];
    }
    return "name:" + hex;
}

void take_back(const Services& services, const store::CountedAttempt& attempt, const std::string& forgiven,
               const std::string& taken_back) {
    const auto done = services.users.attempts->succeeded(attempt, forgiven, taken_back);
    if (!done) services.log.debug("a login that was no failure counts as one", {{"cause", done.error().context}});
}

}  // namespace

std::optional<Response> refuse_password(const Services& services, const Request& request,
                                        const std::optional<store::User>& user, std::string_view typed,
                                        std::string_view password, int status_if_wrong) {
    const auto address = client_address(request, services.info.trusted_proxies);
    const auto by_user = subject_of(user, typed);
    const auto by_address = "address:" + address_group(address);
    const auto attempt =
        services.users.attempts->begin({{by_user, free_failures_of_user, longest_wait_of_user},
                                        {by_address, free_failures_of_address, longest_wait_of_address}});
    if (!attempt) return problem(attempt.error());
    if (attempt->wait.count() > 0) {
        const auto seconds = std::to_string((attempt->wait.count() + 999) / 1000);
        return text_answer(429, "Too many failed logins; try again in " + seconds + " s.").with("Retry-After", seconds);
    }
    // Who has no password logs in without one, as in the reference; an administrator must have one.
    const bool none_needed = user && user->password_hash.empty() && !user->admin && password.empty();
    if (!none_needed) {
        const auto right = services.users.passwords->matches(user ? user->password_hash : std::string(), password);
        if (!right) {
            take_back(services, *attempt, {}, by_user);
            take_back(services, *attempt, {}, by_address);
            return problem(right.error());
        }
        if (!*right) {
            services.log.warning("a login failed",
                                 {{"user", user ? user->name : "(nobody of that name)"}, {"address", address}});
            // What was typed is not kept: it may be a password in the wrong field.
            note_activity(services, {"AuthenticationFailed", "Error",
                                     user ? "A login of " + user->name + " failed" : "A login of nobody known failed",
                                     "IP address: " + address, user ? user->id : core::UserId{}});
            return text_answer(status_if_wrong, "Invalid user name or password.");
        }
    }
    take_back(services, *attempt, by_user, by_address);
    return std::nullopt;
}

}  // namespace understudy::http
