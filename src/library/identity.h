// library/identity.h: vanished and new files matched one to one, before the first new item is committed: what
// people did with a file that moved stays with it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "library/diff.h"

namespace understudy::library {

/// Something that is the same for a file before and after it moved.
struct Trace {
    std::array<std::uint64_t, 4> key{};
    std::uint32_t index = 0;
};

using PathOf = std::function<std::string(std::uint32_t index)>;

/// Pairs (gone, found) of equal keys, each index at most once. Among several candidates the longest common path ending
/// wins, then path order.
[[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> pair_up(std::vector<Trace> gone,
                                                                           std::vector<Trace> found,
                                                                           const PathOf& path_of_gone,
                                                                           const PathOf& path_of_found);

/// By (device, inode, size): sets moved_from and the rows' fate. Rows that vanished or are away, with an item.
void match_by_inode(StoredTree& stored, Difference& difference);
/// Indices into `work` whose content sample is worth reading: an unmatched stored file has the same size and mtime.
[[nodiscard]] std::vector<std::uint32_t> sample_candidates(const StoredTree& stored, const Difference& difference);
/// By (size, mtime, content sample); `samples` are those of `candidates`, all zero where unknown.
void match_by_sample(StoredTree& stored, Difference& difference, const std::vector<std::uint32_t>& candidates,
                     const std::vector<core::IdBytes>& samples);
/// Of films: by the provider ids in their names against those of vanished items (`ids_of`, `Tmdb=603` each), then by
/// the same title and year in the same folder.
void match_films_by_name(StoredTree& stored, Difference& difference,
                         const std::function<std::vector<std::string>(const StoredRow&)>& ids_of);

}  // namespace understudy::library
