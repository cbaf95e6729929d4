// fuzz/redis/connection_string_fuzz.cpp: whatever an operator may write into the setting.
#include <cstdlib>
#include <string>
#include <string_view>

#include "driver.h"
#include "redis/connection_string.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto parsed = understudy::redis::parse_connection_string(text, "S");
    if (!parsed) {
        require(parsed.error().context.starts_with("S: "));
        // The seed corpus writes its passwords as hunter2: no message may hold one, however torn the string is.
        if (text.find("password=hunter2") != std::string_view::npos) {
            require(parsed.error().context.find("hunter2") == std::string::npos ||
                    text.find("hunter2") < text.find("password=hunter2") ||
                    text.find("hunter2", text.find("password=hunter2") + 16) != std::string_view::npos);
        }
        return 0;
    }
    require(!parsed->endpoints.empty());
    for (const auto& endpoint : parsed->endpoints) {
        require(!endpoint.host.empty() && endpoint.port != 0);
        require(endpoint.host.find_first_of(" ,=/@") == std::string::npos);
        // What is shown to people reads back as the same.
        const auto again = understudy::redis::parse_connection_string(endpoint.str(), "S");
        require(again && again->endpoints.size() == 1 && again->endpoints[0] == endpoint);
    }
    for (const auto& warning : parsed->warnings) require(warning.starts_with("S: "));
    require(parsed->database >= 0);
    return 0;
}
