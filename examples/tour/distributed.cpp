// SPDX-License-Identifier: BSD-3-Clause
//
// Four ranks, here threads, fit one plane to data of which each has a part; over MPI the same
// function runs in processes, with felt::mpi_ranks instead of run_ranks. And what a network costs.
#include "check.hpp"
#include <felt/distributed/gradient_buckets.hpp>
#include <felt/distributed/shards.hpp>
#include <felt/distributed/threads.hpp>
#include <felt/felt.hpp>
#include <felt/nn/schedule.hpp>
#include <felt/nn/sgd.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>

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

//[model]
struct network {
    double bandwidth, latency;  // bytes per second, seconds: of a message between two ranks
};
struct training {
    double bytes, step, backward;  // of the gradient; seconds of a step, and of its backward pass
};

// A sum over p ranks in a ring: each sends and receives 2 (p - 1) parts of bytes / p.
double ring(double bytes, double p, network const& n) {
    return 2 * (p - 1) * (bytes / p / n.bandwidth + n.latency);
}

// What is left of the sums when the backward pass ends: buckets are complete one after another,
// evenly, and their sums run one after another.
double exposed(training const& t, double p, network const& n) {
    double const first = 1 << 20, others = 4 << 20;
    double end = 0;
    for (double done = 0; done < t.bytes;) {
        double const bucket = std::min(done == 0 ? first : others, t.bytes - done);
        done += bucket;
        end = std::max(end, t.backward * done / t.bytes) + ring(bucket, p, n);
    }
    return std::max(0., end - t.backward);
}

double efficiency(training const& t, double p, network const& n) {
    return t.step / (t.step + exposed(t, p, n));
}
//[model]

void expectations() {
    std::cout << "# efficiency\n";
    network const ethernet{1.25e9, 25e-6}, infiniband{12.5e9, 2e-6};  // 10 and 100 Gbit/s
    training const resnet_core{102.4e6, 8, 5.3}, resnet_gpu{102.4e6, 0.1, 0.066};
    training const cnn{86.5e3, 16e-3, 8e-3};
    auto const row = [](char const* name, training const& t, network const& n) {
        std::printf("%-44s", name);
        for (double p : {8, 64, 512}) std::printf("%6.1f %%", 100 * efficiency(t, p, n));
        std::printf("\n");
    };
    std::printf("%-44s%8s%8s%8s\n", "ranks", "8", "64", "512");
    row("ResNet-50, steps of 8 s, 10 Gbit/s", resnet_core, ethernet);
    row("ResNet-50, steps of 8 s, 100 Gbit/s", resnet_core, infiniband);
    row("ResNet-50, steps of 0.1 s, 10 Gbit/s", resnet_gpu, ethernet);
    row("ResNet-50, steps of 0.1 s, 100 Gbit/s", resnet_gpu, infiniband);
    row("the study's network, 16 ms, 10 Gbit/s", cnn, ethernet);
    row("the study's network, 16 ms, 100 Gbit/s", cnn, infiniband);
    check(exposed(cnn, 1, ethernet) == 0, "one rank waits for nobody");
    check(efficiency(resnet_core, 64, ethernet) > 0.9, "long steps hide the sums");
}

}  // namespace

int main() {
    on_ranks();
    rates();
    expectations();
    return failures != 0;
}
