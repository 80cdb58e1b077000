// SPDX-License-Identifier: BSD-3-Clause
//
// --check: gradients in double beside central differences, of a network with a block of each kind.
#include <networks/convolutional.hpp>
#include <networks/job.hpp>
#include <networks/residual.hpp>
#include <cmath>
#include <cstdio>

namespace networks {

namespace {

using net = felt::nn::basic_net<double>;
using vector = felt::Tensor<double, 1>;

net small() {
    auto way = net{} << (conv_norm(4, 3, 1) | nn::relu) << conv_norm(8, 3, 1);
    return net{} << (conv_norm(8, 3, 1) | nn::relu) << (nn::plus(std::move(way)) | nn::relu)
                 << inception<net>(2, 2, 3, 1, 2, 1) << nn::max_pool{}
                 << (nn::dense{6} | nn::relu | nn::dropout{0.5}) << (nn::dense{5} | nn::sigmoid)
                 << nn::dense{3};
}

}  // namespace

int check() {
    auto n = small();
    n.prepare({4, 2, 6, 6});
    felt::Tensor<double, 4, felt::Host, felt::ChannelsLast> x({4, 2, 6, 6});
    x = felt::normal<double>(x.extents(), 1);
    auto const labels = felt::Tensor<index_t, 1>::of({0, 2, 1, 1});
    vector theta = n.initial(2), g(theta.extents()), unused(theta.extents());
    theta += 0.1 * felt::normal<double>(theta.extents(), 4);  // no bias at 0, where a relu bends
    auto const cost = [&](vector& to) {
        return n.cost(felt::fused, x, nn::cross_entropy(felt::view(labels)), theta, to, 3);
    };
    cost(g);
    double apart = 0, size = 0;
    for (index_t k = 0; k < theta.size(); ++k) {
        double const at = theta(k), h = 1e-6;
        theta(k) = at + h;
        double const more = cost(unused);
        theta(k) = at - h;
        double const d = (more - cost(unused)) / (2 * h) - g(k);
        theta(k) = at;
        apart += d * d, size += g(k) * g(k);
    }
    double const relative = std::sqrt(apart / size);
    std::printf("gradient of %td parameters and central differences: %.3g apart, %s 1e-06\n",
                static_cast<std::ptrdiff_t>(theta.size()), relative,
                relative < 1e-6 ? "below" : "NOT BELOW");
    return relative < 1e-6 ? 0 : 1;
}

}  // namespace networks
