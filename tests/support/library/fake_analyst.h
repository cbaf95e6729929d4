// tests/support/library/fake_analyst.h: an analyst that reads no media: it counts what it is asked for and says what a
// test told it to.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "media/analyst.h"

namespace understudy::testing {

class FakeAnalyst final : public media::Analyst {
public:
    void analyse(const std::vector<media::AnalysisRequest>& files, const std::function<bool()>& stop,
                 const std::function<void(std::size_t, media::AnalysisResult)>& done) override;

    /// Called for each file in order; without one every file's answer is its path as payload, stamped as the file is.
    std::function<core::Result<std::string>(const media::AnalysisRequest&)> answer;
    std::vector<media::AnalysisRequest> asked;
    /// Asked between two files: true makes the file change before it is stamped.
    std::function<void(const media::AnalysisRequest&)> before_stamp;
};

}  // namespace understudy::testing
