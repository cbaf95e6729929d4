#include "library/probe_ahead.h"

#include <algorithm>
#include <chrono>

namespace understudy::library {

ProbeAhead::ProbeAhead(media::Prober& prober, std::size_t count, RequestOf request_of, std::function<bool()> stop)
    : prober_(prober), count_(count), request_of_(std::move(request_of)), stop_(std::move(stop)) {
    // Two: while one piece waits for its slowest file, the other keeps the workers busy.
    const std::size_t threads = std::min<std::size_t>(2, (count + piece_size - 1) / piece_size);
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

ProbeAhead::~ProbeAhead() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    wanted_.notify_all();
    threads_.clear();
}

std::optional<media::ProbeResult> ProbeAhead::take(std::size_t index, const std::function<void()>& tick) {
    const auto piece = index / piece_size;
    std::unique_lock lock(mutex_);
    if (piece > taken_pieces_) {
        pieces_.erase(pieces_.begin(), pieces_.lower_bound(piece));
        taken_pieces_ = piece;
        wanted_.notify_all();
    }
    for (;;) {
        const auto found = pieces_.find(piece);
        if (found != pieces_.end() && found->second[index % piece_size]) {
            return std::move(found->second[index % piece_size]);
        }
        if (stop_()) return std::nullopt;
        answered_.wait_for(lock, std::chrono::milliseconds{250});
        lock.unlock();
        tick();
        lock.lock();
    }
}

void ProbeAhead::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        wanted_.wait(lock, [&] {
            return ending_ || next_piece_ * piece_size >= count_ || next_piece_ < taken_pieces_ + pieces_ahead;
        });
        if (ending_ || next_piece_ * piece_size >= count_) return;
        const auto piece = next_piece_++;
        const auto first = piece * piece_size;
        const auto size = std::min(piece_size, count_ - first);
        pieces_[piece].resize(size);
        lock.unlock();

        std::vector<media::ProbeRequest> requests;
        requests.reserve(size);
        for (std::size_t i = 0; i < size; ++i) requests.push_back(request_of_(first + i));
        const auto stop = [this] {
            if (stop_()) return true;
            const std::lock_guard own(mutex_);
            return ending_;
        };
        prober_.probe(requests, stop, [&](std::size_t index, media::ProbeResult result) {
            const std::lock_guard own(mutex_);
            const auto slot = pieces_.find(piece);
            if (slot == pieces_.end() || index >= slot->second.size()) return;
            slot->second[index] = std::move(result);
            answered_.notify_one();
        });

        lock.lock();
        for (auto& result : pieces_[piece]) {
            // A prober that forgets a file must not hold the scan up for ever.
            if (!result) result = core::fail(core::Errc::unavailable, "the prober gave no answer");
        }
        answered_.notify_one();
    }
}

}  // namespace understudy::library
