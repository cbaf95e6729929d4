// tests/http/raw_client.h: bytes to and from a loopback port, with nothing between that could be more correct than a
// client in the wild. Every wait ends after ten seconds.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"
#include "http/text.h"

namespace understudy::testing {

struct RawAnswer {
    int status = 0;
    std::vector<http::Header> headers;
    std::string body;

    std::string header(std::string_view name) const {
        for (const auto& each : headers) {
            if (http::iequals(each.name, name)) return each.value;
        }
        return {};
    }
};

class RawClient {
public:
    /// `receive_bytes`: of the kernel's buffer; 0: as large as it likes.
    explicit RawClient(std::uint16_t port, int receive_bytes = 0)
        : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        if (receive_bytes > 0) ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
        const timeval patience{10, 0};
        ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        connected_ = ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    }
    ~RawClient() { ::close(fd_); }
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;

    bool connected() const { return connected_; }
    /// False where the other end has closed.
    bool send(std::string_view bytes) {
        while (!bytes.empty()) {
            const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }
    /// Is there something to read, an end included? Waits for it, at most so long.
    bool readable(int within_ms) const {
        pollfd wanted{fd_, POLLIN, 0};
        return ::poll(&wanted, 1, within_ms) == 1;
    }
    void finish_sending() { ::shutdown(fd_, SHUT_WR); }
    /// One whole answer. `no_body`: to a HEAD request. Throws where the connection ends before it is whole.
    RawAnswer read(bool no_body = false) {
        RawAnswer answer;
        std::size_t end = 0;
        while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) more();
        const auto head = buffer_.substr(0, end);
        buffer_.erase(0, end + 4);
        std::size_t at = head.find("\r\n");
        answer.status = std::stoi(head.substr(9, 3));
        while (at != std::string::npos) {
            const auto next = head.find("\r\n", at + 2);
            const auto line = head.substr(at + 2, next == std::string::npos ? next : next - at - 2);
            const auto colon = line.find(':');
            answer.headers.push_back({line.substr(0, colon), std::string(http::trim(line.substr(colon + 1)))});
            at = next;
        }
        const auto length = answer.header("Content-Length");
        if (no_body || length.empty()) return answer;
        const auto size = static_cast<std::size_t>(std::stoul(length));
        while (buffer_.size() < size) more();
        answer.body = buffer_.substr(0, size);
        buffer_.erase(0, size);
        return answer;
    }
    RawAnswer ask(std::string_view bytes, bool no_body = false) {
        send(bytes);
        return read(no_body);
    }
    /// True: the other end has closed and nothing is left to read.
    bool at_end() {
        if (!buffer_.empty()) return false;
        char byte = 0;
        return ::recv(fd_, &byte, 1, 0) == 0;
    }
    /// True: the other end is gone, cleanly or not, whatever was still to be read.
    bool gone() {
        char chunk[4096];
        ssize_t got = 0;
        while ((got = ::recv(fd_, chunk, sizeof chunk, 0)) > 0) continue;
        return got == 0 || errno == ECONNRESET || errno == EPIPE;
    }

private:
    void more() {
        char chunk[4096];
        const auto got = ::recv(fd_, chunk, sizeof chunk, 0);
        if (got <= 0) throw std::runtime_error("the connection ended after: " + buffer_);
        buffer_.append(chunk, static_cast<std::size_t>(got));
    }

    int fd_;
    bool connected_ = false;
    std::string buffer_;
};

}  // namespace understudy::testing
