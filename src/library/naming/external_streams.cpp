#include "library/naming/external_streams.h"

#include <algorithm>
#include <array>

#include "library/naming/languages.h"
#include "library/naming/text.h"

namespace understudy::library::naming {
namespace {

constexpr std::array subtitle_extensions =
    std::to_array<std::string_view>({"srt", "ass", "ssa", "vtt", "sub", "idx", "sup", "smi", "sami", "ttml", "dfxp",
                                     "mks", "usf", "pjs", "mpl", "mpl2"});
// Sound only: `mp4` or `mkv` beside a film is a video of its own.
constexpr std::array audio_extensions =
    std::to_array<std::string_view>({"mka", "aac", "ac3", "eac3", "dts", "dtshd", "thd", "flac", "m4a", "mp3", "ogg",
                                     "oga", "opus", "wav", "wma", "mp2"});

struct Flag {
    std::string_view word;
    bool ExternalStream::*member;
};
constexpr std::array flags = std::to_array<Flag>({
    {"default", &ExternalStream::is_default},
    {"forced", &ExternalStream::is_forced},
    {"foreign", &ExternalStream::is_forced},
    {"sdh", &ExternalStream::is_hearing_impaired},
    {"cc", &ExternalStream::is_hearing_impaired},
    {"commentary", &ExternalStream::is_commentary},
    {"comments", &ExternalStream::is_commentary},
});

constexpr bool is_gap(char c) noexcept {
    return c == ' ' || c == '_' || c == '-' || c == '[' || c == ']' || c == '(' || c == ')' || c == '.' || c == ',';
}

const Flag* flag_of(std::string_view word) noexcept {
    const auto found =
        std::ranges::find_if(flags, [&](const Flag& flag) { return equal_ignoring_case(flag.word, word); });
    return found == flags.end() ? nullptr : &*found;
}

// `pt-BR`, `zh-Hans`, `en_US`, `es-419`: the language; its region.
std::string_view with_region(std::string_view piece, std::string_view& region) noexcept {
    const auto dash = piece.find_first_of("-_");
    if (dash == std::string_view::npos || dash < 2 || dash > 3) return {};
    const auto tail = piece.substr(dash + 1);
    const bool letters = std::ranges::all_of(tail, [](char c) { return lower(c) >= 'a' && lower(c) <= 'z'; });
    const bool digits = std::ranges::all_of(tail, is_digit);
    if (!((letters && (tail.size() == 2 || tail.size() == 4)) || (digits && tail.size() == 3)) || flag_of(tail))
        return {};
    if (equal_ignoring_case(tail, "hi")) return {};  // en-hi: for the hard of hearing
    const auto code = language_code(piece.substr(0, dash));
    if (!code.empty()) region = tail;
    return code;
}

std::vector<std::string_view> words_of(std::string_view piece) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < piece.size();) {
        if (is_gap(piece[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < piece.size() && !is_gap(piece[end])) ++end;
        words.push_back(piece.substr(at, end - at));
        at = end;
    }
    return words;
}

class WordReader {
public:
    explicit WordReader(ExternalStream& into) : into_(into) {}

    // From the right, where the language and the flags stand.
    void read(std::string_view piece) {
        piece = strip(piece);
        if (piece.empty()) return;
        if (single(piece)) return;
        // «English [SDH]», «en-forced», «2_English», «Director's Commentary»: word by word. A title stays whole.
        bool all_known = true;
        const auto before = into_.language;
        for (const auto word : words_of(piece)) {
            if (const auto* flag = flag_of(word)) {
                into_.*(flag->member) = true;
            } else if (equal_ignoring_case(word, "hi") && !into_.language.empty()) {
                into_.is_hearing_impaired = true;
            } else if (into_.language.empty() &&
                       (word.size() > 3 || words_of(piece).size() == 1 || is_code_first(piece, word)) &&
                       !language_code(word).empty()) {
                into_.language = language_code(word);
            } else if (number_of(word) < 0) {
                all_known = false;
            }
        }
        if (all_known) return;
        into_.language = before;  // «The Italian Job» is no Italian
        titles_.emplace_back(piece);
    }

    void finish() {
        if (hindi_or_impaired_) {
            if (into_.language.empty()) {
                into_.language = "hin";
            } else {
                into_.is_hearing_impaired = true;
            }
        }
        std::string title;
        for (auto piece = titles_.rbegin(); piece != titles_.rend(); ++piece) {
            if (!title.empty()) title += ' ';
            title += spaced(*piece);
        }
        into_.title = display_text(title);
    }

private:
    static std::string_view strip(std::string_view text) noexcept {
        while (!text.empty() && is_gap(text.front())) text.remove_prefix(1);
        while (!text.empty() && is_gap(text.back())) text.remove_suffix(1);
        return text;
    }
    // «en-forced», «ger_sdh»: a short code only where it opens the piece.
    static bool is_code_first(std::string_view piece, std::string_view word) noexcept {
        return word.data() == piece.data() && piece.find(' ') == std::string_view::npos;
    }
    bool single(std::string_view piece) {
        if (const auto* flag = flag_of(piece)) {
            into_.*(flag->member) = true;
            return true;
        }
        if (equal_ignoring_case(piece, "hi")) {  // Hindi, unless another language is named
            if (hindi_or_impaired_ && into_.language.empty()) into_.language = "hin";
            hindi_or_impaired_ = true;
            return true;
        }
        if (!into_.language.empty()) return false;
        std::string_view region;
        if (const auto code = with_region(piece, region); !code.empty()) {
            into_.language = code;
            into_.region = region;
            return true;
        }
        if (const auto code = language_code(piece); !code.empty()) {
            into_.language = code;
            return true;
        }
        return false;
    }

    ExternalStream& into_;
    std::vector<std::string_view> titles_;
    bool hindi_or_impaired_ = false;
};

// Where what follows `stem` in `name` begins; npos: it does not begin with it, or goes on within a word.
std::size_t behind(std::string_view stem, std::string_view name) noexcept {
    if (stem.empty() || !starts_with_ignoring_case(name, stem)) return std::string_view::npos;
    const bool ends = name.size() == stem.size() || is_gap(name[stem.size()]);
    return ends ? stem.size() : std::string_view::npos;
}

}  // namespace

std::optional<model::StreamKind> external_kind(std::string_view name) noexcept {
    const auto dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0) return std::nullopt;
    const auto extension = name.substr(dot + 1);
    const auto known = [&](std::string_view one) { return equal_ignoring_case(one, extension); };
    if (std::ranges::any_of(subtitle_extensions, known)) return model::StreamKind::subtitle;
    if (std::ranges::any_of(audio_extensions, known)) return model::StreamKind::audio;
    return std::nullopt;
}

bool is_subtitles_folder(std::string_view name) noexcept {
    static constexpr std::array folders =
        std::to_array<std::string_view>({"subs", "sub", "subtitles", "subtitle", "vobsubs", "vobsub"});
    return std::ranges::any_of(folders, [&](std::string_view known) { return equal_ignoring_case(known, name); });
}

void read_stream_words(std::string_view words, ExternalStream& into) {
    WordReader reader(into);
    while (!words.empty()) {
        const auto dot = words.rfind('.');
        reader.read(dot == std::string_view::npos ? words : words.substr(dot + 1));
        words = dot == std::string_view::npos ? std::string_view{} : words.substr(0, dot);
    }
    reader.finish();
}

std::vector<ExternalStream> external_streams(std::string_view stem, std::span<const std::string_view> others,
                                             std::span<const std::string_view> names, bool only_video) {
    std::vector<ExternalStream> found;
    for (const auto name : names) {
        const auto kind = external_kind(name);
        if (!kind) continue;
        const auto own = name.substr(0, name.rfind('.'));
        auto at = behind(stem, own);
        const bool others_more = std::ranges::any_of(others, [&](std::string_view other) {
            const auto end = behind(other, own);
            return end != std::string_view::npos && (at == std::string_view::npos || end > at);
        });
        if (others_more || (at == std::string_view::npos && !only_video)) continue;
        ExternalStream stream;
        stream.name = name;
        stream.kind = *kind;
        for (const char c : name.substr(own.size() + 1)) stream.format += lower(c);
        // VobSub's index names its picture file; one of the two is the stream.
        if (stream.format == "sub") {
            const auto index = std::ranges::find_if(names, [&](std::string_view other) {
                return other.size() == name.size() && ends_with_ignoring_case(other, ".idx") && other.starts_with(own);
            });
            if (index != names.end()) continue;
        }
        read_stream_words(at == std::string_view::npos ? own : own.substr(at), stream);
        found.push_back(std::move(stream));
    }
    std::ranges::stable_sort(found, [](const ExternalStream& a, const ExternalStream& b) {
        return a.kind != b.kind ? a.kind < b.kind : a.name < b.name;
    });
    return found;
}

}  // namespace understudy::library::naming
