// library/item_index.h: the items of a library by id and by key, as small as can be: the resolver finds ids in it, the
// scanner learns from it what has lost its last file or child.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ids.h"
#include "core/result.h"
#include "model/item.h"
#include "store/scan_store.h"

namespace understudy::library {

struct KnownItem {
    core::ItemId id, parent;
    std::uint64_t key = 0;      ///< hash of (kind, parent, original key)
    std::uint32_t files = 0;    ///< leaves: files that stay where they are, or were committed in this scan
    std::uint32_t anchors = 0;  ///< leaves: those of them that hold the folders above in place (not: retagged tracks)
    std::uint32_t staying = 0;  ///< folders: leaves below with anchors
    model::ItemKind kind = model::ItemKind::movie;
    bool available = true;
    bool claimed = false;  ///< taken up by a file or key of this scan: no other may
    bool moving = false;   ///< a file of it was found under another name and takes it along
    bool removed = false;
    bool describe = false;     ///< folders: what describes them changed …
    bool represented = false;  ///< … and a file below it is looked at for it
};

[[nodiscard]] constexpr bool is_leaf(model::ItemKind kind) noexcept {
    return kind == model::ItemKind::movie || kind == model::ItemKind::episode || kind == model::ItemKind::track ||
           kind == model::ItemKind::extra;
}

class ItemIndex {
public:
    [[nodiscard]] core::Result<void> load(store::ScanStore& store, core::LibraryId library);

    [[nodiscard]] KnownItem* by_id(core::ItemId id);
    [[nodiscard]] KnownItem* by_key(model::ItemKind kind, core::ItemId parent, std::string_view key);
    [[nodiscard]] static bool is_called(const KnownItem& item, std::string_view key) noexcept {
        return item.key == hash(item.kind, item.parent, key);
    }
    /// A new item, or one that has another parent or key from now on.
    KnownItem& put(core::ItemId id, model::ItemKind kind, core::ItemId parent, std::string_view key);
    /// Counts of what stays, up to series and artists. Once, when the files' fates are known.
    void count_staying();
    /// A leaf that may go elsewhere: one file of it holds nothing in place any more.
    void let_go(core::ItemId leaf);
    /// Series, seasons, artists and albums without a child but extras, inner ones first; marks them removed.
    [[nodiscard]] std::vector<core::ItemId> take_childless();
    /// Extras whose owner was removed; marks them removed.
    [[nodiscard]] std::vector<core::ItemId> take_ownerless();
    /// A series', season's, artist's or album's own; empty: not known.
    [[nodiscard]] const std::string& folder(core::ItemId id) const;
    void set_folder(core::ItemId id, const std::string& folder);
    [[nodiscard]] const std::unordered_map<core::ItemId, std::string>& folders() const noexcept { return folders_; }
    [[nodiscard]] std::vector<KnownItem>& all() noexcept { return items_; }

private:
    static std::uint64_t hash(model::ItemKind kind, core::ItemId parent, std::string_view key) noexcept;

    std::vector<KnownItem> items_;
    std::unordered_map<core::ItemId, std::uint32_t> by_id_;
    std::unordered_map<std::uint64_t, std::uint32_t> by_key_;
    std::unordered_map<core::ItemId, std::string> folders_;
};

}  // namespace understudy::library
