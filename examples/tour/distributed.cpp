// SPDX-License-Identifier: BSD-3-Clause
//
// Four ranks, here threads, fit one line to data of which each has a part. Over MPI the same
// function runs in processes: felt::mpi_ranks instead of run_ranks.
#include "check.hpp"
#include <felt/distributed/gradient_buckets.hpp>
#include <felt/distributed/shards.hpp>
#include <felt/distributed/threads.hpp>
#include <felt/felt.hpp>
#include <felt/nn/schedule.hpp>
#include <felt/nn/sgd.hpp>
#include <cmath>

namespace {

using felt::index_t;
using felt::Tensor;

//[train]
// Least squares, y = x theta: of 1001 samples those of this rank. The mean over all is the sum over
// ranks of what each finds, if it divides by all samples.
Tensor<float, 1> train(felt::communicator& ranks, Tensor<float, 2> const& x,
                       Tensor<float, 1> const& y) {
    auto const rows = felt::shard_of(x.extent(0), ranks);
    Tensor<float, 2> const own = slice(x, felt::range(rows.begin, rows.end), felt::all());
    Tensor<float, 1> const goal = slice(y, felt::range(rows.begin, rows.end));
    felt::gradient_buckets<float> buckets(ranks, x.extent(1));
    felt::sgd<float> optimiser(Tensor<float, 1>({x.extent(1)}), {.rate = 0.5f});
    for (int step = 0; step < 100; ++step) {
        optimiser.step([&](auto const& theta, auto& gradient) {
            buckets.begin(gradient, 1);  // a sum; without the 1 the mean of the ranks' gradients
            auto const error =
                matmul(own, felt::expand_dims<1>(theta)) - felt::expand_dims<1>(goal);
            auto const of_all = 1 / static_cast<float>(rows.of);
            gradient = of_all * sum<0>(own * error);
            buckets.ready(0);  // a network says this of each layer, the last one first
            buckets.finish();
            return felt::sum(ranks, double(float(sum(square(error)))) * double(of_all) / 2);
        });
    }
    return optimiser.x();
}
//[train]

void on_ranks() {
    Tensor<float, 2> x({1001, 5});
    x = felt::normal<float>(x.extents(), 1);
    Tensor<float, 1> const right = Tensor<float, 1>::of({1, -2, 3, 0, 0.5});
    Tensor<float, 1> const y = sum<1>(x * right);
    auto const one = train(felt::alone, x, y);
    //[ranks]
    felt::run_ranks(4, [&](felt::communicator& ranks) {
        Tensor<float, 1> const theta = train(ranks, x, y);
        check(felt::all_close(theta, one), "four ranks find what one does");
    });
    //[ranks]
    check(felt::all_close(one, right, 1e-4, 1e-4), "which is right");
}

void rates() {
    //[schedule]
    felt::rate_schedule const s{.base = 0.0125, .ranks = 8, .steps = 100};
    felt::sgd_options const at_first{.rate = s.rate(0), .momentum = 0.9 * s.correction(0)};
    //[schedule]
    check(std::abs(at_first.rate - 0.0125 * (1 + 0.07 / 5)) < 1e-12, "it begins with the base");
    check(std::abs(s.rate(500) - 0.1) < 1e-12, "and is eight times as fast after five epochs");
}

}  // namespace

int main() {
    on_ranks();
    rates();
    return failures != 0;
}
