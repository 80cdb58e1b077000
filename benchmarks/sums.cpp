// SPDX-License-Identifier: BSD-3-Clause
//
// Sums over ranks, bound by what lies between them: a message's latency for a few bytes, its
// bandwidth for many. Started by mpirun; with T = 2 (p - 1) latency + 2 (p - 1) / p bytes /
// bandwidth two sizes tell both.
#include <felt/distributed/mpi.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>

namespace {

// The best and the median of some sums, each begun by all ranks together. Milliseconds.
struct times {
    double best, median;
};
times measured(felt::communicator& ranks, std::size_t bytes) {
    std::vector<float> x(bytes / sizeof(float), 1e-30f);
    std::vector<double> all;
    for (std::size_t i = 0; i < std::clamp<std::size_t>((1 << 27) / bytes, 5, 201); ++i) {
        ranks.barrier();
        auto const begin = std::chrono::steady_clock::now();
        felt::sum(ranks, x);
        std::chrono::duration<double, std::milli> const spent =
            std::chrono::steady_clock::now() - begin;
        all.push_back(spent.count());
    }
    std::sort(all.begin(), all.end());
    return {all.front(), all[all.size() / 2]};
}

}  // namespace

int main() {
    felt::mpi_session const session;
    felt::mpi_ranks ranks;
    if (ranks.is_first()) std::printf("%d ranks: sum of bytes, best ms, median ms\n", ranks.size());
    for (std::size_t bytes = 64; bytes <= (std::size_t{1} << 26); bytes *= 16) {
        auto const t = measured(ranks, bytes);
        if (ranks.is_first()) std::printf("%10zu %10.4f %10.4f\n", bytes, t.best, t.median);
    }
}
