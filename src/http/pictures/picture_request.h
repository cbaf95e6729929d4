// http/pictures/picture_request.h: the size, quality and format that a request wants a picture in. Used by the handlers
// that answer with pictures.
#pragma once

#include <string>

#include "core/result.h"
#include "http/message.h"
#include "media/image_header.h"
#include "media/scaled.h"

namespace understudy::http {

struct PictureWish {
    /// Rounded, so that clients of many window sizes share what is made: `fill_…` up to the next 16 pixels (it covers
    /// the box all the same, and no client shows more of it), quality up to the next 5. What is a promise is kept.
    media::ScaleParameters parameters;
    bool plain = true;       ///< as it is kept, whatever that is
    bool by_accept = false;  ///< no format was named: what the client accepts decided

    /// Lower-case letters and digits: the same for what comes to the same.
    [[nodiscard]] std::string key() const;
    /// The picture with this header is what is wanted already.
    [[nodiscard]] bool is_met_by(const media::ImageHeader& header) const;
};

/// `maxWidth, maxHeight, width, height, fillWidth, fillHeight, quality, format` from path or query, and what `Accept`
/// says. Sizes beyond 4096 count as that. Errors: invalid, naming the parameter.
[[nodiscard]] core::Result<PictureWish> read_picture_wish(const Request& request);

}  // namespace understudy::http
