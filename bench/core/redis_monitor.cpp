#include "core/redis_monitor.h"

#include <hiredis/hiredis.h>
#include <poll.h>

#include <cctype>
#include <future>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace understudy::bench {
namespace {

struct Free {
    void operator()(redisContext* context) const noexcept { redisFree(context); }
    void operator()(void* reply) const noexcept { freeReplyObject(reply); }
};

// 1700000000.123456 [0 127.0.0.1:40000] "evalsha" "…": the port and the command; a script's own calls say [0 lua].
void count(std::string_view line, RedisMonitor::Counts& counts) {
    const auto open = line.find('['), close = line.find(']');
    if (open == std::string_view::npos || close == std::string_view::npos) return;
    const auto client = line.substr(open + 1, close - open - 1);
    const auto colon = client.rfind(':');
    const auto first = line.find('"', close), last = line.find('"', first + 1);
    if (colon == std::string_view::npos || last == std::string_view::npos) return;
    std::string command(line.substr(first + 1, last - first - 1));
    for (auto& c : command) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    ++counts[std::stoi(std::string(client.substr(colon + 1)))][command];
}

}  // namespace

RedisMonitor::RedisMonitor(int port) {
    std::promise<std::string> started;
    auto trouble = started.get_future();
    thread_ = std::thread([this, port, &started] {
        const std::unique_ptr<redisContext, Free> context(redisConnectWithTimeout("127.0.0.1", port, timeval{5, 0}));
        const bool connected = context && context->err == 0;
        const std::unique_ptr<void, Free> answer(connected ? redisCommand(context.get(), "MONITOR") : nullptr);
        if (!answer) return started.set_value(context ? context->errstr : "no memory");
        started.set_value({});
        for (pollfd waiting{context->fd, POLLIN, 0}; !stopping_;) {
            if (::poll(&waiting, 1, 200) <= 0) continue;
            if (redisBufferRead(context.get()) != REDIS_OK) return;
            for (void* line = nullptr; redisGetReplyFromReader(context.get(), &line) == REDIS_OK && line != nullptr;) {
                const std::unique_ptr<void, Free> owned(line);
                const auto* reply = static_cast<const redisReply*>(line);
                const std::lock_guard lock(mutex_);
                count({reply->str, static_cast<std::size_t>(reply->len)}, counts_);
            }
        }
    });
    if (const auto text = trouble.get(); !text.empty()) {
        thread_.join();
        throw std::runtime_error("MONITOR: " + text);
    }
}

RedisMonitor::~RedisMonitor() {
    stopping_ = true;
    if (thread_.joinable()) thread_.join();
}

RedisMonitor::Counts RedisMonitor::counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
}

}  // namespace understudy::bench
