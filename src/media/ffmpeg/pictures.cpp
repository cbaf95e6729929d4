#include "media/ffmpeg/pictures.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/frame.h>
}

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <span>
#include <string>

#include "media/ffmpeg/picture_maker.h"
#include "media/ffmpeg/stream_decoder.h"

namespace understudy::media {

namespace {

using std::chrono::microseconds;

/// Containers round: Matroska to the millisecond, and the chapter's time as well.
constexpr std::int64_t rounding_us = 1'000;
/// A keyframe this little after the time is the chapter's own, whose time was rounded to a picture before it.
constexpr std::int64_t keyframe_slack_us = 42'000;
/// Without an index a seek lands anywhere: so long before the time we try to start, doubling up to the second.
constexpr std::int64_t first_margin_us = 2'000'000, last_margin_us = 32'000'000;
/// H.264 and HEVC keep at most 16 pictures back: of so many packets shown at or after a time one is the first of all.
constexpr std::size_t most_reordered = 16;
/// To look for it costs memory; where packets are larger than any film's, it is left.
constexpr std::int64_t most_ahead_bytes = std::int64_t{16} * 1024 * 1024;
/// What pictures without deblocking differ by builds up from one to the next: so many behind a keyframe may do without.
constexpr std::int64_t most_rough = 120;
/// A lone keyframe that gave nothing (a field, a slow start) gets that much company.
constexpr std::int64_t company = 64;

std::string clock_text(microseconds time) {
    char text[48];
    std::snprintf(text, sizeof text, "%.3f s", static_cast<double>(time.count()) / 1e6);
    return text;
}

/// True where pictures that no other refers to can be told and left out, so that what comes after is the same to the
/// bit. HEVC says it for one temporal layer only (ISO 14496-15: numTemporalLayers in hvcC).
bool can_skip(const AVCodecParameters& p) {
    switch (p.codec_id) {
        case AV_CODEC_ID_H264:
        case AV_CODEC_ID_MPEG1VIDEO:
        case AV_CODEC_ID_MPEG2VIDEO:
            return true;
        case AV_CODEC_ID_HEVC:
            return p.extradata_size > 22 && p.extradata[0] == 1 && ((p.extradata[21] >> 3) & 7) == 1;
        default:
            return false;
    }
}

/// True where H.264's deblocking can be left out near a keyframe: an eighth of the time. What it smooths is then
/// averaged away (docs/performance.md has the decibels).
bool can_leave_blocks(const AVCodecParameters& p, int max_width) {
    return p.codec_id == AV_CODEC_ID_H264 && p.width >= p.height && p.width >= 3 * max_width;
}

/// Profile 5 has no base layer that other screens could show: its numbers are IPT, and come out green and violet.
bool is_dolby_vision_alone(const AVStream& stream) {
    std::size_t size = 0;
    const auto* data = av_stream_get_side_data(&stream, AV_PKT_DATA_DOVI_CONF, &size);
    return size >= sizeof(AVDOVIDecoderConfigurationRecord) &&
           reinterpret_cast<const AVDOVIDecoderConfigurationRecord*>(data)->dv_profile == 5;
}

class Pass {
public:
    Pass(StreamDecoder& decoder, const PicturesParameters& parameters, FramePtr current, PacketPtr key,
         PacketPtr second)
        : decoder_(decoder),
          parameters_(parameters),
          current_(std::move(current)),
          key_(std::move(key)),
          second_(std::move(second)),
          skips_(can_skip(*decoder.stream().codecpar)),
          alone_(skips_ && decoder.stream().codecpar->field_order <= AV_FIELD_PROGRESSIVE),
          may_be_rough_(can_leave_blocks(*decoder.stream().codecpar, parameters.max_width)) {}

    /// `next`: the time that will be asked for after this one.
    Picture take(microseconds time, std::optional<microseconds> next) {
        // At the very end is the last picture: a chapter's first seconds may be longer than the film.
        if (decoder_.duration_us() > 0 && time.count() > decoder_.duration_us() + rounding_us)
            return none("beyond the end of the video (" + clock_text(time) + " of " +
                        clock_text(microseconds{decoder_.duration_us()}) + ")");
        const bool found = parameters_.choice == PictureChoice::exact ? to_exact(time, next) : to_keyframe(time);
        if (decoder_.fault() != 0) return none("a read failed");
        if (!found) return none("no picture could be decoded at " + clock_text(time));
        return coded();
    }
    [[nodiscard]] bool had_any() const noexcept { return had_any_; }

private:
    static Picture none(std::string reason) {
        Picture picture;
        picture.reason = std::move(reason);
        return picture;
    }

    void keep(AVFrame* frame) {
        av_frame_unref(current_.get());
        av_frame_move_ref(current_.get(), frame);
        coded_.reset();
        had_any_ = true;
    }
    [[nodiscard]] bool has_current() const { return current_->width > 0; }
    [[nodiscard]] std::int64_t shown() const { return current_->best_effort_timestamp; }

    static std::int64_t time_of(const AVPacket& packet) {
        return packet.pts != AV_NOPTS_VALUE ? packet.pts : packet.dts;
    }

    /// Leaves out what comes before the next keyframe. The time of that keyframe; nullopt: none came.
    std::optional<std::int64_t> to_next_key() {
        while (const AVPacket* packet = decoder_.peek()) {
            if ((packet->flags & AV_PKT_FLAG_KEY) != 0) return time_of(*packet);
            decoder_.drop();
        }
        return std::nullopt;
    }

    /// To a keyframe at or before `pts`: the last one where the container has an index. False: it cannot seek.
    bool go(std::int64_t pts) {
        const bool indexed = decoder_.keyframe_before(pts).has_value();
        const std::int64_t us = decoder_.from_stream(pts);
        for (std::int64_t margin = indexed ? 0 : first_margin_us;; margin = std::max(2 * margin, first_margin_us)) {
            const bool whole = us - margin <= 0;
            // Before the first time stamp of all: a search by time then begins with the file.
            if (!decoder_.seek(decoder_.to_stream(whole ? (indexed ? 0 : -last_margin_us) : us - margin))) return false;
            const auto key = to_next_key();
            // Indexes are in decoding time here and there: the keyframe may be shown after `pts`.
            if ((key && *key <= pts) || whole || margin >= last_margin_us) return true;
        }
    }

    /// Whether to jump rather than decode on: the next keyframe towards `pts` lies beyond what is read next.
    bool pays(std::int64_t pts) {
        const AVPacket* next = decoder_.peek();
        if (next == nullptr) return false;
        const std::int64_t position = std::max(time_of(*next), next->dts);
        if (position == AV_NOPTS_VALUE) return true;
        if (const auto key = decoder_.keyframe_before(pts)) return *key > position;
        return decoder_.from_stream(pts) - decoder_.from_stream(position) > 2 * first_margin_us;
    }

    /// The first frame at or after the time; at the end of the video its last.
    bool to_exact(microseconds time, std::optional<microseconds> next) {
        const std::int64_t wanted = decoder_.to_stream(time.count() - rounding_us);
        if (has_current() && shown() != AV_NOPTS_VALUE && shown() >= wanted) return true;
        bool alone = false;
        if (!begun_) begin(wanted);
        if (spent_ || pays(wanted) || (rough() && !near_enough(wanted))) {
            if (restart(wanted)) {
                alone = alone_ && leaves(wanted, next);
            } else if (spent_) {
                return false;
            } else {
                decoder_.codec().skip_loop_filter = AVDISCARD_DEFAULT;  // there is no going back to a nearer keyframe
            }
        }
        if (decode_to(wanted, alone)) return true;
        if (!spent_) return has_current();
        // Broken or of fields: what comes behind is needed.
        alone_ = false;
        if (!restart(wanted)) return false;
        static_cast<void>(decode_to(wanted, false));
        return has_current();
    }

    bool restart(std::int64_t wanted) {
        if (!go(wanted)) return false;
        av_frame_unref(current_.get());
        spent_ = false;
        begin(wanted);
        return true;
    }

    /// Decoding towards `wanted` begins with what is read next.
    void begin(std::int64_t wanted) {
        const AVPacket* first = decoder_.peek();
        begun_ = first != nullptr ? time_of(*first) : AV_NOPTS_VALUE;
        decoder_.codec().skip_loop_filter = may_be_rough_ && near_enough(wanted) ? AVDISCARD_NONKEY : AVDISCARD_DEFAULT;
    }
    [[nodiscard]] bool rough() const { return decoder_.codec().skip_loop_filter == AVDISCARD_NONKEY; }
    /// Whether so few pictures lie between where decoding began and `wanted` that these may do without deblocking.
    [[nodiscard]] bool near_enough(std::int64_t wanted) const {
        const AVRational rate = decoder_.stream().avg_frame_rate;
        if (!begun_ || *begun_ == AV_NOPTS_VALUE || rate.num <= 0 || rate.den <= 0) return false;
        const std::int64_t us = decoder_.from_stream(wanted) - decoder_.from_stream(*begun_);
        return av_rescale(us, rate.num, std::int64_t{rate.den} * 1'000'000) <= most_rough;
    }

    /// Whether the picture after the one at `wanted` will be reached by a jump: no decoder need be kept for it.
    bool leaves(std::int64_t wanted, std::optional<microseconds> next) const {
        if (!next) return true;
        const std::int64_t pts = decoder_.to_stream(next->count() - rounding_us);
        if (const auto key = decoder_.keyframe_before(pts)) return *key > wanted;
        return decoder_.from_stream(pts) - decoder_.from_stream(wanted) > 2 * first_margin_us;
    }

    /// Decodes from here to the first frame at or after `wanted`. `alone`: where that frame's packet can be told
    /// nothing behind it is decoded, and the decoder is spent; false then also means that it gave no whole picture.
    bool decode_to(std::int64_t wanted, bool alone) {
        std::optional<std::int64_t> target;
        while (AVFrame* frame = decoder_.next([&](const AVPacket& packet) {
            const bool due = packet.pts == AV_NOPTS_VALUE || packet.pts >= wanted;
            if (alone && due) {
                target = first_from(wanted);
                alone = false;
            }
            // Nobody sees it and no other picture needs it.
            const bool needless = skips_ && (target ? packet.pts != *target : !due);
            decoder_.codec().skip_frame = needless ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
            if (target && packet.pts == *target) {
                decoder_.finish_here();
                spent_ = true;
            }
        })) {
            keep(frame);
            if (target && shown() >= wanted) return shown() == *target && current_->interlaced_frame == 0;
            if (shown() == AV_NOPTS_VALUE || shown() >= wanted) return true;
        }
        return false;
    }

    /// The least time at or after `wanted` of the packets from here on, which cannot be known from the first such
    /// packet: pictures come in another order than they are shown in. nullopt: times are missing, or it would cost too
    /// much.
    std::optional<std::int64_t> first_from(std::int64_t wanted) {
        std::optional<std::int64_t> least;
        std::int64_t bytes = 0;
        for (std::size_t i = 0, due = 0; due <= most_reordered; ++i) {
            const AVPacket* packet = decoder_.peek(i);
            if (packet == nullptr) break;
            bytes += packet->size;
            if (packet->pts == AV_NOPTS_VALUE || bytes > most_ahead_bytes) return std::nullopt;
            if (packet->pts < wanted) continue;
            ++due;
            if (!least || packet->pts < *least) least = packet->pts;
        }
        return least;
    }

    bool to_keyframe(microseconds time) {
        const std::int64_t wanted = decoder_.to_stream(time.count() + keyframe_slack_us);
        if (!go(wanted)) return to_exact(time, std::nullopt);
        if (!collect_key(wanted)) return false;
        if (has_current() && time_of(*key_) == taken_key_) return true;
        taken_key_ = time_of(*key_);
        decoder_.codec().skip_frame = AVDISCARD_DEFAULT;
        // Each field of an interlaced picture may be a packet.
        const bool fields = decoder_.stream().codecpar->field_order > AV_FIELD_PROGRESSIVE && second_->size > 0;
        const std::array<const AVPacket*, 2> packets{key_.get(), second_.get()};
        AVFrame* frame = decoder_.decode_alone(std::span(packets).first(fields ? 2 : 1));
        if (frame == nullptr && go(wanted)) {
            const std::int64_t limit = decoder_.packets() + company;
            frame = decoder_.next([](const AVPacket&) {}, limit);
        }
        if (frame == nullptr) return false;
        keep(frame);
        return true;
    }

    /// The last keyframe not after `wanted`, from here on, and what follows it. With an index we are at it; without one
    /// the landing was early.
    bool collect_key(std::int64_t wanted) {
        const bool indexed = decoder_.keyframe_before(wanted).has_value();
        av_packet_unref(key_.get());
        av_packet_unref(second_.get());
        while (const AVPacket* packet = decoder_.peek()) {
            const bool is_key = (packet->flags & AV_PKT_FLAG_KEY) != 0;
            const bool have = key_->size > 0;
            if (have && packet->dts != AV_NOPTS_VALUE && packet->dts > wanted) break;
            if (is_key && (!have || (!indexed && time_of(*packet) <= wanted))) {
                av_packet_unref(second_.get());
                av_packet_unref(key_.get());
                if (av_packet_ref(key_.get(), packet) < 0) return false;
            } else if (have && second_->size == 0 && av_packet_ref(second_.get(), packet) < 0) {
                return false;
            }
            decoder_.drop();
            if (indexed && second_->size > 0) break;
        }
        return key_->size > 0;
    }

    Picture coded() {
        if (coded_ && coded_->bytes.size() <= room_) {
            room_ -= coded_->bytes.size();
            return *coded_;
        }
        auto raster =
            maker_.scale(*current_, &decoder_.stream(), parameters_.max_width, 4 * parameters_.max_width, false);
        if (!raster) return none(raster.error().context);
        const Coding coding = parameters_.format == PictureFormat::jpeg ? Coding::jpeg : Coding::webp;
        auto bytes = maker_.code(*raster, coding, parameters_.quality);
        if (!bytes) return none(bytes.error().context);
        if (bytes->size() > Picture::most_bytes || bytes->size() > room_)
            return none("the pictures of this file are larger than one answer may be");
        room_ -= bytes->size();
        Picture picture;
        picture.width = raster->width();
        picture.height = raster->height();
        picture.shown_at = microseconds{decoder_.from_stream(shown())};
        picture.bytes = std::move(*bytes);
        coded_ = picture;
        return picture;
    }

    StreamDecoder& decoder_;
    const PicturesParameters& parameters_;
    PictureMaker maker_;
    FramePtr current_;  ///< the last frame shown to us; without size: none since the last seek
    PacketPtr key_, second_;
    std::optional<Picture> coded_;  ///< of current_: chapters closer than a keyframe share one
    std::optional<std::int64_t> taken_key_;
    std::optional<std::int64_t> begun_;  ///< the time of the packet that decoding began with
    std::size_t room_ = PicturesResult::most_bytes;
    bool skips_ = false, had_any_ = false;
    bool alone_ = false;         ///< a packet is a whole picture, as far as we know
    bool may_be_rough_ = false;  ///< near a keyframe deblocking may be left out
    bool spent_ = false;         ///< the decoder was emptied: only a seek goes on
};

}  // namespace

core::Result<PicturesResult> make_pictures(ByteSource& bytes, const PicturesParameters& parameters) {
    auto decoder = StreamDecoder::open(bytes, StreamDecoder::Kind::video);
    if (!decoder) return tl::unexpected(decoder.error());
    if (is_dolby_vision_alone((*decoder)->stream()))
        return core::fail(core::Errc::unsupported, "Dolby Vision profile 5: its colours need a Dolby decoder");
    auto frame = new_frame();
    auto key = new_packet();
    auto second = new_packet();
    if (!frame || !key || !second) return core::fail(core::Errc::corrupt, "out of memory");
    Pass pass(**decoder, parameters, std::move(*frame), std::move(*key), std::move(*second));
    PicturesResult result;
    result.pictures.reserve(parameters.times.size());
    bool inside = false;  // a time that should have given a picture
    for (std::size_t i = 0; i < parameters.times.size(); ++i) {
        const auto time = parameters.times[i];
        const auto next = i + 1 < parameters.times.size() ? std::optional(parameters.times[i + 1]) : std::nullopt;
        result.pictures.push_back(pass.take(time, next));
        inside = inside || (*decoder)->duration_us() <= 0 || time.count() < (*decoder)->duration_us();
    }
    if (bytes.fault() != 0) return core::fail(core::Errc::unavailable, "a read failed");
    if (inside && !pass.had_any()) return core::fail(core::Errc::corrupt, "no picture of the video could be decoded");
    return result;
}

}  // namespace understudy::media
