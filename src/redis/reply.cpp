#include "redis/reply.h"

#include <hiredis/hiredis.h>
#include <hiredis/read.h>

#include <new>

#include "core/check.h"

namespace understudy::redis {

// Told to hiredis' callbacks as its privdata. hiredis 0.14.1 by itself allocates an array as long as its header says
// (8 bytes an element, CVE-2021-32765 beside it), so we build the replies and count before we allocate.
struct ReplyReader::Budget {
    ReplyLimits limits;
    std::size_t bytes = 0;
    std::size_t elements = 0;
    bool exceeded = false;

    bool take(std::size_t more_bytes, std::size_t more_elements) noexcept {
        if (more_bytes > limits.bytes - bytes || more_elements > limits.elements - elements) {
            exceeded = true;
            return false;
        }
        bytes += more_bytes;
        elements += more_elements;
        return true;
    }
};

namespace {

/// Where the reply of this task goes: its place in the parent's array, or a new root.
Reply* place(const redisReadTask* task) noexcept {
    if (task->parent == nullptr) return new (std::nothrow) Reply;
    auto* parent = static_cast<Reply*>(task->parent->obj);
    return &parent->elements[static_cast<std::size_t>(task->idx)];
}

void discard(const redisReadTask* task, Reply* reply) noexcept {
    if (task->parent == nullptr) delete reply;
}

template <class Budget>
void* create_text(const redisReadTask* task, char* text, std::size_t length) noexcept {
    if (!static_cast<Budget*>(task->privdata)->take(length, 0)) return nullptr;
    Reply* reply = place(task);
    if (reply == nullptr) return nullptr;
    try {
        reply->text.assign(text, length);
    } catch (const std::bad_alloc&) {
        discard(task, reply);
        return nullptr;
    }
    reply->kind = task->type == REDIS_REPLY_ERROR    ? Reply::Kind::error
                  : task->type == REDIS_REPLY_STATUS ? Reply::Kind::status
                                                     : Reply::Kind::text;
    return reply;
}

template <class Budget>
void* create_array(const redisReadTask* task, int length) noexcept {
    if (length < 0 || !static_cast<Budget*>(task->privdata)->take(0, static_cast<std::size_t>(length))) return nullptr;
    Reply* reply = place(task);
    if (reply == nullptr) return nullptr;
    try {
        reply->elements.resize(static_cast<std::size_t>(length));
    } catch (const std::bad_alloc&) {
        discard(task, reply);
        return nullptr;
    }
    reply->kind = Reply::Kind::array;
    return reply;
}

void* create_integer(const redisReadTask* task, long long value) noexcept {
    Reply* reply = place(task);
    if (reply == nullptr) return nullptr;
    reply->kind = Reply::Kind::integer;
    reply->integer = value;
    return reply;
}

void* create_nil(const redisReadTask* task) noexcept {
    return place(task);
}

void free_root(void* reply) noexcept {
    delete static_cast<Reply*>(reply);
}

}  // namespace

void ReplyReader::Free::operator()(redisReader* reader) const noexcept {
    redisReaderFree(reader);
}

ReplyReader::ReplyReader(ReplyLimits limits) : budget_(std::make_unique<Budget>(Budget{limits})) {
    static redisReplyObjectFunctions functions = {create_text<Budget>, create_array<Budget>, create_integer, create_nil,
                                                  free_root};
    reader_.reset(redisReaderCreateWithFunctions(&functions));
    if (!reader_) throw std::bad_alloc();
    reader_->privdata = budget_.get();  // the macro for it casts a pointer to int
}

ReplyReader::~ReplyReader() = default;

core::Result<void> ReplyReader::feed(std::string_view bytes) {
    if (broken_) return core::fail(core::Errc::corrupt, "the connection is broken");
    // 64 bytes an element is room for headers and line ends of what the budget itself allows.
    if (bytes.size() > budget_->limits.bytes + 64 * budget_->limits.elements - waiting_) {
        broken_ = true;
        return core::fail(core::Errc::corrupt,
                          "a reply is longer than " + std::to_string(budget_->limits.bytes) + " bytes");
    }
    waiting_ += bytes.size();
    if (redisReaderFeed(reader_.get(), bytes.data(), bytes.size()) != REDIS_OK) {
        broken_ = true;
        return core::fail(core::Errc::corrupt, reader_->errstr);
    }
    return {};
}

core::Result<std::optional<Reply>> ReplyReader::next() {
    if (broken_) return core::fail(core::Errc::corrupt, "the connection is broken");
    void* raw = nullptr;
    if (redisReaderGetReply(reader_.get(), &raw) != REDIS_OK) {
        broken_ = true;
        if (budget_->exceeded) {
            return core::fail(core::Errc::corrupt, "a reply is larger than " + std::to_string(budget_->limits.bytes) +
                                                       " bytes or " + std::to_string(budget_->limits.elements) +
                                                       " elements");
        }
        return core::fail(core::Errc::corrupt, std::string("not Redis' protocol: ") + reader_->errstr);
    }
    if (raw == nullptr) return std::optional<Reply>{};
    const std::unique_ptr<Reply> root(static_cast<Reply*>(raw));
    budget_->bytes = 0;
    budget_->elements = 0;
    waiting_ = reader_->len - reader_->pos;
    return std::optional<Reply>(std::move(*root));
}

std::string encode_command(std::span<const std::string_view> words) {
    CHECK(!words.empty());
    std::vector<const char*> texts;
    std::vector<std::size_t> lengths;
    for (const auto word : words) {
        texts.push_back(word.data() == nullptr ? "" : word.data());
        lengths.push_back(word.size());
    }
    char* raw = nullptr;
    const int length = redisFormatCommandArgv(&raw, static_cast<int>(words.size()), texts.data(), lengths.data());
    if (length < 0) throw std::bad_alloc();
    struct FreeCommand {
        void operator()(char* command) const noexcept { redisFreeCommand(command); }
    };
    const std::unique_ptr<char, FreeCommand> owned(raw);
    return {raw, static_cast<std::size_t>(length)};
}

}  // namespace understudy::redis
