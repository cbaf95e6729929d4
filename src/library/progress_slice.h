// library/progress_slice.h: which part of a run's 0..100 a step of it is. Used by the library's tasks that decode.
#pragma once

namespace understudy::library {

struct ProgressSlice {
    double from = 0, to = 100;
};

}  // namespace understudy::library
