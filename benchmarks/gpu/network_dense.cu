// SPDX-License-Identifier: BSD-3-Clause
#include "networks.hpp"

int main(int argc, char** argv) {
    return bench::on_gpu(argc, argv, "network_dense", [](bench::options const& o) {
        felt::index_t const wide = o.small ? 40 : 26752, n = o.small ? 24 : 2048;
        bench::measure_network(
            o, "dense, 64", felt::extents<2>{{64, wide}}, 64, n / 2, 1e-5, [n](auto net) {
                namespace nn = felt::nn;
                return std::move(net) << (nn::dense{n} | nn::sigmoid)
                                      << (nn::dense{n} | nn::sigmoid) << nn::dense{n / 2};
            });
    });
}
