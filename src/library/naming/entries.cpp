#include "library/naming/entries.h"

#include <algorithm>
#include <array>
#include <span>

#include "library/naming/external_streams.h"
#include "library/naming/extras.h"
#include "library/naming/images.h"
#include "library/naming/text.h"

namespace understudy::library::naming {
namespace {

constexpr std::array video_extensions = std::to_array<std::string_view>(
    {"mkv",  "mp4", "avi", "m4v",    "mov", "ts",  "m2ts", "mts", "wmv",  "webm", "mpg", "mpeg",
     "m2v",  "flv", "vob", "ogv",    "ogm", "3gp", "3g2",  "asf", "divx", "f4v",  "rm",  "rmvb",
     "mk3d", "tp",  "trp", "dvr-ms", "wtv", "mxf", "nut",  "m1v", "mpv",  "qt",   "xvid"});
constexpr std::array audio_extensions = std::to_array<std::string_view>(
    {"mp3", "flac", "ogg", "oga", "opus", "m4a", "m4b", "aac", "wav", "wma", "aiff", "aif", "ape", "alac", "wv",
     "mka", "mpc",  "mp+", "dsf", "dff",  "ac3", "dts", "tta", "spx", "mp2", "amr",  "tak", "ofr", "weba", "caf"});
constexpr std::array junk_names = std::to_array<std::string_view>(
    {"lost+found", "@eadir", "@recycle", "@recently-snapshot", "#recycle", "#snapshot", "$recycle.bin",
     "system volume information", "recycler", "found.000", "__macosx", "thumbs.db", "desktop.ini", "ehthumbs.db"});
constexpr std::array playlist_extensions = std::to_array<std::string_view>({"m3u", "m3u8", "pls", "xspf"});

bool has(std::span<const std::string_view> names, std::string_view name) noexcept {
    return std::ranges::any_of(names, [&](std::string_view known) { return equal_ignoring_case(known, name); });
}

std::string_view extension(std::string_view name) noexcept {
    const auto dot = name.rfind('.');
    return dot == std::string_view::npos || dot == 0 ? std::string_view{} : name.substr(dot + 1);
}

}  // namespace

bool is_video(std::string_view name) noexcept {
    return has(video_extensions, extension(name));
}
bool is_audio(std::string_view name) noexcept {
    return has(audio_extensions, extension(name));
}

bool is_junk(std::string_view name) noexcept {
    return name.starts_with('.') || has(junk_names, name);
}

bool is_extras_folder(std::string_view name) noexcept {
    return extra_of_folder(name).has_value();
}

bool is_extra_file(std::string_view stem) noexcept {
    // A video called «theme» may be anything; theme music is a sound file.
    const auto extra = extra_of_stem(stem);
    return extra && extra->kind != ExtraKind::theme_song;
}

bool is_disc_menu(std::string_view name) noexcept {
    if (equal_ignoring_case(name, "VIDEO_TS.VOB")) return true;
    return name.size() == 12 && starts_with_ignoring_case(name, "VTS_") && ends_with_ignoring_case(name, "_0.VOB");
}

std::string_view disc_owner(std::string_view folder) noexcept {
    const auto above = parent_of(folder);
    if (equal_ignoring_case(name_of(folder), "VIDEO_TS")) return above;
    const bool stream = equal_ignoring_case(name_of(folder), "STREAM") && equal_ignoring_case(name_of(above), "BDMV");
    return stream ? parent_of(above) : std::string_view{};
}

bool is_nfo(std::string_view name) noexcept {
    return equal_ignoring_case(extension(name), "nfo");
}

FileClass classify(std::string_view name, model::LibraryKind kind) noexcept {
    const bool music = kind == model::LibraryKind::music;
    if (music ? is_audio(name) : is_video(name)) {
        const bool extra = !music && (is_extra_file(stem_of(name)) || is_disc_menu(name));
        return extra ? FileClass::extra : FileClass::media;
    }
    if (is_image(name)) return FileClass::image;
    if (is_nfo(name)) return FileClass::nfo;
    if (has(playlist_extensions, extension(name))) return FileClass::playlist;
    if (music) return FileClass::none;
    if (is_audio(name)) {
        const auto extra = extra_of_stem(stem_of(name));
        if (extra && extra->kind == ExtraKind::theme_song) return FileClass::extra;
    }
    return external_kind(name) ? FileClass::external : FileClass::none;
}

}  // namespace understudy::library::naming
