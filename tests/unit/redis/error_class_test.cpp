#include "redis/error_class.h"

#include <gtest/gtest.h>

namespace understudy::redis {
namespace {

TEST(ErrorClass, sorts_every_refusal) {
    struct Row {
        const char* text;
        ErrorClass kind;
        Cause cause;
        bool drop;
    };
    const Row rows[] = {
        {"LOADING Redis is loading the dataset in memory", ErrorClass::transient, Cause::load, false},
        {"READONLY You can't write against a read only replica.", ErrorClass::transient, Cause::role, true},
        {"MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", ErrorClass::transient,
         Cause::role, true},
        {"CLUSTERDOWN Hash slot not served", ErrorClass::transient, Cause::load, false},
        {"TRYAGAIN Multiple keys request during rehashing of slot", ErrorClass::transient, Cause::load, false},
        {"NOREPLICAS Not enough good replicas to write.", ErrorClass::transient, Cause::load, false},
        {"OOM command not allowed when used memory > 'maxmemory'.", ErrorClass::transient, Cause::load, false},
        {"BUSY Redis is busy running a script.", ErrorClass::transient, Cause::load, false},
        {"MISCONF Redis is configured to save RDB snapshots", ErrorClass::transient, Cause::load, false},
        {"ERR max number of clients reached", ErrorClass::transient, Cause::load, true},
        {"MOVED 3999 127.0.0.1:6381", ErrorClass::redirect, Cause::cluster, false},
        {"ASK 3999 127.0.0.1:6381", ErrorClass::redirect, Cause::cluster, false},
        {"CROSSSLOT Keys in request don't hash to the same slot", ErrorClass::misconfigured, Cause::cluster, false},
        {"WRONGPASS invalid username-password pair or user is disabled.", ErrorClass::misconfigured, Cause::login,
         true},
        {"NOAUTH Authentication required.", ErrorClass::misconfigured, Cause::login, true},
        {"ERR AUTH <password> called without any password configured for the default user.", ErrorClass::misconfigured,
         Cause::login, true},
        {"NOPERM this user has no permissions to run the 'eval' command", ErrorClass::misconfigured, Cause::right,
         false},
        {"ERR The user executing the script can't run this command or subcommand", ErrorClass::misconfigured,
         Cause::right, false},
        {"ERR ACL failure in script: User u has no permissions to run the 'del' command", ErrorClass::misconfigured,
         Cause::right, false},
        {"DENIED Redis is running in protected mode", ErrorClass::misconfigured, Cause::protected_mode, true},
        {"WRONGTYPE Operation against a key holding the wrong kind of value", ErrorClass::misconfigured,
         Cause::key_type, false},
        {"ERR unknown command 'EVALSHA', with args beginning with: ", ErrorClass::misconfigured, Cause::command, false},
        {"ERR Unknown Redis command called from script", ErrorClass::misconfigured, Cause::command, false},
        {"ERR DB index is out of range", ErrorClass::misconfigured, Cause::database, true},
        {"ERR Error running script (call to f_6b1bf4868): @user_script:12: -OOM command not allowed",
         ErrorClass::transient, Cause::load, false},
        {"ERR Error running script (call to f_6b1bf4868): @user_script:12: -READONLY You can't", ErrorClass::transient,
         Cause::role, true},
        {"ERR something that no one has seen yet", ErrorClass::misconfigured, Cause::other, false},
        {"", ErrorClass::misconfigured, Cause::other, false},
        {"OOMPH is not OOM", ErrorClass::misconfigured, Cause::other, false},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.text);
        const auto reading = read_error(row.text);
        EXPECT_EQ(reading.kind, row.kind);
        EXPECT_EQ(reading.cause, row.cause);
        EXPECT_EQ(reading.drop, row.drop);
    }
}

TEST(ErrorClass, prints_no_arguments_and_no_second_line) {
    EXPECT_EQ(printable_error("ERR unknown command 'AUTH', with args beginning with: 'hunter2' "),
              "ERR unknown command 'AUTH'");
    EXPECT_EQ(printable_error("WRONGTYPE Operation script: 80d15f6c, on @user_script:1."), "WRONGTYPE Operation");
    EXPECT_EQ(printable_error("ERR a\r\nb"), "ERR a  b");
    EXPECT_EQ(printable_error(std::string(1000, 'x')).size(), 200U);
}

}  // namespace
}  // namespace understudy::redis
