#include "media/wire.h"

#include <cstring>

#include "media/text.h"

namespace understudy::media::wire {

namespace {

struct FrameHead {
    std::uint32_t length = 0;  ///< of what follows the head
    std::uint32_t id = 0;
    std::uint32_t status = 0;  ///< 0: a payload follows; else Errc + 1 and a text
};

constexpr std::uint32_t status_of(core::Errc code) {
    return static_cast<std::uint32_t>(code) + 1;
}

void append_frame(std::string& out, std::uint32_t id, std::uint32_t status, std::string_view payload) {
    const FrameHead head{static_cast<std::uint32_t>(payload.size()), id, status};
    out.append(reinterpret_cast<const char*>(&head), sizeof head);
    out += payload;
}

/// A buffer that one large answer has grown goes back to the system.
constexpr std::size_t kept_capacity = 256 * 1024;

}  // namespace

void append_answer(std::string& out, std::uint32_t id, const core::Result<std::string>& payload) {
    if (!payload)
        append_frame(out, id, status_of(payload.error().code), payload.error().context);
    else if (payload->size() > max_payload_bytes)
        append_frame(out, id, status_of(core::Errc::corrupt), "more than a worker may tell of one file");
    else
        append_frame(out, id, 0, *payload);
}

void append_hello(std::string& out, std::string_view fault) {
    append_frame(out, hello_id, fault.empty() ? 0 : status_of(core::Errc::unsupported),
                 fault.empty() ? hello_word : fault);
}

std::optional<Answer> AnswerReader::next() {
    if (broken_) return std::nullopt;
    FrameHead head;
    const std::string_view left = std::string_view(bytes_).substr(used_);
    if (left.size() >= sizeof head) {
        std::memcpy(&head, left.data(), sizeof head);
        if (head.length > max_payload_bytes || head.status > status_of(core::Errc::unsupported)) {
            broken_ = true;
            return std::nullopt;
        }
    }
    if (left.size() < sizeof head || left.size() - sizeof head < head.length) {
        bytes_.erase(0, used_);
        used_ = 0;
        if (bytes_.empty() && bytes_.capacity() > kept_capacity) bytes_.shrink_to_fit();
        return std::nullopt;
    }
    const std::string_view payload = left.substr(sizeof head, head.length);
    used_ += sizeof head + head.length;

    Answer answer;
    answer.id = head.id;
    if (head.id == hello_id) answer.hello = clean_text(payload);
    if (head.status != 0)
        answer.payload = core::fail(static_cast<core::Errc>(head.status - 1), clean_text(payload));
    else if (head.id != hello_id)
        answer.payload = std::string(payload);
    return answer;
}

}  // namespace understudy::media::wire
