// SPDX-License-Identifier: BSD-3-Clause
#include "networks.hpp"
#include <networks/residual.hpp>

int main(int argc, char** argv) {
    return bench::on_gpu(argc, argv, "network_residual", [](bench::options const& o) {
        felt::index_t const n = o.small ? 3 : 128;
        bench::measure_network<felt::ChannelsLast>(
            o, "ResNet-20, 128", felt::extents<4>{{n, 3, 32, 32}}, n, 10, 2e-3,
            [](auto net) { return networks::resnet_cifar<decltype(net)>(20); });
    });
}
