#include "http/server/discovery_responder.h"

#include <pthread.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "http/proxies.h"
#include "http/request_rates.h"
#include "http/server/listen_address.h"
#include "http/text.h"

namespace understudy::http {
namespace asio = boost::asio;
using asio::ip::udp;
using boost::system::error_code;

namespace {

constexpr const char* setting = "Jellyfin:Http:Discovery";
/// As every version of the clients asks, in any case and with whatever around it.
constexpr std::string_view question = "who is jellyfinserver?";

/// The address that this machine would send from; empty where there is no way to `peer`.
std::string address_towards(asio::io_context& io, const udp::endpoint& peer) {
    error_code error;
    udp::socket probe(io);
    probe.open(peer.protocol(), error);
    if (!error) probe.connect(peer, error);  // sends nothing
    const auto own = error ? udp::endpoint() : probe.local_endpoint(error);
    return error ? std::string() : own.address().to_string();
}

}  // namespace

bool is_local_network(std::string_view address) {
    static const std::vector<std::string> networks{"127.0.0.0/8",   "10.0.0.0/8",     "172.16.0.0/12", "192.168.0.0/16",
                                                   "100.64.0.0/10", "169.254.0.0/16", "::1",           "fc00::/7",
                                                   "fe80::/10"};
    return in_networks(address.substr(0, address.find('%')), networks);
}

class DiscoveryResponder::Loop {
public:
    Loop(std::string listen, Answer answer, core::Clock& clock, core::Log& log)
        : listen_(std::move(listen)), answer_(std::move(answer)), rates_(answers_per_minute, clock), log_(log) {}

    core::Result<void> start() {
        const auto address = parse_listen(listen_, setting);
        if (!address) return tl::unexpected(address.error());
        error_code error;
        udp::resolver resolver(io_);
        const auto found = resolver.resolve(address->host, std::to_string(address->port),
                                            udp::resolver::passive | udp::resolver::numeric_service, error);
        const auto endpoint = error || found.empty() ? udp::endpoint() : found.begin()->endpoint();
        if (!error) socket_.open(endpoint.protocol(), error);
        if (!error) socket_.set_option(udp::socket::reuse_address(true), error);
        if (!error) socket_.bind(endpoint, error);
        if (error) {
            const bool unknown = !socket_.is_open() || error == boost::system::errc::address_not_available;
            return core::fail(unknown ? core::Errc::invalid : core::Errc::unavailable,
                              std::string(setting) + "=" + listen_ + ": cannot listen there: " + error.message() +
                                  "; use an address of this machine, or `off`");
        }
        port_ = socket_.local_endpoint(error).port();
        receive();
        thread_ = std::jthread([this] { io_.run(); });
        pthread_setname_np(thread_.native_handle(), "http-discovery");
        return {};
    }
    void stop() {
        io_.stop();
        if (thread_.joinable()) thread_.join();
    }
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

private:
    void receive() {
        socket_.async_receive_from(asio::buffer(received_), sender_, [this](error_code error, std::size_t bytes) {
            if (error == asio::error::operation_aborted) return;
            const bool passing = error == asio::error::connection_refused || error == asio::error::message_size ||
                                 error == asio::error::host_unreachable || error == asio::error::network_unreachable;
            if (error && !passing) {
                log_.warning("clients that look for servers do not find this one any more",
                             {{"cause", error.message()}});
                return;
            }
            if (!error) answer({received_.data(), bytes});
            receive();
        });
    }
    void answer(std::string_view datagram) {
        const auto peer = sender_.address().to_string();
        if (!icontains(datagram, question) || !is_local_network(peer) || !rates_.take(address_group(peer))) return;
        const auto own = address_towards(io_, sender_);
        const auto text = own.empty() ? std::string() : answer_(own);
        if (text.empty()) return;
        error_code error;
        socket_.send_to(asio::buffer(text.data(), text.size()), sender_, 0, error);
        if (error)
            log_.debug("a client that looked for servers got no answer",
                       {{"client", peer}, {"cause", error.message()}});
    }

    const std::string listen_;
    const Answer answer_;
    RequestRates rates_;
    core::Log& log_;
    asio::io_context io_{1};
    udp::socket socket_{io_};
    udp::endpoint sender_;
    std::array<char, 1024> received_{};
    std::uint16_t port_ = 0;
    std::jthread thread_;
};

DiscoveryResponder::DiscoveryResponder(std::string listen, Answer answer, core::Clock& clock, core::Log& log)
    : loop_(std::make_unique<Loop>(std::move(listen), std::move(answer), clock, log)) {}

DiscoveryResponder::~DiscoveryResponder() {
    stop();
}

core::Result<void> DiscoveryResponder::start() {
    return loop_->start();
}
std::uint16_t DiscoveryResponder::port() const noexcept {
    return loop_->port();
}
void DiscoveryResponder::stop() {
    loop_->stop();
}

}  // namespace understudy::http
