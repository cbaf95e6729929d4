#include "redis/resolver.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <pthread.h>
#include <sys/socket.h>

#include <array>
#include <mutex>
#include <system_error>
#include <thread>

namespace understudy::redis {

struct Resolver::Lookup {
    std::string host;
    std::mutex mutex;
    Loop* waiter = nullptr;  // null once nobody waits any more
    bool done = false;
    std::string fault;
    std::vector<std::string> addresses;

    bool is_done() {
        const std::lock_guard lock(mutex);
        return done;
    }
};

namespace {

bool is_numeric(const std::string& host) {
    std::array<unsigned char, sizeof(in6_addr)> bytes{};
    return inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 || inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

/// Returns what went wrong, or nothing.
std::string ask_system(const std::string& host, std::vector<std::string>& addresses) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* raw = nullptr;
    if (const int rc = getaddrinfo(host.c_str(), nullptr, &hints, &raw); rc != 0) return gai_strerror(rc);
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> list(raw, freeaddrinfo);
    for (const auto* one = list.get(); one != nullptr; one = one->ai_next) {
        std::array<char, NI_MAXHOST> text{};
        if (getnameinfo(one->ai_addr, one->ai_addrlen, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) == 0) {
            addresses.emplace_back(text.data());
        }
    }
    return addresses.empty() ? "no address" : "";
}

}  // namespace

Resolver::Resolver(Loop& loop) : loop_(loop) {}

Resolver::~Resolver() {
    if (!lookup_) return;
    const std::lock_guard lock(lookup_->mutex);
    lookup_->waiter = nullptr;
}

Outcome<std::vector<std::string>> Resolver::resolve(const std::string& host, Deadline deadline) {
    if (is_numeric(host)) return std::vector<std::string>{host};
    const auto failed = [&](const std::string& why) {
        return tl::unexpected(
            Failure{ErrorClass::unreachable, Cause::name, false, "cannot resolve '" + host + "': " + why});
    };
    // One that hangs on another name must end first; its answer is not ours.
    if (lookup_ && lookup_->host != host) {
        if (!loop_.run_until(deadline, [&] { return lookup_->is_done(); })) {
            return failed("the look-up of '" + lookup_->host + "' still hangs");
        }
        lookup_.reset();
    }
    if (!lookup_) {
        auto lookup = std::make_shared<Lookup>();
        lookup->host = host;
        lookup->waiter = &loop_;
        try {
            std::thread([lookup] {
                pthread_setname_np(pthread_self(), "redis-dns");
                std::vector<std::string> addresses;
                auto fault = ask_system(lookup->host, addresses);
                const std::lock_guard lock(lookup->mutex);
                lookup->fault = std::move(fault);
                lookup->addresses = std::move(addresses);
                lookup->done = true;
                if (lookup->waiter != nullptr) lookup->waiter->wake();
            }).detach();
        } catch (const std::system_error& error) {
            return failed(std::string("no thread: ") + error.what());
        }
        lookup_ = std::move(lookup);
    }
    if (!loop_.run_until(deadline, [&] { return lookup_->is_done(); })) return failed("no answer in time");
    const auto lookup = std::move(lookup_);
    lookup_.reset();
    if (!lookup->fault.empty()) return failed(lookup->fault);
    return std::move(lookup->addresses);
}

}  // namespace understudy::redis
