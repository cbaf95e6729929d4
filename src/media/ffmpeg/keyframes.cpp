#include "media/ffmpeg/keyframes.h"

extern "C" {
#include <libavcodec/packet.h>
#include <libavformat/avformat.h>
#include <libavutil/mathematics.h>
}

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "media/ffmpeg/container.h"
#include "media/ffmpeg/input.h"
#include "media/sample_tables.h"

namespace understudy::media {

namespace {

constexpr ReadLimits first_look{.bytes = std::int64_t{5} * 1024 * 1024, .micros = 5'000'000};
/// libavformat thins an index that grows beyond this; each entry takes 24 bytes.
constexpr unsigned index_bytes = 128U * 1024 * 1024;
/// Of video looked through in one gap between Cues.
constexpr std::int64_t most_gap_bytes = std::int64_t{32} * 1024 * 1024;

struct FreePacket {
    void operator()(AVPacket* packet) const noexcept { av_packet_free(&packet); }
};

/// A demuxer that gives the packets of one video stream.
class Reader {
public:
    static core::Result<Reader> open(ByteSource& bytes) {
        auto input = Input::open(bytes, demuxer_for(bytes), first_look);
        if (!input) return tl::unexpected(input.error());
        Reader reader(std::move(*input));
        reader.context().max_index_size = index_bytes;
        return reader;
    }

    [[nodiscard]] AVFormatContext& context() const { return input_->context(); }
    [[nodiscard]] Input& input() const { return *input_; }
    [[nodiscard]] AVStream& stream() const { return *context().streams[video_]; }
    [[nodiscard]] bool is(std::string_view format) const {
        return std::string_view(context().iformat->name).find(format) != std::string_view::npos;
    }

    /// False: there is none.
    bool choose_video() {
        const std::span streams(context().streams, context().nb_streams);
        const auto found = std::ranges::find_if(streams, [](const AVStream* s) {
            return s->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && (s->disposition & AV_DISPOSITION_ATTACHED_PIC) == 0;
        });
        if (found == streams.end()) return false;
        for (auto* stream : streams) stream->discard = AVDISCARD_ALL;
        video_ = static_cast<unsigned>(found - streams.begin());
        stream().discard = AVDISCARD_DEFAULT;
        return true;
    }
    /// The container knows times and flags itself: what is in the packets does not matter.
    void trust_container() const { context().flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN; }

    struct Packet {
        std::int64_t time = AV_NOPTS_VALUE;  ///< in the stream's time base
        std::int64_t decoding_time = AV_NOPTS_VALUE;
        std::int64_t size_bytes = 0;
        bool key = false;
    };
    /// nullopt: the end, or as far as it can be read.
    std::optional<Packet> next() {
        while (av_read_frame(&context(), packet_.get()) >= 0) {
            const bool ours = packet_->stream_index == static_cast<int>(video_);
            const Packet seen{
                .time = packet_->pts != AV_NOPTS_VALUE ? packet_->pts : packet_->dts,
                .decoding_time = packet_->dts,
                .size_bytes = packet_->size,
                // An edit list cuts it out: it is decoded, but never shown.
                .key = (packet_->flags & AV_PKT_FLAG_KEY) != 0 && (packet_->flags & AV_PKT_FLAG_DISCARD) == 0};
            if (ours && seen.time != AV_NOPTS_VALUE) end_ = std::max(end_, seen.time + packet_->duration);
            av_packet_unref(packet_.get());
            if (ours) return seen;
        }
        return std::nullopt;
    }
    /// Of the latest packet that was read.
    [[nodiscard]] std::int64_t end() const noexcept { return end_; }
    bool seek(std::int64_t time) {
        return av_seek_frame(&context(), static_cast<int>(video_), time, AVSEEK_FLAG_BACKWARD) >= 0;
    }

private:
    explicit Reader(std::unique_ptr<Input> input) : input_(std::move(input)), packet_(av_packet_alloc()) {}

    std::unique_ptr<Input> input_;
    std::unique_ptr<AVPacket, FreePacket> packet_;
    unsigned video_ = 0;
    std::int64_t end_ = std::numeric_limits<std::int64_t>::min();
};

using Times = std::vector<std::int64_t>;

Times walk(Reader& reader) {
    Times times;
    while (const auto packet = reader.next())
        if (packet->key && packet->time != AV_NOPTS_VALUE) times.push_back(packet->time);
    return times;
}

Times indexed(const Reader& reader) {
    Times times;
    const int count = avformat_index_get_entries_count(&reader.stream());
    for (int i = 0; i < count; ++i) {
        const auto* entry = avformat_index_get_entry(&reader.stream(), i);
        if (entry != nullptr && (entry->flags & AVINDEX_KEYFRAME) != 0) times.push_back(entry->timestamp);
    }
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

// --- MP4 ---

core::Result<Times> walk_again(ByteSource& bytes, bool blanks) {
    auto reader = Reader::open(bytes);
    if (!reader) return tl::unexpected(reader.error());
    if (!reader->choose_video()) return Times{};
    reader->trust_container();
    if (blanks) reader->input().read_blanks();
    return walk(*reader);
}

/// The packet that libavformat makes of a keyframe. It seeks by presentation time, `near` is at or after that and
/// before the next keyframe's. nullopt: something else was found.
std::optional<Reader::Packet> packet_at(Reader& reader, std::int64_t decoding_time, std::int64_t near) {
    if (!reader.seek(near)) return std::nullopt;
    const auto packet = reader.next();
    return packet && packet->decoding_time == decoding_time ? packet : std::nullopt;
}

/// libavformat's decoding times (edit lists applied) with the offsets of the file's own tables, if the two lists are
/// the same but for a shift and three packets confirm it.
std::optional<Times> with_offsets(ByteSource& bytes, Reader& reader, const Times& keys) {
    const auto samples = read_key_samples(bytes, static_cast<std::uint32_t>(reader.stream().id));
    if (!samples || samples->size() != keys.size() || keys.empty()) return std::nullopt;
    const auto shift = keys.front() - samples->front().decoding_time;
    Times times;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (keys[i] != (*samples)[i].decoding_time + shift) return std::nullopt;
        times.push_back(keys[i] + (*samples)[i].offset);
    }
    const auto first = packet_at(reader, keys.front(), keys.front());
    if (!first) return std::nullopt;
    const auto all_shifted = first->time - times.front();
    for (auto& time : times) time += all_shifted;
    for (const auto i : {std::size_t{0}, keys.size() / 2, keys.size() - 1}) {
        const auto packet = packet_at(reader, keys[i], times[i]);
        if (!packet || !packet->key || packet->time != times[i]) return std::nullopt;
    }
    return times;
}

core::Result<Times> from_sample_tables(ByteSource& bytes, Reader& reader) {
    // Discarding all but keyframes would not do: the demuxer then loses its place in the ctts. Where the tables are not
    // plain (edit lists that cut, fragments) each keyframe is sought, which costs a pass over the ctts: beyond this
    // many, one walk over all samples is cheaper.
    constexpr std::size_t most_seeks = 2000;
    reader.trust_container();
    const bool fragments = may_have_fragments(bytes);
    if (fragments) {
        reader.stream().discard = AVDISCARD_NONKEY;  // their tables are read on the way
        while (reader.next()) {
        }
        reader.stream().discard = AVDISCARD_DEFAULT;
    }
    // All is known by now: the demuxer asks for the bytes of samples, but nobody looks at them.
    reader.input().read_blanks();
    const Times keys = indexed(reader);
    if (!fragments)
        if (auto times = with_offsets(bytes, reader, keys)) return std::move(*times);
    if (keys.size() > most_seeks) return walk_again(bytes, !fragments);
    Times times;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool last = i + 1 == keys.size();
        const auto packet =
            packet_at(reader, keys[i], last ? std::numeric_limits<std::int64_t>::max() : keys[i + 1] - 1);
        if (!packet) return walk_again(bytes, !fragments);
        if (packet->key) times.push_back(packet->time);
    }
    return times;
}

// --- Matroska ---

enum class Look { complete, incomplete };

/// Reads on from the Cue at `from` to that at `to` (nullopt: to the end).
Look look_into_gap(Reader& reader, std::int64_t from, std::optional<std::int64_t> to) {
    if (!reader.seek(from)) return Look::incomplete;
    const auto first = reader.next();
    if (!first || !first->key || first->time != from) return Look::incomplete;  // the Cue points at something else
    std::int64_t seen_bytes = 0;
    while (const auto packet = reader.next()) {
        if (packet->key) return to && packet->time == *to ? Look::complete : Look::incomplete;
        seen_bytes += packet->size_bytes;
        if (seen_bytes > most_gap_bytes) return Look::complete;
    }
    return to ? Look::incomplete : Look::complete;
}

Look look_at_cues(Reader& reader, const Times& cues) {
    std::size_t longest = 0;
    for (std::size_t i = 0; i + 1 < cues.size(); ++i)
        if (cues[i + 1] - cues[i] > cues[longest + 1] - cues[longest]) longest = i;
    if (look_into_gap(reader, cues.back(), std::nullopt) == Look::incomplete) return Look::incomplete;
    if (cues.size() < 2) return Look::complete;
    for (const std::size_t i : {longest, (cues.size() - 1) / 2})
        if (look_into_gap(reader, cues[i], cues[i + 1]) == Look::incomplete) return Look::incomplete;
    return Look::complete;
}

core::Result<Times> from_cues(ByteSource& bytes, Reader& reader) {
    reader.trust_container();
    std::optional<Reader::Packet> first = reader.next();
    while (first && !first->key) first = reader.next();
    if (!first) return Times{};
    // libavformat reads Cues at the file's end when somebody seeks; there must be one to seek by.
    static_cast<void>(reader.seek(first->time));
    const Times cues = indexed(reader);
    if (cues.size() > 1 && cues.front() == first->time && look_at_cues(reader, cues) == Look::complete) return cues;
    return walk_again(bytes, false);
}

// --- the others ---

core::Result<Times> from_packets(Reader& reader) {
    if (auto found = reader.input().find_stream_info(); !found) return tl::unexpected(found.error());
    if (!reader.choose_video()) return Times{};
    return walk(reader);
}

core::Result<Times> from_avi(Reader& reader) {
    const auto frames = std::max<std::int64_t>(reader.stream().nb_frames, 1);
    const auto listed = avformat_index_get_entries_count(&reader.stream());
    // A recording that was cut off, or an index of its first part only.
    if (static_cast<double>(listed) < 0.99 * static_cast<double>(frames)) return from_packets(reader);
    return indexed(reader);
}

core::Result<Times> times_of(ByteSource& bytes, Reader& reader) {
    const bool known = (reader.context().ctx_flags & AVFMTCTX_NOHEADER) == 0;
    if (known && reader.choose_video()) {
        if (reader.is("matroska")) return from_cues(bytes, reader);
        if (reader.is("mp4")) return from_sample_tables(bytes, reader);
        if (reader.is("avi")) return from_avi(reader);
    }
    return from_packets(reader);
}

std::chrono::microseconds to_micros(std::int64_t time, AVRational base) {
    return std::chrono::microseconds(av_rescale_q_rnd(time, base, AVRational{1, 1'000'000}, AV_ROUND_NEAR_INF));
}

/// What the header says; else (a live recording) as far as the packets went.
std::chrono::microseconds duration_of_file(const Reader& reader, std::int64_t first_time) {
    const auto& context = reader.context();
    if (context.duration > 0) return to_micros(context.duration, AVRational{1, AV_TIME_BASE});
    const auto& stream = reader.stream();
    const auto length = stream.duration > 0 ? stream.duration : reader.end() - first_time;
    return to_micros(reader.end() > first_time || stream.duration > 0 ? length : 0, stream.time_base);
}

}  // namespace

core::Result<Keyframes> read_keyframes(ByteSource& bytes) {
    auto reader = Reader::open(bytes);
    if (!reader) return tl::unexpected(reader.error());
    auto times = times_of(bytes, *reader);
    if (!times) return tl::unexpected(std::move(times.error()));
    if (!reader->choose_video())
        return core::fail(core::Errc::unsupported, std::string(reader->context().iformat->name) + " without video");
    if (times->empty()) return core::fail(core::Errc::corrupt, "no keyframe with a time in it");
    Keyframes keyframes{.duration = duration_of_file(*reader, *std::ranges::min_element(*times))};
    for (const auto time : *times) keyframes.times.push_back(to_micros(time, reader->stream().time_base));
    std::ranges::sort(keyframes.times);
    const auto end = std::unique(keyframes.times.begin(), keyframes.times.end());
    keyframes.times.erase(end, keyframes.times.end());
    return keyframes;
}

}  // namespace understudy::media
