// /Localization: what clients offer in their lists of languages, countries and ratings.
#include "http/jellyfin/system/iso_tables.h"
#include "http/json_writer.h"
#include "http/official_ratings.h"
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

void write_rating(JsonWriter& out, const OfficialRating& rating) {
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
            for (const auto& rating : official_ratings()) {
                if (iequals(rating.country, said->second)) country = rating.country;
            }
        }
    }
    JsonWriter out(request.spelling);
    out.begin_array();
    for (const auto& rating : official_ratings()) {
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
