// tests/http/fake_scaler.h: pictures as far as their headers go, and a scaler that makes such: for tests of who asks it
// for what.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "http/pictures/picture_cache.h"
#include "http/pictures/scaled_pictures.h"
#include "media/image_header.h"
#include "media/image_scaler.h"
#include "store/blobs.h"
#include "support/temp_folder.h"

namespace understudy::testing {

/// The header of a PNG, with `more` behind it.
inline std::string png_header(std::uint32_t width, std::uint32_t height, const std::string& more = {}) {
    std::string bytes("\x89PNG\r\n\x1A\n\0\0\0\rIHDR", 16);
    for (const auto side : {width, height})
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(side >> shift & 0xFFU);
    return bytes + more;
}

/// Makes headers of PNG, which say what was asked for behind them. Safe from any thread.
class FakeScaler final : public media::ImageScaler {
public:
    std::vector<media::ScaleParameters> asked;
    std::optional<core::Error> broken;
    bool holds = false;  ///< who asks waits until let_go()

    core::Result<media::CoverResult> scale(std::string_view image, const media::ScaleParameters& wanted) override {
        std::unique_lock lock(mutex_);
        asked.push_back(wanted);
        most_at_once_ = std::max(most_at_once_, ++at_once_);
        changed_.notify_all();
        changed_.wait(lock, [&] { return !holds; });
        --at_once_;
        if (broken) return tl::unexpected(*broken);
        const auto header =
            media::read_image_header({reinterpret_cast<const std::uint8_t*>(image.data()), image.size()});
        if (!header) return core::fail(core::Errc::unsupported, "no image");
        const auto size = media::scaled_size(static_cast<int>(header->width), static_cast<int>(header->height), wanted);
        media::CoverResult made;
        made.kind = media::ImageKind::png;
        made.width = size.width;
        made.height = size.height;
        made.bytes = png_header(static_cast<std::uint32_t>(size.width), static_cast<std::uint32_t>(size.height),
                                "made of " + std::to_string(image.size()));
        return made;
    }
    void hold() {
        const std::lock_guard lock(mutex_);
        holds = true;
    }
    void let_go() {
        const std::lock_guard lock(mutex_);
        holds = false;
        changed_.notify_all();
    }
    /// Until so many are being made.
    void wait_for(int count) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return at_once_ == count; });
    }
    int most_at_once() {
        const std::lock_guard lock(mutex_);
        return most_at_once_;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int at_once_ = 0, most_at_once_ = 0;
};

/// What makes and keeps pictures, over a folder of its own.
struct PictureWorkshop {
    PictureWorkshop(core::Random& random, core::Clock& clock, core::Log& log)
        : cache({folder.path() / "images"}, random, clock, log), pictures(scaler, cache) {}
    TempFolder folder;
    FakeScaler scaler;
    http::PictureCache cache;
    http::ScaledPictures pictures;
};

/// Keeps blobs under a name that is no hash of them, but as good.
class FakeBlobs final : public store::BlobStore {
public:
    std::map<store::BlobHash, std::string> rows;

    core::Result<store::BlobHash> put(std::string_view bytes) override {
        store::BlobHash hash;
        const auto number = std::hash<std::string_view>{}(bytes);
        for (std::size_t i = 0; i < 8; ++i) hash.bytes[i] = static_cast<std::uint8_t>(number >> (8 * i));
        hash.bytes[31] = 1;
        rows[hash] = bytes;
        return hash;
    }
    core::Result<std::optional<std::string>> get(const store::BlobHash& hash) override {
        const auto at = rows.find(hash);
        return at == rows.end() ? std::optional<std::string>() : std::optional(at->second);
    }
    core::Result<bool> exists(const store::BlobHash& hash) override { return rows.contains(hash); }
    core::Result<store::BlobTotals> totals() override { return store::BlobTotals{}; }
    core::Result<store::CleanStep> remove_unreferenced(const std::string&, store::BlobReferences&,
                                                       core::Millis) override {
        return core::fail(core::Errc::unsupported, "http does not do that");
    }
};

}  // namespace understudy::testing
