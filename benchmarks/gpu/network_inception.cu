// SPDX-License-Identifier: BSD-3-Clause
#include "networks.hpp"
#include <networks/convolutional.hpp>

int main(int argc, char** argv) {
    return bench::on_gpu(argc, argv, "network_inception", [](bench::options const& o) {
        felt::index_t const n = o.small ? 2 : 16, side = o.small ? 16 : 64;
        bench::measure_network<felt::ChannelsLast>(
            o, "inception, 16", felt::extents<4>{{n, 3, side, side}}, n, 10, 1e-5, [](auto net) {
                namespace nn = felt::nn;
                nn::conv const first{64, 3, {.padding = {1, 1}}};
                return std::move(net) << (first | nn::relu) << nn::max_pool{3, 2}
                                      << networks::inception<decltype(net)>(64, 96, 128, 16, 32, 32)
                                      << nn::max_pool{3, 2, 1} << nn::mean_pool{} << nn::dense{10};
            });
    });
}
