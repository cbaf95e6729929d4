// fuzz/library/playlists_fuzz.cpp: any bytes as playlists that name each other. First byte: the format of the first.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "library/naming/text.h"
#include "library/playlists/playlist.h"

namespace {

using namespace understudy;
using namespace understudy::library::playlists;

void require(bool holds) {
    if (!holds) std::abort();
}

/// Every name is a file; every playlist but those with «gone» in their name holds the same bytes.
class Everywhere final : public Files {
public:
    explicit Everywhere(std::string_view bytes) : bytes_(bytes) {}
    core::Result<std::string> read(const std::string& path) const override {
        if (path.find("gone") != std::string::npos) return core::fail(core::Errc::not_found, "gone");
        return std::string(bytes_);
    }
    bool exists(const std::string& path) const override { return path.find("gone") == std::string::npos; }

private:
    std::string_view bytes_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    static constexpr std::array names{"/m/a.m3u", "/m/a.pls", "/m/a.xspf", "/m/x/a.m3u8"};
    const std::string file = names[data[0] % names.size()];
    const Everywhere files(bytes);
    const auto list = load(file, files);
    require(list.has_value());
    require(list->entries.size() <= most_entries);
    for (const auto& entry : list->entries) {
        require(!entry.path.empty() || !entry.fault.empty());
        require(entry.path.empty() || (entry.path.front() == '/' && normalize(entry.path) == entry.path));
        require(library::naming::display_text(entry.title) == entry.title);
        require(library::naming::display_text(entry.written) == entry.written);
        require(entry.duration >= core::Millis{});
    }
    return 0;
}
