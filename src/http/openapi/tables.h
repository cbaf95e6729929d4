// http/openapi/tables.h: what the operations of the API take and answer, as data: a file for each group, beside the
// router's rows and joined with them by method and path. Used by document.cpp and by the tests of answers.
#pragma once

#include <span>
#include <string_view>

#include "http/message.h"

namespace understudy::http::openapi {

/// `text`: properties, or the words of an enum, as notation.h says.
struct SchemaRow {
    std::string_view name;
    std::string_view text;
};

/// Where a group serves an operation of Jellyfin's its id, tag and schemas have Jellyfin's names.
struct OperationRow {
    Method method = Method::get;
    std::string_view path;  ///< as the router has it
    std::string_view id;
    std::string_view tag;
    std::string_view summary;     ///< one sentence
    std::string_view answers;     ///< `200:[UserDto] 204`; what all have in common is added (document.cpp). `200:text`,
                                  ///< `css`, `picture` and `file` are no JSON
    std::string_view query = {};  ///< `limit:int32 app:string!`; also a part of the path that is neither id nor text
    std::string_view body = {};   ///< a type or such a word; `!` after it: there must be one
    bool deprecated = false;
};

/// An older address of an operation: what is in its path is no parameter of the query.
struct LegacyRow {
    Method method = Method::get;
    std::string_view path;
    std::string_view id;  ///< of the operation; the older one has `Legacy` after it
};

struct Group {
    std::span<const SchemaRow> schemas = {};
    std::span<const OperationRow> operations = {};
    std::span<const LegacyRow> legacy = {};
};

[[nodiscard]] std::span<const Group> groups();

[[nodiscard]] Group cluster_group();    ///< our own surface: leader, pods, runs, schedule, problems
[[nodiscard]] Group system_group();     ///< health, metrics, system, this document
[[nodiscard]] Group task_group();       ///< scheduled tasks
[[nodiscard]] Group library_group();    ///< libraries and their options
[[nodiscard]] Group item_group();       ///< items and people
[[nodiscard]] Group picture_group();    ///< pictures of items and users
[[nodiscard]] Group media_group();      ///< schemas of media alone: sources, streams, chapters
[[nodiscard]] Group user_group();       ///< users, policies, logging in, keys
[[nodiscard]] Group session_group();    ///< sessions and devices
[[nodiscard]] Group wizard_group();     ///< the start wizard
[[nodiscard]] Group user_data_group();  ///< what users did with items
[[nodiscard]] Group list_group();       ///< collections and playlists

[[nodiscard]] Group absent_group();         ///< what clients ask for and is not here
[[nodiscard]] Group configuration_group();  ///< what the server and its clients are set to
[[nodiscard]] Group environment_group();    ///< folders of the pod that answers
[[nodiscard]] Group library_edit_group();   ///< libraries changed, counted and refreshed
[[nodiscard]] Group name_group();           ///< genres, studios, artists, years
[[nodiscard]] Group remote_group();         ///< the event socket, commands for a client
[[nodiscard]] Group server_group();         ///< system, logs, activity, localisation
[[nodiscard]] Group show_group();           ///< what to see next, what resembles what

/// Addresses that are pages for people, not operations: no row describes them.
[[nodiscard]] bool is_page(std::string_view path) noexcept;

}  // namespace understudy::http::openapi
