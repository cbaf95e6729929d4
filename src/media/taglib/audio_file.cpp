#include "media/taglib/audio_file.h"

#include <taglib/aifffile.h>
#include <taglib/apefile.h>
#include <taglib/apetag.h>
#include <taglib/asffile.h>
#include <taglib/attachedpictureframe.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/mp4coverart.h>
#include <taglib/mp4file.h>
#include <taglib/mpcfile.h>
#include <taglib/mpegfile.h>
#include <taglib/oggflacfile.h>
#include <taglib/opusfile.h>
#include <taglib/speexfile.h>
#include <taglib/tpropertymap.h>
#include <taglib/trueaudiofile.h>
#include <taglib/vorbisfile.h>
#include <taglib/wavfile.h>
#include <taglib/wavpackfile.h>
#include <taglib/xiphcomment.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "media/sniff.h"
#include "media/tag_fields.h"
#include "media/taglib/tag_stream.h"
#include "media/text.h"

namespace understudy::media {

namespace {

constexpr auto accuracy = TagLib::AudioProperties::Average;

/// What one format's reader fills in. `mimes` has an entry for each picture.
struct Found {
    std::string_view container, codec;
    int bit_depth = 0;
    std::vector<std::string> mimes;
    bool sound = true;  ///< properties can be trusted; false: leave the file to libavformat
    bool tags_only = false;
};

std::string utf8(const TagLib::String& text) {
    return clean_text(text.to8Bit(true));
}

std::vector<std::string> utf8(const TagLib::StringList& list) {
    std::vector<std::string> texts;
    for (const auto& text : list)
        if (auto clean = utf8(text); !clean.empty()) texts.push_back(std::move(clean));
    return texts;
}

/// Speakers by count, in the order that the FLAC and Vorbis specifications fix.
std::string_view layout_name(int channels) {
    constexpr std::string_view names[] = {"", "mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"};
    return channels > 0 && channels < static_cast<int>(std::size(names)) ? names[channels] : std::string_view{};
}

void add_pictures(Found& found, const TagLib::ID3v2::Tag* tag) {
    if (tag == nullptr) return;
    const auto frames = tag->frameListMap()["APIC"];
    for (const auto* frame : frames)
        if (const auto* picture = dynamic_cast<const TagLib::ID3v2::AttachedPictureFrame*>(frame))
            found.mimes.push_back(utf8(picture->mimeType()));
}

void add_pictures(Found& found, const TagLib::List<TagLib::FLAC::Picture*>& pictures) {
    for (const auto* picture : pictures) found.mimes.push_back(utf8(picture->mimeType()));
}

void add_pictures(Found& found, const TagLib::APE::Tag* tag) {
    if (tag == nullptr) return;
    for (const auto& [key, item] : tag->itemListMap())
        if (key.startsWith("COVER ART") && item.type() == TagLib::APE::Item::Binary) found.mimes.emplace_back();
}

void set_tags(model::Tags& tags, const TagLib::PropertyMap& properties) {
    for (const auto& [key, values] : properties) set_tag_field(tags, utf8(key), utf8(values));
}

/// TagLib's map names only some of iTunes' free-form fields; gains are among the missing.
void set_itunes_fields(model::Tags& tags, const TagLib::MP4::Tag& tag) {
    constexpr std::string_view prefix = "----:";
    for (const auto& [key, item] : tag.itemMap()) {
        const std::string name = utf8(key);
        if (!name.starts_with(prefix)) continue;
        const std::string field = name.substr(name.rfind(':') + 1);
        const std::string upper = upper_ascii(field);
        if (upper.starts_with("REPLAYGAIN_") || upper.starts_with("R128_"))
            set_tag_field(tags, field, utf8(item.toStringList()));
    }
}

/// Fields that TagLib's map leaves out under the names that writers other than Windows give them (`date`,
/// `replaygain_…`).
void set_asf_fields(model::Tags& tags, const TagLib::ASF::Tag& tag) {
    for (const auto& [key, attributes] : tag.attributeListMap()) {
        std::vector<std::string> values;
        for (const auto& attribute : attributes)
            if (attribute.type() == TagLib::ASF::Attribute::UnicodeType) values.push_back(utf8(attribute.toString()));
        const std::string name = utf8(key);
        if (!name.starts_with("WM/")) set_tag_field(tags, name, values);
    }
}

std::string_view wav_codec(const TagLib::RIFF::WAV::Properties& p) {
    // Format tags 1 (PCM) and 3 (float) of RIFF WAVE; the rest is for libavformat to name.
    if (p.format() == 1) {
        switch (p.bitsPerSample()) {
            case 8:
                return "pcm_u8";
            case 16:
                return "pcm_s16le";
            case 24:
                return "pcm_s24le";
            case 32:
                return "pcm_s32le";
            default:
                return {};
        }
    }
    if (p.format() == 3) return p.bitsPerSample() == 32 ? "pcm_f32le" : p.bitsPerSample() == 64 ? "pcm_f64le" : "";
    return {};
}

std::string_view aiff_codec(const TagLib::RIFF::AIFF::Properties& p) {
    if (p.isAiffC()) return {};
    switch (p.bitsPerSample()) {
        case 8:
            return "pcm_s8";
        case 16:
            return "pcm_s16be";
        case 24:
            return "pcm_s24be";
        case 32:
            return "pcm_s32be";
        default:
            return {};
    }
}

std::string_view asf_codec(TagLib::ASF::Properties::Codec codec) {
    switch (codec) {
        case TagLib::ASF::Properties::WMA1:
            return "wmav1";
        case TagLib::ASF::Properties::WMA2:
            return "wmav2";
        case TagLib::ASF::Properties::WMA9Pro:
            return "wmapro";
        case TagLib::ASF::Properties::WMA9Lossless:
            return "wmalossless";
        case TagLib::ASF::Properties::Unknown:
            break;
    }
    return {};
}

/// Common to all formats: tags, duration, one audio stream, pictures as streams (as libavformat lists them).
std::optional<AudioFile> finish(TagLib::File& file, const Found& found) {
    if (!file.isValid()) return std::nullopt;
    AudioFile result{.tags_only = found.tags_only};
    auto& info = result.info;
    set_tags(info.tags, file.properties());
    info.has_embedded_picture = !found.mimes.empty();
    if (found.tags_only) return result;

    const auto* properties = file.audioProperties();
    if (!found.sound || found.codec.empty() || properties == nullptr || properties->sampleRate() <= 0 ||
        properties->channels() <= 0 || properties->lengthInMilliseconds() <= 0)
        return std::nullopt;
    info.container = found.container;
    info.duration = core::Millis{properties->lengthInMilliseconds()};
    info.bitrate_bps = std::int64_t{properties->bitrate()} * 1000;

    model::MediaStream audio;
    audio.kind = model::StreamKind::audio;
    audio.codec = found.codec;
    audio.bitrate_bps = info.bitrate_bps;
    audio.bit_depth = found.bit_depth;
    audio.channels = properties->channels();
    audio.channel_layout = layout_name(audio.channels);
    audio.sample_rate_hz = properties->sampleRate();
    info.streams.push_back(std::move(audio));
    for (const auto& mime : found.mimes) {
        model::MediaStream picture;
        picture.index = static_cast<int>(info.streams.size());
        picture.codec = mime == "image/png" ? "png" : mime == "image/jpeg" || mime == "image/jpg" ? "mjpeg" : "";
        picture.is_attached_picture = true;
        info.streams.push_back(std::move(picture));
        if (info.streams.size() >= 16) break;
    }
    return result;
}

std::optional<AudioFile> read_ogg(TagStream& stream, std::string_view variant) {
    if (variant == "vorbis") {
        TagLib::Ogg::Vorbis::File file(&stream, true, accuracy);
        Found found{.container = "ogg", .codec = "vorbis"};
        if (file.tag() != nullptr) add_pictures(found, file.tag()->pictureList());
        return finish(file, found);
    }
    if (variant == "opus") {
        TagLib::Ogg::Opus::File file(&stream, true, accuracy);
        Found found{.container = "ogg", .codec = "opus"};
        if (file.tag() != nullptr) add_pictures(found, file.tag()->pictureList());
        return finish(file, found);
    }
    if (variant == "flac") {
        TagLib::Ogg::FLAC::File file(&stream, true, accuracy);
        Found found{.container = "ogg", .codec = "flac"};
        if (file.audioProperties() != nullptr) found.bit_depth = file.audioProperties()->bitsPerSample();
        return finish(file, found);
    }
    if (variant == "speex") {
        TagLib::Ogg::Speex::File file(&stream, true, accuracy);
        return finish(file, {.container = "ogg", .codec = "speex"});
    }
    return std::nullopt;
}

std::optional<AudioFile> read_riff(TagStream& stream, std::string_view demuxer) {
    if (demuxer == "wav") {
        TagLib::RIFF::WAV::File file(&stream, true, accuracy);
        Found found{.container = "wav"};
        if (const auto* p = file.audioProperties()) {
            found.codec = wav_codec(*p);
            found.bit_depth = p->bitsPerSample();
        }
        if (file.hasID3v2Tag()) add_pictures(found, file.ID3v2Tag());
        return finish(file, found);
    }
    TagLib::RIFF::AIFF::File file(&stream, true, accuracy);
    Found found{.container = "aiff"};
    if (const auto* p = file.audioProperties()) {
        found.codec = aiff_codec(*p);
        found.bit_depth = p->bitsPerSample();
    }
    if (file.hasID3v2Tag()) add_pictures(found, file.tag());
    return finish(file, found);
}

std::optional<AudioFile> read_mpeg(TagStream& stream) {
    TagLib::MPEG::File file(&stream, TagLib::ID3v2::FrameFactory::instance(), true, accuracy);
    Found found{.container = "mp3"};
    if (const auto* p = file.audioProperties()) {
        constexpr std::string_view layers[] = {"", "mp1", "mp2", "mp3"};
        found.codec = p->layer() >= 1 && p->layer() <= 3 ? layers[p->layer()] : std::string_view{};
    }
    if (file.hasID3v2Tag()) add_pictures(found, file.ID3v2Tag());
    return finish(file, found);
}

std::optional<AudioFile> read_flac(TagStream& stream) {
    TagLib::FLAC::File file(&stream, TagLib::ID3v2::FrameFactory::instance(), true, accuracy);
    Found found{.container = "flac", .codec = "flac"};
    if (const auto* p = file.audioProperties()) found.bit_depth = p->bitsPerSample();
    add_pictures(found, file.pictureList());
    return finish(file, found);
}

/// libavformat opens an MP4 as fast as TagLib and knows its chapters, codec profiles and layout: here only the tags.
std::optional<AudioFile> read_mp4(TagStream& stream) {
    TagLib::MP4::File file(&stream, false, accuracy);
    Found found{.tags_only = true};
    const auto* tag = file.tag();
    if (tag != nullptr && tag->contains("covr")) found.mimes.resize(tag->item("covr").toCoverArtList().size());
    auto result = finish(file, found);
    if (result && tag != nullptr) set_itunes_fields(result->info.tags, *tag);
    return result;
}

std::optional<AudioFile> read_asf(TagStream& stream) {
    TagLib::ASF::File file(&stream, true, accuracy);
    Found found{.container = "asf"};
    if (const auto* p = file.audioProperties()) {
        found.codec = asf_codec(p->codec());
        found.sound = !p->isEncrypted();
    }
    if (const auto* tag = file.tag(); tag != nullptr && tag->contains("WM/Picture"))
        for (const auto& attribute : tag->attribute("WM/Picture"))
            found.mimes.push_back(utf8(attribute.toPicture().mimeType()));
    auto result = finish(file, found);
    if (result && file.tag() != nullptr) set_asf_fields(result->info.tags, *file.tag());
    return result;
}

std::optional<AudioFile> read_lossless(TagStream& stream, std::string_view demuxer) {
    if (demuxer == "ape") {
        TagLib::APE::File file(&stream, true, accuracy);
        Found found{.container = "ape", .codec = "ape"};
        if (const auto* p = file.audioProperties()) found.bit_depth = p->bitsPerSample();
        if (file.hasAPETag()) add_pictures(found, file.APETag());
        return finish(file, found);
    }
    if (demuxer == "wv") {
        TagLib::WavPack::File file(&stream, true, accuracy);
        Found found{.container = "wv", .codec = "wavpack"};
        if (const auto* p = file.audioProperties()) found.bit_depth = p->bitsPerSample();
        if (file.hasAPETag()) add_pictures(found, file.APETag());
        return finish(file, found);
    }
    TagLib::TrueAudio::File file(&stream, TagLib::ID3v2::FrameFactory::instance(), true, accuracy);
    Found found{.container = "tta", .codec = "tta"};
    if (const auto* p = file.audioProperties()) found.bit_depth = p->bitsPerSample();
    if (file.hasID3v2Tag()) add_pictures(found, file.ID3v2Tag());
    return finish(file, found);
}

std::optional<AudioFile> read_musepack(TagStream& stream) {
    TagLib::MPC::File file(&stream, true, accuracy);
    Found found{.container = "mpc"};
    if (const auto* p = file.audioProperties()) {
        found.codec = p->mpcVersion() >= 8 ? "musepack8" : "musepack7";
        if (p->mpcVersion() >= 8) found.container = "mpc8";
    }
    if (file.hasAPETag()) add_pictures(found, file.APETag());
    return finish(file, found);
}

}  // namespace

std::optional<AudioFile> read_audio_file(ByteSource& bytes) {
    const Sniffed sniffed = sniff(bytes);
    TagStream stream(bytes);
    const auto demuxer = sniffed.demuxer;
    if (demuxer == "mp3") return read_mpeg(stream);
    if (demuxer == "flac") return read_flac(stream);
    if (demuxer == "ogg") return read_ogg(stream, sniffed.variant);
    if (demuxer == "mov") return read_mp4(stream);
    if (demuxer == "asf") return read_asf(stream);
    if (demuxer == "wav" || demuxer == "aiff") return read_riff(stream, demuxer);
    if (demuxer == "ape" || demuxer == "wv" || demuxer == "tta") return read_lossless(stream, demuxer);
    if (demuxer == "mpc" || demuxer == "mpc8") return read_musepack(stream);
    return std::nullopt;
}

}  // namespace understudy::media
