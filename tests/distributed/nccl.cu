// SPDX-License-Identifier: BSD-3-Clause
//
// Compiled where nvcc and NCCL are. It runs where there is a GPU, as one rank: NCCL wants a GPU for
// each.
#include <felt/distributed/nccl.hpp>
#include <felt/distributed/device_buckets.hpp>
#include <cstdio>
#include <span>

int main() {
    if (!felt::device::has_gpu()) {
        std::puts("Skipped: there is no GPU");
        return 0;
    }
    felt::nccl_ranks gpus(felt::alone);
    felt::gradient_buckets<float, felt::Device> buckets(gpus, 1000, {.first = 400, .bytes = 800});
    felt::Tensor<float, 1, felt::Device> g({1000});
    g = felt::iota<float>(1000);
    std::span const elements(g.data(), 1000);
    gpus.start_sum(elements)->wait();
    gpus.broadcast(std::as_writable_bytes(elements));
    gpus.barrier();
    buckets.begin(g, 0.5);
    buckets.ready(0);
    buckets.finish();
    auto const here = felt::to<felt::Host>(g);
    for (felt::index_t i = 0; i < 1000; ++i) {
        if (here(i) != 0.5f * static_cast<float>(i)) return std::puts("not the sum"), 1;
    }
}
