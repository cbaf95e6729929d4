#include "library/diff.h"

#include <algorithm>
#include <unordered_set>

#include "library/naming/text.h"

namespace understudy::library {
namespace {

struct Frame {
    std::string path;
    Listed listed = Listed::complete;
    std::uint64_t device = 0;
    std::uint32_t media_files = 0;
    std::vector<UnusableEntry> unusable;
};

class Merge {
public:
    Merge(StoredTree& stored, const DiffInput& input, Difference& difference)
        : stored_(stored), input_(input), out_(difference) {
        load_row();
    }

    void on(const WalkEvent& event) {
        if (event.kind == WalkEvent::Kind::directory) {
            // Rows before "path/": the folder's own rows come after it.
            while (row_ < stored_.size() && is_before_folder(row_path_, event.path)) judge();
            enter(event);
            return;
        }
        while (row_ < stored_.size() && std::string_view(row_path_) < event.path) judge();
        if (row_ < stored_.size() && row_path_ == event.path) {
            match(event);
            advance();
        } else {
            work(event, none);
        }
    }

    void finish() {
        while (row_ < stored_.size()) judge();
    }

private:
    static bool is_before_folder(std::string_view row, std::string_view folder) noexcept {
        if (folder == "/") return row < folder;
        const auto common = std::min(row.size(), folder.size());
        if (const int order = row.substr(0, common).compare(folder.substr(0, common)); order != 0) return order < 0;
        return row.size() <= folder.size() || static_cast<unsigned char>(row[folder.size()]) < '/';
    }

    void load_row() {
        if (row_ < stored_.size()) stored_.path(row_, row_path_);
    }
    void advance() {
        ++row_;
        load_row();
    }

    void enter(const WalkEvent& event) {
        while (!frames_.empty() && !is_within(event.path, frames_.back().path)) frames_.pop_back();
        Frame frame;
        frame.path = event.path;
        frame.listed = event.listed;
        frame.device = event.device;
        frame.media_files = event.media_files;
        if (event.unusable != nullptr) frame.unusable = *event.unusable;
        std::string reason(event.reason);
        const auto before = input_.stored_devices.find(frame.path);
        const bool other_device =
            event.listed == Listed::complete && before != input_.stored_devices.end() && before->second != event.device;
        const bool away = other_device && !event.holds_nothing && is_another_disc(event);
        if (away) {
            // What is new there is added all the same: a disc may have been replaced for good. It is no witness later.
            frame.listed = Listed::incomplete;
            note(frame.path,
                 "another device than before and none of what was known is there: taken for a disc that is away");
        }
        if (event.is_root) {
            if (reason == "empty" && input_.emptied_roots.contains(frame.path)) frame.listed = Listed::complete;
            if (away) reason = model::root_on_another_device;
            const bool online = event.listed == Listed::complete && !away;
            out_.roots.push_back({frame.path, online, online ? std::string{} : reason, event.device, 0, 0});
        } else if (other_device && event.holds_nothing) {
            frame.listed = Listed::incomplete;
            reason = "is empty and on another device than before: nothing is mounted there";
        } else if (event.listed == Listed::complete && !away) {
            if (!frames_.empty() && frames_.back().device != event.device) {
                out_.mounts.emplace(frame.path, event.device);
            } else if (before != input_.stored_devices.end()) {
                out_.mounts_gone.push_back(frame.path);
            }
        }
        if (!event.is_root && frame.listed == Listed::incomplete && !away) {
            note(frame.path, reason + "; what is known below it is kept");
        } else if (frame.listed == Listed::looping) {
            note(frame.path, reason + "; not entered again");
        }
        for (const auto& entry : frame.unusable) note(frame.path + "/" + entry.name, entry.reason);
        if (!out_.roots.empty()) out_.roots.back().entries += event.entries;
        out_.entries += event.entries;
        frames_.push_back(std::move(frame));
        if (input_.progress) input_.progress(out_.entries);
    }

    // Of a folder on another device than the last scan saw: is this the ground below a disc that is away? Something
    // known directly below it is missing, and nothing is there that was known on the disc. What an earlier scan found
    // on the present device (a stray file on the mount point) bears no witness.
    bool is_another_disc(const WalkEvent& event) const {
        std::unordered_set<std::string_view> names;
        for (auto rest = event.names; !rest.empty();) {
            const auto end = rest.find('\0');
            names.insert(rest.substr(0, end));
            rest.remove_prefix(std::min(rest.size(), end + 1));
        }
        auto folder = std::string(event.path);
        if (folder != "/") folder += '/';
        bool missing = false;
        std::string path;
        for (auto at = stored_.first_from(folder); at < stored_.size(); ++at) {
            stored_.path(at, path);
            if (!path.starts_with(folder)) break;
            const auto below = std::string_view(path).substr(folder.size());
            if (!names.contains(below.substr(0, below.find('/')))) {
                missing = true;
            } else if (stored_.row(at).device != event.device) {
                return false;
            }
        }
        return missing;
    }

    void note(std::string_view path, std::string_view reason) {
        out_.notes.push_back(naming::display_text(path) + ": " + std::string(reason));
    }

    void match(const WalkEvent& event) {
        auto& row = stored_.row(row_);
        if (row.size_bytes != event.size_bytes || row.mtime_ns != event.mtime_ns || row.retry) {
            row.fate = Fate::changed;
            work(event, static_cast<std::uint32_t>(row_));
            return;
        }
        if (row.available) {
            row.fate = Fate::unchanged;
            ++out_.unchanged;
        } else {
            row.fate = Fate::returned;
            ++out_.returned;
        }
        if ((row.inode != event.inode || row.device != event.device) && !row.failed) {
            row.inode = event.inode;
            row.device = event.device;
            out_.refreshed.push_back(static_cast<std::uint32_t>(row_));
        }
    }

    void work(const WalkEvent& event, std::uint32_t row) {
        FoundFile file;
        file.path = out_.paths.add(event.path);
        file.size_bytes = event.size_bytes;
        file.mtime_ns = event.mtime_ns;
        file.inode = event.inode;
        file.device = event.device;
        file.stored = row;
        file.root = static_cast<std::uint32_t>(out_.roots.size()) - 1;
        file.file_class = event.file_class;
        const auto folder = naming::parent_of(event.path);
        for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
            if (frame->path == folder) {
                file.media_files = frame->media_files;
                break;
            }
        }
        out_.work.push_back(file);
    }

    // A stored file that the walk did not show.
    void judge() {
        if (input_.scope == nullptr || input_.scope->contains_file(row_path_)) decide();
        advance();
    }

    void decide() {
        auto& row = stored_.row(row_);
        // All listed ancestors of a path come before it in the walk, and those folders are still on the stack: between
        // "a/" and "a/x" there is nothing in byte order but what begins with "a/".
        const auto nearest = std::find_if(frames_.rbegin(), frames_.rend(),
                                          [&](const Frame& frame) { return is_within(row_path_, frame.path); });
        if (nearest == frames_.rend()) {
            row.fate = Fate::excluded;  // below none of the library's paths any more
            ++out_.vanished;
            return;
        }
        auto below = std::string_view(row_path_).substr(nearest->path.size());
        if (below.starts_with('/')) below.remove_prefix(1);
        const auto next = below.substr(0, below.find('/'));
        const bool there =
            std::ranges::any_of(nearest->unusable, [&](const UnusableEntry& entry) { return entry.name == next; });
        if (nearest->listed == Listed::excluded) {
            row.fate = Fate::excluded;
            ++out_.vanished;
        } else if (nearest->listed == Listed::complete && !there) {
            row.fate = Fate::vanished;
            ++out_.vanished;
        } else {
            row.fate = Fate::kept;
            ++out_.kept;
            for (auto root = out_.roots.rbegin(); root != out_.roots.rend(); ++root) {
                if (is_within(row_path_, root->path)) {
                    ++root->kept;
                    break;
                }
            }
        }
    }

    StoredTree& stored_;
    const DiffInput& input_;
    Difference& out_;
    std::vector<Frame> frames_;
    std::size_t row_ = 0;
    std::string row_path_;
};

}  // namespace

WalkSource::Step compare(WalkSource& walk, StoredTree& stored, const DiffInput& input, Difference& difference) {
    Merge merge(stored, input, difference);
    WalkEvent event;
    for (;;) {
        const auto step = walk.next(event);
        if (step == WalkSource::Step::stopped) return step;
        if (step == WalkSource::Step::end) break;
        merge.on(event);
    }
    merge.finish();
    return WalkSource::Step::end;
}

}  // namespace understudy::library
