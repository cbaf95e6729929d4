#include "app/cli/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <fstream>
#include <ostream>
#include <stdexcept>

#include "app/config/load.h"
#include "core/text.h"

namespace understudy::app {
namespace {

// The key that `serve` has or wrote for us, where we may read it: by the same settings as the server's own, wherever
// they come from. What is wrong in others of them is no matter here.
std::string stored_key(const CommonOptions& options) {
    const auto environment = process_environment();
    if (const auto found = environment.find("UNDERSTUDY_KEY"); found != environment.end() && !found->second.empty())
        return found->second;
    const auto settings = load_settings(options).settings;
    if (!settings.bootstrap_key.empty()) return settings.bootstrap_key;
    if (settings.data_dir.empty()) return {};
    std::ifstream in(settings.data_dir / "admin.key");
    std::string key;
    std::getline(in, key);
    return std::string(core::trim(key));
}

// Code points, not bytes, so that columns stand under each other for most scripts.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string admin_key(const CommonOptions& options) {
    return options.key.empty() ? stored_key(options) : options.key;
}

std::vector<Client> clients_of(const CommonOptions& options) {
    std::vector<Client> clients;
    const auto key = admin_key(options);
    for (auto text : options.urls) {
        std::ranges::replace(text, ',', ' ');
        for (const auto& url : core::split_trimmed(text, ' ')) {
            try {
                clients.emplace_back(url, key);
            } catch (const std::invalid_argument& error) {
                throw CommandFailure{Exit::usage, error.what()};
            }
        }
    }
    if (clients.empty()) throw CommandFailure{Exit::usage, "--url (UNDERSTUDY_URL) is empty; name a server"};
    return clients;
}

void Command::make_clients() {
    require_known_settings(options_);
    clients_ = clients_of(options_);
}

const Client& Command::client() {
    if (clients_.empty()) make_clients();
    return clients_[now_];
}

core::Result<Reply> Command::ask_all(std::string_view method, const std::string& target, const std::string& body) {
    (void)client();
    const bool alone = clients_.size() == 1;
    const bool reads = method == "GET";
    // A pod that is frozen must not hold up a look that another one can answer.
    const std::chrono::seconds at_most{reads && !alone ? 5 : 30};
    std::string why;
    for (std::size_t tried = 1;; ++tried) {
        auto reply = client().request(method, target, body, at_most);
        constexpr int not_now = 503;  // starting, stopping, or without its database
        const bool elsewhere =
            reply ? reads && reply->status == not_now : reads || reply.error().code == core::Errc::unavailable;
        if (!elsewhere && !why.empty())
            err_ << "understudy: " << printable(why) << "; going on at " << client().url() << '\n';
        if (elsewhere && why.empty())
            why = reply ? client().url() + " is not ready: " + reply->reason() : reply.error().context;
        if (!elsewhere || tried == clients_.size()) return reply;
        now_ = (now_ + 1) % clients_.size();
    }
}

std::string Command::no_such_path(const std::string& target) {
    const auto& url = client().url();
    auto text = url + " does not know " + target.substr(0, target.find('?'));
    // Probes are answered at the root, whatever the base URL.
    const auto origin = client().origin();
    const auto health = Client(origin, {}).request("GET", "/health/ready");
    if (health && text_of(health->json(), "product") == "Understudy") {
        const auto base = text_of(health->json(), "baseUrl");
        auto trimmed = url;
        while (trimmed.ends_with('/')) trimmed.pop_back();
        if (trimmed != origin + base)
            return text + ": the server there has " +
                   (base.empty() ? std::string("no Jellyfin:Http:BaseUrl") : "Jellyfin:Http:BaseUrl=" + base) +
                   "; give --url " + origin + base;
        return text + ": is its version older than this command line's? It is " + text_of(health->json(), "version");
    }
    return text +
           ". Is that an Understudy server, and does --url (UNDERSTUDY_URL) hold its Jellyfin:Http:BaseUrl, as in " +
           origin + "/jf?";
}

/// Something answers, in words that no server of ours uses.
void Command::require_ours(const Reply& reply) {
    if (core::trim(reply.body).empty() || !reply.json().is_null()) return;
    const auto type = reply.headers.find("content-type");
    // Ours are JSON, or words where something is refused, as Jellyfin's are; never a page.
    const bool page = type != reply.headers.end() && core::to_lower_ascii(type->second).starts_with("text/html");
    if (!reply.ok() && !page) return;
    throw CommandFailure{
        Exit::unreachable,
        client().url() + " answers, but not as an Understudy server does (HTTP status " + std::to_string(reply.status) +
            (type == reply.headers.end() ? std::string{} : ", " + printable(type->second)) +
            "). Is another program on that port, or a proxy that shows a page of its own? --url (UNDERSTUDY_URL) names "
            "the server."};
}

Reply Command::call(std::string_view method, const std::string& target, const std::string& body) {
    auto reply = ask_all(method, target, body);
    if (!reply) {
        throw CommandFailure{Exit::unreachable,
                             (clients_.size() > 1 ? "none of the servers answers; the last one asked: " : "") +
                                 reply.error().context +
                                 "\nIs the server running there? `understudy serve` starts one; --url names another."};
    }
    require_ours(*reply);
    if (!reply->ok()) {
        auto message = reply->reason();
        if (reply->status == 503) message += "\nIt may be ready in a moment: ask again.";
        if (reply->status == 401) {
            message +=
                "\nThe admin key is in <data dir>/admin.key of the server, or what Jellyfin:Api:BootstrapKey says: "
                "give it with --key or UNDERSTUDY_KEY.";
        }
        // `{}` is how an unknown path is answered; an id that is not known comes with words.
        if (reply->status == 404 && core::trim(reply->body) == "{}") message = no_such_path(target);
        throw CommandFailure{reply->exit(), message};
    }
    return std::move(*reply);
}

void Command::print_json(const boost::json::value& value) const {
    out_ << boost::json::serialize(value) << '\n';
}

void Command::print_table(const std::vector<std::string>& head, std::vector<std::vector<std::string>> rows) const {
    for (auto& row : rows) {
        for (auto& cell : row) cell = printable(cell);
    }
    std::vector<std::size_t> widths;
    widths.reserve(head.size());
    for (const auto& cell : head) widths.push_back(width_of(cell));
    // A few long cells run over their column instead of pushing it away from all others.
    constexpr std::size_t widest = 60;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) {
            if (width_of(row[i]) <= widest) widths[i] = std::max(widths[i], width_of(row[i]));
        }
    }
    const auto print = [&](const std::vector<std::string>& row) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            if (i + 1 < row.size()) line.append(std::max(widths[i], width_of(row[i])) - width_of(row[i]) + 2, ' ');
        }
        while (!line.empty() && line.back() == ' ') line.pop_back();
        out_ << line << '\n';
    };
    print(head);
    for (const auto& row : rows) print(row);
}

std::string printable(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte != 0x7f)
            result += c;
        else if (c == '\n')
            result += "\\n";
        else
            result += fmt::format("\\x{:02x}", byte);
    }
    return result;
}

std::string text_of(const boost::json::value& object, std::string_view name) {
    const auto* members = object.if_object();
    const auto* value = members == nullptr ? nullptr : members->if_contains(name);
    if (value == nullptr || value->is_null()) return {};
    if (value->is_string()) return std::string(value->get_string());
    return boost::json::serialize(*value);
}

double number_of(const boost::json::value& object, std::string_view name) {
    const auto* members = object.if_object();
    const auto* value = members == nullptr ? nullptr : members->if_contains(name);
    if (value == nullptr || !value->is_number()) return 0;
    return value->to_number<double>();
}

const boost::json::array& array_of(const boost::json::value& object, std::string_view name) {
    static const boost::json::array none;
    const auto* members = object.if_object();
    const auto* value = members == nullptr ? nullptr : members->if_contains(name);
    return value != nullptr && value->is_array() ? value->get_array() : none;
}

std::string duration_text(core::Millis duration) {
    const auto total = std::chrono::round<std::chrono::seconds>(duration).count();
    if (duration < core::Millis{10'000}) return fmt::format("{:.1f} s", static_cast<double>(duration.count()) / 1000.0);
    if (total < 60) return fmt::format("{} s", total);
    if (total < 3600) return fmt::format("{} min {} s", total / 60, total % 60);
    if (total < 86400) return fmt::format("{} h {} min", total / 3600, total % 3600 / 60);
    return fmt::format("{} d {} h", total / 86400, total % 86400 / 3600);
}

std::string relative_time(const std::string& iso, core::UtcTime now) {
    const auto at = core::from_iso8601(iso);
    if (!at) return iso;
    return *at >= now ? "in " + duration_text(*at - now) : duration_text(now - *at) + " ago";
}

}  // namespace understudy::app
