// Loudness of an album of twelve tracks, each and all together, against ffmpeg's filter (a process for each track and
// one for the album, one at a time, as Jellyfin does) and against a bare loop of libavcodec and libebur128 in one
// thread.
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include <ebur128.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "media/loudness.h"
#include "tasks/cost.h"

namespace understudy::bench {

namespace {

constexpr std::size_t runs = 3;

std::vector<std::filesystem::path> tracks(const std::filesystem::path& build) {
    struct Kind {
        const char* extension;
        const char* codec;
    };
    std::vector<std::filesystem::path> files;
    for (const Kind& kind : {Kind{"flac", "flac"}, Kind{"mp3", "libmp3lame -b:a 192k"}, Kind{"m4a", "aac -b:a 160k"},
                             Kind{"opus", "libopus -b:a 128k"}})
        for (int i = 0; i < 3; ++i) {
            const auto number = std::to_string(i);
            const auto name = "track" + number + "." + kind.extension;
            files.push_back(
                cached(build, name,
                       "ffmpeg -nostdin -v error -f lavfi -i 'anoisesrc=c=pink:r=44100:a=0." + std::to_string(3 + i) +
                           ":d=200:seed=" + number +
                           "' -f lavfi -i 'sine=frequency=440:sample_rate=44100:duration=200' -filter_complex "
                           "'[0:a]tremolo=f=0.1:d=0.9[n];[n][1:a]amerge=inputs=2[a]' -map '[a]' -ac 2 -c:a " +
                           kind.codec + " " + name));
        }
    return files;
}

void ask_ffmpeg(const std::vector<std::filesystem::path>& files) {
    const std::string before = "ffmpeg -nostdin -hide_banner -v error ",
                      after = " -af ebur128=framelog=verbose -f null -";
    for (const auto& file : files) shell(before + "-i '" + file.string() + "'" + after);
    std::string inputs, labels;
    for (std::size_t i = 0; i < files.size(); ++i) {
        inputs += "-i '" + files[i].string() + "' ";
        labels += "[" + std::to_string(i) + ":a]";
    }
    shell(before + inputs + "-filter_complex '" + labels + "concat=n=" + std::to_string(files.size()) +
          ":v=0:a=1,ebur128=framelog=verbose' -f null -");
}

/// One file by the least code that does it right. The state is the caller's.
ebur128_state* bare(const std::string& path) {
    AVFormatContext* input = nullptr;
    const AVCodec* codec = nullptr;
    if (avformat_open_input(&input, path.c_str(), nullptr, nullptr) < 0 ||
        avformat_find_stream_info(input, nullptr) < 0)
        throw std::runtime_error(path);
    const int index = av_find_best_stream(input, AVMEDIA_TYPE_AUDIO, -1, -1, &codec, 0);
    if (index < 0) throw std::runtime_error(path);
    AVCodecContext* decoder = avcodec_alloc_context3(codec);
    avcodec_parameters_to_context(decoder, input->streams[index]->codecpar);
    if (avcodec_open2(decoder, codec, nullptr) < 0) throw std::runtime_error(path);
    AVPacket* packet = av_packet_alloc();
    AVFrame* frame = av_frame_alloc();
    ebur128_state* state = nullptr;
    std::vector<float> floats;
    const auto drain = [&] {
        while (avcodec_receive_frame(decoder, frame) >= 0) {
            const auto channels = static_cast<unsigned>(frame->ch_layout.nb_channels);
            const auto count = static_cast<std::size_t>(frame->nb_samples);
            if (state == nullptr)
                state = ebur128_init(channels, static_cast<unsigned long>(frame->sample_rate), EBUR128_MODE_I);
            if (frame->format == AV_SAMPLE_FMT_S16) {
                ebur128_add_frames_short(state, reinterpret_cast<const short*>(frame->data[0]), count);
            } else if (frame->format == AV_SAMPLE_FMT_S32) {
                ebur128_add_frames_int(state, reinterpret_cast<const int*>(frame->data[0]), count);
            } else if (frame->format == AV_SAMPLE_FMT_FLTP) {
                floats.resize(count * channels);
                for (std::size_t i = 0; i < count; ++i)
                    for (unsigned c = 0; c < channels; ++c)
                        floats[i * channels + c] = reinterpret_cast<const float*>(frame->extended_data[c])[i];
                ebur128_add_frames_float(state, floats.data(), count);
            } else {
                throw std::runtime_error(path + ": a sample format that the bare loop does not know");
            }
        }
    };
    while (av_read_frame(input, packet) >= 0) {
        if (packet->stream_index == index && avcodec_send_packet(decoder, packet) >= 0) drain();
        av_packet_unref(packet);
    }
    avcodec_send_packet(decoder, nullptr);
    drain();
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&decoder);
    avformat_close_input(&input);
    return state;
}

double bare_loop(const std::vector<std::filesystem::path>& files) {
    std::vector<ebur128_state*> states;
    for (const auto& file : files) {
        states.push_back(bare(file.string()));
        double lufs = 0;
        ebur128_loudness_global(states.back(), &lufs);
    }
    double album = 0;
    ebur128_loudness_global_multiple(states.data(), states.size(), &album);
    for (auto* state : states) ebur128_destroy(&state);
    return album;
}

double pooled(const std::filesystem::path& build, const std::vector<std::filesystem::path>& files) {
    std::vector<media::AnalysisRequest> requests;
    for (const auto& file : files)
        requests.push_back({.path = file.string(), .job = media::Job::loudness, .limit = std::chrono::minutes(5)});
    std::vector<media::LoudnessHistogram> histograms;
    for (const auto& payload : payloads(build, requests)) {
        auto loudness = media::decode_loudness(payload);
        if (!loudness || !loudness->integrated_lufs) throw std::runtime_error("a track without loudness");
        histograms.push_back(std::move(loudness->histogram));
    }
    return media::integrated_lufs(histograms).value();
}

}  // namespace

bool loudness_bench(const std::filesystem::path& build) {
    av_log_set_level(AV_LOG_QUIET);
    const auto files = tracks(build);
    double ours = pooled(build, files), theirs = 0;  // once for the page cache
    std::vector<Cost> a, b, c;
    for (std::size_t i = 0; i < runs; ++i) {
        a.push_back(measure([&] { ask_ffmpeg(files); }));
        b.push_back(measure([&] { theirs = bare_loop(files); }));
        c.push_back(measure([&] { ours = pooled(build, files); }));
    }
    const auto ffmpeg = median(a), loop = median(b), pool = median(c);
    std::printf("\nloudness of %zu tracks of 200 s and of their album: %.2f LUFS, by libebur128 %.2f\n", files.size(),
                ours, theirs);
    std::printf("| what | wall s | CPU s |\n|---|---|---|\n");
    std::printf("| ffmpeg ebur128, each track and the album, one at a time | %.2f | %.2f |\n", ffmpeg.wall_s,
                ffmpeg.cpu_s);
    std::printf("| libavcodec + libebur128, one bare loop | %.2f | %.2f |\n", loop.wall_s, loop.cpu_s);
    std::printf("| worker pool | %.2f | %.2f |\n", pool.wall_s, pool.cpu_s);
    bool good = within("CPU against ffmpeg", pool.cpu_s / ffmpeg.cpu_s, 0.40);
    good &= within("wall time against ffmpeg", pool.wall_s / ffmpeg.wall_s, 0.25);
    good &= within("CPU against the bare loop", pool.cpu_s / loop.cpu_s, 1.10);
    good &= std::abs(ours - theirs) <= 0.05;
    return good;
}

}  // namespace understudy::bench
