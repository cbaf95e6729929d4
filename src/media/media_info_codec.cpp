#include "media/media_info_codec.h"

#include <concepts>
#include <cstdint>
#include <cstring>
#include <map>
#include <type_traits>
#include <vector>

#include "media/text.h"

namespace understudy::media {

namespace {

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Encoder {
public:
    explicit Encoder(std::string& out) : out_(out) {}
    template <Plain T>
    void operator()(const T& value) {
        out_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void operator()(const std::string& text) {
        (*this)(static_cast<std::uint32_t>(text.size()));
        out_ += text;
    }
    void operator()(const core::Millis& time) { (*this)(static_cast<std::int64_t>(time.count())); }
    template <class T>
    void list(const std::vector<T>& items, std::size_t) {
        (*this)(static_cast<std::uint32_t>(items.size()));
        for (const auto& item : items) each(*this, item);
    }
    void operator()(const std::map<std::string, std::string>& map) {
        (*this)(static_cast<std::uint32_t>(map.size()));
        for (const auto& [key, value] : map) {
            (*this)(key);
            (*this)(value);
        }
    }

private:
    std::string& out_;
};

class Decoder {
public:
    explicit Decoder(std::string_view in) : in_(in) {}
    [[nodiscard]] bool whole() const { return good_ && in_.empty(); }

    template <Plain T>
    void operator()(T& value) {
        if (!take(sizeof value)) return;
        if constexpr (std::is_same_v<T, bool>) {
            value = *at_ != 0;
        } else {
            std::memcpy(&value, at_, sizeof value);
        }
        if constexpr (std::is_same_v<T, model::StreamKind>)
            if (static_cast<std::uint32_t>(value) > static_cast<std::uint32_t>(model::StreamKind::data)) good_ = false;
    }
    void operator()(std::string& text) {
        std::uint32_t length = 0;
        (*this)(length);
        if (length > max_text_bytes + 4 || !take(length)) {
            good_ = false;
            return;
        }
        text = clean_text({at_, length});
    }
    void operator()(core::Millis& time) {
        std::int64_t count = 0;
        (*this)(count);
        time = core::Millis{count};
    }
    template <class T>
    void list(std::vector<T>& items, std::size_t most) {
        const auto count = size(most);
        items.resize(count);
        for (auto& item : items) {
            if (!good_) return;
            each(*this, item);
        }
    }
    void operator()(std::map<std::string, std::string>& map) {
        const auto count = size(256);
        for (std::uint32_t i = 0; i < count && good_; ++i) {
            std::string key, value;
            (*this)(key);
            (*this)(value);
            map.emplace(std::move(key), std::move(value));
        }
    }

private:
    std::uint32_t size(std::size_t most) {
        std::uint32_t count = 0;
        (*this)(count);
        if (count > most) good_ = false;
        return good_ ? count : 0;
    }
    bool take(std::size_t length) {
        if (!good_ || in_.size() < length) {
            good_ = false;
            return false;
        }
        at_ = in_.data();
        in_.remove_prefix(length);
        return true;
    }

    std::string_view in_;
    const char* at_ = nullptr;
    bool good_ = true;
};

// One list of fields for both directions, so that they cannot drift apart. `T` is const for the Encoder.

template <class Codec, class T>
void stream_fields(Codec& c, T& s) {
    c(s.kind), c(s.index), c(s.codec), c(s.profile), c(s.level), c(s.bitrate_bps), c(s.language), c(s.title);
    c(s.width), c(s.height), c(s.frame_rate), c(s.hdr), c(s.bit_depth), c(s.pixel_format);
    c(s.channels), c(s.channel_layout), c(s.sample_rate_hz);
    c(s.is_default), c(s.is_forced), c(s.is_attached_picture), c(s.is_hearing_impaired);
}

template <class Codec, class T>
void each(Codec& c, T& item) {
    using Item = std::remove_const_t<T>;
    if constexpr (std::is_same_v<Item, std::string>) {
        c(item);
    } else if constexpr (std::is_same_v<Item, model::Chapter>) {
        c(item.start), c(item.name);
    } else {
        stream_fields(c, item);
    }
}

template <class Codec, class T>
void tag_fields(Codec& c, T& t) {
    c(t.title), c(t.album), c(t.date), c(t.comment);
    c.list(t.artists, 256), c.list(t.album_artists, 256), c.list(t.composers, 256), c.list(t.genres, 256);
    c(t.track), c(t.track_total), c(t.disc), c(t.disc_total), c(t.year), c(t.compilation), c(t.ids), c(t.gains);
}

template <class Codec, class T>
void info_fields(Codec& c, T& i) {
    c(i.container), c(i.duration), c(i.bitrate_bps), c.list(i.streams, 1000), c.list(i.chapters, 10'000);
    tag_fields(c, i.tags);
    c(i.has_embedded_picture), c(i.content_sample);
}

}  // namespace

std::string encode_media_info(const model::MediaInfo& info) {
    std::string out;
    Encoder encode(out);
    info_fields(encode, info);
    return out;
}

core::Result<model::MediaInfo> decode_media_info(std::string_view payload) {
    model::MediaInfo info;
    Decoder decode(payload);
    if (payload.size() <= max_media_info_bytes) info_fields(decode, info);
    if (!decode.whole()) return core::fail(core::Errc::corrupt, "its parser answered nonsense");
    return info;
}

}  // namespace understudy::media
