// tests/contract/accounts/open_sockets_contract.h: what every OpenSockets must do.
#pragma once

#include <gmock/gmock.h>

#include "contract/accounts/accounts_fixture.h"
#include "store/sql/sql_open_sockets.h"

namespace understudy::testing {

class OpenSocketsContract : public AccountsFixture {
protected:
    void SetUp() override {
        AccountsFixture::SetUp();
        sockets_ = std::make_unique<store::sql::SqlOpenSockets>(*database_);
    }
    static core::BootId boot(std::uint8_t number) { return core::BootId{core::IdBytes{0xee, number}}; }
    std::vector<store::OpenSocket> all() {
        auto found = sockets_->all();
        ok(found);
        return found.value_or(std::vector<store::OpenSocket>{});
    }
    std::unique_ptr<store::OpenSockets> sockets_;
};

TEST_P(OpenSocketsContract, keeps_which_sessions_are_open_in_which_life) {
    EXPECT_TRUE(all().empty());
    ok(sockets_->change(boot(1), {session_id(1), session_id(2)}, {}));
    ok(sockets_->change(boot(1), {session_id(2)}, {session_id(7)}));  // again, and one that was never there
    ok(sockets_->change(boot(2), {session_id(2)}, {}));
    using store::OpenSocket;
    using ::testing::UnorderedElementsAre;
    EXPECT_THAT(all(), UnorderedElementsAre(OpenSocket{session_id(1), boot(1)}, OpenSocket{session_id(2), boot(1)},
                                            OpenSocket{session_id(2), boot(2)}));
    ok(sockets_->change(boot(1), {session_id(3)}, {session_id(1), session_id(2)}));
    EXPECT_THAT(all(), UnorderedElementsAre(OpenSocket{session_id(3), boot(1)}, OpenSocket{session_id(2), boot(2)}));
    ok(sockets_->change(boot(1), {}, {}));
    ok(sockets_->keep_only({boot(2), boot(9)}));
    EXPECT_THAT(all(), UnorderedElementsAre(OpenSocket{session_id(2), boot(2)}));
    ok(sockets_->keep_only({}));
    EXPECT_TRUE(all().empty());
}

}  // namespace understudy::testing
