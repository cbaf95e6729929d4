// tests/http/discovery_client.h: a client that looks for servers, by datagrams on loopback. Every wait ends after ten
// seconds. Used by the tests of discovery.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace understudy::testing {

class Seeker {
public:
    /// `address`: its own, 127.…
    explicit Seeker(const char* address = "127.0.0.1") : fd_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
        const auto own = at(address, 0);
        bound_ = ::bind(fd_, reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0;
    }
    ~Seeker() { ::close(fd_); }
    Seeker(const Seeker&) = delete;
    Seeker& operator=(const Seeker&) = delete;

    bool ask(std::uint16_t port, std::string_view text = "who is JellyfinServer?") const {
        const auto server = at("127.0.0.1", port);
        return bound_ && ::sendto(fd_, text.data(), text.size(), 0, reinterpret_cast<const sockaddr*>(&server),
                                  sizeof server) == static_cast<ssize_t>(text.size());
    }
    /// Empty where none came.
    [[nodiscard]] std::string await() const { return within(10'000).value_or(""); }
    /// What has come already.
    [[nodiscard]] std::optional<std::string> got() const { return within(0); }

private:
    static sockaddr_in at(const char* address, std::uint16_t port) {
        sockaddr_in place{};
        place.sin_family = AF_INET;
        place.sin_port = htons(port);
        ::inet_pton(AF_INET, address, &place.sin_addr);
        return place;
    }
    [[nodiscard]] std::optional<std::string> within(int wait_ms) const {
        pollfd readable{fd_, POLLIN, 0};
        if (::poll(&readable, 1, wait_ms) != 1) return std::nullopt;
        std::array<char, 2048> bytes{};
        const auto size = ::recv(fd_, bytes.data(), bytes.size(), 0);
        if (size < 0) return std::nullopt;
        return std::string(bytes.data(), static_cast<std::size_t>(size));
    }

    const int fd_;
    bool bound_ = false;
};

}  // namespace understudy::testing
