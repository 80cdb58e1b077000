// SPDX-License-Identifier: BSD-3-Clause
//
// --check: the gradient of a small model, in double. Nothing else is, so its loops are compiled
// here.
#include <lstm/check.hpp>
#include <lstm/instances.hpp>
#include <lstm/job.hpp>
#include <lstm/learner.hpp>
#include <cstdio>

namespace {

// Of the cost of a place before its first step, and of that step, relative.
double distance_from_host(lstm::place const& at, lstm::shape const& s) {
    lstm::index_t const steps = 10, sequences = 3;
    lstm::made_batch const any(s, steps, sequences);
    auto const start = lstm::net::initial_parameters(s, 1);
    lstm::net from(s, steps, sequences);
    auto const by = at.train(s, steps, sequences, 1e30, from, felt::sgd<float>(start, {.rate = 1}));
    double const cost = by->step(any.view(), true);
    lstm::vector_f const step = start - by->theta();
    lstm::model<double> here(s, steps, sequences);
    felt::Tensor<double, 1> const theta = felt::cast<double>(start), own = felt::cast<double>(step);
    felt::Tensor<double, 1> g(theta.extents());
    double const known = here.cost_and_gradient(felt::fused, any.view(), theta, g);
    return std::max(support::distance(own, g), std::abs(cost - known) / known);
}

}  // namespace

int lstm::check(job const& j) {
    place const& at = support::chosen_place(j.space, host(), device());
    at.threads(j.threads);
    shape s;
    s.vocabulary = 11, s.hidden = 5;
    double const limit = 1e-7, error = gradient_error<double>(felt::fused, s, 10, 3, 1);
    std::printf(
        "gradient of two layers of 5, 11 words, through 10 steps of 3 sequences, in double\n"
        "|numerical - own| / |numerical + own| = %.3g, %s %.0e\n",
        error, error < limit ? "below" : "NOT BELOW", limit);
    bool const alike = &at == &host() || support::agrees(at, distance_from_host(at, s), 1e-5);
    return error < limit && alike ? 0 : 1;
}
