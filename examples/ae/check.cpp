// SPDX-License-Identifier: BSD-3-Clause
//
// --check: the gradient of a small net, in double. Nothing else is, so its loops are compiled here.
#include <ae/check.hpp>
#include <ae/instances.hpp>
#include <ae/job.hpp>
#include <cstdio>

int ae::check(job const& j) {
    place const& at = support::chosen_place(j.space, host(), device());
    at.threads(j.threads);
    shape const net{16, 9, 0.05, 1e-3, 3};
    index_t const samples = 100;
    double const limit = 1e-9, error = gradient_error<double>(felt::fused, net, samples, 1);
    std::printf(
        "gradient of 16-9-16 on 100 samples, in double\n"
        "|numerical - own| / |numerical + own| = %.3g, %s %.0e\n",
        error, error < limit ? "below" : "NOT BELOW", limit);
    bool const alike =
        &at == &host() || support::agrees(at, distance_from_host(at, net, samples, 1), 1e-5);
    return error < limit && alike ? 0 : 1;
}
