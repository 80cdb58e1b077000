// SPDX-License-Identifier: BSD-3-Clause
#include <felt/nn/lstm.hpp>
#include <doctest/doctest.h>
#include <tests/support/remote.hpp>
#include <cmath>
#include <vector>

namespace {

using felt::index_t;
using tensor1 = felt::Tensor<double, 1>;
using tensor2 = felt::Tensor<double, 2>;
using tensor3 = felt::Tensor<double, 3>;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

struct problem {
    felt::recurrent_shape s;
    felt::lstm_options o;
    tensor3 x;
    tensor2 W, h0, c0;
    tensor1 b;

    explicit problem(felt::recurrent_shape const& shape, felt::lstm_options options = {})
        : s(shape),
          o(std::move(options)),
          x({s.steps, s.batch, s.inputs}),
          W({s.inputs + s.hidden, 4 * s.hidden}),
          h0({s.batch, s.hidden}),
          c0({s.batch, s.hidden}),
          b({4 * s.hidden}) {
        x = felt::normal<double>(x.extents(), 1);
        W = 0.4 * felt::normal<double>(W.extents(), 2);
        b = 0.3 * felt::normal<double>(b.extents(), 3);
        h0 = 0.5 * felt::normal<double>(h0.extents(), 4);
        c0 = felt::normal<double>(c0.extents(), 5);
    }

    felt::lstm<double> layer() {
        felt::lstm<double> l(s, o);
        l.weights(felt::view(std::as_const(W)), felt::view(std::as_const(b)));
        l.first() = h0;
        l.first_cell() = c0;
        return l;
    }
};

// The loops that define the layer. h(t, n, k) for t = 1 .. steps, and the last c.
struct plain {
    tensor3 h;
    tensor2 c;

    explicit plain(problem const& p) : h({p.s.steps, p.s.batch, p.s.hidden}), c(p.c0) {
        index_t const H = p.s.hidden, I = p.s.inputs;
        auto const column = [&](char gate, index_t k) {
            return static_cast<index_t>(p.o.order.find(gate)) * H + k;
        };
        tensor2 before = p.h0;
        for (index_t t = 0; t < p.s.steps; ++t) {
            for (index_t n = 0; n < p.s.batch; ++n) {
                auto const z = [&](index_t q) {
                    double sum = p.b(q);
                    for (index_t i = 0; i < I; ++i) sum += p.x(t, n, i) * p.W(i, q);
                    for (index_t k = 0; k < H; ++k) sum += before(n, k) * p.W(I + k, q);
                    return sum;
                };
                for (index_t k = 0; k < H; ++k) {
                    c(n, k) = logistic(z(column('f', k)) + p.o.forget_bias) * c(n, k) +
                              logistic(z(column('i', k))) * std::tanh(z(column('j', k)));
                    h(t, n, k) = logistic(z(column('o', k))) * std::tanh(c(n, k));
                }
            }
            before = felt::slice(h, t, felt::all(), felt::all());
        }
    }
};

std::vector<felt::recurrent_shape> shapes() {
    std::vector<felt::recurrent_shape> list;
    for (bool last : {false, true}) {
        for (bool ahead : {false, true}) {
            for (bool one_pass : {false, true}) {
                list.push_back({1, 1, 1, 1, last, ahead, one_pass});
                list.push_back({4, 5, 3, 7, last, ahead, one_pass});
                list.push_back({3, 33, 20, 17, last, ahead, one_pass});
            }
        }
    }
    return list;
}

// sum of outputs * weight: a cost whose derivative by the outputs is `weight`.
double cost_of(problem& p, tensor3 const& weight) {
    auto l = p.layer();
    l.forward(felt::fused, felt::view(std::as_const(p.x)));
    return double(sum(l.outputs() * weight));
}

template <class X>
double numeric(problem& p, tensor3 const& weight, X& x, index_t i) {
    double const here = x.data()[i], step = 1e-5;
    x.data()[i] = here + step;
    double const above = cost_of(p, weight);
    x.data()[i] = here - step;
    double const below = cost_of(p, weight);
    x.data()[i] = here;
    return (above - below) / (2 * step);
}

// |numeric - own| / |numeric + own| over all elements.
template <class X>
double error_of(problem& p, tensor3 const& weight, X& x, X const& own) {
    double apart = 0, size = 0;
    for (index_t i = 0; i < x.size(); ++i) {
        double const n = numeric(p, weight, x, i), a = own.data()[i];
        apart += (n - a) * (n - a);
        size += (n + a) * (n + a);
    }
    return std::sqrt(apart / size);
}

}  // namespace

TEST_CASE("one cell, by hand") {
    problem p({1, 1, 1, 1}, {.order = "ijfo", .forget_bias = 1});
    p.x(0, 0, 0) = 2, p.h0(0, 0) = 0.5, p.c0(0, 0) = -1;
    p.W = tensor2::of({{0.1, 0.2, 0.3, 0.4}, {-0.5, 0.6, 0.7, -0.8}});
    p.b = tensor1::of({0, 0.1, 0, -0.1});
    auto l = p.layer();
    l.forward(felt::fused, felt::view(std::as_const(p.x)));
    double const i = logistic(0.2 - 0.25), j = std::tanh(0.4 + 0.3 + 0.1);
    double const f = logistic(0.6 + 0.35 + 1), o = logistic(0.8 - 0.4 - 0.1), c = i * j - f;
    CHECK(l.last_cell()(0, 0) == doctest::Approx(c).epsilon(1e-14));
    CHECK(l.outputs()(0, 0, 0) == doctest::Approx(o * std::tanh(c)).epsilon(1e-14));
}

TEST_CASE("sequences are those of plain loops, in every order of gates and of memory") {
    for (auto const& s : shapes()) {
        for (char const* order : {"ijfo", "ifjo", "ofji"}) {
            problem p(s, {.order = order, .forget_bias = 0.7});
            plain const want(p);
            auto const agrees = [&](felt::lstm<double>& l) {
                CHECK(felt::all_close(l.outputs(), want.h, 1e-11, 1e-12));
                CHECK(felt::all_close(l.last_cell(), want.c, 1e-11, 1e-12));
            };
            auto const x = felt::view(std::as_const(p.x));
            auto kept = p.layer(), unfused = p.layer(), inferred = p.layer();
            kept.forward(felt::fused, x), unfused.forward(felt::unfused, x);
            inferred.infer(felt::fused, x);
            agrees(kept), agrees(unfused), agrees(inferred);
            inferred.infer(felt::unfused, x);
            agrees(inferred);
        }
    }
}

TEST_CASE("a sequence in two parts, the state carried over") {
    problem whole({6, 3, 4, 5});
    problem smaller({3, 3, 4, 5});
    auto const part = [&](index_t t) {
        return felt::view(std::as_const(whole.x).data() + t * 12, {3, 3, 4});
    };
    plain const want(whole);
    auto l = smaller.layer();
    l.infer(felt::fused, part(0));
    l.carry();
    l.infer(felt::fused, part(3));
    CHECK(felt::all_close(l.last(), felt::slice(want.h, 5, felt::all(), felt::all()), 1e-11));
    CHECK(felt::all_close(l.last_cell(), want.c, 1e-11));
    l.reset();
    CHECK(double(sum(abs(l.first()) + abs(l.first_cell()))) == 0);
}

TEST_CASE("gradients through ten steps are those of differences") {
    for (bool last : {false, true}) {
        problem p({10, 3, 4, 5, last, !last}, {.order = "ifjo", .forget_bias = 1});
        tensor3 const weight = felt::normal<double>({10, 3, 5}, 9);
        for (bool fused : {true, false}) {
            auto l = p.layer();
            tensor2 dW(p.W.extents());
            tensor1 db(p.b.extents());
            tensor3 dx(p.x.extents());
            auto const x = felt::view(std::as_const(p.x)), dy = felt::view(weight);
            auto const all = [&](auto how) {
                l.forward(how, x), l.backward(how, dy);
                l.weight_gradients(how, x, felt::view(dW), felt::view(db));
                l.input_gradients(how, felt::view(dx));
            };
            if (fused) all(felt::fused);
            else all(felt::unfused);
            CHECK(error_of(p, weight, p.W, dW) < 1e-8);
            CHECK(error_of(p, weight, p.b, db) < 1e-8);
            CHECK(error_of(p, weight, p.x, dx) < 1e-8);
        }
    }
}

TEST_CASE("weights are those of the last call of weights()") {
    problem p({3, 2, 4, 5});
    auto l = p.layer();
    auto const x = felt::view(std::as_const(p.x));
    l.infer(felt::fused, x);
    p.W *= -0.5;
    l.weights(felt::view(std::as_const(p.W)), felt::view(std::as_const(p.b)));
    l.infer(felt::fused, x);
    CHECK(felt::all_close(l.outputs(), plain(p).h, 1e-11, 1e-12));
}

TEST_CASE("an order that lacks a gate is an error") {
    for (char const* order : {"", "ijf", "iifo", "ijfox"}) {
        CHECK_THROWS_AS(felt::lstm<float>({1, 1, 1, 1}, {.order = order}), felt::error);
    }
}

TEST_CASE("a space without element access computes the same") {
    auto const outputs = []<class Space>(Space) {
        felt::Tensor<double, 3, Space> x({4, 3, 2}), dx({4, 3, 2});
        felt::Tensor<double, 2, Space> W({7, 20}), dW({7, 20});
        felt::Tensor<double, 1, Space> b({20}), db({20});
        x = felt::normal<double>({4, 3, 2}, 1);
        W = felt::normal<double>({7, 20}, 2);
        felt::lstm<double, Space> l({4, 3, 2, 5});
        l.weights(felt::view(std::as_const(W)), felt::view(std::as_const(b)));
        l.reset();
        l.forward(felt::fused, felt::view(std::as_const(x)));
        felt::Tensor<double, 3, Space> const y = l.outputs();
        l.backward(felt::fused, felt::view(y));
        l.weight_gradients(felt::fused, felt::view(std::as_const(x)), felt::view(dW),
                           felt::view(db));
        return dW;
    };
    auto const here = outputs(felt::Host{});
    auto const there = test::fetched(outputs(test::remote{}));
    CHECK(bool(felt::all(here == there)));
    CHECK(bool(felt::any(here != 0)));
}
