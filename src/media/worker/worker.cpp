#include "media/worker/worker.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "media/unique_fd.h"
#include "media/wire.h"
#include "media/worker/probe_file.h"
#include "media/worker/sandbox.h"

namespace understudy::media {

namespace {

constexpr int exit_usage = 64, exit_sandbox = 71, exit_protocol = 76;  // sysexits.h

/// How long answers may wait for company: the pool sees a file that hangs by the silence after it.
constexpr auto longest_silence = std::chrono::milliseconds(10);

struct Batch {
    std::vector<wire::Order> orders;
    std::vector<UniqueFd> files;
    std::string parameters;  ///< of all orders, one after the other
    bool closed = false;     ///< the server hung up
    bool broken = false;
};

/// As many orders as descriptors, then exactly the parameters that they announce.
bool take_apart(std::string_view message, Batch& batch) {
    const std::size_t head = batch.files.size() * sizeof(wire::Order);
    if (batch.files.empty() || message.size() < head) return false;
    batch.orders.resize(batch.files.size());
    std::memcpy(batch.orders.data(), message.data(), head);
    batch.parameters = message.substr(head);
    std::uint64_t announced = 0;
    for (const auto& order : batch.orders) announced += order.parameter_bytes;
    return announced == batch.parameters.size();
}

Batch receive(std::vector<char>& buffer) {
    Batch batch;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * wire::max_batch)> control{};
    iovec part{buffer.data(), buffer.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    ssize_t got = 0;
    do {
        got = recvmsg(wire::socket_fd, &message, MSG_CMSG_CLOEXEC);
    } while (got < 0 && errno == EINTR);
    if (got <= 0) {
        batch.closed = true;
        return batch;
    }
    for (cmsghdr* part_of = CMSG_FIRSTHDR(&message); part_of != nullptr; part_of = CMSG_NXTHDR(&message, part_of)) {
        if (part_of->cmsg_level != SOL_SOCKET || part_of->cmsg_type != SCM_RIGHTS) continue;
        const std::size_t count = (part_of->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(part_of) + i * sizeof fd, sizeof fd);
            batch.files.emplace_back(fd);
        }
    }
    batch.broken = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0 ||
                   !take_apart({buffer.data(), static_cast<std::size_t>(got)}, batch);
    return batch;
}

/// False: the server is gone.
bool send_all(std::string& answers) {
    std::string_view left = answers;
    while (!left.empty()) {
        const auto chunk = left.substr(0, wire::max_message_bytes);
        const ssize_t sent = send(wire::socket_fd, chunk.data(), chunk.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        left.remove_prefix(static_cast<std::size_t>(sent));
    }
    answers.clear();
    return true;
}

int serve(const JobRunner& run) {
    ByteSource bytes;
    std::string answers;
    std::vector<char> buffer(wire::max_order_bytes);
    for (;;) {
        Batch batch = receive(buffer);
        if (batch.closed) return 0;
        if (batch.broken) return exit_protocol;
        auto last_word = std::chrono::steady_clock::now();
        std::string_view parameters = batch.parameters;
        for (std::size_t i = 0; i < batch.orders.size(); ++i) {
            const auto& order = batch.orders[i];
            allow_processor_seconds(order.cpu_seconds);
            bytes.open(batch.files[i].get(), order.size_bytes);
            const auto own = parameters.substr(0, order.parameter_bytes);
            parameters.remove_prefix(own.size());
            wire::append_answer(answers, order.id, run(bytes, order.job, own));
            batch.files[i].reset();
            const auto now = std::chrono::steady_clock::now();
            if (answers.size() < wire::max_message_bytes && now - last_word < longest_silence) continue;
            if (!send_all(answers)) return 0;
            last_word = now;
        }
        if (!send_all(answers)) return 0;
    }
}

}  // namespace

int run_worker(int argc, const char* const* argv, const JobRunner& run) {
    struct stat socket {};
    pid_t parent = 0;
    const std::string_view argument = argc == 2 ? argv[1] : "";
    std::from_chars(argument.data(), argument.data() + argument.size(), parent);
    if (parent <= 0 || fstat(wire::socket_fd, &socket) != 0 || !S_ISSOCK(socket.st_mode)) {
        std::fputs("understudy-media is started by understudy and has no use of its own\n", stderr);
        return exit_usage;
    }
    std::string fault = limit_self(parent, wire::socket_fd);
    if (fault.empty()) {
        prepare_parsers();
        fault = forbid_system_calls(wire::socket_fd);
    }
    std::string hello;
    wire::append_hello(hello, fault);
    if (!send_all(hello)) return 0;
    return fault.empty() ? serve(run) : exit_sandbox;
}

}  // namespace understudy::media
