// The real worker, taking its time over each file, so that a scan of a few thousand files lasts long enough to be
// caught in the middle. It spins: the sandbox has no call for sleeping.
#include <unistd.h>

#include <chrono>

#include "media/worker/run_job.h"
#include "media/worker/worker.h"

int main(int argc, char** argv) {
    using namespace understudy::media;
    const auto patient = [](ByteSource& bytes, Job job, std::string_view parameters) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds{1'500};
        while (std::chrono::steady_clock::now() < until) {
        }
        return run_job(bytes, job, parameters);
    };
    _exit(run_worker(argc, argv, patient));
}
