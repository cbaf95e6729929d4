// The real worker, taking its time over each file, so that a run is caught in the middle: a scan of a few thousand
// tracks, or an analysis of a score of videos. It spins: the sandbox has no call for sleeping.
#include <unistd.h>

#include <chrono>

#include "media/worker/run_job.h"
#include "media/worker/worker.h"

namespace {

using namespace understudy::media;

std::chrono::microseconds patience_for(Job job) {
    using namespace std::chrono_literals;
    if (job == Job::probe_audio) return 1'500us;
    return job == Job::pictures ? 500ms : 200ms;  // pictures are of five films alone
}

}  // namespace

int main(int argc, char** argv) {
    const auto patient = [](ByteSource& bytes, Job job, std::string_view parameters) {
        const auto until = std::chrono::steady_clock::now() + patience_for(job);
        while (std::chrono::steady_clock::now() < until) {
        }
        return run_job(bytes, job, parameters);
    };
    _exit(run_worker(argc, argv, patient));
}
