#include "library/walk.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "library/naming/extras.h"

namespace understudy::library {
namespace {

// The folders a folder lies in, by what they are: a link back to one of them is a loop.
struct Ancestor {
    std::uint64_t device = 0, inode = 0;
    std::shared_ptr<const Ancestor> up;
};

struct Node;

struct Entry {
    std::uint32_t name_at = 0;
    std::uint16_t name_length = 0;
    naming::FileClass file_class = naming::FileClass::none;
    bool is_link = false;
    std::int32_t folder = -1;  // index into Listing::folders; -1: a file
    std::int64_t size_bytes = 0, mtime_ns = 0;
    std::uint64_t inode = 0, device = 0;
};

struct Listing {
    Listed listed = Listed::complete;
    std::string reason;
    std::string names;  // one after the other, each with its NUL
    std::vector<Entry> entries;
    std::vector<std::unique_ptr<Node>> folders;
    std::vector<UnusableEntry> unusable;
    std::uint64_t device = 0;
    std::uint32_t seen = 0, media_files = 0;
    bool holds_nothing = true;

    [[nodiscard]] std::string_view name(const Entry& entry) const {
        return {names.data() + entry.name_at, entry.name_length};
    }
};

// A folder on its way through the walk. The mutex of Shared guards `state`; `listing` belongs to the consumer once the
// state is done or given_up.
struct Node {
    enum class State : unsigned char { waiting, listing, done, given_up };
    std::string path;
    std::shared_ptr<const Ancestor> ancestors;
    State state = State::waiting;
    bool is_root = false, is_link = false;
    bool in_extras = false, in_theme_music = false;
    bool whole = true;                    // all below is in scope
    std::atomic<std::uint32_t> moved{0};  // grows while its listing goes on
    Listing listing;
};

std::string join(const std::string& folder, std::string_view name) {
    std::string path;
    path.reserve(folder.size() + 1 + name.size());
    path += folder;
    if (folder != "/") path += '/';
    path += name;
    return path;
}

// Folders sort as if their name ended in '/': then files come in the byte order of their whole paths.
bool before(std::string_view a, bool a_folder, std::string_view b, bool b_folder) noexcept {
    const auto common = std::min(a.size(), b.size());
    if (const int order = a.substr(0, common).compare(b.substr(0, common)); order != 0) return order < 0;
    if (a.size() == b.size()) return !a_folder && b_folder;
    if (a.size() < b.size()) return a_folder ? '/' < static_cast<unsigned char>(b[common]) : true;
    return b_folder && static_cast<unsigned char>(a[common]) < '/';
}

}  // namespace

class Walk::Shared {
public:
    Shared(std::shared_ptr<const FileSystem> files, WalkSettings settings)
        : files_(std::move(files)), settings_(std::move(settings)) {}

    std::vector<std::unique_ptr<Node>> roots;
    std::size_t next_root = 0;
    // Nodes whose thread may still hang: freed with the last of them.
    std::vector<std::unique_ptr<Node>> lost;

    void start(const std::shared_ptr<Shared>& self) {
        {
            const std::lock_guard lock(mutex_);
            for (auto root = roots.rbegin(); root != roots.rend(); ++root) waiting_.push_back(root->get());
            threads_ = std::max(1U, settings_.threads);
        }
        for (unsigned i = 0; i < std::max(1U, settings_.threads); ++i) spawn(self);
    }

    void stop() {
        std::unique_lock lock(mutex_);
        stopped_ = true;
        work_.notify_all();
        // Those that move end at once; one that hangs in the kernel keeps `this` alive and is let go.
        done_.wait_for(lock, std::chrono::seconds{1}, [&] { return threads_ == 0; });
    }

    // Waits until `node` is listed. False: stopped.
    bool await(Node& node, const std::function<bool()>& stop, const std::shared_ptr<Shared>& self) {
        std::unique_lock lock(mutex_);
        wanted_ = &node;
        if (node.state == Node::State::waiting) work_.notify_one();
        auto moved = node.moved.load();
        auto since = std::chrono::steady_clock::now();
        bool spawned = false, waited = false;
        while (node.state != Node::State::done) {
            if (stop()) return false;
            done_.wait_for(lock, std::chrono::milliseconds{200}, [&] { return node.state == Node::State::done; });
            if (const auto now_moved = node.moved.load(); now_moved != moved) {
                moved = now_moved;
                since = std::chrono::steady_clock::now();
            }
            waited = true;
            // A share that hung once gets less time for each further folder of its own.
            const auto patience = std::max(core::Millis{500}, settings_.patience / (1 << std::min(hung_, 6)));
            if (node.state == Node::State::done || std::chrono::steady_clock::now() - since < patience) continue;
            if (node.state == Node::State::waiting && !spawned && spare_threads_ > 0) {  // all threads hang elsewhere
                --spare_threads_;
                ++threads_;
                spawned = true;
                since = std::chrono::steady_clock::now();
                spawn(self);
                continue;
            }
            forget_waiting(&node);
            give_up(node);
            ++hung_;
            break;
        }
        if (waited && node.state == Node::State::done) hung_ = 0;
        wanted_ = nullptr;
        backlog_ -= std::min<std::size_t>(backlog_, node.listing.seen);
        work_.notify_one();
        return true;
    }

private:
    // It is near the end, where the next ones are.
    void forget_waiting(const Node* node) {
        const auto found = std::find(waiting_.rbegin(), waiting_.rend(), node);
        if (found != waiting_.rend()) waiting_.erase(std::next(found).base());
    }

    // The hung thread keeps the old node; the walk goes on with one that says why nothing is known.
    void give_up(Node& node) {
        node.state = Node::State::given_up;
        node.listing = {};
        node.listing.listed = Listed::incomplete;
        node.listing.reason = "does not answer";
        node.listing.holds_nothing = false;
    }

    void spawn(const std::shared_ptr<Shared>& self) {
        std::thread([self] { self->work(); }).detach();
    }

    void work() {
        std::unique_lock lock(mutex_);
        for (;;) {
            work_.wait(lock, [&] {
                return stopped_ || (wanted_ != nullptr && wanted_->state == Node::State::waiting) ||
                       (!waiting_.empty() && backlog_ < settings_.ahead_entries);
            });
            if (stopped_) break;
            Node* node = nullptr;
            if (wanted_ != nullptr && wanted_->state == Node::State::waiting) {
                node = wanted_;
                forget_waiting(node);
            } else {
                node = waiting_.back();
                waiting_.pop_back();
            }
            node->state = Node::State::listing;
            const Job job{node->path,      node->ancestors,      node->is_root,
                          node->in_extras, node->in_theme_music, node->whole};
            // A node that was given up dies with the consumer's tree: nothing of it may be touched but under the lock.
            Listing listing;
            list(job, listing, *node, lock);
            if (stopped_) break;
            if (node->state != Node::State::listing) continue;
            node->listing = std::move(listing);
            node->state = Node::State::done;
            backlog_ += node->listing.seen;
            const auto& done = node->listing;
            for (auto entry = done.entries.rbegin(); entry != done.entries.rend(); ++entry) {
                if (entry->folder >= 0) waiting_.push_back(done.folders[static_cast<std::size_t>(entry->folder)].get());
            }
            if (node == wanted_) done_.notify_all();
            if (done.folders.size() > 1) work_.notify_all();
        }
        --threads_;
        done_.notify_all();
    }

    struct Job {
        std::string path;
        std::shared_ptr<const Ancestor> ancestors;
        bool is_root, in_extras, in_theme_music, whole;
    };

    // Called and left with the lock held; lists without it.
    void list(const Job& job, Listing& listing, Node& node, std::unique_lock<std::mutex>& lock) {
        lock.unlock();
        FileStatus self;
        std::unique_ptr<OpenDirectory> directory;
        const int error = files_->open_directory(job.path, self, directory);
        listing.device = self.device;
        if (error != 0) {
            listing.listed = Listed::incomplete;
            listing.holds_nothing = false;
            listing.reason = job.is_root && (error == ENOENT || error == ENOTDIR) ? "missing" : error_text(error);
            lock.lock();
            return;
        }
        for (const Ancestor* up = job.ancestors.get(); up != nullptr; up = up->up.get()) {
            if (up->device != self.device || up->inode != self.inode) continue;
            listing.listed = Listed::looping;
            listing.reason = "leads back to a folder it lies in";
            listing.holds_nothing = false;
            lock.lock();
            return;
        }
        const auto chain = std::make_shared<const Ancestor>(Ancestor{self.device, self.inode, job.ancestors});
        read(job, listing, node, *directory, chain, lock);
        if (listing.listed == Listed::excluded && job.is_root) {
            listing.listed = Listed::incomplete;
            listing.reason = "holds an .ignore file: remove it, or remove this path from the library";
        } else if (job.is_root && listing.listed == Listed::complete && listing.holds_nothing) {
            listing.listed = Listed::incomplete;
            listing.reason = "empty";
        }
        if (listing.listed != Listed::excluded) sort(listing);
        if (!lock.owns_lock()) lock.lock();
    }

    void read(const Job& job, Listing& listing, Node& node, OpenDirectory& directory,
              const std::shared_ptr<const Ancestor>& chain, std::unique_lock<std::mutex>& lock) {
        std::string_view name;
        FileKind kind{};
        int error = 0;
        for (std::uint32_t since_sign = 0; directory.next(name, kind, error); ++since_sign) {
            if (since_sign == 64) {  // a sign of life, under the lock because a node that was given up may be gone
                lock.lock();
                const bool go_on = !stopped_ && alive(node);
                if (go_on) node.moved.fetch_add(1);
                lock.unlock();
                if (!go_on) return;
                since_sign = 0;
            }
            ++listing.seen;
            if (name == ".ignore" && kind != FileKind::directory) {
                listing.entries.clear();
                listing.folders.clear();
                listing.unusable.clear();
                listing.names.clear();
                listing.media_files = 0;
                listing.listed = Listed::excluded;
                listing.reason = "holds an .ignore file";
                listing.holds_nothing = false;
                return;
            }
            if (naming::is_junk(name)) continue;
            listing.holds_nothing = false;
            add(job, listing, directory, name, kind, chain);
        }
        if (error != 0) {
            listing.listed = Listed::incomplete;
            listing.reason = error_text(error);
            listing.holds_nothing = false;
        }
    }

    static bool is_theme_music_folder(std::string_view name) noexcept {
        return naming::extra_of_folder(name) == naming::ExtraKind::theme_song;
    }

    [[nodiscard]] naming::FileClass class_of(const Job& job, std::string_view name) const noexcept {
        const auto file_class = naming::classify(name, settings_.kind);
        if (file_class == naming::FileClass::nfo && !settings_.nfo) return naming::FileClass::none;
        if (job.in_theme_music && naming::is_audio(name)) return naming::FileClass::extra;
        return job.in_extras && file_class == naming::FileClass::media ? naming::FileClass::extra : file_class;
    }

    void add(const Job& job, Listing& listing, OpenDirectory& directory, std::string_view name, FileKind kind,
             const std::shared_ptr<const Ancestor>& chain) {
        const auto file_class = kind == FileKind::directory ? naming::FileClass::none : class_of(job, name);
        // What is no media file by its name and surely no folder is not looked at any closer.
        if (file_class == naming::FileClass::none && (kind == FileKind::file || kind == FileKind::other)) return;
        const bool in_scope = job.whole || settings_.scope.takes_files_of(job.path);
        if (job.path.size() + 1 + name.size() > model::most_path_bytes) {
            constexpr std::size_t longest_name = 255;  // of nearly all file systems: it is part of a key too
            if (!in_scope && kind == FileKind::file) return;
            listing.unusable.push_back(
                {std::string(name.substr(0, longest_name)),
                 "its path has more than " + std::to_string(model::most_path_bytes) + " bytes: shorten it"});
            return;
        }

        Entry entry;
        entry.name_at = static_cast<std::uint32_t>(listing.names.size());
        entry.name_length = static_cast<std::uint16_t>(name.size());
        listing.names.append(name);
        listing.names += '\0';
        bool folder = kind == FileKind::directory;
        if (!folder) {
            if (!in_scope && (kind == FileKind::file || kind == FileKind::other)) return;
            FileStatus status;
            int error = 0;
            const char* text = listing.names.data() + entry.name_at;
            if (kind == FileKind::unknown) {
                error = directory.status(text, false, status);
                kind = status.kind;
            }
            if (error == 0 && (kind == FileKind::link || status.kind == FileKind::unknown)) {
                error = directory.status(text, true, status);
            }
            if (error != 0) {
                const bool dangling = kind == FileKind::link && (error == ENOENT || error == ENOTDIR);
                listing.unusable.push_back({std::string(name), dangling         ? "links to nothing"
                                                               : error == ELOOP ? "links to itself"
                                                                                : error_text(error)});
                return;
            }
            entry.is_link = kind == FileKind::link;
            folder = status.kind == FileKind::directory;
            if (!folder && file_class == naming::FileClass::none) return;
            if (!folder && status.kind != FileKind::file) {
                // Never opened: that could wait for a writer for ever, or move a tape.
                if (in_scope)
                    listing.unusable.push_back({std::string(name), "is a pipe, a socket or a device, no file"});
                return;
            }
            entry.size_bytes = status.size_bytes;
            entry.mtime_ns = status.mtime_ns;
            entry.inode = status.inode;
            entry.device = status.device;
        }
        if (folder) {
            auto child = std::make_unique<Node>();
            child->path = join(job.path, name);
            child->whole = job.whole || settings_.scope.names(child->path);
            if (!child->whole && !settings_.scope.leads_below(child->path)) return;
            child->ancestors = chain;
            child->is_link = entry.is_link;
            child->in_extras = job.in_extras || (!job.is_root && naming::is_extras_folder(name));
            child->in_theme_music = job.in_theme_music || (!job.is_root && is_theme_music_folder(name));
            listing.folders.push_back(std::move(child));
            entry.folder = static_cast<std::int32_t>(listing.folders.size()) - 1;
            listing.entries.push_back(entry);
            return;
        }
        if (!in_scope) return;
        entry.file_class = file_class;
        if (entry.file_class == naming::FileClass::media) ++listing.media_files;
        listing.entries.push_back(entry);
    }

    static void sort(Listing& listing) {
        std::ranges::sort(listing.entries, [&](const Entry& a, const Entry& b) {
            return before(listing.name(a), a.folder >= 0, listing.name(b), b.folder >= 0);
        });
        listing.entries.shrink_to_fit();
    }

    // With the lock held: is `node` still in the tree? One that was given up is kept in `lost_` until the walk ends.
    static bool alive(const Node& node) { return node.state == Node::State::listing; }

    std::shared_ptr<const FileSystem> files_;
    WalkSettings settings_;
    std::mutex mutex_;
    std::condition_variable work_, done_;
    std::vector<Node*> waiting_;  // the last is the next
    Node* wanted_ = nullptr;
    std::size_t backlog_ = 0;
    unsigned threads_ = 0;
    unsigned spare_threads_ = 8;
    int hung_ = 0;
    bool stopped_ = false;
};

struct Walk::Frame {
    std::unique_ptr<Node> node;
    std::size_t next = 0;
};

Walk::Walk(std::shared_ptr<const FileSystem> files, WalkSettings settings, const std::vector<std::string>& roots,
           std::function<bool()> stop)
    : stop_(std::move(stop)) {
    const auto scope = settings.scope;
    shared_ = std::make_shared<Shared>(std::move(files), std::move(settings));
    for (const auto& root : outermost_roots(roots)) {
        auto node = std::make_unique<Node>();
        node->path = root;
        node->is_root = true;
        node->whole = scope.contains(root);
        if (node->whole || scope.leads_below(root)) shared_->roots.push_back(std::move(node));
    }
    shared_->start(shared_);
}

Walk::~Walk() {
    shared_->stop();
    for (auto& frame : frames_) shared_->lost.push_back(std::move(frame.node));
}

Walk::Step Walk::next(WalkEvent& event) {
    if (stop_()) return Step::stopped;
    for (;;) {
        Node* folder = nullptr;
        if (frames_.empty()) {
            if (shared_->next_root == shared_->roots.size()) return Step::end;
            auto root = std::move(shared_->roots[shared_->next_root++]);
            folder = root.get();
            frames_.push_back({std::move(root), 0});
        } else {
            auto& frame = frames_.back();
            auto& listing = frame.node->listing;
            if (frame.next == listing.entries.size()) {
                if (frame.node->state == Node::State::given_up) shared_->lost.push_back(std::move(frame.node));
                frames_.pop_back();
                continue;
            }
            const auto& entry = listing.entries[frame.next++];
            if (entry.folder < 0) {
                path_ = join(frame.node->path, listing.name(entry));
                event = WalkEvent{};
                event.kind = WalkEvent::Kind::file;
                event.path = path_;
                event.size_bytes = entry.size_bytes;
                event.mtime_ns = entry.mtime_ns;
                event.inode = entry.inode;
                event.device = entry.device;
                event.file_class = entry.file_class;
                event.is_link = entry.is_link;
                return Step::event;
            }
            auto child = std::move(listing.folders[static_cast<std::size_t>(entry.folder)]);
            folder = child.get();
            frames_.push_back({std::move(child), 0});
        }
        if (!shared_->await(*folder, stop_, shared_)) return Step::stopped;
        event = WalkEvent{};
        event.path = folder->path;
        event.listed = folder->listing.listed;
        event.reason = folder->listing.reason;
        event.is_root = folder->is_root;
        event.is_link = folder->is_link;
        event.holds_nothing = folder->listing.holds_nothing;
        event.entries = folder->listing.seen;
        event.media_files = folder->listing.media_files;
        event.unusable = &folder->listing.unusable;
        event.device = folder->listing.device;
        return Step::event;
    }
}

}  // namespace understudy::library
