// Which NFO files the next folders will ask for: read ahead, so that a share's latency is not paid file by file. Told
// from what is known of the folders; a file that is asked for and was not foreseen is read then, one that was foreseen
// and is not asked for was read in vain.
#include <algorithm>

#include "library/naming/text.h"
#include "library/nfo/parse.h"
#include "library/scan_session.h"

namespace understudy::library {

class ScanSession::NfoFiles {
public:
    explicit NfoFiles(ScanSession& scan) : scan_(scan) {}

    /// False: there is none that can be read.
    bool take(const std::string& folder, std::string_view name, bool only_new = false) {
        const auto there = scan_.sidecars_->in(folder);
        const auto* file = there->find(name);
        if (file == nullptr || file->file_class != naming::FileClass::nfo || file->broken) return false;
        auto path = (folder == "/" ? folder : folder + "/") + file->name;
        if (only_new) {
            const auto row = scan_.stored_.find(path);
            if (row && scan_.stored_.row(*row).fate != Fate::changed) return false;
        }
        paths_.push_back(std::move(path));
        return true;
    }
    [[nodiscard]] std::vector<std::string>&& paths() { return std::move(paths_); }

private:
    ScanSession& scan_;
    std::vector<std::string> paths_;
};

std::vector<std::string> ScanSession::nfo_files_of(const Group& group) {
    NfoFiles files(*this);
    const auto& root = difference_.roots[difference_.work[order_[group.begin]].root].path;
    const auto each_stem = [&] {
        for (auto i = group.begin; i < group.end; ++i) {
            const auto& file = difference_.work[order_[i]];
            const bool direct = difference_.paths.folder(file.path) == group.folder;
            if (direct && file.file_class == naming::FileClass::media)
                files.take(group.folder, std::string(naming::stem_of(PathTable::name(file.path))) + ".nfo");
        }
    };
    // What describes a folder is read where it is new, with the first of what lies below.
    const auto each_folder_above = [&](std::initializer_list<std::string_view> names) {
        std::string folder = group.folder;
        for (; folder.size() > root.size() && !is_within(foreseen_, folder);
             folder = std::string(naming::parent_of(folder))) {
            for (const auto name : names) files.take(folder, name, true);
        }
        foreseen_ = group.folder;
    };
    switch (library_.kind) {
        case model::LibraryKind::movies: {
            const bool alone = group.folder != root && difference_.work[order_[group.begin]].media_files <= 1;
            if (!alone || !files.take(group.folder, "movie.nfo")) each_stem();
            each_folder_above({"collection.nfo"});
            break;
        }
        case model::LibraryKind::tvshows:
            each_folder_above({"tvshow.nfo", "season.nfo"});
            each_stem();
            break;
        case model::LibraryKind::music:
            each_folder_above({"artist.nfo"});
            files.take(group.folder, "album.nfo");
            break;
    }
    return files.paths();
}

void ScanSession::read_ahead(std::size_t group) {
    constexpr std::size_t groups_ahead = 16;  // most hold one film, and one NFO file
    for (; foreseen_groups_ < groups_.size() && foreseen_groups_ <= group + groups_ahead; ++foreseen_groups_) {
        const auto& next = groups_[foreseen_groups_];
        if (next.extras) continue;
        if (auto files = nfo_files_of(next); !files.empty())
            reader_->expect(files, nfo::longest_file + 1, foreseen_groups_);
    }
}

}  // namespace understudy::library
