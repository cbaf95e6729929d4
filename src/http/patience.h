// http/patience.h: looks at file systems that may hang (a share that went away holds whoever asks it, without end) on
// threads of their own. Used by the handlers of folders and storage.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/result.h"
#include "core/time.h"

namespace understudy::http {

/// Safe from any thread. Threads that hang end when the share comes back, and hold up neither shutdown nor anybody
/// else.
class Patience {
public:
    static constexpr int most_hanging = 16;  ///< then nothing more is looked at, so that threads do not pile up
    explicit Patience(core::Millis patience = core::Millis{3'000});

    /// What `look` returns; it must own all that it uses. Blocks for at most the patience. While a look under the same
    /// `name` is overdue nobody waits for another. Errors: those of `look`; unavailable, with the name, where no answer
    /// came.
    template <class T>
    [[nodiscard]] core::Result<T> ask(const std::string& name, std::function<core::Result<T>()> look) const {
        const auto answer = std::make_shared<std::optional<core::Result<T>>>();
        if (auto done = run(name, [answer, look = std::move(look)] { answer->emplace(look()); }); !done)
            return tl::unexpected(done.error());
        return std::move(**answer);
    }

private:
    struct State;
    [[nodiscard]] core::Result<void> run(const std::string& name, std::function<void()> work) const;

    core::Millis patience_;
    std::shared_ptr<State> state_;
};

}  // namespace understudy::http
