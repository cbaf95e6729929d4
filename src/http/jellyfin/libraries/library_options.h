// http/jellyfin/libraries/library_options.h: LibraryOptions as clients send, store and read them. Used by the library
// handlers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"
#include "http/json_body.h"
#include "http/json_writer.h"

namespace understudy::http {

struct LibraryOptionsInput {
    std::string json = "{}";                           ///< known properties alone, in Jellyfin's spelling: to be stored
    std::vector<std::string> paths;                    ///< of PathInfos
    std::optional<core::Millis> remove_missing_after;  ///< `RemoveMissingAfterDays`, ours
};

/// Errors: invalid, starting with the property's name.
[[nodiscard]] core::Result<LibraryOptionsInput> read_library_options(const JsonBody& body);

/// Jellyfin's clients may say more than we know; a person who mistyped a property must hear it. Errors: invalid, with
/// the nearest one.
[[nodiscard]] core::Result<void> check_option_names(const JsonBody& body);

/// `stored` with what `body` says in its place: properties it does not name stay, null takes one back. Errors: invalid,
/// also for a property that nobody knows, with the nearest one.
[[nodiscard]] core::Result<std::string> changed_library_options(std::string_view stored, const JsonBody& body);

/// All properties that typed clients need, those not stored with Jellyfin's defaults.
void write_library_options(JsonWriter& out, std::string_view stored, const std::vector<std::string>& paths);

}  // namespace understudy::http
