// SPDX-License-Identifier: BSD-3-Clause
#include "tests/nn/differences.hpp"

namespace nn = felt::nn;
using differences::net;
using differences::samples;
using differences::vector;
using felt::index_t;

namespace {

// What a network of one layer gives, with parameters 0.1, 0.2, ..
template <class L>
felt::Tensor<double, 2> given(L const& layer, samples<4> const& x) {
    auto n = net{} << layer;
    auto const e = x.extents();
    n.prepare(e);
    vector theta(felt::extents<1>{{n.parameters().size()}});
    theta = felt::iota<double>({theta.size()}) * 0.1 + 0.1;
    n.forward(felt::fused, x, theta);
    felt::Tensor<double, 2> const trained = n.out().template as<2>();
    n.infer(felt::fused, x, theta);
    CHECK(felt::all_close(trained, n.out().template as<2>()));
    return trained;
}
template <class Y>
felt::Tensor<double, 2> rows(Y const& y) {
    samples<4> const all = y;
    return felt::View<double const, 2>(all.data(), {{all.extent(0), all.size() / all.extent(0)}},
                                       {{all.size() / all.extent(0), 1}});
}

}  // namespace

TEST_CASE("layers are the functions of their names") {
    auto const x = differences::some(felt::extents<4>{{3, 2, 6, 6}});
    samples<4> w({3, 2, 3, 3});
    for (index_t k = 0; k < w.size(); ++k) w.data()[k] = 0.1 + 0.1 * static_cast<double>(k);
    vector const b = vector::of({5.5, 5.6, 5.7});
    felt::conv_options const o{.stride = {2, 2}, .padding = {1, 1}};
    CHECK(felt::all_close(given(nn::conv{3, 3, o}, x), rows(conv2d(x, w, o) + felt::along<1>(b))));
    CHECK(felt::all_close(
        given(nn::max_pool{3, 2, 1}, x),
        rows(max_pool2d(x, {.window = {3, 3}, .stride = {2, 2}, .padding = {1, 1}}))));
    CHECK(felt::all_close(given(nn::avg_pool{2}, x), rows(avg_pool2d(x, {}))));
    CHECK(felt::all_close(given(nn::mean_pool{}, x), rows(felt::mean<2, 3>(x, felt::keepdims))));
    CHECK(felt::all_close(given(nn::relu, x), rows(relu(x))));
    CHECK(felt::all_close(given(nn::tanh, x), rows(tanh(x))));
    CHECK(felt::all_close(given(nn::silu, x), rows(silu(x))));
    auto const thin = given(nn::thinned{2, 3}, x);
    CHECK(thin.extents() == felt::extents<2>{{3, 27}});
    CHECK(thin(1, 3) == x(1, 0, 0, 2));  // pixels of three channels, the third one 0
    CHECK(thin(1, 5) == 0);
}

TEST_CASE("weights of a product of one pixel of each channel are a matrix, as PyTorch's are") {
    auto n = net{} << nn::mean_pool{} << nn::dense{2} << nn::dense{3};
    n.prepare({3, 4, 5, 5});
    CHECK(n.parameters().entries()[0].extents == std::vector<index_t>{2, 4});
    auto wide = net{} << nn::dense{2};
    wide.prepare({3, 4, 5, 5});
    CHECK(wide.parameters().entries()[0].extents == std::vector<index_t>{2, 4, 5, 5});
}

TEST_CASE("inference normalises by running statistics, in the pass of the convolution") {
    auto const x = differences::some(felt::extents<4>{{3, 2, 5, 4}});
    nn::conv const c{3, 3, {.padding = {1, 1}}};
    auto plain = net{} << c;
    auto n = net{} << (c | nn::norm{} | nn::relu) << (c | nn::norm{});
    plain.prepare(x.extents()), n.prepare(x.extents());
    vector theta = n.initial(4), g(theta.extents());
    theta += 0.1 * felt::normal<double>(theta.extents(), 5);
    n.infer(felt::fused, x, theta);  // before anything was kept for training, and after it
    felt::Tensor<double, 2> const untrained = n.out().as<2>();
    for (int k = 0; k < 300; ++k) n.forward(felt::fused, x, theta);
    felt::Tensor<double, 2> const trained = n.out().as<2>();
    index_t const kept = n.kept();
    n.infer(felt::fused, x, theta);
    felt::Tensor<double, 2> const y = n.out().as<2>();
    CHECK_FALSE(felt::all_close(untrained, y, 1e-3, 1e-3));
    // Running variances are those of samples, 60 values of a channel: sqrt(59 / 60) apart.
    CHECK(felt::all_close(y, trained, 0.03, 0.05));
    n.infer(felt::unfused, x, theta);
    CHECK(felt::all_close(y, n.out().as<2>(), 1e-10, 1e-10));
    CHECK(n.kept() == kept);
}

TEST_CASE("dense reads images as rows of pixels") {
    auto const x = differences::some(felt::extents<4>{{2, 2, 2, 3}});
    auto const y = given(nn::dense{2}, x);
    double expected = 2.6;  // the second bias
    for (index_t k = 0; k < 12; ++k)
        expected += (1.3 + 0.1 * static_cast<double>(k)) * x.data()[12 + k];
    CHECK(y(1, 1) == doctest::Approx(expected));
}

TEST_CASE("a dropout leaves what it does not drop, in training alone") {
    auto n = net{} << nn::dropout{0.25};
    n.prepare(felt::extents<2>{{50, 40}});
    felt::Tensor<double, 2> x({50, 40});
    x = 3;
    n.forward(felt::fused, x, vector({0}), 11);
    felt::Tensor<double, 2> const y = n.out().as<2>();
    double const share = felt::mean(felt::cast<double>(y == 0.));
    CHECK(std::abs(share - 0.25) < 0.05);
    CHECK(felt::all_close(y, where(y == 0., 0., 4.)));
    n.forward(felt::unfused, x, vector({0}), 11);
    CHECK(felt::all_close(y, n.out().as<2>()));
    n.forward(felt::fused, x, vector({0}), 12);
    CHECK_FALSE(felt::all_close(y, n.out().as<2>()));
    n.infer(felt::fused, x, vector({0}));
    CHECK(felt::all_close(n.out().as<2>(), x));
}

TEST_CASE("a dropout of samples of a batch is that of the whole") {
    auto n = net{} << nn::dropout{0.5};
    felt::Tensor<double, 2> x({7, 40}), part({3, 40});
    x = 1, part = 1;
    n.prepare(x.extents());
    n.forward(felt::fused, x, vector({0}), 11);
    felt::Tensor<double, 2> const whole = n.out().as<2>();
    n.prepare(part.extents());
    n.forward(felt::fused, part, vector({0}), {11, 4});
    CHECK(bool(felt::all(n.out().as<2>() == slice(whole, felt::range(4, 7), felt::all()))));
    n.forward(felt::fused, part, vector({0}), 11);
    CHECK(bool(felt::all(n.out().as<2>() == slice(whole, felt::range(0, 3), felt::all()))));
}

TEST_CASE("inference keeps a value where training does") {
    auto n = net{} << (nn::conv{3, 3} | nn::sigmoid | nn::avg_pool{} | nn::tanh | nn::max_pool{});
    auto const x = differences::some(felt::extents<4>{{3, 2, 10, 10}});
    n.prepare(x.extents());
    vector const theta = n.initial(4);
    n.forward(felt::fused, x, theta);
    felt::Tensor<double, 2> const y = n.out().as<2>();
    index_t const kept = n.kept();
    n.infer(felt::fused, x, theta);
    CHECK(felt::all_close(y, n.out().as<2>(), 1e-12, 1e-12));
    CHECK(n.kept() == kept);
}
