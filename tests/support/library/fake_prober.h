// tests/support/library/fake_prober.h: a prober that reads no media: it counts what it is asked to open and says what a
// test told it to.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "media/prober.h"

namespace understudy::testing {

/// Safe from several threads, as the port demands.
class FakeProber final : public media::Prober {
public:
    void probe(const std::vector<media::ProbeRequest>& files, const std::function<bool()>& stop,
               const std::function<void(std::size_t, media::ProbeResult)>& done) override;

    /// By the end of the path: `say("x.flac", info)`; size, mtime and sample are filled from the file.
    void say(const std::string& ending, model::MediaInfo info);
    void fail(const std::string& ending, core::Errc code, const std::string& why);
    void forget(const std::string& ending);
    /// Called for each file after it was looked at, before the answer: a test may write to it here.
    void on_probe(std::function<void(const std::string& path)> hook);

    [[nodiscard]] std::vector<std::string> opened() const;
    [[nodiscard]] std::size_t opens() const { return opened().size(); }
    void forget_opens();

private:
    [[nodiscard]] media::ProbeResult answer(const media::ProbeRequest& request);

    mutable std::mutex mutex_;
    std::map<std::string, model::MediaInfo> infos_;
    std::map<std::string, core::Error> failures_;
    std::function<void(const std::string&)> hook_;
    std::vector<std::string> opened_;
};

/// One video stream of that height and an audio stream.
[[nodiscard]] model::MediaInfo film(int height = 1080, core::Millis duration = std::chrono::minutes{90});
[[nodiscard]] model::MediaInfo song(const std::string& title, const std::string& artist, const std::string& album,
                                    int track);

}  // namespace understudy::testing
