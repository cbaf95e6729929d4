#include "support/library/fake_analyst.h"

#include <sys/stat.h>

namespace understudy::testing {

void FakeAnalyst::analyse(const std::vector<media::AnalysisRequest>& files, const std::function<bool()>& stop,
                          const std::function<void(std::size_t, media::AnalysisResult)>& done) {
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (stop()) {
            done(i, core::fail(core::Errc::cancelled, "analysis"));
            continue;
        }
        asked.push_back(files[i]);
        auto payload = answer ? answer(files[i]) : core::Result<std::string>(files[i].path);
        if (!payload) {
            done(i, tl::unexpected(std::move(payload.error())));
            continue;
        }
        if (before_stamp) before_stamp(files[i]);
        struct stat state {};
        if (::stat(files[i].path.c_str(), &state) != 0) {
            done(i, core::fail(core::Errc::not_found, "gone"));
            continue;
        }
        done(i, media::AnalysisAnswer{std::move(*payload), state.st_size,
                                      std::int64_t{state.st_mtim.tv_sec} * 1'000'000'000 + state.st_mtim.tv_nsec});
    }
}

}  // namespace understudy::testing
