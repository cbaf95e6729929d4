#include "redis/stream.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <boost/asio/error.hpp>
#include <boost/asio/write.hpp>

namespace understudy::redis {

namespace asio = boost::asio;
using boost::system::error_code;

void Stream::set_options(core::Millis patience) noexcept {
    error_code ignored;  // a kernel without one of them still talks
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
    socket_.set_option(asio::socket_base::keep_alive(true), ignored);
    const auto set = [&](int option, int value) {
        (void)::setsockopt(socket_.native_handle(), IPPROTO_TCP, option, &value, sizeof value);
    };
    set(TCP_KEEPIDLE, 10);
    set(TCP_KEEPINTVL, 5);
    set(TCP_KEEPCNT, 3);
    set(TCP_USER_TIMEOUT, static_cast<int>(patience.count()));
}

Outcome<void> Stream::use_tls(const ConnectionSettings& settings, const std::string& server_name) {
    const auto wrong = [](const std::string& option, const std::string& file, const error_code& error) {
        return tl::unexpected(Failure{ErrorClass::misconfigured, Cause::certificate, false,
                                      option + "=" + file + ": " + error.message()});
    };
    error_code error;
    tls_context_ = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_client);
    SSL_CTX_set_min_proto_version(tls_context_->native_handle(), TLS1_2_VERSION);
    if (settings.tls_ca_file.empty()) {
        tls_context_->set_default_verify_paths(error);
        if (error) return wrong("sslCaFile", "(the system's)", error);
    } else {
        tls_context_->load_verify_file(settings.tls_ca_file, error);
        if (error) return wrong("sslCaFile", settings.tls_ca_file, error);
    }
    if (!settings.tls_cert_file.empty()) {
        tls_context_->use_certificate_chain_file(settings.tls_cert_file, error);
        if (error) return wrong("sslCertFile", settings.tls_cert_file, error);
        tls_context_->use_private_key_file(settings.tls_key_file, asio::ssl::context::pem, error);
        if (error) return wrong("sslKeyFile", settings.tls_key_file, error);
    }
    tls_ = std::make_unique<asio::ssl::stream<asio::ip::tcp::socket&>>(socket_, *tls_context_);
    tls_->set_verify_mode(asio::ssl::verify_peer, error);
    // OpenSSL's own check of the name, because it leaves its verdict where failure() finds it.
    auto* const ssl = tls_->native_handle();
    error_code not_an_address;
    (void)asio::ip::make_address(server_name, not_an_address);
    if (not_an_address) {
        SSL_set1_host(ssl, server_name.c_str());
        SSL_set_tlsext_host_name(ssl, server_name.c_str());
    } else {
        X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), server_name.c_str());
    }
    return {};
}

void Stream::async_handshake(OnStep done) {
    tls_->async_handshake(asio::ssl::stream_base::client, std::move(done));
}

void Stream::async_read_some(asio::mutable_buffer into, OnBytes done) {
    if (tls_) {
        tls_->async_read_some(into, std::move(done));
    } else {
        socket_.async_read_some(into, std::move(done));
    }
}

void Stream::async_write(asio::const_buffer bytes, OnBytes done) {
    if (tls_) {
        asio::async_write(*tls_, bytes, std::move(done));
    } else {
        asio::async_write(socket_, bytes, std::move(done));
    }
}

void Stream::close() noexcept {
    error_code ignored;
    socket_.close(ignored);
}

Failure Stream::failure(const error_code& error, const std::string& while_doing) const {
    Failure failure{ErrorClass::unreachable, Cause::network, false, while_doing + ": " + error.message()};
    if (error == asio::error::eof || error == asio::ssl::error::stream_truncated) {
        failure.detail = while_doing + ": the server closed the connection";
    }
    if (!tls_ || error.category() != asio::error::get_ssl_category()) return failure;
    if (const auto verdict = SSL_get_verify_result(tls_->native_handle()); verdict != X509_V_OK) {
        failure.kind = ErrorClass::misconfigured;
        failure.cause = Cause::certificate;
        failure.detail =
            while_doing + ": the server's certificate is refused: " + X509_verify_cert_error_string(verdict);
        return failure;
    }
    switch (ERR_GET_REASON(static_cast<unsigned long>(error.value()))) {
        case SSL_R_WRONG_VERSION_NUMBER:
            failure.kind = ErrorClass::misconfigured;
            failure.cause = Cause::not_tls;
            failure.detail = while_doing + ": the port does not speak TLS";
            break;
        case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
        case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
        case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
        case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
        case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
        case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
            failure.kind = ErrorClass::misconfigured;
            failure.cause = Cause::certificate;
            failure.detail = while_doing + ": the server refuses our certificate (sslCertFile): " + error.message();
            break;
        default:
            break;
    }
    return failure;
}

}  // namespace understudy::redis
