// library/naming/entries.h: which names in a folder count, before anything is opened. Called by the walk for each
// entry.
#pragma once

#include <string_view>

#include "model/library.h"

namespace understudy::library::naming {

enum class FileClass : unsigned char {
    none,      ///< no business of this library
    media,     ///< may become (part of) an item
    extra,     ///< trailer, sample, featurette, theme music: an extra of what it belongs to, no film of its own
    nfo,       ///< says what an item is about
    image,     ///< poster, fanart, cover, …
    external,  ///< subtitles or sound for a video beside it
    playlist,
};
/// Files that describe items and are none: never probed, never matched to what moved.
[[nodiscard]] constexpr bool is_sidecar(FileClass file_class) noexcept {
    return file_class >= FileClass::nfo;
}

[[nodiscard]] bool is_video(std::string_view name) noexcept;  ///< by extension, in any case
[[nodiscard]] bool is_audio(std::string_view name) noexcept;
/// Hidden and system names, never looked into below a root: `.x`, `@eaDir`, `lost+found`, `$RECYCLE.BIN`, …
[[nodiscard]] bool is_junk(std::string_view name) noexcept;
/// `extras`, `trailers`, `behind the scenes`, …: folders inside a film's or a show's folder. Not to be asked at a
/// root's top level, where «Shorts» is a person's own sorting.
[[nodiscard]] bool is_extras_folder(std::string_view name) noexcept;
/// `-trailer`, `-sample`, `-featurette`, … at the end of the stem, or a file called just `sample` or `trailer`.
[[nodiscard]] bool is_extra_file(std::string_view stem) noexcept;
/// The folder whose film a disc's folder holds: of `…/A (2001)/BDMV/STREAM` and `…/A (2001)/VIDEO_TS` it is
/// `…/A (2001)`. Empty: no disc's folder.
[[nodiscard]] std::string_view disc_owner(std::string_view folder) noexcept;
/// `VIDEO_TS.VOB`, `VTS_01_0.VOB`: what a DVD shows before the film.
[[nodiscard]] bool is_disc_menu(std::string_view name) noexcept;
[[nodiscard]] bool is_nfo(std::string_view name) noexcept;  ///< by extension, in any case
/// Movies and shows take videos, music takes audio; of their sidecars each takes what can belong to it. In a folder of
/// theme music a sound file is an extra, whatever this says.
[[nodiscard]] FileClass classify(std::string_view name, model::LibraryKind kind) noexcept;

}  // namespace understudy::library::naming
