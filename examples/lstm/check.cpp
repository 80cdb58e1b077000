// SPDX-License-Identifier: BSD-3-Clause
//
// --check: the gradient of a small model, in double. Nothing else is, so its loops are compiled
// here.
#include <lstm/check.hpp>
#include <lstm/job.hpp>
#include <cstdio>

int lstm::check() {
    shape s;
    s.vocabulary = 11, s.hidden = 5;
    double const limit = 1e-7, error = gradient_error<double>(felt::fused, s, 10, 3, 1);
    std::printf(
        "gradient of two layers of 5, 11 words, through 10 steps of 3 sequences, in double\n"
        "|numerical - own| / |numerical + own| = %.3g, %s %.0e\n",
        error, error < limit ? "below" : "NOT BELOW", limit);
    return error < limit ? 0 : 1;
}
