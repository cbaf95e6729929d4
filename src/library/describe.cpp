#include "library/describe.h"

#include <algorithm>
#include <array>

#include "core/bounded_text.h"
#include "library/naming/text.h"

namespace understudy::library {
namespace {

template <class T>
void take(const T& said, T& into) {
    if (!said.empty()) into = said;
}

std::optional<core::UtcTime> date_of(const std::string& date) {
    return date.empty() ? std::nullopt : core::from_iso8601(date + "T00:00:00Z");
}

std::optional<double> rating_of(const std::vector<nfo::Rating>& ratings) {
    if (ratings.empty()) return std::nullopt;
    const auto chosen = std::ranges::find(ratings, true, &nfo::Rating::is_default);
    const auto& rating = chosen == ratings.end() ? ratings.front() : *chosen;
    if (rating.maximum <= 0) return std::nullopt;
    return std::clamp(rating.value / rating.maximum * 10.0, 0.0, 10.0);
}

void add_new(const std::vector<std::string>& from, std::vector<std::string>& into) {
    for (const auto& one : from) {
        if (std::ranges::find(into, one) == into.end()) into.push_back(one);
    }
}

std::string joined(std::span<const nfo::Description> said, std::string nfo::Description::*member,
                   std::string_view between) {
    std::string text;
    for (const auto& one : said) {
        const auto& more = one.*member;
        if (more.empty() || more == text) continue;
        if (!text.empty()) text += between;
        text += more;
    }
    return text;
}

model::CreditKind kind_of(nfo::PersonKind kind) {
    switch (kind) {
        case nfo::PersonKind::actor:
            return model::CreditKind::actor;
        case nfo::PersonKind::guest_star:
            return model::CreditKind::guest_star;
        case nfo::PersonKind::director:
            return model::CreditKind::director;
        case nfo::PersonKind::writer:
            return model::CreditKind::writer;
        case nfo::PersonKind::producer:
            return model::CreditKind::producer;
        case nfo::PersonKind::composer:
            return model::CreditKind::composer;
        case nfo::PersonKind::artist:
            return model::CreditKind::artist;
    }
    return model::CreditKind::actor;
}

}  // namespace

void put_description(std::span<const nfo::Description> said, model::Item& item) {
    if (said.empty()) return;
    take(joined(said, &nfo::Description::title, " / "), item.name);
    const auto& first = said.front();
    if (!first.sort_title.empty()) item.sort_name = naming::sort_text(first.sort_title);
    auto& about = item.about;
    take(first.sort_title, about.sort_title);
    take(first.original_title, about.original_title);
    take(joined(said, &nfo::Description::plot, "\n\n"), about.overview);
    if (about.overview.empty()) take(joined(said, &nfo::Description::outline, "\n\n"), about.overview);
    take(first.tagline, about.tagline);
    take(std::string(core::utf8_prefix(first.certification, core::longest_key)), about.official_rating);
    take(first.status, about.status);
    about.community_rating = rating_of(first.ratings);
    about.premiered = date_of(first.premiered);
    about.ended = date_of(first.ended);
    if (item.kind == model::ItemKind::episode) {
        about.airs_before_season = first.display_season;
        about.airs_before_episode = first.display_episode;
        about.airs_after_season = first.after_season;
    }
    if (first.year) {
        item.year = first.year;
    } else if (first.premiered.size() >= 4) {
        item.year = naming::number_of(std::string_view(first.premiered).substr(0, 4));
    }
    std::vector<std::string> genres;
    auto runtime = core::Millis{};
    for (const auto& one : said) {
        add_new(one.genres, genres);
        add_new(one.studios, about.studios);
        add_new(one.tags, about.tags);
        add_new(one.countries, about.countries);
        add_new(one.trailers, about.trailers);
        runtime += one.runtime;
    }
    take(genres, item.genres);
    for (const auto& [provider, id] : first.provider_ids) item.provider_ids[provider] = id;
    if (item.duration == core::Millis{}) item.duration = runtime;
    if (item.kind == model::ItemKind::album) {
        take(first.album_artists.empty() ? first.artists : first.album_artists, item.artists);
        if (!item.artists.empty()) item.album_artist = item.artists.front();
    }
}

std::vector<store::NamedCredit> credits_of(std::span<const nfo::Description> said) {
    std::vector<const nfo::Person*> people;
    for (const auto& one : said) {
        for (const auto& person : one.people) people.push_back(&person);
    }
    if (said.size() == 1) std::ranges::stable_sort(people, {}, [](const nfo::Person* person) { return person->order; });
    std::vector<store::NamedCredit> credits;
    for (const auto* person : people) {
        if (person->name.empty()) continue;
        const auto kind = kind_of(person->kind);
        const bool twice = std::ranges::any_of(credits, [&](const store::NamedCredit& credit) {
            return credit.kind == kind && credit.name == person->name && credit.role == person->role;
        });
        if (!twice) credits.push_back({person->name, person->provider_ids, kind, person->role});
    }
    return credits;
}

std::vector<store::NamedCredit> credits_of_track(const model::Item& track) {
    std::vector<store::NamedCredit> credits;
    for (const auto& artist : track.artists) credits.push_back({artist, {}, model::CreditKind::artist, {}});
    if (!track.album_artist.empty()) credits.push_back({track.album_artist, {}, model::CreditKind::album_artist, {}});
    if (track.sources.empty()) return credits;
    for (const auto& composer : track.sources.front().info.tags.composers)
        credits.push_back({naming::display_text(composer), {}, model::CreditKind::composer, {}});
    return credits;
}

std::vector<std::string> sets_of(std::span<const nfo::Description> said) {
    std::vector<std::string> sets;
    for (const auto& one : said) {
        for (const auto& set : one.collections) {
            if (!set.name.empty() && std::ranges::find(sets, set.name) == sets.end()) sets.push_back(set.name);
        }
    }
    return sets;
}

model::MediaStream stream_of(const naming::ExternalStream& file) {
    // The codecs of files that hold nothing else; a container's is not known until it is opened.
    struct Codec {
        std::string_view extension, name;
    };
    static constexpr std::array codecs = std::to_array<Codec>({{"srt", "subrip"},
                                                               {"ssa", "ass"},
                                                               {"vtt", "webvtt"},
                                                               {"idx", "dvd_subtitle"},
                                                               {"sub", "microdvd"},
                                                               {"sup", "hdmv_pgs_subtitle"},
                                                               {"smi", "sami"},
                                                               {"dfxp", "ttml"},
                                                               {"mpl", "mpl2"},
                                                               {"dtshd", "dts"},
                                                               {"thd", "truehd"}});
    model::MediaStream stream;
    stream.kind = file.kind;
    const auto known = std::ranges::find(codecs, std::string_view(file.format), &Codec::extension);
    stream.codec = known == codecs.end() ? file.format : std::string(known->name);
    stream.language = file.language;
    stream.title = file.title;
    const auto add = [&](std::string_view word) {
        if (!stream.title.empty()) stream.title += ' ';
        stream.title += word;
    };
    if (!file.region.empty()) add("(" + file.region + ")");
    if (file.is_commentary) add("Commentary");
    stream.is_default = file.is_default;
    stream.is_forced = file.is_forced;
    stream.is_hearing_impaired = file.is_hearing_impaired;
    return stream;
}

}  // namespace understudy::library
