// tests/http/api_calls.h: good requests for every operation of the document, a file for each group of its tables: at
// least one each. Used by every_operation_test.cpp.
#pragma once

#include <vector>

#include "http/api_world.h"

namespace understudy::testing {

struct ApiCallGroup {
    const char* name;
    std::vector<ApiCall> (*calls)(const ApiWorld& world);
};

[[nodiscard]] std::vector<ApiCall> own_calls(const ApiWorld& world);        ///< /cluster, health, this document
[[nodiscard]] std::vector<ApiCall> server_calls(const ApiWorld& world);     ///< system, tasks, libraries, wizard
[[nodiscard]] std::vector<ApiCall> user_calls(const ApiWorld& world);       ///< users, keys, sessions, devices
[[nodiscard]] std::vector<ApiCall> item_calls(const ApiWorld& world);       ///< items, people
[[nodiscard]] std::vector<ApiCall> user_data_calls(const ApiWorld& world);  ///< what users did with items
[[nodiscard]] std::vector<ApiCall> list_calls(const ApiWorld& world);       ///< collections and playlists

[[nodiscard]] std::vector<ApiCall> picture_calls(const ApiWorld& world);  ///< pictures of items and users
[[nodiscard]] std::vector<ApiCall> remote_calls(const ApiWorld& world);   ///< the event socket, commands to clients
[[nodiscard]] std::vector<ApiCall> configuration_calls(const ApiWorld& world);
[[nodiscard]] std::vector<ApiCall> absent_calls(const ApiWorld& world);   ///< what is not here
[[nodiscard]] std::vector<ApiCall> setting_calls(const ApiWorld& world);  ///< system, logs, folders
[[nodiscard]] std::vector<ApiCall> edit_calls(const ApiWorld& world);     ///< libraries changed
[[nodiscard]] std::vector<ApiCall> show_calls(const ApiWorld& world);     ///< what to see next
[[nodiscard]] std::vector<ApiCall> name_calls(const ApiWorld& world);     ///< genres, studios, artists, years

/// A world of its own is made for each; its calls are made in their order.
inline constexpr ApiCallGroup api_call_groups[] = {
    {"own", own_calls},
    {"server", server_calls},
    {"users", user_calls},
    {"items", item_calls},
    {"user_data", user_data_calls},
    {"lists", list_calls},
    {"absent", absent_calls},
    {"settings", setting_calls},
    {"edits", edit_calls},
    {"shows", show_calls},
    {"names", name_calls},
    {"pictures", picture_calls},
    {"remote", remote_calls},
    {"configuration", configuration_calls},
};

}  // namespace understudy::testing
