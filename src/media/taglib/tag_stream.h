// media/taglib/tag_stream.h: lets TagLib read a ByteSource and nothing else; all writing is refused. Used by
// audio_file.cpp.
#pragma once

#include <taglib/tiostream.h>

#include "media/byte_source.h"

namespace understudy::media {

class TagStream final : public TagLib::IOStream {
public:
    explicit TagStream(ByteSource& bytes) : bytes_(bytes) {}

    [[nodiscard]] TagLib::FileName name() const override { return ""; }
    TagLib::ByteVector readBlock(unsigned long length) override;
    void writeBlock(const TagLib::ByteVector&) override {}
    void insert(const TagLib::ByteVector&, unsigned long, unsigned long) override {}
    void removeBlock(unsigned long, unsigned long) override {}
    [[nodiscard]] bool readOnly() const override { return true; }
    [[nodiscard]] bool isOpen() const override { return true; }
    void seek(long offset, Position from) override;
    [[nodiscard]] long tell() const override { return at_; }
    long length() override { return bytes_.size(); }
    void truncate(long) override {}

private:
    ByteSource& bytes_;
    long at_ = 0;
};

}  // namespace understudy::media
