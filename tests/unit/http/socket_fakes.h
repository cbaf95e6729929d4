// tests/unit/http/socket_fakes.h: a wire that keeps what is sent on it, and feeds filled by tests. Used by the suites
// of the event socket.
#pragma once

#include <boost/json.hpp>
#include <map>
#include <string>
#include <vector>

#include "http/socket/hub.h"
#include "support/manual_clock.h"

namespace understudy::testing {

struct FakeWire final : http::SocketWire {
    std::vector<std::string> sent;
    std::optional<http::SocketClose> closed;
    void send(std::shared_ptr<const std::string> text) override { sent.push_back(*text); }
    void close(http::SocketClose code, std::string) override {
        if (!closed) closed = code;
    }
    /// MessageType of all that was sent, in order.
    [[nodiscard]] std::vector<std::string> types() const {
        std::vector<std::string> found;
        for (const auto& text : sent) {
            const auto value = boost::json::parse(text);
            found.emplace_back(value.at("MessageType").as_string());
        }
        return found;
    }
    /// Data of the last message of that type; null where there is none.
    [[nodiscard]] boost::json::value data(std::string_view type) const {
        boost::json::value found;
        for (const auto& text : sent) {
            const auto value = boost::json::parse(text);
            if (value.at("MessageType").as_string() == type) found = value.at("Data");
        }
        return found;
    }
    [[nodiscard]] long count(std::string_view type) const {
        const auto all = types();
        return std::count(all.begin(), all.end(), type);
    }
};

struct FakeFeeds final : http::SocketFeeds {
    std::optional<core::Error> broken;  ///< what every call answers
    std::vector<http::SessionEntry> session_rows;
    std::vector<core::LibraryId> library_rows;
    std::map<std::string, http::Caller> owners;  ///< by token hash
    std::map<core::UserId, bool> seers;          ///< who may see what stands in may_see
    std::vector<std::string> calls;
    std::vector<store::SessionId> present;
    std::optional<store::Viewer> last_viewer;

    core::Result<std::string> tasks() override { return answer("tasks", std::string(R"([{"Key":"Scan"}])")); }
    core::Result<std::vector<http::SessionEntry>> sessions() override { return answer("sessions", session_rows); }
    core::Result<std::optional<std::string>> run_result(core::RunId) override {
        return answer("run_result", std::optional<std::string>(R"({"Status":"Completed"})"));
    }
    core::Result<std::string> user_data(core::UserId, const std::vector<core::ItemId>& items,
                                        const std::optional<store::Viewer>& viewer) override {
        last_viewer = viewer;
        return answer("user_data", items.empty() ? std::string("[]") : std::string(R"([{"Played":true}])"));
    }
    core::Result<std::optional<std::string>> user(core::UserId id) override {
        return answer("user", std::optional<std::string>(R"({"Id":")" + id.str() + "\"}"));
    }
    core::Result<bool> may_see(core::ItemId, const store::Viewer& viewer) override {
        return answer("may_see", seers[viewer.user]);
    }
    core::Result<std::vector<core::LibraryId>> libraries() override { return answer("libraries", library_rows); }
    core::Result<std::optional<http::Caller>> owner(const std::string& token_hash) override {
        const auto found = owners.find(token_hash);
        return answer("owner", found == owners.end() ? std::nullopt : std::optional(found->second));
    }
    core::Result<void> note_presence(const std::vector<store::SessionId>& opened,
                                     const std::vector<store::SessionId>& closed) override {
        if (broken) return tl::unexpected(*broken);
        calls.emplace_back("presence");
        present.insert(present.end(), opened.begin(), opened.end());
        for (const auto& gone : closed) std::erase(present, gone);
        return {};
    }
    [[nodiscard]] long count(std::string_view call) const { return std::count(calls.begin(), calls.end(), call); }

private:
    template <class T>
    core::Result<T> answer(const char* call, T value) {
        if (broken) return tl::unexpected(*broken);
        calls.emplace_back(call);
        return value;
    }
};

/// A hub that nobody drives but the test.
struct SocketHouse {
    template <class Id>
    static Id id(char digit) {
        return *Id::parse(std::string(32, digit));
    }
    /// One client; gone when destroyed.
    struct Client {
        std::shared_ptr<http::SocketPeer> peer;
        std::shared_ptr<FakeWire> wire = std::make_shared<FakeWire>();
        void say(std::string_view text) const { peer->received(text); }
        void subscribe(const std::string& what, const std::string& pace = "0,1000") const {
            say(R"({"MessageType":")" + what + R"(Start","Data":")" + pace + "\"}");
        }
    };
    Client connect(http::Caller who, std::string token = {}) {
        if (!token.empty()) feeds.owners[token] = who;
        Client client;
        auto peer = hub.let_in({std::move(who), std::move(token)});
        if (!peer) throw std::runtime_error(peer.error().context);
        client.peer = std::move(*peer);
        client.peer->opened(client.wire);
        static_cast<void>(hub.step());
        client.wire->sent.clear();
        return client;
    }
    static http::Caller admin() {
        http::Caller who;
        who.name = "admin";
        who.admin = true;
        return who;
    }
    static http::Caller user(char digit) {
        http::Caller who;
        who.name = std::string("user ") + digit;
        who.user = id<core::UserId>(digit);
        who.session = id<store::SessionId>(digit);
        return who;
    }
    void event(const std::string& kind, const std::string& payload = "{}") {
        cluster::Event raised;
        raised.sequence = ++sequence;
        raised.kind = kind;
        raised.payload = payload;
        hub.on_event(raised);
    }
    /// And what comes of it.
    void happen(const std::string& kind, const std::string& payload = "{}") {
        event(kind, payload);
        static_cast<void>(hub.step());
    }

    ManualClock clock;
    core::SeededRandom random{3};
    core::NullLog log;
    FakeFeeds feeds;
    http::SocketLimits limits;
    http::SocketHub hub{limits, feeds, clock, random, log};
    std::int64_t sequence = 0;
};

}  // namespace understudy::testing
