#include "sim_redis.h"

namespace understudy::sim {

lease::LeaseAnswer SimRedis::run(const lease::LeaseRequest& request, const std::string& label) {
    using Verdict = lease::LeaseAnswer::Verdict;
    using Verb = lease::LeaseRequest::Verb;
    const auto now = clock();
    if (key_ && key_->expires_at && *key_->expires_at <= now) key_.reset();
    lease::LeaseAnswer answer;
    answer.server_time = core::UtcTime{std::chrono::floor<core::Millis>(now)};
    const bool ours = key_ && key_->token == request.token;
    switch (request.verb) {
        case Verb::acquire:
            if (!key_ || ours) {
                key_ = Key{request.token, label, now + request.ttl};
                answer.verdict = Verdict::granted;
            } else {
                answer.verdict = Verdict::held;
                if (!key_->expires_at) {
                    key_->expires_at = now + request.ttl;
                    answer.repaired_missing_ttl = true;
                }
            }
            break;
        case Verb::renew:
            if (ours) {
                key_->expires_at = now + request.ttl;
                answer.verdict = Verdict::granted;
            } else {
                answer.verdict = key_ ? Verdict::held : Verdict::lost;
            }
            break;
        case Verb::release:
            if (ours) {
                key_.reset();
                on_release();
            }
            answer.verdict = Verdict::released;
            break;
    }
    if (key_) {
        answer.holder = key_->label;
        answer.holder_token = key_->token;
        if (key_->expires_at) answer.ttl_left = std::chrono::duration_cast<core::Millis>(*key_->expires_at - now);
    }
    return answer;
}

}  // namespace understudy::sim
