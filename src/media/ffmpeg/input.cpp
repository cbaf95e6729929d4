#include "media/ffmpeg/input.h"

extern "C" {
#include <libavformat/avformat.h>
#include <libavutil/cpu.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
}

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

namespace understudy::media {

namespace {

/// Containers of films and music. Not here: playlists and descriptions that name other files (hls, concat, dash, sdp,
/// image2), text and pictures.
constexpr const char* allowed_formats =
    "aac,ac3,aiff,amr,ape,asf,au,avi,caf,dsf,dts,dtshd,dv,eac3,flac,flv,gxf,h264,hevc,iff,ivf,m4v,matroska,mlp,mov,mp3,"
    "mpc,"
    "mpc8,mpeg,mpegts,mpegvideo,mxf,nsv,nut,obu,ogg,oma,rm,tak,truehd,tta,vc1,voc,w64,wav,wtv,wv";

/// libavcodec's own decoders: foreign libraries behind it (dav1d, vpx, openjpeg, …) start threads and open files.
constexpr const char* allowed_decoders =
    "h264,hevc,mpeg1video,mpeg2video,mpeg4,msmpeg4v1,msmpeg4v2,msmpeg4,wmv1,wmv2,wmv3,vc1,vp6,vp6a,vp6f,vp7,vp8,vp9,"
    "av1,theora,"
    "mjpeg,png,flv,h261,h263,h263i,h263p,rv10,rv20,rv30,rv40,prores,dnxhd,dvvideo,ffv1,huffyuv,ffvhuff,svq1,svq3,"
    "cinepak,"
    "indeo3,indeo4,indeo5,rawvideo,aac,aac_fixed,aac_latm,ac3,eac3,mp1,mp1float,mp2,mp2float,mp3,mp3float,dca,truehd,"
    "mlp,flac,"
    "alac,vorbis,opus,wmav1,wmav2,wmapro,wmalossless,wmavoice,ape,tak,tta,wavpack,mpc7,mpc8,amrnb,amrwb,cook,ra_144,ra_"
    "288,"
    "sipr,atrac3,atrac3p,nellymoser,pcm_alaw,pcm_mulaw,pcm_bluray,pcm_dvd,pcm_f32be,pcm_f32le,pcm_f64be,pcm_f64le,pcm_"
    "s16be,"
    "pcm_s16le,pcm_s24be,pcm_s24le,pcm_s32be,pcm_s32le,pcm_s8,pcm_u8,adpcm_ima_qt,adpcm_ima_wav,adpcm_ms,adpcm_swf,dsd_"
    "lsbf,"
    "dsd_lsbf_planar,dsd_msbf,dsd_msbf_planar,pgssub,dvbsub,dvdsub,mov_text,srt,subrip,ass,ssa,webvtt";

/// The names of stations in transport streams come in any of these (ETSI EN 300 468, annex A).
constexpr std::array encodings{"ISO6937",    "ISO8859-1",  "ISO8859-2",  "ISO8859-3",  "ISO8859-4",  "ISO8859-5",
                               "ISO8859-6",  "ISO8859-7",  "ISO8859-8",  "ISO8859-9",  "ISO8859-10", "ISO8859-11",
                               "ISO8859-13", "ISO8859-14", "ISO8859-15", "ISO8859-16", "UCS-2BE",    "KSC_5601",
                               "GB2312",     "BIG5",       "UTF-16BE",   "UTF-8"};

constexpr int buffer_bytes = 32 * 1024;
constexpr std::size_t largest_allocation = 256u * 1024 * 1024;
constexpr int most_streams = 256;

int refuse_to_open(AVFormatContext*, AVIOContext**, const char*, int, AVDictionary**) {
    return AVERROR(EACCES);
}

std::string message_of(int code) {
    std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
    av_strerror(code, text.data(), text.size());
    return text.data();
}

// libavformat's own words for these two help nobody who looks at a list of broken files.
std::string said_for_people(int code) {
    if (code == AVERROR_INVALIDDATA) return "the file is damaged or cut short";
    if (code == AVERROR_EOF) return "the file ends too early";
    return message_of(code);
}

}  // namespace

void prepare_libav() {
    av_log_set_level(AV_LOG_QUIET);
    av_log_set_callback([](void*, int, const char*, va_list) {});
    av_max_alloc(largest_allocation);
    av_get_cpu_flags();  // asks the system once
    av_cpu_count();
    // glibc loads a library for each when it is first opened. Never closed: closing would unload it.
    static std::array<iconv_t, encodings.size()> kept;
    for (std::size_t i = 0; i < encodings.size(); ++i) {
        if (kept[i] == nullptr) kept[i] = iconv_open("UTF-8", encodings[i]);
    }
}

int Input::read_packet(void* self, std::uint8_t* into, int length) {
    auto& input = *static_cast<Input*>(self);
    std::size_t got = 0;
    if (input.blank_) {
        const auto left = std::max<std::int64_t>(input.bytes_.size() - input.at_, 0);
        got = static_cast<std::size_t>(std::min<std::int64_t>(left, length));
        std::memset(into, 0, got);
    } else {
        got = input.bytes_.read(input.at_, {into, static_cast<std::size_t>(length)});
    }
    input.at_ += static_cast<std::int64_t>(got);
    if (got > 0) return static_cast<int>(got);
    return input.bytes_.fault() != 0 ? AVERROR(input.bytes_.fault()) : AVERROR_EOF;
}

std::int64_t Input::seek(void* self, std::int64_t offset, int whence) {
    auto& input = *static_cast<Input*>(self);
    switch (whence & ~AVSEEK_FORCE) {
        case AVSEEK_SIZE:
            return input.bytes_.size();
        case SEEK_SET:
            break;
        case SEEK_CUR:
            offset += input.at_;
            break;
        case SEEK_END:
            offset += input.bytes_.size();
            break;
        default:
            return AVERROR(EINVAL);
    }
    if (offset < 0) return AVERROR(EINVAL);
    return input.at_ = offset;
}

tl::unexpected<core::Error> Input::failed(const char* what, int code) const {
    if (bytes_.fault() == 0 && code == AVERROR_INVALIDDATA && !sure_)
        return core::fail(core::Errc::unsupported, "no media format that we know");
    const std::string context = std::string(what) + ": " + said_for_people(code);
    if (bytes_.fault() != 0) return core::fail(core::Errc::unavailable, context);
    if (code == AVERROR(ENOMEM))
        return core::fail(core::Errc::corrupt, context + " (needs more memory than a probe may take)");
    return core::fail(sure_ ? core::Errc::corrupt : core::Errc::unsupported, context);
}

core::Result<std::unique_ptr<Input>> Input::open(ByteSource& bytes, const std::string& demuxer, ReadLimits limits) {
    std::unique_ptr<Input> input(new Input(bytes));
    auto* buffer = static_cast<std::uint8_t*>(av_malloc(buffer_bytes));
    if (buffer == nullptr) return input->failed("open", AVERROR(ENOMEM));
    input->io_ = avio_alloc_context(buffer, buffer_bytes, 0, input.get(), &Input::read_packet, nullptr, &Input::seek);
    AVFormatContext* context = avformat_alloc_context();
    if (input->io_ == nullptr || context == nullptr) {
        if (input->io_ == nullptr) av_free(buffer);
        avformat_free_context(context);
        return input->failed("open", AVERROR(ENOMEM));
    }
    context->pb = input->io_;
    context->flags |= AVFMT_FLAG_CUSTOM_IO;
    context->io_open = refuse_to_open;
    context->format_whitelist = av_strdup(allowed_formats);
    context->codec_whitelist = av_strdup(allowed_decoders);
    context->protocol_whitelist = av_strdup("none");
    context->probesize = limits.bytes;
    context->max_analyze_duration = limits.micros;
    context->max_streams = most_streams;
    const AVInputFormat* format = demuxer.empty() ? nullptr : av_find_input_format(demuxer.c_str());
    input->sure_ = format != nullptr;
    if (const int code = avformat_open_input(&context, "", format, nullptr); code < 0)
        return input->failed("open", code);
    input->context_ = context;
    // Below this score libavformat itself would rather read more: random bytes look like mp3 now and then.
    if (!input->sure_ && context->probe_score <= AVPROBE_SCORE_RETRY)
        return core::fail(core::Errc::unsupported, "no media format that we know");
    return input;
}

Input::~Input() {
    avformat_close_input(&context_);
    if (io_ != nullptr) {
        av_freep(&io_->buffer);
        avio_context_free(&io_);
    }
}

void Input::read_blanks() {
    blank_ = true;
    io_->direct = AVIO_FLAG_DIRECT;  // a short seek forward would read its way there
}

core::Result<void> Input::find_stream_info() {
    if (const int code = avformat_find_stream_info(context_, nullptr); code < 0) return failed("stream info", code);
    return {};
}

}  // namespace understudy::media
