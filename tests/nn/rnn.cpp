// SPDX-License-Identifier: BSD-3-Clause
#include <felt/nn/rnn.hpp>
#include <doctest/doctest.h>
#include <cmath>

namespace {

using felt::index_t;
using tensor1 = felt::Tensor<double, 1>;
using tensor2 = felt::Tensor<double, 2>;
using tensor3 = felt::Tensor<double, 3>;

struct problem {
    felt::recurrent_shape s;
    tensor3 x;
    tensor2 W, h0;
    tensor1 b;

    explicit problem(felt::recurrent_shape const& shape)
        : s(shape),
          x({s.steps, s.batch, s.inputs}),
          W({s.inputs + s.hidden, s.hidden}),
          h0({s.batch, s.hidden}),
          b({s.hidden}) {
        x = felt::normal<double>(x.extents(), 1);
        W = 0.4 * felt::normal<double>(W.extents(), 2);
        b = 0.3 * felt::normal<double>(b.extents(), 3);
        h0 = 0.5 * felt::normal<double>(h0.extents(), 4);
    }

    felt::rnn<double> layer() {
        felt::rnn<double> l(s);
        l.weights(felt::view(std::as_const(W)), felt::view(std::as_const(b)));
        l.first() = h0;
        return l;
    }
};

tensor3 plain(problem const& p) {
    tensor3 h({p.s.steps, p.s.batch, p.s.hidden});
    for (index_t t = 0; t < p.s.steps; ++t) {
        for (index_t n = 0; n < p.s.batch; ++n) {
            for (index_t k = 0; k < p.s.hidden; ++k) {
                double z = p.b(k);
                for (index_t i = 0; i < p.s.inputs; ++i) z += p.x(t, n, i) * p.W(i, k);
                for (index_t j = 0; j < p.s.hidden; ++j) {
                    z += (t > 0 ? h(t - 1, n, j) : p.h0(n, j)) * p.W(p.s.inputs + j, k);
                }
                h(t, n, k) = std::tanh(z);
            }
        }
    }
    return h;
}

double cost_of(problem& p, tensor3 const& weight) {
    auto l = p.layer();
    l.forward(felt::fused, felt::view(std::as_const(p.x)));
    return double(sum(l.outputs() * weight));
}

template <class X>
double error_of(problem& p, tensor3 const& weight, X& x, X const& own) {
    double const step = 1e-5;
    double apart = 0, size = 0;
    for (index_t i = 0; i < x.size(); ++i) {
        double const here = x.data()[i], a = own.data()[i];
        x.data()[i] = here + step;
        double const above = cost_of(p, weight);
        x.data()[i] = here - step;
        double const n = (above - cost_of(p, weight)) / (2 * step);
        x.data()[i] = here;
        apart += (n - a) * (n - a);
        size += (n + a) * (n + a);
    }
    return std::sqrt(apart / size);
}

}  // namespace

TEST_CASE("sequences are those of plain loops, in every order of memory") {
    for (bool last : {false, true}) {
        for (bool ahead : {false, true}) {
            for (auto const& s : {felt::recurrent_shape{1, 1, 1, 1, last, ahead},
                                  felt::recurrent_shape{5, 33, 20, 17, last, ahead}}) {
                problem p(s);
                auto l = p.layer();
                l.forward(felt::fused, felt::view(std::as_const(p.x)));
                CHECK(felt::all_close(l.outputs(), plain(p), 1e-11, 1e-12));
                l.forward(felt::unfused, felt::view(std::as_const(p.x)));
                CHECK(felt::all_close(l.outputs(), plain(p), 1e-11, 1e-12));
            }
        }
    }
}

TEST_CASE("a sequence in two parts, the state carried over") {
    problem whole({4, 3, 4, 5}), smaller({2, 3, 4, 5});
    auto l = smaller.layer();
    l.forward(felt::fused, felt::view(std::as_const(whole.x).data(), {2, 3, 4}));
    l.carry();
    l.forward(felt::fused, felt::view(std::as_const(whole.x).data() + 24, {2, 3, 4}));
    CHECK(felt::all_close(l.last(), felt::slice(plain(whole), 3, felt::all(), felt::all()), 1e-11));
}

TEST_CASE("gradients through ten steps are those of differences") {
    for (bool last : {false, true}) {
        problem p({10, 3, 4, 5, last, last});
        tensor3 const weight = felt::normal<double>({10, 3, 5}, 9);
        auto l = p.layer();
        tensor2 dW(p.W.extents());
        tensor1 db(p.b.extents());
        tensor3 dx(p.x.extents());
        auto const x = felt::view(std::as_const(p.x));
        l.forward(felt::fused, x), l.backward(felt::fused, felt::view(weight));
        l.weight_gradients(felt::fused, x, felt::view(dW), felt::view(db));
        l.input_gradients(felt::fused, felt::view(dx));
        CHECK(error_of(p, weight, p.W, dW) < 1e-8);
        CHECK(error_of(p, weight, p.b, db) < 1e-8);
        CHECK(error_of(p, weight, p.x, dx) < 1e-8);
    }
}
