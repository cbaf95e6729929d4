// The real worker, taking its time over each file, so that a run is caught in the middle: a scan of a few thousand
// tracks, or an analysis of a score of videos. It spins: the sandbox has no call for sleeping.
#include <unistd.h>

#include <chrono>

#include "media/worker/run_job.h"
#include "media/worker/worker.h"

int main(int argc, char** argv) {
    using namespace understudy::media;
    const auto patient = [](ByteSource& bytes, Job job, std::string_view parameters) {
        const auto patience =
            job == Job::probe_audio ? std::chrono::microseconds{1'500} : std::chrono::milliseconds{200};
        const auto until = std::chrono::steady_clock::now() + patience;
        while (std::chrono::steady_clock::now() < until) {
        }
        return run_job(bytes, job, parameters);
    };
    _exit(run_worker(argc, argv, patient));
}
