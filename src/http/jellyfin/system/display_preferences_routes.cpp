// /DisplayPreferences: how a client shows a view to a user, the same on all pods.
#include <array>

#include "http/jellyfin/requests/user_requests.h"
#include "http/jellyfin/system/configuration_sections.h"
#include "http/json_body.h"
#include "http/json_writer.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"
#include "store/display_preferences.h"

namespace understudy::http {
namespace {

using enum FieldShape;

constexpr std::array<std::string_view, 2> directions{"Horizontal", "Vertical"};
constexpr std::array<std::string_view, 2> orders{"Ascending", "Descending"};

// Defaults of Jellyfin 10.11: the entity DisplayPreferences and its controller.
constexpr auto fields = std::to_array<SectionField>({
    {"Id", text, ""},
    {"ViewType", text, ""},
    {"SortBy", text, "\"SortName\""},
    {"IndexBy", text, ""},
    {"RememberIndexing", flag, "false"},
    {"PrimaryImageHeight", whole, "250"},
    {"PrimaryImageWidth", whole, "250"},
    {"CustomPrefs", dictionary,
     R"({"chromecastVersion":"stable","skipForwardLength":"30000","skipBackLength":"10000","enableNextVideoInfoOverlay":"False"})"},
    {"ScrollDirection", word, "\"Horizontal\"", directions},
    {"ShowBackdrop", flag, "true"},
    {"RememberSorting", flag, "false"},
    {"SortOrder", word, "\"Ascending\"", orders},
    {"ShowSidebar", flag, "false"},
    {"Client", text, ""},
});
constexpr ConfigurationSection section{"displaypreferences", fields};

core::Result<store::DisplayKey> requested_key(const Services& services, const Request& request) {
    constexpr std::size_t longest = 200;
    store::DisplayKey key;
    key.client = trim(request.query.text("client"));
    key.name = request.param("key");
    if (key.client.empty()) {
        return core::fail(core::Errc::invalid, "client: missing; say which client asks, as each has its own");
    }
    for (const auto& [field, said] : {std::pair{"client", &key.client}, std::pair{"displayPreferencesId", &key.name}}) {
        if (said->size() <= longest) continue;
        return core::fail(core::Errc::invalid, std::string(field) + ": " + std::to_string(said->size()) +
                                                   " bytes are too many; at most " + std::to_string(longest));
    }
    const auto user = requested_user(services, request);
    if (!user) return tl::unexpected(user.error());
    key.user = user->id;
    return key;
}

std::string json_text(const std::string& text) {
    JsonWriter out;
    return out.value(text).take();
}

Response preferences(const Services& services, const Request& request) {
    if (services.system.display == nullptr) return problem({core::Errc::unsupported, "They are not kept here."});
    const auto key = requested_key(services, request);
    if (!key) return binding_problem(key.error());
    const auto kept = services.system.display->find(*key);
    if (!kept) return problem(kept.error());
    JsonWriter out(request.spelling);
    write_section(out, section, kept->value_or("{}"), {},
                  {{"Id", json_text(key->name)}, {"Client", json_text(key->client)}});
    return json_answer(out.take());
}

Response set_preferences(const Services& services, const Request& request) {
    if (services.system.display == nullptr) return problem({core::Errc::unsupported, "They are not kept here."});
    const auto key = requested_key(services, request);
    if (!key) return binding_problem(key.error());
    const auto body = JsonBody::parse(request.body);
    if (!body) return binding_problem(body.error());
    const auto said = read_section(section, *body);
    if (!said) return binding_problem(said.error());
    const auto put = services.system.display->put(*key, *said);
    return put ? no_content() : binding_problem(put.error());
}

}  // namespace

void add_display_preferences_routes(Router& router, const Services& services) {
    add_route(router, services, Method::get, "/DisplayPreferences/{key}", preferences, Access::user);
    add_route(router, services, Method::post, "/DisplayPreferences/{key}", set_preferences, Access::user);
}

}  // namespace understudy::http
