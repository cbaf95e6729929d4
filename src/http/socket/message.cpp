#include "http/socket/message.h"

#include <algorithm>
#include <charconv>

#include "core/ids.h"
#include "http/json_body.h"
#include "http/json_writer.h"
#include "http/text.h"

namespace understudy::http {
namespace {

using MessageId = core::Id<struct MessageIdTag>;

std::optional<std::int64_t> whole(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

}  // namespace

std::shared_ptr<const std::string> socket_message(std::string_view type, std::string_view data, core::Random& random) {
    JsonWriter out;
    out.begin_object().field("MessageType", type).field("MessageId", MessageId::make(random));
    if (!data.empty()) out.name("Data").raw(data);
    out.end_object();
    return std::make_shared<const std::string>(out.take());
}

core::Result<ClientMessage> read_client_message(std::string_view text) {
    const auto body = JsonBody::parse(text);
    if (!body) return tl::unexpected(body.error());
    const auto type = body->text("MessageType");
    if (!type) return tl::unexpected(type.error());
    if (!*type) return core::fail(core::Errc::invalid, "MessageType: missing");
    ClientMessage message;
    message.type = **type;
    if (const auto data = body->text("Data"); data && *data) message.data = **data;
    return message;
}

core::Result<Pace> read_pace(std::string_view text) {
    const auto comma = text.find(',');
    const auto due = whole(trim(text.substr(0, comma)));
    const auto period = comma == std::string_view::npos ? std::nullopt : whole(trim(text.substr(comma + 1)));
    if (!due || !period) {
        return core::fail(core::Errc::invalid,
                          "Data: '" + printable(text) + "' is no pace; send milliseconds as in \"1000,1500\"");
    }
    constexpr std::int64_t latest = 60'000, shortest = 250, longest = 3'600'000;
    Pace pace;
    pace.due = core::Millis{std::clamp<std::int64_t>(*due, 0, latest)};
    pace.period = core::Millis{std::clamp(*period, shortest, longest)};
    return pace;
}

}  // namespace understudy::http
