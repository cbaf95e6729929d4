// tests/contract/media_stores/media_fixture.h: items whose sources have content, streams and a place, for the suites of
// what is kept beside items.
#pragma once

#include <utility>

#include "contract/scan_store/store_fixture.h"
#include "store/analyses.h"

namespace understudy::testing {

/// 32 hex digits that belong to `number`.
inline std::string sample_of(std::uint32_t number) {
    auto text = std::to_string(number);
    return std::string(32 - text.size(), '0') + text;
}
inline store::ContentKey content_of(std::uint32_t number) {
    return {sample_of(number), 1'600'000'000'000'000'000 + number};
}

class MediaFixture : public StoreFixture {
protected:
    using Kind = model::ItemKind;
    using Stream = model::StreamKind;

    /// Item `number` with one source: content `number`, that many bytes and milliseconds.
    static model::Item media(std::uint32_t number, Kind kind, const std::string& path,
                             const std::vector<Stream>& streams, std::uint32_t parent = 0, std::uint8_t library = 1) {
        auto made = item(number, kind, "Item " + std::to_string(number), parent, library);
        model::MediaSource source;
        source.file = {path, number, content_of(number).mtime_ns, number, 7};
        source.info.container = "matroska,webm";
        source.info.duration = core::Millis{number};
        source.info.content_sample = content_of(number).sample;
        int index = 0;
        for (const auto stream : streams) {
            model::MediaStream one;
            one.kind = stream;
            one.index = index++;
            source.info.streams.push_back(one);
        }
        made.sources.push_back(std::move(source));
        return made;
    }
    static model::Item film(std::uint32_t number, std::uint8_t library = 1) {
        return media(number, Kind::movie, "/media/film " + std::to_string(number), {Stream::video, Stream::audio}, 0,
                     library);
    }
    /// Calls write(fence) under the live run's fence, which moves on where it was passed.
    template <class Write>
    auto fenced(const Write& write) {
        auto written = write(fence_);
        if (written) ++fence_.cursor_seq;
        return written;
    }
    Result<void> remove_items(const std::vector<core::ItemId>& ids, std::uint8_t library = 1) {
        auto all = batch(library);
        all.remove_items = ids;
        return apply(all);
    }
};

}  // namespace understudy::testing
