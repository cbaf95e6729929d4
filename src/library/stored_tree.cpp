#include "library/stored_tree.h"

#include <algorithm>

namespace understudy::library {

core::Result<StoredTree> StoredTree::load(store::ScanStore& store, const model::Library& library) {
    StoredTree tree(library.kind);
    const auto read = store.files(library.id, [&](store::StoredFile&& file) { tree.add(file); });
    if (!read) return tl::unexpected(read.error());
    tree.finish();
    return tree;
}

void StoredTree::add(const store::StoredFile& file) {
    StoredRow row;
    row.path = paths_.add(file.file.path);
    row.size_bytes = file.file.size_bytes;
    row.mtime_ns = file.file.mtime_ns;
    row.inode = file.file.inode;
    row.device = file.file.device;
    row.item = file.item;
    row.sample = sample_bytes(file.content_sample);
    row.available = file.available;
    row.failed = !file.failure.empty();
    row.retry = row.failed && !file.available;
    if (file.item.empty()) {
        const auto file_class = naming::classify(PathTable::name(row.path), kind_);
        if (naming::is_sidecar(file_class)) row.sidecar = file_class;
        const auto name = PathTable::name(row.path);  // sound in a film's `theme-music` is there by its folder
        row.disused = file_class == naming::FileClass::none && !naming::is_video(name) && !naming::is_audio(name);
    }
    if (file.file.path < last_) sorted_ = false;
    last_ = file.file.path;
    rows_.push_back(row);
}

void StoredTree::finish() {
    if (sorted_) return;
    std::ranges::sort(
        rows_, [&](const StoredRow& a, const StoredRow& b) { return paths_.path(a.path) < paths_.path(b.path); });
    sorted_ = true;
}

std::uint32_t StoredTree::media_files(std::size_t index) const {
    const auto folder = folder_index(index);
    return folder < media_files_.size() ? media_files_[folder] : 0;
}

void StoredTree::set_media_files(std::size_t index, std::uint32_t count) {
    if (media_files_.empty()) media_files_.resize(paths_.folders().size());
    media_files_[folder_index(index)] = count;
}

std::size_t StoredTree::first_from(std::string_view path) const {
    std::string at;
    const auto found = std::ranges::partition_point(rows_, [&](const StoredRow& row) {
        paths_.get(row.path, at);
        return std::string_view(at) < path;
    });
    return static_cast<std::size_t>(found - rows_.begin());
}

std::optional<std::size_t> StoredTree::find(std::string_view path) const {
    const auto index = first_from(path);
    if (index == rows_.size() || this->path(index) != path) return std::nullopt;
    return index;
}

std::string sample_text(const core::IdBytes& sample) {
    return sample == core::IdBytes{} ? std::string{} : core::id_to_hex(sample);
}

core::IdBytes sample_bytes(const std::string& text) {
    return core::id_from_hex(text).value_or(core::IdBytes{});
}

}  // namespace understudy::library
