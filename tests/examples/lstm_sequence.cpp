// SPDX-License-Identifier: BSD-3-Clause
//
// The task of the RNN benchmarks: its gradient is that of differences, and a step goes down it.
#include <doctest/doctest.h>
#include <lstm/sequence.hpp>

namespace {

using felt::index_t;

template <class Task>
void gradient_is_that_of_differences() {
    Task task(10, 3, 4);
    auto const start = task.theta();
    double const cost = task.forward(felt::fused);
    for (bool fused : {true, false}) {
        task.theta(start);
        CHECK((fused ? task.train(felt::fused) : task.train(felt::unfused)) == cost);
        CHECK(felt::all_close(task.theta(), start - 0.01 * task.gradient(), 1e-15, 1e-15));
        auto const g = task.gradient();
        auto theta = start;
        double difference = 0, size = 0;
        for (index_t i = 0; i < theta.size(); ++i) {
            auto const cost_at = [&](double by) {
                theta(i) = start(i) + by;
                task.theta(theta);
                theta(i) = start(i);
                return task.forward(felt::unfused);
            };
            double const n = (cost_at(1e-5) - cost_at(-1e-5)) / 2e-5;
            difference += (n - g(i)) * (n - g(i));
            size += (n + g(i)) * (n + g(i));
        }
        CHECK(std::sqrt(difference / size) < 1e-7);
    }
}

}  // namespace

TEST_CASE("the gradient of the benchmark's LSTM is that of differences") {
    gradient_is_that_of_differences<lstm::sequence_task<felt::lstm, double>>();
}

TEST_CASE("the gradient of the benchmark's plain layer is that of differences") {
    gradient_is_that_of_differences<lstm::sequence_task<felt::rnn, double>>();
}

TEST_CASE("parameters and products are those of the published benchmark") {
    lstm::sequence_task<felt::lstm, float> const task(1, 2, 1024);
    CHECK(task.theta().size() == 8392704);
    CHECK(task.flops() == 2. * 2 * 8388608);
}
