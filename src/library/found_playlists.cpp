#include "library/found_playlists.h"

#include <algorithm>

#include "library/naming/entries.h"
#include "library/naming/text.h"
#include "library/playlists/playlist.h"

namespace understudy::library {
namespace {

constexpr std::size_t most_a_call = 100;

class ReadFiles final : public playlists::Files {
public:
    explicit ReadFiles(PatientReader& reader) : reader_(reader) {}
    [[nodiscard]] core::Result<std::string> read(const std::string& path) const override {
        return reader_.read(path, playlists::longest_file + 1);
    }
    // An entry counts where it leads to an item; the disc is not asked.
    [[nodiscard]] bool exists(const std::string&) const override { return true; }

private:
    PatientReader& reader_;
};

}  // namespace

FoundPlaylists::FoundPlaylists(core::LibraryId library, store::Collections& collections, store::ScanStore& scans,
                               PatientReader& reader, core::Random& random, core::UtcTime now, FoundSets::Commit commit,
                               std::function<void(const std::string&)> warn)
    : library_(library),
      collections_(collections),
      scans_(scans),
      reader_(reader),
      random_(random),
      now_(now),
      commit_(std::move(commit)),
      warn_(std::move(warn)) {}

void FoundPlaylists::expect(const std::set<std::string>& paths) {
    reader_.expect({paths.begin(), paths.end()}, playlists::longest_file + 1, 0);
}

core::Result<void> FoundPlaylists::read(const std::string& path, bool is_new, std::vector<Read>& into) {
    const auto loaded = playlists::load(path, ReadFiles(reader_));
    if (!loaded && loaded.error().code == core::Errc::cancelled) return tl::unexpected(loaded.error());
    const auto& fault = loaded ? loaded->fault : loaded.error().context;
    if (is_new && !fault.empty()) warn_(naming::display_text(path) + ": " + naming::display_text(fault));
    if (!loaded) return {};
    if (is_new && !fault.empty()) faults_[path] = naming::display_text(fault);
    Read playlist;
    playlist.path = path;
    playlist.title = loaded->title.empty() ? naming::display_text(naming::stem_of(naming::name_of(path)))
                                           : naming::display_text(loaded->title);
    for (const auto& entry : loaded->entries) {
        if (!entry.path.empty()) playlist.entries.push_back(entry.path);
    }
    into.push_back(std::move(playlist));
    return {};
}

core::Result<std::vector<core::ItemId>> FoundPlaylists::resolve(const Read& playlist, bool unchanged,
                                                                core::ItemId known) const {
    std::vector<core::ItemId> items;
    std::size_t missing = 0;
    for (const auto& entry : playlist.entries) {
        const auto found = items_.find(entry);
        items.push_back(found == items_.end() ? core::ItemId{} : found->second);
        if (items.back().empty()) ++missing;
    }
    if (unchanged && missing > 0 && !known.empty()) {
        const auto members = collections_.members(known, 0, 0);
        if (!members && members.error().code != core::Errc::not_found) return tl::unexpected(members.error());
        std::vector<core::ItemId> left;  // in the list, behind no entry: what moved away from its path
        if (members) {
            for (const auto& member : *members) {
                if (member.there && std::ranges::find(items, member.item) == items.end()) left.push_back(member.item);
            }
        }
        auto next = left.begin();
        for (auto& item : items) {
            if (item.empty() && next != left.end()) item = *next++;
        }
    }
    std::erase_if(items, [](core::ItemId item) { return item.empty(); });
    return items;
}

// A playlist of which a part is lost is told of until its file changes.
core::Result<void> FoundPlaylists::note_faults(std::vector<store::StoredFile>&& files) {
    for (std::size_t at = 0; at < files.size();) {
        store::ScanBatch batch;
        batch.library = library_;
        for (const auto end = std::min(files.size(), at + most_a_call); at < end; ++at) {
            files[at].failure = faults_[files[at].file.path];
            files[at].failed_since = now_;
            batch.upsert_files.push_back(std::move(files[at]));
        }
        auto written = commit_([&](const core::Fence& fence) { return scans_.apply(batch, fence); });
        if (!written) return written;
    }
    return {};
}

// An entry may lie in any library: a folder of playlists is often one of its own. Members keep their library, so that
// whoever shows a playlist can leave out what its reader may not see, once libraries are not everybody's.
core::Result<void> FoundPlaylists::find_items(const std::vector<Read>& playlists) {
    std::set<std::string> wanted;
    for (const auto& playlist : playlists) wanted.insert(playlist.entries.begin(), playlist.entries.end());
    for (const auto& [path, item] : items_) wanted.erase(path);
    constexpr std::size_t page = 500;
    for (auto next = wanted.begin(); next != wanted.end();) {
        std::vector<std::string> paths;
        while (next != wanted.end() && paths.size() < page) paths.push_back(*next++);
        auto found = scans_.items_at(paths);
        if (!found) return tl::unexpected(found.error());
        items_.merge(*found);
    }
    return {};
}

core::Result<void> FoundPlaylists::put(const std::vector<Read>& playlists, const std::set<std::string>& unchanged,
                                       const Origins& origins) {
    std::vector<store::FoundCollection> found;
    for (std::size_t i = 0; i < playlists.size(); ++i) {
        const auto& playlist = playlists[i];
        const auto known = origins.find(playlist.path);
        auto items = resolve(playlist, unchanged.contains(playlist.path),
                             known == origins.end() ? core::ItemId{} : known->second);
        if (!items) return tl::unexpected(items.error());
        found.push_back(
            {core::ItemId::make(random_), model::ItemKind::playlist, playlist.title, playlist.path, std::move(*items)});
        if (found.size() < most_a_call && i + 1 < playlists.size()) continue;
        auto written = commit_([&](const core::Fence& fence) -> core::Result<void> {
            if (auto done = collections_.put_found(library_, found, fence); !done) return tl::unexpected(done.error());
            return {};
        });
        if (!written) return written;
        found.clear();
    }
    return {};
}

core::Result<void> FoundPlaylists::look_again(const std::set<std::string>& paths) {
    const auto origins = collections_.origins(library_);
    if (!origins) return tl::unexpected(origins.error());
    std::vector<Read> read_now;
    expect(paths);
    for (const auto& path : paths) {
        if (auto done = read(path, false, read_now); !done) return done;
    }
    reader_.forget();
    items_.clear();
    if (auto found = find_items(read_now); !found) return found;
    return put(read_now, paths, *origins);
}

core::Result<void> FoundPlaylists::refresh(const std::set<std::string>& changed,
                                           const std::set<std::string>& unchanged) {
    const auto origins = collections_.origins(library_);
    if (!origins) return tl::unexpected(origins.error());
    std::set<std::string> gone;
    for (const auto& [origin, id] : *origins) {
        if (origin.starts_with('/')) gone.insert(origin);
    }
    if (changed.empty() && unchanged.empty() && gone.empty()) return {};
    std::vector<Read> read_now;
    for (const auto* paths : {&changed, &unchanged}) expect(*paths);
    for (const auto* paths : {&changed, &unchanged}) {
        for (const auto& path : *paths) {
            if (auto done = read(path, paths == &changed, read_now); !done) return done;
        }
    }
    reader_.forget();
    std::set<std::string> wanted;
    for (const auto& playlist : read_now) wanted.insert(playlist.entries.begin(), playlist.entries.end());
    items_.clear();
    std::vector<store::StoredFile> faulty;
    const auto looked = scans_.files(library_, [&](store::StoredFile&& file) {
        gone.erase(file.file.path);
        if (faults_.contains(file.file.path)) faulty.push_back(file);
        if (!file.item.empty() && wanted.contains(file.file.path)) items_.emplace(file.file.path, file.item);
    });
    if (!looked) return looked;
    if (auto noted = note_faults(std::move(faulty)); !noted) return noted;
    if (auto found = find_items(read_now); !found) return found;
    if (auto done = put(read_now, unchanged, *origins); !done) return done;
    const std::vector<std::string> all_gone(gone.begin(), gone.end());
    for (std::size_t at = 0; at < all_gone.size(); at += most_a_call) {
        const auto end = std::min(all_gone.size(), at + most_a_call);
        const std::vector<std::string> some(all_gone.begin() + static_cast<std::ptrdiff_t>(at),
                                            all_gone.begin() + static_cast<std::ptrdiff_t>(end));
        auto written = commit_([&](const core::Fence& fence) -> core::Result<void> {
            if (auto left = collections_.remove_found(library_, some, fence); !left)
                return tl::unexpected(left.error());
            return {};
        });
        if (!written) return written;
    }
    return {};
}

}  // namespace understudy::library
