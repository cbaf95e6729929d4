// library/naming/external_streams.h: subtitles and sound in files of their own beside a video. Pure: a directory's
// names in, their roles out; used by the describing phase of a scan.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/media.h"

namespace understudy::library::naming {

struct ExternalStream {
    std::string name;  ///< the file's, bytes as given
    model::StreamKind kind = model::StreamKind::subtitle;
    std::string format;    ///< its extension in lower case: `srt`, `ass`, `mka`
    std::string language;  ///< ISO 639-2/B; empty: not said
    std::string region;    ///< `BR` of `pt-BR`, `Hans` of `zh-Hans`
    bool is_default = false, is_forced = false, is_hearing_impaired = false, is_commentary = false;
    std::string title;  ///< for people: what is left, may be empty
};

/// By extension, in any case; nullopt: neither subtitles nor sound.
[[nodiscard]] std::optional<model::StreamKind> external_kind(std::string_view name) noexcept;

/// `stem`: the video's; `others`: stems of the videos beside it (a name belongs to the longest stem it begins with);
/// `only_video`: a name that fits no stem is this one's too, as in a film's `Subs` folder.
[[nodiscard]] std::vector<ExternalStream> external_streams(std::string_view stem,
                                                           std::span<const std::string_view> others,
                                                           std::span<const std::string_view> names, bool only_video);
/// `Subs`, `Subtitles`, `Sub`, `VobSubs`: a folder beside a film that holds its subtitles.
[[nodiscard]] bool is_subtitles_folder(std::string_view name) noexcept;

/// What stands between the video's stem and the extension: `.de.forced`, `.pt-BR.default`, `2_English`.
void read_stream_words(std::string_view words, ExternalStream& into);

}  // namespace understudy::library::naming
