// SPDX-License-Identifier: BSD-3-Clause
//
// Forward and backward of networks of felt/nn.hpp: gradients by the host are what those by the GPU
// are compared with. Each program below has one network, for nvcc takes minutes for each.
#pragma once
#include "timing.hpp"
#include <felt/nn.hpp>

namespace bench {

namespace nn = felt::nn;
using host_net = nn::basic_net<float, felt::Host>;
using device_net = nn::basic_net<float, felt::Device>;

// A network in one space, with samples and labels for it.
template <class Space, std::size_t R, class Layout>
struct trained {
    using vector = felt::Tensor<float, 1, Space>;
    using samples = felt::Tensor<float, R, Space, Layout>;

    nn::basic_net<float, Space> net;
    samples x;
    felt::Tensor<index_t, 1, Space> labels;
    vector theta, gradient;

    trained(nn::basic_net<float, Space> n, felt::extents<R> const& e, index_t rows)
        : net(std::move(n)), x(e), labels({rows}) {
        net.prepare(e);
        theta = vector({net.parameters().size()});
        gradient = vector(theta.extents());
    }
    template <class How>
    void run(How how) {
        net.cost(how, x, nn::cross_entropy(felt::view(labels)), theta, gradient, 0);
    }
};

// |a - b| / |b|.
inline double apart(felt::Tensor<float, 1> const& a, felt::Tensor<float, 1> const& b) {
    double difference = 0, size = 0;
    for (index_t i = 0; i < b.extent(0); ++i) {
        double const d = static_cast<double>(a(i)) - static_cast<double>(b(i));
        difference += d * d, size += static_cast<double>(b(i)) * static_cast<double>(b(i));
    }
    return std::sqrt(difference / size);
}

// make(net) builds the network behind an empty one; x: random samples, the first extent the batch.
// Sums in another order are apart by `allowed`, and by more where normalisations divide by them.
template <class Layout = felt::RowMajor, std::size_t R, class Make>
void measure_network(options const& o, std::string const& name, felt::extents<R> const& e,
                     index_t rows, index_t classes, double allowed, Make const& make) {
    trained<felt::Host, R, Layout> host(make(host_net{}), e, rows);
    trained<felt::Device, R, Layout> device(make(device_net{}), e, rows);
    host.x = felt::normal<float>(e, 1);
    for (index_t i = 0; i < rows; ++i) host.labels(i) = i * 7 % classes;
    host.theta = host.net.initial(3);
    copy(device.x, host.x), copy(device.labels, host.labels), copy(device.theta, host.theta);
    host.run(felt::fused);
    auto const error = [&] { return apart(felt::to<felt::Host>(device.gradient), host.gradient); };
    contest(o, name, {1e9 * static_cast<double>(e[0]), "samples/s"},
            {{"felt fused", [&] { device.run(felt::fused); }, error, allowed},
             {"felt unfused", [&] { device.run(felt::unfused); }, error, allowed}});
}

}  // namespace bench
