#include "library/segments/chapter_names.h"

#include <algorithm>
#include <array>

namespace understudy::library::segments {

namespace {

struct Row {
    SegmentKind kind;
    std::string_view names;  ///< folded (see fold()), between bars
};

/// Whole names, folded. Words that are titles of content as often as not are left out on purpose: «Prologue», «Teaser»,
/// «Cold open», «Epilogue», «Fin», «Ouverture», «Rückblende», «回想», «序幕»; «Résumé» too, which is «Resume» without
/// its accents and stands after breaks.
constexpr std::array table = {
    // English
    Row{SegmentKind::intro,
        "|intro|introduction|opening|op|opening credits|opening titles|opening title|opening theme|opening song|title "
        "sequence|titles|main title|main titles|title card|theme|theme song|intro sequence|opening sequence|ncop|avant "
        "op|"},
    Row{SegmentKind::recap,
        "|recap|previously|previously on|last time|last time on|last episode|previous episode|story so far|the story "
        "so "
        "far|in the last episode|"},
    Row{SegmentKind::outro,
        "|outro|credits|end credits|ending credits|closing credits|closing|closing titles|end titles|end "
        "title|ending|ed|"
        "ending theme|ending song|closing theme|final credits|credit roll|staff roll|nced|"},
    Row{SegmentKind::preview,
        "|preview|next time|next time on|next episode|next episode preview|preview of next episode|next on|on the "
        "next|coming up|next week|pv|episode preview|"},
    Row{SegmentKind::commercial,
        "|commercial|commercials|commercial break|ad|ads|ad break|advert|adverts|advertisement|advertisements|sponsor|"
        "sponsors|sponsorship|"},
    // German
    Row{SegmentKind::intro, "|vorspann|titelvorspann|titelmelodie|titelsequenz|titellied|einleitung|anfangstitel|"},
    Row{SegmentKind::recap,
        "|was bisher geschah|bisher|bisher geschah|zuletzt|ruckblick|zusammenfassung|in der letzten folge|"
        "letzte folge|das geschah bisher|"},
    Row{SegmentKind::outro, "|abspann|nachspann|endtitel|abspannmusik|schlusstitel|"},
    Row{SegmentKind::preview, "|vorschau|nachste folge|in der nachsten folge|nachstes mal|das nachste mal|"},
    Row{SegmentKind::commercial, "|werbung|werbepause|werbeunterbrechung|werbeblock|"},
    // French
    Row{SegmentKind::intro,
        "|generique|generique de debut|generique d ouverture|generique d introduction|generique debut|"},
    Row{SegmentKind::recap, "|precedemment|precedemment dans|resume de l episode precedent|dans l episode precedent|"},
    Row{SegmentKind::outro, "|generique de fin|generique fin|generique final|credits de fin|generique de cloture|"},
    Row{SegmentKind::preview,
        "|apercu|prochain episode|prochainement|dans le prochain episode|bande annonce du prochain episode|"},
    Row{SegmentKind::commercial, "|publicite|publicites|pub|pubs|page de publicite|pause publicitaire|coupure pub|"},
    // Spanish
    Row{SegmentKind::intro,
        "|introduccion|apertura|cabecera|titulos iniciales|creditos iniciales|creditos de apertura|cortinilla|"},
    Row{SegmentKind::recap,
        "|resumen|anteriormente|anteriormente en|en episodios anteriores|en capitulos "
        "anteriores|previamente|previamente en|"},
    Row{SegmentKind::outro, "|creditos|creditos finales|titulos finales|creditos de cierre|cierre|titulos de credito|"},
    Row{SegmentKind::preview,
        "|avance|avances|proximo episodio|proximo capitulo|en el proximo episodio|en el proximo capitulo|adelanto|"},
    Row{SegmentKind::commercial, "|publicidad|anuncio|anuncios|comerciales|pausa publicitaria|corte comercial|"},
    // Italian
    Row{SegmentKind::intro, "|sigla|sigla iniziale|sigla di apertura|titoli di testa|introduzione|sigla d apertura|"},
    Row{SegmentKind::recap,
        "|riassunto|riepilogo|nelle puntate precedenti|negli episodi precedenti|nella puntata precedente|in "
        "precedenza|"},
    Row{SegmentKind::outro, "|titoli di coda|sigla finale|sigla di chiusura|titoli finali|crediti|crediti finali|"},
    Row{SegmentKind::preview,
        "|anteprima|prossimamente|prossimo episodio|nel prossimo episodio|nella prossima puntata|prossima "
        "puntata|anticipazioni|"},
    Row{SegmentKind::commercial, "|pubblicita|interruzione pubblicitaria|stacco pubblicitario|"},
    // Portuguese (where it is not spelt as Spanish is)
    Row{SegmentKind::intro,
        "|abertura|introducao|vinheta|vinheta de abertura|creditos de abertura|tema de abertura|genericos iniciais|"},
    Row{SegmentKind::recap,
        "|resumo|nos episodios anteriores|no episodio anterior|nos capitulos anteriores|recapitulacao|"},
    Row{SegmentKind::outro,
        "|encerramento|creditos de encerramento|tema de encerramento|genericos finais|ficha tecnica|"},
    Row{SegmentKind::preview,
        "|proximo episodio|no proximo episodio|no proximo capitulo|cenas do proximo episodio|cenas do proximo "
        "capitulo|previa|"},
    Row{SegmentKind::commercial, "|intervalo|intervalo comercial|propaganda|propagandas|publicidade|comercial|"},
    // Dutch
    Row{SegmentKind::intro, "|begintune|begintitels|openingstune|inleiding|titelsong|openingstitels|begingeneriek|"},
    Row{SegmentKind::recap,
        "|samenvatting|wat voorafging|wat vooraf ging|eerder|eerder in|vorige keer|in de vorige aflevering|vorige "
        "aflevering|"},
    Row{SegmentKind::outro, "|aftiteling|eindtitels|eindtune|slottitels|eindgeneriek|aftitelingen|"},
    Row{SegmentKind::preview, "|vooruitblik|volgende aflevering|volgende keer|in de volgende aflevering|voorproefje|"},
    Row{SegmentKind::commercial, "|reclame|reclames|reclameblok|reclamepauze|reclameonderbreking|"},
    // Polish
    Row{SegmentKind::intro, "|czolowka|wstep|napisy poczatkowe|sekwencja tytulowa|piosenka poczatkowa|wprowadzenie|"},
    Row{SegmentKind::recap,
        "|streszczenie|w poprzednim odcinku|w poprzednich odcinkach|poprzednio|poprzedni odcinek|podsumowanie|"},
    Row{SegmentKind::outro, "|napisy koncowe|tylowka|zakonczenie|piosenka koncowa|"},
    Row{SegmentKind::preview,
        "|zapowiedz|w nastepnym odcinku|nastepny odcinek|w kolejnym odcinku|zapowiedz nastepnego odcinka|"},
    Row{SegmentKind::commercial, "|reklama|reklamy|blok reklamowy|przerwa reklamowa|"},
    // Russian (й and ё are folded to и and е)
    Row{SegmentKind::intro,
        "|интро|заставка|опенинг|вступление|вступительные титры|начальные титры|начальная заставка|опенинг 1|"},
    Row{SegmentKind::recap,
        "|в предыдущих сериях|в предыдущеи серии|ранее|ранее в сериале|краткое содержание|рекап|в прошлои серии|"},
    Row{SegmentKind::outro,
        "|титры|финальные титры|конечные титры|эндинг|аутро|заключительные титры|конечная заставка|"},
    Row{SegmentKind::preview,
        "|превью|анонс|в следующеи серии|в следующих сериях|анонс следующеи серии|далее в сериале|"},
    Row{SegmentKind::commercial, "|реклама|рекламная пауза|рекламныи блок|"},
    // Japanese
    Row{SegmentKind::intro,
        "|オープニング|オープニングテーマ|オープニング曲|主題歌|イントロ|タイトル|オープニングタイトル|op曲|"},
    Row{SegmentKind::recap, "|前回のあらすじ|あらすじ|これまでのあらすじ|前回まで|前回までのあらすじ|前回|"},
    Row{SegmentKind::outro,
        "|エンディング|エンディングテーマ|エンディング曲|エンドロール|スタッフロール|エンドクレジット|クレジット|"
        "アウトロ|ed曲|"},
    Row{SegmentKind::preview, "|次回予告|予告|次回|次回の予告|プレビュー|予告編|"},
    Row{SegmentKind::commercial, "|コマーシャル|cm|広告|提供|"},
    // Chinese, simplified and traditional
    Row{SegmentKind::intro, "|片头|片頭|片头曲|片頭曲|主题曲|主題曲|片头字幕|片頭字幕|"},
    Row{SegmentKind::recap, "|前情提要|前情回顾|前情回顧|上集回顾|上集回顧|回顾|回顧|剧情回顾|劇情回顧|"},
    Row{SegmentKind::outro, "|片尾|片尾曲|片尾字幕|片尾名单|演职员表|演職員表|结尾字幕|"},
    Row{SegmentKind::preview, "|预告|預告|下集预告|下集預告|下期预告|下期預告|下回预告|"},
    Row{SegmentKind::commercial, "|广告|廣告|赞助商|贊助商|广告时间|"},
};

/// Base letters of U+00C0 … U+017F, lower case; ' ' where the character is none.
constexpr std::string_view latin_bases =
    "aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
    "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(latin_bases.size() == 0x180 - 0xC0);

/// One character of UTF-8; U+FFFD for a byte that fits nowhere.
char32_t next(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    char32_t value = length <= 1 ? lead : lead & (0x7Fu >> length);
    bool good = length != 0 && length <= text.size();
    for (std::size_t i = 1; good && i < length; ++i) {
        good = (byte(i) & 0xC0) == 0x80;
        value = (value << 6) | (byte(i) & 0x3Fu);
    }
    text.remove_prefix(good ? length : 1);
    return good ? value : 0xFFFD;
}

void append(std::string& out, char32_t c) {
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0 | (c >> 6));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0 | (c >> 12));
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | (c >> 18));
        out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    }
}

/// Lower case, accents off, every run of punctuation and blanks one space; NFC and NFD come out alike.
std::string fold(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        char32_t c = next(text);
        if (c >= 0xFF01 && c <= 0xFF5E) c -= 0xFEE0;  // full-width forms
        if (c >= 0x0300 && c <= 0x036F) continue;     // combining accents
        if (c == 0xDF) {                              // ß
            out += "ss";
            continue;
        }
        if (c >= 0xC0 && c < 0x180 && c - 0xC0 < latin_bases.size())
            c = static_cast<unsigned char>(latin_bases[c - 0xC0]);
        if (c >= 0x400 && c <= 0x40F) c += 0x50;  // Ѐ … Џ
        if (c >= 0x410 && c <= 0x42F) c += 0x20;  // А … Я
        if (c == 0x439) c = 0x438;                // й
        if (c == 0x451) c = 0x435;                // ё
        if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
        const bool is_word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                             (c >= 0x400 && c != 0xFFFD && !(c >= 0x2000 && c <= 0x206F) &&
                              !(c >= 0x3000 && c <= 0x303F) && c != 0x30FB && !(c >= 0xFF00 && c <= 0xFF0F));
        if (is_word)
            append(out, c);
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
}

bool is_number(std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

/// «chapter 3 opening», «03 opening», «opening 2», «opening start», «ending a»: what stands around a name.
std::string_view core_of(std::string_view name) {
    const auto first_word = [&] { return name.substr(0, name.find(' ')); };
    const auto last_word = [&] { return name.substr(name.rfind(' ') + 1); };
    const auto drop_first = [&] { name.remove_prefix(std::min(first_word().size() + 1, name.size())); };
    const auto drop_last = [&] { name = name.substr(0, name.size() - last_word().size() - 1); };
    for (const std::string_view word :
         {"chapter", "kapitel", "chapitre", "capitulo", "capitolo", "hoofdstuk", "rozdzial", "глава"})
        if (first_word() == word && name.size() > word.size()) {
            drop_first();
            break;
        }
    while (is_number(first_word()) && name.find(' ') != std::string_view::npos) drop_first();
    while (name.find(' ') != std::string_view::npos &&
           (is_number(last_word()) || last_word() == "start" || last_word() == "a" || last_word() == "b"))
        drop_last();
    // «op1», «ed2»: anime.
    if (name.size() == 3 && (name.starts_with("op") || name.starts_with("ed")) && is_number(name.substr(2)))
        name.remove_suffix(1);
    return name;
}

std::string bars(std::string_view name) {
    return "|" + std::string(name) + "|";
}

/// Songs of a series, but also the first or last scene of a film: believed at a song's length only.
constexpr std::string_view songs_or_scenes =
    "|introduction|opening|introduccion|introduzione|introducao|apertura|abertura|einleitung|inleiding|wstep|"
    "wprowadzenie|"
    "вступление|ending|ed|closing|cierre|encerramento|zakonczenie|エンディング|";
constexpr core::Millis longest_song{180'000};

constexpr core::Millis shortest{3000}, longest_head{300'000}, longest_commercial{900'000};

bool is_plausible(const Segment& segment, std::string_view name, core::Millis runtime) {
    const auto length = segment.end - segment.start;
    if (length < shortest) return false;
    if (length > longest_song && songs_or_scenes.find(bars(core_of(fold(name)))) != std::string_view::npos)
        return false;
    switch (segment.kind) {
        case SegmentKind::intro:
        case SegmentKind::recap:
            return length <= longest_head && segment.start < runtime / 2;
        case SegmentKind::preview:
            return length <= longest_head;
        case SegmentKind::outro:
            return segment.start >= runtime / 2;
        case SegmentKind::commercial:
            return length <= longest_commercial;
    }
    return false;
}

}  // namespace

std::optional<SegmentKind> kind_of_chapter(std::string_view name) {
    const std::string folded = fold(name.substr(0, 200));
    const std::string_view core = core_of(folded);
    if (core.empty()) return std::nullopt;
    const std::string wanted = bars(core);
    for (const auto& row : table)
        if (row.names.find(wanted) != std::string_view::npos) return row.kind;
    return std::nullopt;
}

std::vector<Segment> segments_from_chapters(std::span<const NamedChapter> chapters, core::Millis runtime) {
    std::vector<Segment> out;
    for (std::size_t i = 0; i < chapters.size(); ++i) {
        const auto kind = kind_of_chapter(chapters[i].name);
        if (!kind) continue;
        core::Millis end = runtime;
        for (std::size_t later = i + 1; later < chapters.size(); ++later) {
            if (chapters[later].start <= chapters[i].start) continue;
            end = chapters[later].start;
            break;
        }
        const Segment segment{*kind, chapters[i].start, end};
        if (runtime > core::Millis{0} && is_plausible(segment, chapters[i].name, runtime)) out.push_back(segment);
    }
    return out;
}

}  // namespace understudy::library::segments
