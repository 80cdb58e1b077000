// SPDX-License-Identifier: BSD-3-Clause
#include "tests/nn/differences.hpp"
#include "tests/support/by_host.hpp"
#include <felt/distributed/shards.hpp>
#include <felt/distributed/threads.hpp>
#include <felt/nn/sgd.hpp>

namespace nn = felt::nn;
using differences::net;
using differences::vector;
using felt::index_t;

namespace {
net small() {
    return net{} << (nn::conv{2, 3} | nn::relu) << nn::max_pool{} << (nn::dense{4} | nn::sigmoid)
                 << nn::dense{3};
}
}  // namespace

TEST_CASE("parameters are named as those of PyTorch's Sequential, and begin as their layers say") {
    net n = small();
    n.prepare({5, 1, 6, 6});
    std::string all;
    for (auto const& e : n.parameters().entries()) all += e.name + " ";
    CHECK(all == "0.weight 0.bias 3.weight 3.bias 5.weight 5.bias ");
    std::vector<nn::init::kind_t> kinds;
    for (auto const& how : n.beginnings()) kinds.push_back(how.kind);
    using nn::init;
    CHECK(kinds ==
          std::vector{init::he, init::equal, init::glorot, init::equal, init::glorot, init::equal});
}

TEST_CASE("gradients are final from the last block to the first") {
    net n = small();
    n.prepare({5, 1, 6, 6});
    vector const theta = n.initial(1);
    vector g(theta.extents());
    std::vector<index_t> final_from;
    auto const x = differences::some(felt::extents<4>{{5, 1, 6, 6}});
    n.cost(felt::fused, x, differences::weighted{}, theta, g, 0,
           [&](index_t k) { final_from.push_back(k); });
    auto const& e = n.parameters().entries();
    CHECK(final_from == std::vector<index_t>{e[4].offset, e[2].offset, 0});
}

TEST_CASE("a batch of other extents is an error that names both") {
    net n = small();
    n.prepare({5, 1, 6, 6});
    vector const theta = n.initial(1);
    auto const x = differences::some(felt::extents<4>{{4, 1, 6, 6}});
    CHECK_THROWS_WITH_AS(
        n.forward(felt::fused, x, theta),
        "nn: a batch of (4, 1, 6, 6) for a network that was prepared for (5, 1, 6, 6)",
        felt::shape_error);
    CHECK_THROWS_AS(n.prepare({5, 6}), felt::shape_error);
}

TEST_CASE("a network that is not ready, and a vector of another size, are errors") {
    net n = small();
    auto const x = differences::some(felt::extents<4>{{5, 1, 6, 6}});
    vector const none({3});
    CHECK_THROWS_WITH_AS(n.infer(felt::fused, x, none), "nn: prepare() a network before it is run",
                         felt::error);
    n.prepare(x.extents());
    CHECK_THROWS_WITH_AS(n.infer(felt::fused, x, none),
                         "nn: a vector of 3 elements for parameters of 71", felt::shape_error);
    CHECK_THROWS_AS(n.forward(felt::fused, x, none), felt::shape_error);
    vector const theta = n.initial(1);
    vector g({4});
    CHECK_THROWS_AS(n.cost(felt::fused, x, differences::weighted{}, theta, g), felt::shape_error);
    CHECK_THROWS_AS(net{}.prepare({2, 3}), felt::error);
}

namespace {

net normalised() {
    return net{} << (nn::conv{5, 3, {.padding = {1, 1}}} | nn::norm{} | nn::relu)
                 << (nn::conv{4, 3, {.stride = {2, 2}}} | nn::norm{}) << nn::dense{2};
}

struct found {
    vector gradient, running;
    double cost = 0;
};
found of_ranks(felt::communicator& ranks) {
    auto const all = differences::some(felt::extents<4>{{5, 3, 6, 7}});
    auto const rows = felt::shard_of(all.extent(0), ranks);
    differences::samples<4> const x =
        slice(all, felt::range(rows.begin, rows.end), felt::all(), felt::all(), felt::all());
    net n = normalised();
    n.prepare(x.extents());
    nn::sum_over_parts<double, felt::Host> const add_up = [&](auto& v) { felt::sum(ranks, v); };
    if (ranks.size() > 1) n.share(all.extent(0), add_up);
    vector const theta = n.initial(1);
    found f{vector(theta.extents()), {}, 0};
    auto const loss = [](auto const& z) { return sum(square(z)); };
    f.cost = felt::sum(ranks, n.cost(felt::fused, x, loss, theta, f.gradient));
    felt::sum(ranks, f.gradient);
    f.running = n.running();
    return f;
}

}  // namespace

TEST_CASE("ranks that share a batch find what one does with all of it") {
    auto const one = of_ranks(felt::alone);
    felt::run_ranks(2, [&](felt::communicator& ranks) {
        auto const own = of_ranks(ranks);
        CHECK(own.cost == doctest::Approx(one.cost).epsilon(1e-12));
        CHECK(felt::all_close(own.gradient, one.gradient, 1e-12, 1e-12));
        CHECK(felt::all_close(own.running, one.running, 1e-12, 1e-12));
    });
}

TEST_CASE("after the first step nothing is allocated") {
    net n = normalised();
    auto const x = differences::some(felt::extents<4>{{2, 3, 6, 7}});
    n.prepare(x.extents());
    vector const theta = n.initial(1);
    vector g(theta.extents());
    n.cost(felt::fused, x, differences::weighted{}, theta, g);
    auto const before = felt::allocations();
    n.cost(felt::fused, x, differences::weighted{}, theta, g);
    if (test::by_host) CHECK(felt::allocations().tensors == before.tensors);
}

TEST_CASE("it is prepared again for another batch, and its parameters fit") {
    net n = small();
    n.prepare({5, 1, 6, 6});
    vector const theta = n.initial(1);
    auto const x = differences::some(felt::extents<4>{{5, 1, 6, 6}});
    n.infer(felt::fused, x, theta);
    felt::Tensor<double, 2> const five = n.out().as<2>();
    n.prepare({2, 1, 6, 6});
    felt::View<double const, 4> const two(x.data(), {{2, 1, 6, 6}}, x.strides());
    n.infer(felt::fused, two, theta);
    CHECK(felt::all_close(n.out().as<2>(), slice(five, felt::range(0, 2), felt::all())));
}

TEST_CASE("it learns which of three rows is the largest") {
    auto n = net{} << (nn::dense{16} | nn::tanh) << nn::dense{3};
    n.prepare({64, 3});
    felt::sgd<double> optimiser(n.initial(1), {.rate = 0.5});
    felt::Tensor<double, 2> x({64, 3});
    x = felt::normal<double>(x.extents(), 5);
    felt::Tensor<index_t, 1> const y = felt::argmax<1>(x);
    for (int k = 0; k < 200; ++k) {
        optimiser.step([&](vector const& theta, vector& g) {
            return n.cost(felt::fused, x, nn::cross_entropy(felt::view(y)), theta, g);
        });
    }
    CHECK(optimiser.cost() < 0.1);
    n.infer(felt::fused, x, optimiser.x());  // what cost() gave is a derivative now
    felt::Tensor<index_t, 1> const found = felt::argmax<1>(n.out().as<2>());
    CHECK(felt::mean(felt::cast<double>(found == y)) > 0.95);
}
