#include "library/playlists/playlist.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "core/text.h"
#include "library/naming/text.h"
#include "library/nfo/xml.h"

namespace understudy::library::playlists {
namespace {

constexpr std::size_t longest_path = 4096;  // bytes: PATH_MAX

int hex_value(char c) noexcept {
    if (naming::is_digit(c)) return c - '0';
    const char small = naming::lower(c);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0) {
            bytes += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
            i += 2;
        } else {
            bytes += text[i];
        }
    }
    return bytes;
}

// `http:`, `file:`; not `C:`.
std::string_view scheme_of(std::string_view text) noexcept {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos || colon < 2) return {};
    const auto scheme = text.substr(0, colon);
    const bool plain = std::ranges::all_of(scheme, [](char c) {
        return naming::is_digit(c) || (naming::lower(c) >= 'a' && naming::lower(c) <= 'z') || c == '+';
    });
    return plain && text.substr(colon + 1).starts_with("//") ? scheme : std::string_view{};
}

// Where an entry points; `uri`: percent signs are escapes (XSPF), in other files only behind `file:`.
void resolve(Entry& entry, std::string_view written, std::string_view folder, bool uri) {
    entry.written = naming::display_text(written.substr(0, longest_path));
    std::string path(written);
    const auto scheme = scheme_of(written);
    if (core::equals_ignoring_case(scheme, "file") || naming::starts_with_ignoring_case(written, "file:/")) {
        auto rest = written.substr(5);
        if (rest.starts_with("//")) {
            rest.remove_prefix(2);
            const auto slash = rest.find('/');
            const auto host = rest.substr(0, slash);
            if (slash == std::string_view::npos || !(host.empty() || core::equals_ignoring_case(host, "localhost"))) {
                entry.fault = "not a file of this machine";
                return;
            }
            rest.remove_prefix(slash);
        }
        path = percent_decoded(rest);
    } else if (!scheme.empty()) {
        entry.fault = "not a local file";
        return;
    } else if (uri) {
        path = percent_decoded(written);
    }
    const bool drive =
        path.size() >= 3 && naming::is_letter(path[0]) && path[1] == ':' && (path[2] == '\\' || path[2] == '/');
    if (drive || path.starts_with("\\\\")) {
        entry.fault = "a path of another system";
        return;
    }
    // Written on Windows: `Music\Song.mp3`. A name that really holds a backslash holds no slash less for it.
    if (path.find('/') == std::string::npos) std::ranges::replace(path, '\\', '/');
    if (path.empty() || path.find('\0') != std::string::npos || path.size() > longest_path) {
        entry.fault = path.empty() ? "empty" : "no possible path";
        return;
    }
    entry.path = normalize(path.front() == '/' ? path : std::string(folder) + "/" + path);
}

core::Millis seconds(std::string_view text) {
    text = core::trim(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    constexpr double most = 10'000'000;
    return error == std::errc{} && end != text.data() && value > 0 && value < most
               ? core::Millis{static_cast<std::int64_t>(value * 1000)}
               : core::Millis{};
}

bool add(Playlist& playlist, Entry&& entry) {
    if (playlist.entries.size() >= most_entries) {
        playlist.fault = "more than " + std::to_string(most_entries) + " entries: the rest was left out";
        return false;
    }
    playlist.entries.push_back(std::move(entry));
    return true;
}

// Paths keep their bytes (a Latin-1 list names Latin-1 files); what people read becomes UTF-8.
std::string people_text(std::string_view bytes) {
    return naming::display_text(core::trim(nfo::decode_text(bytes.substr(0, longest_path))));
}

class Lines {
public:
    explicit Lines(std::string_view text) : rest_(text) {}
    std::optional<std::string_view> next() {
        if (rest_.empty()) return std::nullopt;
        const auto end = rest_.find_first_of("\r\n");
        const auto line = rest_.substr(0, end);
        rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
        return line;
    }

private:
    std::string_view rest_;
};

void parse_m3u(std::string_view text, std::string_view folder, Playlist& playlist) {
    Lines lines(text);
    Entry next;
    while (const auto whole = lines.next()) {
        const auto line = core::trim(*whole);
        if (line.empty()) continue;
        if (line.front() != '#') {
            resolve(next, line, folder, false);
            if (!add(playlist, std::move(next))) return;
            next = {};
            continue;
        }
        constexpr std::string_view info = "#EXTINF:", name = "#PLAYLIST:";
        if (naming::starts_with_ignoring_case(line, info)) {  // #EXTINF:123 logo="…",Artist - Title
            const auto rest = line.substr(info.size());
            const auto comma = rest.find(',');
            next.duration = seconds(rest.substr(0, rest.find_first_of(", ")));
            if (comma != std::string_view::npos) next.title = people_text(rest.substr(comma + 1));
        } else if (naming::starts_with_ignoring_case(line, name)) {
            playlist.title = people_text(line.substr(name.size()));
        }
    }
}

void parse_pls(std::string_view text, std::string_view folder, Playlist& playlist) {
    std::map<int, Entry> numbered;  // File2 may come before File1
    Lines lines(text);
    while (const auto whole = lines.next()) {
        const auto equals = whole->find('=');
        if (equals == std::string_view::npos) continue;
        const auto key = core::trim(whole->substr(0, equals));
        const auto value = core::trim(whole->substr(equals + 1));
        for (const std::string_view word : {"File", "Title", "Length"}) {
            if (!naming::starts_with_ignoring_case(key, word)) continue;
            const int number = naming::number_of(key.substr(word.size()));
            if (number < 0 || (numbered.size() >= most_entries && !numbered.contains(number))) continue;
            auto& entry = numbered[number];
            if (word == "File") resolve(entry, value, folder, false);
            if (word == "Title") entry.title = people_text(value);
            if (word == "Length") entry.duration = seconds(value);
        }
        if (core::equals_ignoring_case(key, "X-GNOME-Title")) playlist.title = people_text(value);
    }
    for (auto& [number, entry] : numbered) {
        if (entry.written.empty() && entry.path.empty()) continue;  // a title without a file
        if (!add(playlist, std::move(entry))) return;
    }
}

void parse_xspf(std::string_view bytes, std::string_view folder, Playlist& playlist) {
    const auto text = nfo::replace_html_entities(nfo::decode_text(bytes));
    const nfo::Document document(text);
    playlist.fault = document.fault();
    auto root = document.first();
    while (root && !core::equals_ignoring_case(root.name(), "playlist")) root = root.next();
    playlist.title = root.child("title").line();
    const auto tracks = root.child("trackList");
    for (auto track = tracks.first_child(); track; track = track.next()) {
        if (!core::equals_ignoring_case(track.name(), "track")) continue;
        Entry entry;
        const auto creator = track.child("creator").line();
        entry.title = track.child("title").line();
        if (!creator.empty() && !entry.title.empty()) entry.title = creator + " - " + entry.title;
        entry.duration = core::Millis{std::max(0, naming::number_of(track.child("duration").line()))};
        resolve(entry, track.child("location").line(), folder, true);
        if (!add(playlist, std::move(entry))) return;
    }
}

class Loader {
public:
    Loader(const Files& files, Playlist& into) : files_(files), into_(into) {}

    // False: full.
    bool include(const std::string& file, Playlist&& playlist) {
        reading_.push_back(file);
        bool room = true;
        for (auto& entry : playlist.entries) {
            room = take(std::move(entry));
            if (!room) break;
        }
        reading_.pop_back();
        return room;
    }

private:
    bool take(Entry&& entry) {
        const auto format = entry.fault.empty() ? format_of(naming::name_of(entry.path)) : std::nullopt;
        if (!format) {
            if (entry.fault.empty() && !files_.exists(entry.path)) entry.fault = "missing";
            return add(into_, std::move(entry));
        }
        if (std::ranges::find(reading_, entry.path) != reading_.end()) {
            entry.fault = "includes itself";
        } else if (reading_.size() >= deepest) {
            entry.fault = "more than " + std::to_string(deepest) + " playlists within each other";
        } else if (++read_ > most_files_) {
            entry.fault = "includes too many playlists";
        } else if (auto bytes = files_.read(entry.path); !bytes) {
            entry.fault = bytes.error().code == core::Errc::not_found ? "missing" : bytes.error().context;
        } else {
            return include(entry.path, parse(*bytes, *format, entry.path));
        }
        return add(into_, std::move(entry));
    }

    static constexpr std::size_t most_files_ = 1000;  // two lists that name each other twice double with every level
    const Files& files_;
    Playlist& into_;
    std::vector<std::string> reading_;
    std::size_t read_ = 0;
};

}  // namespace

std::optional<Format> format_of(std::string_view name) noexcept {
    if (naming::ends_with_ignoring_case(name, ".m3u") || naming::ends_with_ignoring_case(name, ".m3u8"))
        return Format::m3u;
    if (naming::ends_with_ignoring_case(name, ".pls")) return Format::pls;
    if (naming::ends_with_ignoring_case(name, ".xspf")) return Format::xspf;
    return std::nullopt;
}

std::string normalize(std::string_view path) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= path.size();) {
        const auto end = std::min(path.find('/', at), path.size());
        const auto part = path.substr(at, end - at);
        at = end + 1;
        if (part.empty() || part == ".") continue;
        if (part == "..") {
            if (!parts.empty()) parts.pop_back();
        } else {
            parts.push_back(part);
        }
    }
    std::string result;
    for (const auto part : parts) {
        result += '/';
        result += part;
    }
    return result.empty() ? "/" : result;
}

Playlist parse(std::string_view bytes, Format format, std::string_view file) {
    Playlist playlist;
    const bool cut = bytes.size() > longest_file;
    bytes = bytes.substr(0, longest_file);
    const auto folder = naming::parent_of(file);
    // A list in UTF-16 is turned into UTF-8; any other keeps its bytes, because file names are bytes.
    std::string converted;
    if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
        converted = nfo::decode_text(bytes);
        bytes = converted;
    }
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    switch (format) {
        case Format::m3u:
            parse_m3u(bytes, folder, playlist);
            break;
        case Format::pls:
            parse_pls(bytes, folder, playlist);
            break;
        case Format::xspf:
            parse_xspf(bytes, folder, playlist);
            break;
    }
    if (cut) playlist.fault = "longer than 4 MiB: the rest was left out";
    return playlist;
}

core::Result<Playlist> load(const std::string& file, const Files& files) {
    const auto format = format_of(naming::name_of(file));
    if (!format)
        return core::fail(core::Errc::unsupported, "not a playlist by its name: " + naming::display_text(file));
    const auto bytes = files.read(file);
    if (!bytes) return tl::unexpected(bytes.error());
    auto own = parse(*bytes, *format, normalize(file));
    Playlist whole;
    whole.title = own.title;
    whole.fault = own.fault;
    Loader loader(files, whole);
    (void)loader.include(normalize(file), std::move(own));
    return whole;
}

}  // namespace understudy::library::playlists
