// fuzz/app/config_fuzz.cpp: whatever an operator may hand to the server as settings: file, environment, command line
// and connection strings, read by the code that the server uses. An input is up to four parts, separated by lines of
// `%%`: a JSON file, environment entries, command line overrides (NAME=VALUE a line), and text for connection strings.
#include <libpq-fe.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "app/config/json_text.h"
#include "app/config/postgres_connection.h"
#include "app/config/settings.h"
#include "fuzz/redis/driver.h"

namespace {

namespace app = understudy::app;

// Stands only where a password stands: whatever is said, it must not be said.
constexpr std::string_view marker = "hunter2hunter2";

void require(bool holds, const char* what, std::string_view detail = {}) {
    if (holds) return;
    (void)std::fprintf(stderr, "%s: %s\n", what, std::string(detail).c_str());
    std::abort();
}

void require_hidden(std::string_view text) {
    require(text.find(marker) == std::string_view::npos, "a secret is shown", text);
}

// A file of memory, gone with the process.
class MemoryFile {
public:
    MemoryFile() : descriptor_(::memfd_create("settings", MFD_CLOEXEC)) { require(descriptor_ >= 0, "memfd_create"); }
    ~MemoryFile() { ::close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::string hold(std::string_view text) {
        require(::ftruncate(descriptor_, 0) == 0, "ftruncate");
        const auto written = ::pwrite(descriptor_, text.data(), text.size(), 0);
        require(written == static_cast<ssize_t>(text.size()), "pwrite");
        return "/proc/self/fd/" + std::to_string(descriptor_);
    }

private:
    int descriptor_;
};

std::vector<std::string_view> parts_of(std::string_view text, std::string_view separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + separator.size());
    }
}

// Secrets that come from files of the machine are none of ours to read here.
bool names_a_file(std::string_view name) {
    return name.find("ile") != std::string_view::npos || name.find("ILE") != std::string_view::npos;
}

std::vector<std::pair<std::string, std::string>> entries_of(std::string_view text) {
    std::vector<std::pair<std::string, std::string>> entries;
    for (const auto line : parts_of(text, "\n")) {
        const auto equals = line.find('=');
        if (equals == std::string_view::npos || names_a_file(line.substr(0, equals))) continue;
        entries.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    }
    return entries;
}

// As `config show` and a refused start print it.
void look_at(const app::ConfigInput& input) {
    auto given = app::read_sources(input);
    const app::MachineFacts machine{.home = "/home/a", .host_name = "host", .tz = "UTC", .executable_dir = "/usr/bin"};
    const auto checked = app::check_settings(std::move(given), machine);
    for (const auto& fault : checked.faults) {
        require(!fault.source.empty() && !fault.problem.empty(), "a fault without source or problem", fault.key);
        const auto line = fault.line();
        require(line.find(fault.problem.substr(0, fault.problem.find_first_of("\n\r\t"))) != std::string::npos ||
                    line.find("\\x") != std::string::npos,
                "a fault's line lacks its problem", line);
        for (const char c : line) require(static_cast<unsigned char>(c) >= ' ', "a fault of two lines", line);
        for (const auto& text : {fault.key, fault.value, fault.source, fault.problem, line}) require_hidden(text);
    }
    for (const auto& setting : checked.effective) {
        require(!setting.key.empty() && !setting.source.empty(), "a setting without key or source", setting.value);
        for (const auto& text : {setting.key, setting.value, setting.source}) require_hidden(text);
    }
    for (const auto& warning : checked.settings.warnings) require_hidden(warning);
    for (const auto& name : checked.ignored_names) require_hidden(name);
}

void look_at_connection(std::string_view text) {
    const auto parsed = app::parse_postgres_connection(text);
    if (!parsed) {
        require(!parsed.error().context.empty(), "an error without words", text);
        require_hidden(parsed.error().context);
    } else {
        for (const auto& warning : parsed->warnings) require_hidden(warning);
        // What was translated, libpq understands. (Its own two forms are passed on as they are.)
        const bool translated = parsed->conninfo.find("='") != std::string::npos && parsed->conninfo != text;
        if (translated && text.find('\0') == std::string_view::npos && !text.starts_with("postgres") &&
            text.find(';') != std::string_view::npos) {
            char* why = nullptr;
            const std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)> read(
                PQconninfoParse(parsed->conninfo.c_str(), &why), PQconninfoFree);
            const std::string reason = why == nullptr ? "" : why;
            PQfreemem(why);
            require(read != nullptr, "libpq refuses what was translated", reason);
        }
    }
    const auto file = app::sqlite_file(text, "/fallback");
    if (!file) require_hidden(file.error().context);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string all(reinterpret_cast<const char*>(data), size);
    auto parts = parts_of(all, "\n%%\n");
    parts.resize(4);
    const auto [file, environment, command_line, text] =
        std::tuple(parts[0], parts[1], parts[2], std::string(parts[3]));

    MemoryFile memory;
    app::ConfigInput input;
    if (!names_a_file(file)) input.file = memory.hold(file);
    for (auto& [name, value] : entries_of(environment)) input.environment.emplace(name, value);
    input.command_line = entries_of(command_line);
    look_at(input);

    // The same with secrets in all three sources; what the input says comes around them.
    const std::string secret(marker);
    const auto with_secrets = [&](const std::string& database, const std::string& redis, bool postgresql) {
        auto more = input;
        more.environment["Jellyfin__Api__BootstrapKey"] = secret + text;
        more.environment["Jellyfin__Database__ConnectionStrng"] = database;
        more.command_line.emplace_back("Jellyfin:Database:ConnectionString", database);
        more.command_line.emplace_back("Jellyfin:TranscodeStore:RedisConnectionString", redis);
        if (postgresql) more.command_line.emplace_back("Jellyfin:Database:Provider", "PostgreSQL");
        look_at(more);
    };
    const bool even = size % 2 == 0;
    with_secrets("Host=" + text + ";Password=" + secret + text, "r:6379,password=" + secret + "," + text, even);
    with_secrets("postgresql://u:" + secret + "@" + text, "redis://u:" + secret + "@" + text, even);
    with_secrets("host=" + text + " password=" + secret, "rediss://:" + secret + "@" + text, !even);
    if (!names_a_file(file)) {
        input.file =
            memory.hold("{\"Jellyfin\":{\"Api\":{\"BootstrapKey\":\"" + secret + "\"}," + std::string(file) + "}}");
        look_at(input);
    }

    look_at_connection(text);
    look_at_connection("Password=" + secret + ";" + text);
    look_at_connection("Host=" + text + ";Password=" + secret);
    look_at_connection("Host=a;Port=" + text + " Password=" + secret);
    look_at_connection("postgresql://u:" + secret + text + "@h/d");
    (void)app::duplicate_keys(all);  // on text that is not JSON it says nothing of use, and ends
    return 0;
}
