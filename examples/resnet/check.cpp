// SPDX-License-Identifier: BSD-3-Clause
//
// --check: the gradients of small nets, in double. No other part is, so its loops are compiled
// here.
#include <resnet/check.hpp>
#include <resnet/instances.hpp>
#include <resnet/job.hpp>
#include <resnet/learner.hpp>
#include <cstdio>

template resnet::nn::basic_net<double> resnet::network(shape const&);

namespace {

// Of cost and gradient of a place, in float, from the host's, relative.
double distance_from_host(resnet::place const& at, resnet::shape const& s) {
    resnet::index_t const images = 3;
    felt::Tensor<float, 4> const x = felt::normal<float>({images, 3, s.side, s.side}, 101);
    felt::Tensor<resnet::index_t, 1> const y = felt::iota<resnet::index_t>({images});
    resnet::layers<> const l(s);
    auto const theta = resnet::initial_parameters<float>(s, l, 1);
    auto const running = resnet::initial_running<float>(l);
    resnet::vector_f g(theta.extents());
    double const cost =
        at.cost_and_gradient(felt::fused, s, {felt::view(x), felt::view(y)}, theta, running, g);
    felt::Tensor<double, 4> const shown = felt::cast<double>(x);
    felt::Tensor<double, 1> const at_theta = felt::cast<double>(theta), own = felt::cast<double>(g);
    felt::Tensor<double, 1> right(theta.extents());
    resnet::net<double> here(s, images);
    double const known =
        here.cost_and_gradient(felt::fused, {felt::view(shown), felt::view(y)}, at_theta, right);
    return std::max(support::distance(own, right), std::abs(cost - known) / known);
}

}  // namespace

int resnet::check(job const& j) {
    place const& at = support::chosen_place(j.space, host(), device());
    at.threads(j.threads);
    struct net {
        char const* name;
        shape of;
    };
    shape padded = cifar(8), projected = padded, bottleneck = padded;
    padded.side = 8, padded.width = 2, padded.classes = 3;
    projected = bottleneck = padded;
    projected.change = bottleneck.change = shortcut::projected;
    bottleneck.bottleneck = bottleneck.large_images = true;
    bottleneck.side = 16, bottleneck.blocks = {1, 1};
    double const limit = 1e-6;
    bool right = true;
    std::printf("|numerical - own| / |numerical + own| of gradients, in double\n");
    for (net const& n : {net{"basic blocks, padded shortcuts", padded},
                         net{"basic blocks, projected shortcuts", projected},
                         net{"bottlenecks, projected shortcuts, large images", bottleneck}}) {
        double const error = gradient_error(felt::fused, n.of, 3, 1);
        std::printf("%-48s %.3g, %s %.0e\n", n.name, error, error < limit ? "below" : "NOT BELOW",
                    limit);
        right = right && error < limit;
        if (&at != &host())
            right = support::agrees(at, distance_from_host(at, n.of), 1e-5) && right;
    }
    return right ? 0 : 1;
}
