// http/pictures/picture_answer.h: answers with a picture, in the size that was asked for. Used by the handlers of
// pictures of items, chapters, people and users.
#pragma once

#include <functional>
#include <string>

#include "core/result.h"
#include "http/pictures/picture_request.h"
#include "http/services.h"
#include "store/blob_hash.h"

namespace understudy::http {

/// An address with the tag of what is behind it stays true for ever; one without is asked again soon. `content`: there
/// is never another picture behind the address that is not known by another tag.
enum class Freshness { by_tag, content };

struct PictureBytes {
    std::string tag;  ///< of the picture as it was read: it may have changed since it was looked at
    std::string content_type, bytes;
};

struct PictureSource {
    std::string tag;                                   ///< lower-case letters and digits: another picture has another
    std::function<core::Result<PictureBytes>()> read;  ///< asked only where the bytes are needed
    Freshness freshness = Freshness::by_tag;
};

/// ETag and Cache-Control. `variant`: of the picture with this tag; empty: as it is kept.
[[nodiscard]] Response with_freshness(Response response, const Request& request, const std::string& tag,
                                      const std::string& variant = {}, Freshness freshness = Freshness::by_tag);

/// 304 where the client has it. What cannot be scaled goes out as it is kept; what has more pixels than anybody should
/// decode does not (404). Without services.scaled, and where nothing else is wished for, the picture as it is kept.
[[nodiscard]] core::Result<Response> answer_with_picture(const Services& services, const Request& request,
                                                         const PictureWish& wish, const PictureSource& source);

/// The same of a blob. Errors: not_found where there is none, or no picture; `known_type`, where it is not empty, is
/// believed.
[[nodiscard]] core::Result<Response> answer_with_blob(const Services& services, const Request& request,
                                                      const PictureWish& wish, const store::BlobHash& blob,
                                                      Freshness freshness = Freshness::by_tag,
                                                      const std::string& known_type = {});

}  // namespace understudy::http
