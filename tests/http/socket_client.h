// tests/http/socket_client.h: a websocket client of a loopback port, small enough to be sure of. Every wait ends after
// ten seconds. Used by the tests of the event socket and its bench.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace understudy::testing {

class SocketClient {
public:
    struct Frame {
        int opcode = 0;  ///< 1 text, 8 close, 9 ping, 10 pong
        std::string data;
    };

    /// Asks for the upgrade; `headers`: whole lines with `\r\n`.
    SocketClient(std::uint16_t port, std::string_view target, std::string_view headers = {})
        : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        const timeval patience{10, 0};
        ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return;
        send_bytes("GET " + std::string(target) +
                   " HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
                   std::string(headers) + "\r\n");
        std::size_t end = 0;
        while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
            if (!more()) return;
        }
        head_ = buffer_.substr(0, end);
        buffer_.erase(0, end + 4);
        status_ = std::stoi(head_.substr(9, 3));
    }
    ~SocketClient() {
        if (fd_ >= 0) ::close(fd_);
    }
    SocketClient(const SocketClient&) = delete;
    SocketClient& operator=(const SocketClient&) = delete;

    [[nodiscard]] int status() const { return status_; }  ///< 101: upgraded; 0: no answer
    [[nodiscard]] const std::string& head() const { return head_; }
    [[nodiscard]] int fd() const { return fd_; }

    bool send(std::string_view text, int opcode = 1) {
        std::string frame(1, static_cast<char>(0x80 | opcode));
        constexpr std::size_t small = 126, medium = 65'536;
        if (text.size() < small) {
            frame += static_cast<char>(0x80 | text.size());
        } else if (text.size() < medium) {
            frame += static_cast<char>(0x80 | small);
            frame += static_cast<char>(text.size() >> 8);
            frame += static_cast<char>(text.size());
        } else {
            frame += static_cast<char>(0x80 | 127);
            for (int shift = 56; shift >= 0; shift -= 8) frame += static_cast<char>(text.size() >> shift);
        }
        frame.append(4, '\0');  // the mask may be zero
        frame += text;
        return send_bytes(frame);
    }
    /// nullopt: the connection ended, or ten seconds are over.
    std::optional<Frame> read() {
        while (true) {
            if (auto frame = take()) return frame;
            if (!more()) return std::nullopt;
        }
    }
    /// The next text that has `words` in it; empty where the connection ended before.
    std::string await(std::string_view words) {
        while (const auto frame = read()) {
            if (frame->opcode == 8) {
                note_close(*frame);
                return {};
            }
            if (frame->opcode == 1 && frame->data.find(words) != std::string::npos) return frame->data;
        }
        return {};
    }
    /// The code with which the other end closed; 0: without one.
    int await_close() {
        if (close_code_ != 0) return close_code_;
        while (const auto frame = read()) {
            if (frame->opcode != 8) continue;
            note_close(*frame);
            return close_code_;
        }
        return 0;
    }

private:
    void note_close(const Frame& frame) {
        if (frame.data.size() < 2) return;
        close_code_ = (static_cast<unsigned char>(frame.data[0]) << 8) | static_cast<unsigned char>(frame.data[1]);
    }
    bool send_bytes(std::string_view bytes) {
        while (!bytes.empty()) {
            const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }
    bool more() {
        char chunk[4096];
        const auto got = ::recv(fd_, chunk, sizeof chunk, 0);
        if (got <= 0) return false;
        buffer_.append(chunk, static_cast<std::size_t>(got));
        return true;
    }
    std::optional<Frame> take() {
        const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(buffer_[at]); };
        if (buffer_.size() < 2) return std::nullopt;
        std::size_t size = byte(1) & 0x7FU, head = 2;
        if (size == 126) head = 4;
        if (size == 127) head = 10;
        if (buffer_.size() < head) return std::nullopt;
        if (head > 2) {
            size = 0;
            for (std::size_t i = 2; i < head; ++i) size = (size << 8U) | byte(i);
        }
        if (buffer_.size() < head + size) return std::nullopt;
        Frame frame{byte(0) & 0x0F, buffer_.substr(head, size)};
        buffer_.erase(0, head + size);
        return frame;
    }

    int fd_;
    int status_ = 0, close_code_ = 0;
    std::string head_, buffer_;
};

}  // namespace understudy::testing
