// SPDX-License-Identifier: BSD-3-Clause
//
// --check: the gradient of a small net, in double. Nothing else is, so its loops are compiled here.
#include <cnn/check.hpp>
#include <cnn/job.hpp>
#include <cstdio>

int cnn::check() {
    study_shape net;
    net.filters = 2, net.pool = 5;
    double const limit = 1e-9, error = gradient_error<study<double>>(felt::fused, net, 10, 1);
    std::printf(
        "gradient of 2 filters of 9 x 9, pool 5, on 10 images, in double\n"
        "|numerical - own| / |numerical + own| = %.3g, %s %.0e\n",
        error, error < limit ? "below" : "NOT BELOW", limit);
    return error < limit ? 0 : 1;
}
