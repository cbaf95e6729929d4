// The contract on a real Redis: in the clear, by TLS with a login, on a server that forgets the script before each
// call, and with the least rights that docs/operations.md lists.
#include "lease/redis/redis_lease_store.h"

#include "contract/lease_store/lease_store_contract.h"
#include "support/redis_server.h"

namespace understudy::testing {
namespace {

std::unique_ptr<lease::LeaseStore> make_store(const std::string& connection, const std::string& label) {
    lease::RedisLeaseConfig config;
    config.connection = redis::parse_connection_string(connection).value();
    config.label = label;
    config.call_timeout = 5s;  // generous: this machine may be busy, and these are not about timeouts
    static core::NullLog log;
    return std::make_unique<lease::RedisLeaseStore>(std::move(config), log);
}

struct PlainRedis {
    static constexpr bool has_notices = true;
    RedisServer server;

    std::unique_ptr<lease::LeaseStore> pod(const std::string& label) { return make_store(server.address(), label); }
    void forget_lease() { server.command({"DEL", "jellyfin:scan-leader"}); }
};

struct TlsRedisWithLogin {
    static constexpr bool has_notices = true;
    RedisServer server{{.arguments = {}, .tls = true, .ask_client_certificate = true}};

    TlsRedisWithLogin() {
        server.command({"ACL", "SETUSER", "pod", "on", ">s=cret", "~*", "&*", "+@all"});
        server.command({"CONFIG", "SET", "requirepass", "other"});
        server.set_password("other");
    }
    std::unique_ptr<lease::LeaseStore> pod(const std::string& label) {
        const auto& files = server.certificates();
        return make_store("localhost:" + std::to_string(server.tls_port()) +
                              ",ssl=true,user=pod,password=s=cret,sslCaFile=" + files.ca.string() +
                              ",sslCertFile=" + files.client_cert.string() + ",sslKeyFile=" + files.client_key.string(),
                          label);
    }
    void forget_lease() { server.command({"DEL", "jellyfin:scan-leader"}); }
};

/// Flushes the script cache before each call.
class ForgetfulStore final : public lease::LeaseStore {
public:
    ForgetfulStore(std::unique_ptr<lease::LeaseStore> inner, const RedisServer& server)
        : inner_(std::move(inner)), server_(server) {}
    [[nodiscard]] std::string_view provider() const noexcept override { return inner_->provider(); }
    [[nodiscard]] tl::expected<std::optional<lease::StoreRestart>, lease::LeaseNoAnswer> connect() override {
        return inner_->connect();
    }
    [[nodiscard]] lease::LeaseReply ask(const lease::LeaseRequest& request) override {
        server_.command({"SCRIPT", "FLUSH"});
        return inner_->ask(request);
    }
    [[nodiscard]] Wake wait(core::Nanos at_most) override { return inner_->wait(at_most); }
    void interrupt() noexcept override { inner_->interrupt(); }

private:
    std::unique_ptr<lease::LeaseStore> inner_;
    const RedisServer& server_;
};

struct ForgetfulRedis : PlainRedis {
    std::unique_ptr<lease::LeaseStore> pod(const std::string& label) {
        return std::make_unique<ForgetfulStore>(PlainRedis::pod(label), server);
    }
};

struct FrugalRedis {
    static constexpr bool has_notices = true;
    RedisServer server;

    FrugalRedis() {
        server.command({"ACL", "SETUSER", "pod", "on", ">p", "~jellyfin:scan-leader", "&{jellyfin:scan-leader}:events",
                        "+evalsha", "+eval", "+set", "+get", "+del", "+pexpire", "+pttl", "+time", "+publish",
                        "+subscribe"});
    }
    std::unique_ptr<lease::LeaseStore> pod(const std::string& label) {
        return make_store(server.address() + ",user=pod,password=p", label);
    }
    void forget_lease() { server.command({"DEL", "jellyfin:scan-leader"}); }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Redis, LeaseStoreContract, PlainRedis);
INSTANTIATE_TYPED_TEST_SUITE_P(RedisTlsLogin, LeaseStoreContract, TlsRedisWithLogin);
INSTANTIATE_TYPED_TEST_SUITE_P(RedisScriptFlush, LeaseStoreContract, ForgetfulRedis);
INSTANTIATE_TYPED_TEST_SUITE_P(RedisLeastRights, LeaseStoreContract, FrugalRedis);

}  // namespace
}  // namespace understudy::testing
