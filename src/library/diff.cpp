#include "library/diff.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "library/naming/text.h"

namespace understudy::library {
namespace {

// Removals below a folder that is on another device than the last scan saw wait here until the folder is left: is this
// the disc under a new number, or the ground below a disc that is away?
struct Doubt {
    std::uint64_t known_device = 0;  // where its files were
    bool cleared = false;
    std::vector<std::pair<std::uint32_t, Fate>> rows;  // what becomes of them where the disc is there
};

struct Frame {
    std::string path;
    Listed listed = Listed::complete;
    std::uint64_t device = 0;
    std::uint32_t media_files = 0;
    bool linked = false;           // a link leads here from the folder in doubt
    std::shared_ptr<Doubt> doubt;  // shared with all folders below on the same device
    bool doubt_begins = false;
    std::size_t root = 0;
    bool is_root = false;
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
        note_odd_name(event.path);
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
        while (!frames_.empty()) leave();
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
        while (!frames_.empty() && !is_within(event.path, frames_.back().path)) leave();
        Frame frame;
        frame.path = event.path;
        frame.listed = event.listed;
        frame.device = event.device;
        frame.media_files = event.media_files;
        frame.is_root = event.is_root;
        if (event.unusable != nullptr) frame.unusable = *event.unusable;
        std::string reason(event.reason);
        const auto before = input_.stored_devices.find(frame.path);
        const bool listed = event.listed == Listed::complete || event.listed == Listed::excluded;
        const bool other_device = listed && before != input_.stored_devices.end() && before->second != event.device;
        const bool nothing_mounted = other_device && event.holds_nothing && !event.is_root;
        if (event.is_root) {
            if (reason == "empty" && input_.emptied_roots.contains(frame.path)) frame.listed = Listed::complete;
            const bool online = event.listed == Listed::complete;
            out_.roots.push_back({frame.path, online, online ? std::string{} : reason, event.device, 0, 0});
        } else if (nothing_mounted) {
            frame.listed = Listed::incomplete;
            reason = "is empty and on another device than before: nothing is mounted there";
        } else if (event.listed == Listed::complete) {
            if (!frames_.empty() && frames_.back().device != event.device) {
                out_.mounts.emplace(frame.path, event.device);
            } else if (before != input_.stored_devices.end()) {
                out_.mounts_gone.push_back(frame.path);
            }
        }
        frame.root = out_.roots.empty() ? 0 : out_.roots.size() - 1;
        if (other_device && !nothing_mounted && !(event.is_root && event.holds_nothing)) {
            frame.doubt = std::make_shared<Doubt>();
            frame.doubt->known_device = before->second;
            frame.doubt_begins = true;
        } else if (!frames_.empty() && !event.is_root && frames_.back().device == event.device) {
            frame.doubt = frames_.back().doubt;
            frame.linked = frames_.back().linked || event.is_link;
        }
        if (!event.is_root && frame.listed == Listed::incomplete) {
            note(frame.path, reason + "; what is known below it is kept", nothing_mounted);
        } else if (frame.listed == Listed::looping) {
            note(frame.path, reason + "; not entered again");
        }
        if (frame.listed == Listed::incomplete) out_.unlisted.push_back(frame.path);
        if (!event.is_root) note_odd_name(event.path);
        for (const auto& entry : frame.unusable)
            note((frame.path == "/" ? "" : frame.path) + "/" + entry.name, entry.reason);
        if (!out_.roots.empty()) out_.roots.back().entries += event.entries;
        out_.entries += event.entries;
        frames_.push_back(std::move(frame));
        if (input_.progress) input_.progress(out_.entries);
    }

    // All below the last frame is judged. Where its disc was in doubt and nothing below bore witness that it is there,
    // what would have gone stays. What is new there is added all the same: a disc may have been replaced for good.
    void leave() {
        const auto& frame = frames_.back();
        if (frame.doubt_begins && frame.doubt->cleared) out_.renumbered.emplace(frame.path, frame.device);
        if (frame.doubt_begins && !frame.doubt->rows.empty()) {
            if (frame.doubt->cleared) {
                for (const auto& [row, fate] : frame.doubt->rows) stored_.row(row).fate = fate;
                out_.vanished += static_cast<std::int64_t>(frame.doubt->rows.size());
            } else {
                auto& root = out_.roots[frame.root];
                out_.kept += static_cast<std::int64_t>(frame.doubt->rows.size());
                root.kept += static_cast<std::int64_t>(frame.doubt->rows.size());
                note(frame.path,
                     "another device than before and none of what was known is there: taken for a disc that is away",
                     true);
                out_.unlisted.push_back(frame.path);
                if (frame.is_root) {
                    root.online = false;
                    root.reason = model::root_on_another_device;
                }
                out_.mounts.erase(frame.path);
                std::erase(out_.mounts_gone, frame.path);
            }
        }
        frames_.pop_back();
    }

    // What proves that a disc is there under a new number: a file that was known on it, with the same size and time, on
    // the folder's own device and with no link on the way. Names alone prove nothing: a download that found the mount
    // point empty makes the folders of a known show anew, and a link leads elsewhere whether the disc is there or not.
    // What an earlier scan found on the ground itself is known by the ground's device.
    void hear_witness(const WalkEvent& event, const StoredRow& row) {
        const auto frame = nearest_frame(event.path);
        if (frame == frames_.rend() || !frame->doubt || frame->linked) return;
        if (event.is_link || event.device != frame->device) return;
        if (row.device == frame->doubt->known_device) frame->doubt->cleared = true;
    }

    // All listed ancestors of a path come before it in the walk, and those folders are still on the stack: between
    // "a/" and "a/x" there is nothing in byte order but what begins with "a/".
    std::vector<Frame>::reverse_iterator nearest_frame(std::string_view path) {
        return std::find_if(frames_.rbegin(), frames_.rend(),
                            [&](const Frame& frame) { return is_within(path, frame.path); });
    }

    void note(std::string_view path, std::string_view reason, bool storage = false) {
        out_.notes.push_back({std::string(path), std::string(reason), storage});
    }

    // Used all the same; but a client that sends the name back will not hit the file.
    void note_odd_name(std::string_view path) {
        const auto name = naming::name_of(path);
        const bool plain = std::ranges::all_of(name, [](char c) { return c >= ' ' && c < '\x7f'; });
        if (!plain && naming::display_text(name) != name) {
            note(path, "the name is not UTF-8 or holds control characters; it is shown repaired");
        }
    }

    void match(const WalkEvent& event) {
        auto& row = stored_.row(row_);
        note_media_files();
        if (row.size_bytes != event.size_bytes || row.mtime_ns != event.mtime_ns || row.retry) {
            row.fate = Fate::changed;
            work(event, static_cast<std::uint32_t>(row_));
            return;
        }
        hear_witness(event, row);
        if (row.available) {
            row.fate = Fate::unchanged;
            if (!naming::is_sidecar(row.sidecar)) ++out_.unchanged;
        } else {
            row.fate = Fate::returned;
            if (!naming::is_sidecar(row.sidecar)) ++out_.returned;
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
        (naming::is_sidecar(file.file_class) ? out_.sidecars : out_.work).push_back(file);
    }

    void note_media_files() {
        const auto folder = stored_.folder_index(row_);
        if (folder == noted_folder_) return;
        noted_folder_ = folder;
        const auto frame = std::find_if(frames_.rbegin(), frames_.rend(),
                                        [&](const Frame& one) { return one.path == stored_.folder(row_); });
        if (frame != frames_.rend()) stored_.set_media_files(row_, frame->media_files);
    }

    // A stored file that the walk did not show.
    void judge() {
        if (input_.scope == nullptr || input_.scope->contains_file(row_path_)) decide();
        advance();
    }

    void decide() {
        auto& row = stored_.row(row_);
        const auto nearest = nearest_frame(row_path_);
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
        const bool switched_off = (row.sidecar == naming::FileClass::nfo && !input_.nfo) || row.disused;
        const bool excluded =
            nearest->listed == Listed::excluded || (switched_off && nearest->listed == Listed::complete && !there);
        if (excluded || (nearest->listed == Listed::complete && !there)) {
            const auto fate = excluded ? Fate::excluded : Fate::vanished;
            row.fate = nearest->doubt ? Fate::kept : fate;
            if (nearest->doubt) {
                nearest->doubt->rows.emplace_back(static_cast<std::uint32_t>(row_), fate);
            } else {
                ++out_.vanished;
            }
            return;
        }
        row.fate = Fate::kept;
        ++out_.kept;
        ++out_.roots[nearest->root].kept;
    }

    StoredTree& stored_;
    const DiffInput& input_;
    Difference& out_;
    std::vector<Frame> frames_;
    std::size_t row_ = 0;
    std::string row_path_;
    std::uint32_t noted_folder_ = none;
};

}  // namespace

std::string Note::text() const {
    return naming::display_text(path) + ": " + reason;
}

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
