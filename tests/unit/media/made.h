// tests/unit/media/made.h: small media made by ffmpeg for one test, and looks at pictures through ffmpeg's eyes.
#pragma once

#include <fcntl.h>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "media/byte_source.h"
#include "media/ffmpeg/input.h"
#include "media/unique_fd.h"
#include "support/media_files.h"

namespace understudy::media {

/// A file as our jobs see it, in this process.
class OpenFile {
public:
    explicit OpenFile(const std::filesystem::path& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        static const bool prepared = (prepare_libav(), true);
        static_cast<void>(prepared);
        bytes_.open(fd_.get(), static_cast<std::int64_t>(std::filesystem::file_size(path)));
    }
    [[nodiscard]] ByteSource& bytes() { return bytes_; }

private:
    UniqueFd fd_;
    ByteSource bytes_;
};

/// Runs `ffmpeg ARGUMENTS NAME` in the folder; returns the file's path.
inline std::filesystem::path make(const test::TempFolder& folder, const std::string& arguments,
                                  const std::string& name) {
    static_cast<void>(test::output_of({"/bin/sh", "-c",
                                       "cd '" + folder.path().string() + "' && exec ffmpeg -nostdin -v error -y " +
                                           arguments + " -threads 1 " + name}));
    return folder.path() / name;
}

struct Rgb {
    int r = 0, g = 0, b = 0;
};
/// Mean colour of a part of a picture, given as ffmpeg's crop (`iw/2:ih:0:0`).
inline Rgb mean_colour(std::string_view picture, const std::string& crop = "iw:ih:0:0") {
    const test::TempFolder folder;
    const auto file = folder.write("picture", picture);
    const std::string pixel = test::output_of({"ffmpeg", "-nostdin", "-v", "error", "-i", file.string(), "-vf",
                                               "format=gbrp,crop=" + crop + ",scale=1:1:flags=area", "-f", "rawvideo",
                                               "-pix_fmt", "rgb24", "-"});
    if (pixel.size() != 3) return {-1, -1, -1};
    const auto channel = [&](std::size_t i) { return static_cast<int>(static_cast<unsigned char>(pixel[i])); };
    return {channel(0), channel(1), channel(2)};
}

}  // namespace understudy::media
