// SPDX-License-Identifier: BSD-3-Clause
//
// A functor without FELT_FN, called from code for both: the build must fail.
#include <felt/expr/map.hpp>

struct host_only {
    float operator()(float x) const { return x; }
};

template <class F>
FELT_FN float call(F const& f) {
    return f(1.0F);
}

__global__ void run(float* y) { *y = call(host_only{}); }
