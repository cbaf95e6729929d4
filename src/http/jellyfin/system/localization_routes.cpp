// /Localization: what clients offer in their lists of languages, countries and ratings.
#include "http/jellyfin/system/iso_tables.h"
#include "http/json_writer.h"
#include "http/problem.h"
#include "http/routes.h"
#include "http/text.h"

namespace understudy::http {
namespace {

/// The server's own texts are in English alone; clients bring their own translations.
Response options(const Services& /*services*/, const Request& request) {
    JsonWriter out(request.spelling);
    out.begin_array().begin_object().field("Name", "English").field("Value", "en-US").end_object().end_array();
    return json_answer(out.take());
}

void write_culture(JsonWriter& out, const IsoLanguage& language) {
    const auto three = language.bibliographic.empty() ? language.three : language.bibliographic;
    out.begin_object().field("Name", language.name).field("DisplayName", language.name);
    out.field("TwoLetterISOLanguageName", language.two).field("ThreeLetterISOLanguageName", three);
    out.name("ThreeLetterISOLanguageNames").begin_array().value(three);
    if (three != language.three) out.value(language.three);
    out.end_array().end_object();
}

Response cultures(const Services& /*services*/, const Request& request) {
    JsonWriter out(request.spelling);
    out.begin_array();
    for (const auto& language : iso_languages()) write_culture(out, language);
    out.end_array();
    return json_answer(out.take());
}

void write_country(JsonWriter& out, const IsoCountry& country) {
    out.begin_object().field("Name", country.two).field("DisplayName", country.name);
    out.field("TwoLetterISORegionName", country.two).field("ThreeLetterISORegionName", country.three).end_object();
}

Response countries(const Services& /*services*/, const Request& request) {
    JsonWriter out(request.spelling);
    out.begin_array();
    for (const auto& country : iso_countries()) write_country(out, country);
    out.end_array();
    return json_answer(out.take());
}

struct Rating {
    std::string_view country, name;
    int age;  ///< from which it is meant to be fit
};
// Ages as the systems word them (MPA and TV Parental Guidelines, FSK by § 14 JuSchG, BBFC); PG and TV-PG name none and
// have the reference's 10.
constexpr Rating ratings[] = {
    {"US", "G", 0},       {"US", "TV-Y", 0},   {"US", "TV-G", 0},   {"US", "TV-Y7", 7},   {"US", "PG", 10},
    {"US", "TV-PG", 10},  {"US", "PG-13", 13}, {"US", "TV-14", 14}, {"US", "R", 17},      {"US", "TV-MA", 17},
    {"US", "NC-17", 18},  {"DE", "FSK-0", 0},  {"DE", "FSK-6", 6},  {"DE", "FSK-12", 12}, {"DE", "FSK-16", 16},
    {"DE", "FSK-18", 18}, {"GB", "U", 0},      {"GB", "PG", 8},     {"GB", "12", 12},     {"GB", "12A", 12},
    {"GB", "15", 15},     {"GB", "18", 18},    {"GB", "R18", 18},
};

void write_rating(JsonWriter& out, const Rating& rating) {
    out.begin_object().field("Name", rating.name).field("Value", rating.age);
    // Lower case in the reference, whatever the spelling.
    out.name("RatingScore").begin_object().key("score").value(rating.age).end_object().end_object();
}

/// Those of the country that the wizard was told; where they are not known, those of the United States, as most
/// descriptions use them.
Response parental_ratings(const Services& services, const Request& request) {
    std::string country = "US";
    if (services.users.settings != nullptr) {
        const auto settings = services.users.settings->all();
        if (!settings) return problem(settings.error());
        const auto said = settings->find(store::setting::metadata_country);
        if (said != settings->end()) {
            for (const auto& rating : ratings) {
                if (iequals(rating.country, said->second)) country = rating.country;
            }
        }
    }
    JsonWriter out(request.spelling);
    out.begin_array();
    for (const auto& rating : ratings) {
        if (rating.country == country) write_rating(out, rating);
    }
    out.end_array();
    return json_answer(out.take());
}

}  // namespace

void add_localization_routes(Router& router, const Services& services) {
    const auto add = [&](const char* path, Handler handler) {
        add_route(router, services, Method::get, path, handler, Access::wizard_or_user);
    };
    add("/Localization/Options", options);
    add("/Localization/Cultures", cultures);
    add("/Localization/Countries", countries);
    add("/Localization/ParentalRatings", parental_ratings);
}

}  // namespace understudy::http
