// redis/reply.h: Redis' protocol (RESP2), both ways: hiredis parses and formats, we set the bounds. Used by Connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

struct redisReader;

namespace understudy::redis {

struct Reply {
    enum class Kind { nil, text, status, error, integer, array };
    Kind kind = Kind::nil;
    std::string text;  ///< text, status, error (without the '-')
    std::int64_t integer = 0;
    std::vector<Reply> elements;

    [[nodiscard]] bool is_error() const noexcept { return kind == Kind::error; }
};

/// What one reply may cost us, whatever the peer sends.
struct ReplyLimits {
    std::size_t bytes = 1U << 20U;  ///< of text in one reply, and of input that does not yet make one
    std::size_t elements = 4096;    ///< of all its arrays together
};

/// Bytes in, replies out. After an error it takes nothing more: close the connection.
class ReplyReader {
public:
    explicit ReplyReader(ReplyLimits limits = {});
    ~ReplyReader();
    ReplyReader(const ReplyReader&) = delete;
    ReplyReader& operator=(const ReplyReader&) = delete;

    /// Errors: corrupt (not Redis' protocol, or beyond the limits).
    [[nodiscard]] core::Result<void> feed(std::string_view bytes);
    /// The next whole reply; nullopt: more bytes are needed. Errors: corrupt.
    [[nodiscard]] core::Result<std::optional<Reply>> next();

private:
    struct Budget;
    struct Free {
        void operator()(redisReader* reader) const noexcept;
    };
    std::unique_ptr<Budget> budget_;
    std::unique_ptr<redisReader, Free> reader_;
    std::size_t waiting_ = 0;  // bytes fed since the last whole reply
    bool broken_ = false;
};

/// One command as the bytes to send. `words` is not empty.
[[nodiscard]] std::string encode_command(std::span<const std::string_view> words);

}  // namespace understudy::redis
