// library/probe_ahead.h: probes run ahead of the commits, so that both cores work: two threads feed the prober in
// pieces, the scanner takes the answers in order. Bounded: what is not taken holds the threads up. Used by the scanner.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "media/prober.h"

namespace understudy::library {

class ProbeAhead {
public:
    using RequestOf = std::function<media::ProbeRequest(std::size_t index)>;

    /// `request_of` and `stop` are called from the two threads. Starts at once.
    ProbeAhead(media::Prober& prober, std::size_t count, RequestOf request_of, std::function<bool()> stop);
    /// Ends what is under way (the prober's stop is asked for) and waits for it.
    ~ProbeAhead();
    ProbeAhead(const ProbeAhead&) = delete;
    ProbeAhead& operator=(const ProbeAhead&) = delete;

    /// The answer for `index`; to be taken in order, each once. `tick` is called at least every 250 ms while it waits.
    /// nullopt: stopped.
    [[nodiscard]] std::optional<media::ProbeResult> take(std::size_t index, const std::function<void()>& tick);

private:
    // Small enough for little memory, large enough that the prober's workers seldom wait for the next piece.
    static constexpr std::size_t piece_size = 64;
    static constexpr std::size_t pieces_ahead = 16;

    void work();

    media::Prober& prober_;
    std::size_t count_;
    RequestOf request_of_;
    std::function<bool()> stop_;
    std::mutex mutex_;
    std::condition_variable answered_, wanted_;
    std::map<std::size_t, std::vector<std::optional<media::ProbeResult>>> pieces_;
    std::size_t next_piece_ = 0, taken_pieces_ = 0;
    bool ending_ = false;
    std::vector<std::jthread> threads_;
};

}  // namespace understudy::library
