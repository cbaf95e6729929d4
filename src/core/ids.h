// core/ids.h: 128-bit ids as distinct types, so that two kinds cannot be swapped in a call.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/random.h"

namespace understudy::core {

using IdBytes = std::array<std::uint8_t, 16>;

/// 32 lower-case hex digits without dashes.
[[nodiscard]] std::string id_to_hex(const IdBytes& bytes);
/// Accepts 32 hex digits in any case, or the dashed 8-4-4-4-12 form. Anything else: nullopt.
[[nodiscard]] std::optional<IdBytes> id_from_hex(std::string_view text);

template <class Tag>
class Id {
public:
    constexpr Id() = default;  ///< the all-zero id: "none"; never issued
    constexpr explicit Id(const IdBytes& bytes) : bytes_(bytes) {}

    /// A new id; never the all-zero one.
    [[nodiscard]] static Id make(Random& random) {
        Id id;
        while (id.empty()) random.fill(id.bytes_);
        return id;
    }
    [[nodiscard]] static std::optional<Id> parse(std::string_view text) {
        const auto bytes = id_from_hex(text);
        return bytes ? std::optional<Id>(Id(*bytes)) : std::nullopt;
    }
    [[nodiscard]] std::string str() const { return id_to_hex(bytes_); }
    [[nodiscard]] const IdBytes& bytes() const noexcept { return bytes_; }
    [[nodiscard]] bool empty() const noexcept { return bytes_ == IdBytes{}; }

    friend auto operator<=>(const Id&, const Id&) = default;
    friend bool operator==(const Id&, const Id&) = default;

private:
    IdBytes bytes_{};
};

using RunId = Id<struct RunIdTag>;            ///< one execution of a task; made by the client
using BootId = Id<struct BootIdTag>;          ///< one life of a server process
using LeaseToken = Id<struct LeaseTokenTag>;  ///< the owner of one term of a lease
using LibraryId = Id<struct LibraryIdTag>;
using ItemId = Id<struct ItemIdTag>;
using PersonId = Id<struct PersonIdTag>;
using UserId = Id<struct UserIdTag>;
using EntryId = Id<struct EntryIdTag>;  ///< one place in a collection or playlist

}  // namespace understudy::core

template <class Tag>
struct std::hash<understudy::core::Id<Tag>> {
    std::size_t operator()(const understudy::core::Id<Tag>& id) const noexcept {
        std::size_t value = 0;
        std::memcpy(&value, id.bytes().data(), sizeof value);  // ids are random or hashes: any part will do
        return value;
    }
};
