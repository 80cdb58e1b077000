// SPDX-License-Identifier: BSD-3-Clause
//
// --check: the gradient of a small net, in double. No other part is, so its loops are compiled
// here.
#include <cnn/check.hpp>
#include <cnn/instances.hpp>
#include <cnn/learner.hpp>
#include <cstdio>

template cnn::nn::basic_net<double> cnn::network(study_shape const&);

namespace {

// Of cost and gradient of a place, in float, from the host's, relative.
double distance_from_host(cnn::place const& at) {
    cnn::study_shape net;
    net.filters = 2;
    felt::Tensor<float, 4> const x = felt::uniform<float>({10, 1, net.side, net.side}, 101);
    felt::Tensor<cnn::index_t, 1> const y = felt::iota<cnn::index_t>({10});
    auto const there = at.network({.batch = 10, .filters = net.filters});
    auto const theta = there->initial_parameters(1);
    cnn::vector_f g(theta.extents());
    double const cost =
        there->cost_and_gradient(felt::fused, {felt::view(x), felt::view(y), 1}, theta, g);
    felt::Tensor<double, 4> const images = felt::cast<double>(x);
    felt::Tensor<double, 1> const at_theta = felt::cast<double>(theta), own = felt::cast<double>(g);
    felt::Tensor<double, 1> right(theta.extents());
    cnn::net<double> here(net, 10);
    double const known = here.cost_and_gradient(felt::fused, {felt::view(images), felt::view(y), 1},
                                                at_theta, right);
    return std::max(support::distance(own, right), std::abs(cost - known) / known);
}

}  // namespace

int cnn::check(job const& j) {
    place const& at = support::chosen_place(j.space, host(), device());
    at.threads(j.threads);
    study_shape net;
    net.filters = 2, net.pool = 5;
    double const limit = 1e-9, error = gradient_error(felt::fused, net, 10, 1);
    std::printf(
        "gradient of 2 filters of 9 x 9, pool 5, on 10 images, in double\n"
        "|numerical - own| / |numerical + own| = %.3g, %s %.0e\n",
        error, error < limit ? "below" : "NOT BELOW", limit);
    bool const alike = &at == &host() || support::agrees(at, distance_from_host(at), 1e-5);
    return error < limit && alike ? 0 : 1;
}
