// SPDX-License-Identifier: BSD-3-Clause
#include "networks.hpp"

int main(int argc, char** argv) {
    return bench::on_gpu(argc, argv, "network_lstm", [](bench::options const& o) {
        felt::index_t const steps = o.small ? 3 : 32, units = o.small ? 16 : 256;
        bench::measure_network(o, "LSTM, 64", felt::extents<3>{{steps, 64, units / 2}}, steps * 64,
                               10, 1e-5, [units](auto net) {
                                   return std::move(net)
                                          << felt::nn::lstm{units} << felt::nn::dense{10};
                               });
    });
}
