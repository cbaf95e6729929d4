#include <unistd.h>

#include "media/worker/run_job.h"
#include "media/worker/worker.h"

int main(int argc, char** argv) {
    // Straight out: what libraries do at exit may need calls that the sandbox forbids, and there is nothing to save.
    _exit(understudy::media::run_worker(argc, argv, understudy::media::run_job));
}
