// redis/script.h: a Lua script and the name by which Redis keeps it. Used by Connection::evaluate and lease/redis.
#pragma once

#include <string>

namespace understudy::redis {

class Script {
public:
    explicit Script(std::string text);
    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    /// 40 hex digits for EVALSHA.
    [[nodiscard]] const std::string& sha1() const noexcept { return sha1_; }

private:
    std::string text_;
    std::string sha1_;
};

}  // namespace understudy::redis
