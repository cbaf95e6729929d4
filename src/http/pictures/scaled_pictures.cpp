#include "http/pictures/scaled_pictures.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "media/image_header.h"

namespace understudy::http {
namespace {

constexpr std::size_t most_remembered = 10'000;

std::optional<media::ImageHeader> header_of(const std::string& bytes) {
    return media::read_image_header({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

}  // namespace

ScaledPictures::ScaledPictures(media::ImageScaler& scaler, PictureCache& cache, unsigned at_once)
    : scaler_(scaler), cache_(cache), free_(at_once) {}

std::shared_ptr<const ScaledPicture> ScaledPictures::kept(const std::string& key) {
    auto bytes = cache_.get(key);
    if (!bytes) return nullptr;
    const auto header = header_of(*bytes);
    if (!header) return nullptr;
    return std::make_shared<const ScaledPicture>(
        ScaledPicture{std::string(media::mime_type(header->kind)), std::move(*bytes)});
}

class ScaledPictures::Turn {
public:
    explicit Turn(ScaledPictures& of) : of_(of) {
        std::unique_lock lock(of_.mutex_);
        of_.turn_.wait(lock, [&] { return of_.free_ > 0; });
        --of_.free_;
    }
    ~Turn() {
        const std::lock_guard lock(of_.mutex_);
        ++of_.free_;
        of_.turn_.notify_one();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    ScaledPictures& of_;
};

core::Result<media::CoverResult> ScaledPictures::scale(const std::string& original,
                                                       const media::ScaleParameters& parameters) {
    const Turn turn(*this);
    return scaler_.scale(original, parameters);
}

ScaledPictures::Made ScaledPictures::made(const std::string& key, const std::string& tag, const std::string& original,
                                          const media::ScaleParameters& parameters) {
    if (auto meanwhile = kept(key)) return meanwhile;
    auto result = scale(original, parameters);
    if (!result) {
        const auto code = result.error().code;
        const bool its_own_fault = code == core::Errc::corrupt || code == core::Errc::unsupported ||
                                   code == core::Errc::timed_out || code == core::Errc::not_found;
        if (!its_own_fault) return tl::unexpected(std::move(result.error()));
        const std::lock_guard lock(mutex_);
        if (hopeless_.size() >= most_remembered) hopeless_.clear();
        hopeless_.insert(tag);
        return std::shared_ptr<const ScaledPicture>();
    }
    cache_.put(key, result->bytes);
    return std::make_shared<const ScaledPicture>(
        ScaledPicture{std::string(media::mime_type(result->kind)), std::move(result->bytes)});
}

ScaledPictures::Made ScaledPictures::make(const std::string& key, const std::string& tag, const std::string& original,
                                          const media::ScaleParameters& parameters) {
    std::promise<Made> mine;
    std::shared_future<Made> other;
    {
        const std::lock_guard lock(mutex_);
        if (hopeless_.contains(tag)) return std::shared_ptr<const ScaledPicture>();
        const auto at = under_way_.find(key);
        if (at != under_way_.end())
            other = at->second;
        else
            under_way_.emplace(key, mine.get_future().share());
    }
    if (other.valid()) {
        ++joined_;
        return other.get();
    }
    const auto done = [&] {
        const std::lock_guard lock(mutex_);
        under_way_.erase(key);
    };
    try {
        auto result = made(key, tag, original, parameters);
        mine.set_value(result);
        done();
        return result;
    } catch (...) {  // out of memory: whoever waits hears of it by the promise's end
        done();
        throw;
    }
}

}  // namespace understudy::http
