#include "library/item_index.h"

#include <algorithm>

namespace understudy::library {

core::Result<void> ItemIndex::load(store::ScanStore& store, core::LibraryId library) {
    return store.items(library, [&](store::StoredItem&& item) {
        auto& known = put(item.id, item.kind, item.parent, item.original_key);
        known.available = item.available;
        set_folder(item.id, item.folder);
    });
}

const std::string& ItemIndex::folder(core::ItemId id) const {
    static const std::string unknown;
    const auto found = folders_.find(id);
    return found == folders_.end() ? unknown : found->second;
}

void ItemIndex::set_folder(core::ItemId id, const std::string& folder) {
    if (folder.empty()) {
        folders_.erase(id);
    } else {
        folders_.insert_or_assign(id, folder);
    }
}

std::uint64_t ItemIndex::hash(model::ItemKind kind, core::ItemId parent, std::string_view key) noexcept {
    std::uint64_t value = 14695981039346656037ULL;  // FNV-1a
    const auto mix = [&](unsigned char byte) { value = (value ^ byte) * 1099511628211ULL; };
    mix(static_cast<unsigned char>(kind));
    for (const auto byte : parent.bytes()) mix(byte);
    for (const char c : key) mix(static_cast<unsigned char>(c));
    return value;
}

KnownItem* ItemIndex::by_id(core::ItemId id) {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &items_[found->second];
}

KnownItem* ItemIndex::by_key(model::ItemKind kind, core::ItemId parent, std::string_view key) {
    const auto found = by_key_.find(hash(kind, parent, key));
    if (found == by_key_.end()) return nullptr;
    auto& item = items_[found->second];
    return item.removed ? nullptr : &item;
}

KnownItem& ItemIndex::put(core::ItemId id, model::ItemKind kind, core::ItemId parent, std::string_view key) {
    const auto [slot, added] = by_id_.try_emplace(id, static_cast<std::uint32_t>(items_.size()));
    if (added) items_.emplace_back();
    auto& item = items_[slot->second];
    const auto new_key = hash(kind, parent, key);
    if (!added && item.key != new_key) {
        const auto old = by_key_.find(item.key);
        if (old != by_key_.end() && old->second == slot->second) by_key_.erase(old);
    }
    item.id = id;
    item.kind = kind;
    item.parent = parent;
    item.key = new_key;
    by_key_[new_key] = slot->second;
    return item;
}

void ItemIndex::count_staying() {
    for (auto& item : items_) {
        if (!is_leaf(item.kind) || item.anchors == 0) continue;
        for (auto* up = by_id(item.parent); up != nullptr; up = by_id(up->parent)) ++up->staying;
    }
}

void ItemIndex::let_go(core::ItemId leaf) {
    auto* item = by_id(leaf);
    if (item == nullptr || item->anchors == 0 || --item->anchors > 0) return;
    for (auto* up = by_id(item->parent); up != nullptr; up = by_id(up->parent)) --up->staying;
}

std::vector<core::ItemId> ItemIndex::take_childless() {
    std::unordered_map<core::ItemId, std::uint32_t> children;
    for (const auto& item : items_) {
        const bool counts = !item.removed && !item.parent.empty() && item.kind != model::ItemKind::extra;
        if (counts) ++children[item.parent];
    }
    std::vector<core::ItemId> result;
    // Seasons and albums first: their going may leave a series or an artist without children.
    for (const bool inner : {true, false}) {
        for (auto& item : items_) {
            const bool is_inner = item.kind == model::ItemKind::season || item.kind == model::ItemKind::album;
            if (is_leaf(item.kind) || item.removed || is_inner != inner) continue;
            if (const auto count = children.find(item.id); count != children.end() && count->second > 0) continue;
            item.removed = true;
            result.push_back(item.id);
            if (!item.parent.empty()) --children[item.parent];
        }
    }
    return result;
}

std::vector<core::ItemId> ItemIndex::take_ownerless() {
    std::vector<core::ItemId> result;
    for (auto& item : items_) {
        if (item.kind != model::ItemKind::extra || item.removed) continue;
        const auto* owner = by_id(item.parent);
        if (owner != nullptr && !owner->removed) continue;
        item.removed = true;
        result.push_back(item.id);
    }
    return result;
}

}  // namespace understudy::library
