// tasks/catalogue.h: the twelve known tasks, built or not. Keys and ids are public constants: scripts hard-code them.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tasks/trigger.h"

namespace understudy::tasks {

enum class Scope { cluster, pod };             ///< one run in the cluster, or one on each pod
enum class Group { none, library, optimize };  ///< an `optimize` run waits for every `library` run and the reverse

struct CatalogueEntry {
    std::string_view key;   ///< `RefreshLibrary`
    std::string_view id;    ///< 32 hex digits
    std::string_view name;  ///< what Jellyfin 10.11 shows
    std::string_view description;
    std::string_view category;  ///< `Library`, `Maintenance`
    Scope scope = Scope::cluster;
    Group group = Group::none;
    bool gated_by_default = false;

    [[nodiscard]] std::vector<Trigger> default_triggers() const;
};

[[nodiscard]] std::span<const CatalogueEntry> catalogue() noexcept;
/// By key (any case) or id (dashed or not, any case).
[[nodiscard]] const CatalogueEntry* find_task(std::string_view key_or_id) noexcept;

}  // namespace understudy::tasks
