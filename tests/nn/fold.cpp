// SPDX-License-Identifier: BSD-3-Clause
#include "tests/nn/differences.hpp"
#include <felt/nn.hpp>
#include <felt/nn/sgd.hpp>

namespace nn = felt::nn;
using differences::net;
using differences::samples;
using differences::vector;
using felt::index_t;
using matrix = felt::Tensor<double, 2>;

namespace {

auto const conv = nn::conv{4, 3, {.padding = {1, 1}}};

matrix inferred(net& n, auto const& x, auto const& by, nn::mode how = felt::fused) {
    n.infer(how, x, by);
    return n.out().as<2>();
}
// Of a network that has learned for a few steps, so that none of its vectors are what they were.
template <std::size_t R>
vector learned(net& n, samples<R> const& x) {
    n.prepare(x.extents());
    felt::sgd<double> optimiser(n.initial(1), {.rate = 0.01});
    for (int k = 0; k < 5; ++k) {
        optimiser.step([&](vector const& theta, vector& g) {
            return n.cost(felt::fused, x, differences::weighted{}, theta, g);
        });
    }
    return optimiser.x();
}
template <std::size_t R>
void check_folded(net&& n, felt::extents<R> const& e) {
    CAPTURE(n.text());
    auto const x = differences::some(e);
    vector const theta = learned(n, x);
    matrix const y = inferred(n, x, theta);
    auto const deployed = n.fold(theta);
    CHECK(deployed.parameters.size() == theta.size());
    CHECK_FALSE(felt::all_close(deployed.parameters, theta, 1e-3, 1e-3));
    double const scale = felt::max(abs(y));
    CHECK(felt::all_close(inferred(n, x, deployed), y, 0, 1e-12 * scale));
    CHECK(felt::all_close(inferred(n, x, deployed, felt::unfused), y, 0, 1e-12 * scale));
    CHECK(felt::all_close(inferred(n, x, theta), y, 0, 0));
}

// n of its rows of m, from there on.
matrix by_columns(nn::folded<double> const& of, index_t from, index_t n, index_t m) {
    return felt::view(of.parameters.data() + from, {n, m});
}

// A layer of one's own that is linear in its parameter.
struct scaled {
    static constexpr std::size_t rank = 4;
    static constexpr bool folds_norm = true;

    auto operator()(auto& s, auto const& x) const {
        return x * felt::along<1>(nn::param<"scale">(s, {x.extents()[1]}, nn::constant(2)));
    }
};

}  // namespace

TEST_CASE("folded parameters give what the network does, wherever a normalisation stands") {
    felt::extents<4> const images{{3, 4, 5, 4}};
    nn::norm const norm{{.epsilon = 0.01}};
    check_folded(net{} << (conv | norm | nn::relu), images);
    check_folded(net{} << (conv | norm) << nn::dense{3}, images);
    check_folded(net{} << (norm | nn::relu | conv), images);
    check_folded(net{} << (conv | nn::relu | norm | nn::relu), images);
    check_folded(net{} << (conv | norm | nn::relu | conv | norm | nn::tanh | nn::avg_pool{}),
                 images);
    check_folded(net{} << (scaled{} | norm | nn::relu), images);
    check_folded(net{} << (nn::dense{6} | norm | nn::tanh) << nn::dense{2},
                 felt::extents<2>{{5, 3}});
}

TEST_CASE("filters of groups are folded as others") {
    nn::conv const deep{8, 3, {.groups = 4}};
    check_folded(net{} << (deep | nn::norm{} | nn::relu), felt::extents<4>{{2, 4, 5, 5}});
}

TEST_CASE("normalisations are folded in networks within networks") {
    felt::extents<4> const images{{2, 4, 4, 4}};
    auto const unit = [] { return conv | nn::norm{} | nn::relu; };
    check_folded(net{} << (nn::plus(net{} << unit() << (conv | nn::norm{})) | nn::relu), images);
    check_folded(net{} << nn::plus(net{} << unit(), net{} << (conv | nn::norm{})), images);
    check_folded(net{} << nn::beside(net{} << unit(), net{} << nn::plus(net{} << unit())) << unit(),
                 images);
}

TEST_CASE("of a convolution and its normalisation are left filters and a bias") {
    auto n = net{} << (conv | nn::norm{});
    auto const x = differences::some(felt::extents<4>{{3, 2, 5, 4}});
    vector const theta = learned(n, x);
    matrix const y = inferred(n, x, theta);
    auto plain = net{} << conv;
    plain.prepare(x.extents());
    vector one(felt::extents<1>{{plain.parameters().size()}});
    auto const of = n.fold(theta);
    index_t const filters = 4 * 2 * 9;
    slice(one, felt::range(0, filters)) = reshape(transpose(by_columns(of, 0, 18, 4)), {filters});
    slice(one, felt::range(filters, filters + 4)) =
        slice(of.parameters, felt::range(filters + 4, filters + 8));
    CHECK(felt::all_close(inferred(plain, x, one), y, 1e-12, 1e-12));
}

TEST_CASE("what was folded moves as many bytes as filters and a bias, whoever reads it") {
    auto const x = differences::some(felt::extents<4>{{3, 2, 5, 4}});
    auto const bytes = [&](net&& n) {
        n.prepare(x.extents());
        double fused = 0, unfused = 0;
        n.infer(felt::count_bytes{&fused, &unfused}, x, n.fold(n.initial(1)));
        return fused;
    };
    auto const has_norm = conv | nn::norm{} | nn::relu;
    CHECK(bytes(net{} << has_norm << conv) == bytes(net{} << (conv | nn::relu) << conv));
    CHECK(bytes(net{} << has_norm << nn::dense{3}) ==
          bytes(net{} << (conv | nn::relu) << nn::dense{3}));
}

TEST_CASE("folded parameters stay what they were when training goes on") {
    auto n = net{} << (conv | nn::norm{} | nn::relu);
    auto const x = differences::some(felt::extents<4>{{3, 2, 5, 4}});
    vector theta = learned(n, x), g(theta.extents());
    auto const deployed = n.fold(theta);
    matrix const y = inferred(n, x, deployed);
    theta += 1.;
    n.cost(felt::fused, x, differences::weighted{}, theta, g);
    CHECK(bool(felt::all(inferred(n, x, deployed) == y)));
    CHECK_FALSE(felt::all_close(inferred(n, x, theta), y, 1e-3, 1e-3));
}

TEST_CASE("filters lie by columns, and matrices where more than a few rows are multiplied") {
    for (index_t samples : {4, 5}) {
        auto n = net{} << (conv | nn::relu) << nn::dense{3};
        auto const x = differences::some(felt::extents<4>{{samples, 2, 5, 4}});
        vector const theta = learned(n, x);
        auto const deployed = n.fold(theta);
        auto const rows = [&](index_t from, index_t count, index_t length) {
            return matrix(felt::view(theta.data() + from, {count, length}));
        };
        index_t const biases = 4 * 18, weights = biases + 4, features = 4 * 5 * 4;
        CHECK(bool(felt::all(by_columns(deployed, 0, 18, 4) == transpose(rows(0, 4, 18)))));
        auto const as_it_was = felt::view(deployed.parameters.data() + weights, {3, features});
        bool const is_as_it_was = bool(felt::all(as_it_was == rows(weights, 3, features)));
        CHECK(is_as_it_was == (samples == 4));
        if (samples == 5)
            CHECK(bool(felt::all(by_columns(deployed, weights, features, 3) ==
                                 transpose(rows(weights, 3, features)))));
        CHECK(felt::all_close(inferred(n, x, deployed), inferred(n, x, theta), 0, 1e-13));
    }
}

TEST_CASE("those of another network are an error") {
    auto n = net{} << nn::dense{3}, other = net{} << nn::dense{2};
    auto const x = differences::some(felt::extents<2>{{3, 4}});
    CHECK_THROWS_WITH_AS(n.fold(vector({15})), "nn: prepare() a network before it is run",
                         felt::error);
    n.prepare(x.extents()), other.prepare(x.extents());
    CHECK_THROWS_WITH_AS(n.infer(felt::fused, x, other.fold(other.initial(1))),
                         "nn: folded parameters of 10 elements for parameters of 15",
                         felt::shape_error);
    CHECK_THROWS_WITH_AS(n.fold(vector({3})), "nn: a vector of 3 elements for parameters of 15",
                         felt::shape_error);
}
