#include "lease/redis/lease_script.h"

#include <algorithm>
#include <charconv>

#include "redis/error_class.h"

namespace understudy::lease {
namespace {

// Runs on Redis 6.2 and later. pcall and a returned error table keep the error's first word, by which it is classed.
constexpr const char* script_text = R"lua(
local key = KEYS[1]
local verb, token, label, ttl, channel = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]

local function failed(reply) return type(reply) == 'table' and reply.err end

if verb == 'ping' then return {'ping'} end

if verb == 'check' then
  local refused = {'check'}
  local function try(name, ...)
    local reply = redis.pcall(...)
    if failed(reply) then
      refused[#refused + 1] = name
      refused[#refused + 1] = reply.err
    end
    return reply
  end
  -- Rights are looked at before a command runs. So that none of these changes anything: SET under the condition that does
  -- not hold, PEXPIRE with a word for its number, DEL of the key only where there is none.
  try('TIME', 'TIME')
  try('PTTL', 'PTTL', key)
  try('PEXPIRE', 'PEXPIRE', key, 'x')
  local value = try('GET', 'GET', key)
  local known = not failed(value) or string.find(value.err, '^WRONGTYPE') ~= nil
  local there = value ~= false
  if known then try('SET', 'SET', key, '', 'PX', 1, there and 'NX' or 'XX') end
  if known and not there then try('DEL', 'DEL', key) else try('DEL beside', 'DEL', key .. ':selftest') end
  try('PUBLISH', 'PUBLISH', channel, 'selftest')
  return refused
end

if not token or #token < 16 then return redis.error_reply('ERR lease script: a token is wanted') end
if verb ~= 'release' and not (ttl and ttl > 0) then return redis.error_reply('ERR lease script: ttl must be above 0') end

local time = redis.pcall('TIME')
if failed(time) then return time end
local value = redis.pcall('GET', key)
if failed(value) then return value end  -- another type: said, not touched
local ours = value and string.sub(value, 1, #token + 1) == token .. ':'

local function answer(verdict, repaired, note)
  local left = redis.pcall('PTTL', key)
  if failed(left) then return left end
  return {verdict, value or '', left, time[1], time[2], repaired or 0, note or ''}
end
local function extend(verdict)
  local done = redis.pcall('PEXPIRE', key, ttl)
  if failed(done) then return done end
  return answer(verdict, verdict == 'held' and 1 or 0)
end

if verb == 'acquire' then
  if not value then
    value = token .. ':' .. label
    local done = redis.pcall('SET', key, value, 'PX', ttl)
    if failed(done) then return done end
    return answer('granted')
  end
  if ours then return extend('granted') end
  -- A key that never expires would leave the pods without a leader for ever.
  local left = redis.pcall('PTTL', key)
  if failed(left) then return left end
  if left == -1 then return extend('held') end
  return answer('held')
end

if verb == 'renew' then
  if ours then return extend('granted') end
  return answer(value and 'held' or 'lost')
end

if verb == 'release' then
  local note
  if ours then
    local done = redis.pcall('DEL', key)
    if failed(done) then return done end
    value = false
    local sent = redis.pcall('PUBLISH', channel, 'released')
    if failed(sent) then note = sent.err end  -- the lease is gone all the same; the others find out at their next poll
  end
  return answer('released', 0, note)
end

return redis.error_reply('ERR lease script: unknown verb')
)lua";

std::optional<std::int64_t> read_number(const redis::Reply& reply) {
    if (reply.kind == redis::Reply::Kind::integer) return reply.integer;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(reply.text.data(), reply.text.data() + reply.text.size(), number);
    if (reply.text.empty() || error != std::errc{} || end != reply.text.data() + reply.text.size()) return std::nullopt;
    return number;
}

/// `<token>:<label>`, or whatever another program put there: then the whole is the label.
void read_value(const std::string& value, LeaseAnswer& into) {
    if (value.empty()) return;
    constexpr std::size_t token_size = 32;
    if (value.size() > token_size && value[token_size] == ':') {
        if (auto token = core::LeaseToken::parse(std::string_view(value).substr(0, token_size))) {
            into.holder_token = *token;
            into.holder = fit_label(std::string_view(value).substr(token_size + 1));
            return;
        }
    }
    into.holder = fit_label(value);
}

bool has_hash_tag(std::string_view key) {
    const auto open = key.find('{');
    if (open == std::string_view::npos) return false;
    const auto close = key.find('}', open + 1);
    return close != std::string_view::npos && close > open + 1;
}

std::string lower_case(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

}  // namespace

redis::Script lease_script() {
    return redis::Script(script_text);
}

std::string notice_channel(std::string_view key, std::string_view prefix) {
    const std::string name = has_hash_tag(key) ? std::string(key) : "{" + std::string(key) + "}";
    return std::string(prefix) + name + ":events";
}

std::string fit_label(std::string_view label) {
    std::string out(label.substr(0, 200));
    std::replace_if(
        out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
    return out;
}

std::optional<LeaseAnswer> read_answer(const redis::Reply& reply, std::string& note) {
    using Verdict = LeaseAnswer::Verdict;
    if (reply.kind != redis::Reply::Kind::array || reply.elements.size() != 7) return std::nullopt;
    const auto& verdict = reply.elements[0].text;
    LeaseAnswer answer;
    if (verdict == "granted") {
        answer.verdict = Verdict::granted;
    } else if (verdict == "held") {
        answer.verdict = Verdict::held;
    } else if (verdict == "lost") {
        answer.verdict = Verdict::lost;
    } else if (verdict == "released") {
        answer.verdict = Verdict::released;
    } else {
        return std::nullopt;
    }
    const auto left = read_number(reply.elements[2]);
    const auto seconds = read_number(reply.elements[3]);
    const auto micros = read_number(reply.elements[4]);
    const auto repaired = read_number(reply.elements[5]);
    if (!left || !seconds || !micros || !repaired) return std::nullopt;
    read_value(reply.elements[1].text, answer);
    if (*left >= 0) answer.ttl_left = core::Millis{*left};
    if (*seconds < 0 || *seconds > 1'000'000'000'000) return std::nullopt;
    answer.server_time = core::from_unix_ms(*seconds * 1000 + *micros / 1000);
    answer.repaired_missing_ttl = *repaired == 1;
    note = reply.elements[6].text;
    return answer;
}

Refusal read_refusal(std::string_view verb, std::string_view error, std::string_view key, std::string_view channel) {
    const auto says = [&](std::string_view words) { return error.find(words) != std::string_view::npos; };
    Refusal refusal{std::string(verb), "+" + lower_case(verb)};
    // "can't publish to the channel", "access one of the channels", "can't access at least one of the keys", "access a
    // key"
    if (says("channel")) {
        refusal.grant = "&" + std::string(channel);
    } else if (says(" key")) {
        refusal.grant = "~" + std::string(key);
    }
    return refusal;
}

std::optional<std::vector<Refusal>> read_check(const redis::Reply& reply, std::string_view key,
                                               std::string_view channel) {
    if (reply.kind != redis::Reply::Kind::array || reply.elements.size() % 2 != 1 ||
        reply.elements[0].text != "check") {
        return std::nullopt;
    }
    std::vector<Refusal> refusals;
    for (std::size_t i = 1; i < reply.elements.size(); i += 2) {
        const auto& verb = reply.elements[i].text;
        const auto& error = reply.elements[i + 1].text;
        const auto cause = redis::read_error(error).cause;
        // "not an integer" is what PEXPIRE should say; OOM, READONLY and the like are for the call that meets them.
        if (cause != redis::Cause::right && cause != redis::Cause::command) continue;
        auto refusal = read_refusal(verb == "DEL beside" ? "DEL" : verb, error, key, channel);
        // Beside the key only the command counts: SET and PEXPIRE have shown that the key itself may be written.
        if (verb == "DEL beside" && refusal.grant.starts_with('~')) continue;
        refusals.push_back(std::move(refusal));
    }
    return refusals;
}

}  // namespace understudy::lease
