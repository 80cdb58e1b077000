// SPDX-License-Identifier: BSD-3-Clause
#include "tests/nn/by_hand/lstm.hpp"
#include "tests/nn/by_hand/rnn.hpp"
#include <doctest/doctest.h>
#include <felt/nn/rnn.hpp>

using felt::index_t;

namespace {

// Outputs and all derivatives of a layer, for two sequences of which the second goes on.
template <class Layer>
struct trained {
    felt::Tensor<double, 3> x, dy, dx, outputs;
    felt::Tensor<double, 2> W, dW;
    felt::Tensor<double, 1> b, db;

    trained(Layer layer, felt::recurrent_shape const& s)
        : x({s.steps, s.batch, s.inputs}),
          dy({s.steps, s.batch, s.hidden}),
          dx(x.extents()),
          outputs(dy.extents()),
          W({s.inputs + s.hidden, Layer::gates * s.hidden}),
          dW(W.extents()),
          b({Layer::gates * s.hidden}),
          db(b.extents()) {
        x = felt::normal<double>(x.extents(), 1);
        dy = felt::normal<double>(dy.extents(), 2);
        W = 0.3 * felt::normal<double>(W.extents(), 3);
        b = 0.3 * felt::normal<double>(b.extents(), 4);
        auto const in = felt::view(std::as_const(x));
        layer.weights(felt::view(std::as_const(W)), felt::view(std::as_const(b)));
        layer.reset();
        for (int sequence = 0; sequence < 2; ++sequence) {
            if (sequence > 0) layer.carry();
            layer.forward(felt::fused, in);
            layer.backward(felt::fused, felt::view(std::as_const(dy)));
            layer.weight_gradients(felt::fused, in, felt::view(dW), felt::view(db));
            layer.input_gradients(felt::fused, felt::view(dx));
        }
        outputs = layer.outputs();
    }
};

template <class Derived, class ByHand>
void compare(felt::recurrent_shape const& s) {
    trained<Derived> const a(Derived(s), s);
    trained<ByHand> const b(ByHand(s), s);
    CHECK(felt::all_close(a.outputs, b.outputs, 1e-12, 1e-13));
    CHECK(felt::all_close(a.dx, b.dx, 1e-12, 1e-13));
    CHECK(felt::all_close(a.dW, b.dW, 1e-12, 1e-13));
    CHECK(felt::all_close(a.db, b.db, 1e-12, 1e-13));
}

}  // namespace

TEST_CASE("what goes back in time is what was derived by hand") {
    for (bool last : {false, true}) {
        for (bool ahead : {false, true}) {
            for (felt::recurrent_shape s :
                 {felt::recurrent_shape{1, 1, 1, 1}, felt::recurrent_shape{6, 5, 4, 7},
                  felt::recurrent_shape{3, 17, 33, 16}}) {
                s.batch_last = last, s.ahead = ahead, s.one_pass = last == ahead;
                compare<felt::lstm<double>, by_hand::lstm<double>>(s);
                compare<felt::rnn<double>, by_hand::rnn<double>>(s);
            }
        }
    }
}

TEST_CASE("a series has the same elements in either order of memory") {
    for (bool last : {false, true}) {
        felt::time_series<float, felt::Host> s(3, 4, 5, last);
        s.all() = felt::iota<float>({3, 4, 5});
        CHECK(s.at(2)(3, 4) == 59);
        CHECK(s.at(1)(0, 2) == 22);
        CHECK(s.from(1, 2)(1, 3, 4) == 59);
        CHECK(s.all().strides()[last ? 1 : 2] == 1);
    }
}

TEST_CASE("no rows of a series are a multiple of a page apart") {
    felt::time_series<float, felt::Host> rows(2, 3, 1024, false), columns(2, 2048, 3, true);
    CHECK(rows.all().strides()[1] == 1024 + 16);
    CHECK(columns.all().strides()[2] == 2048 + 16);
    felt::time_series<double, felt::Host> doubles(2, 3, 512, false);
    CHECK(doubles.all().strides()[1] == 512 + 8);
    doubles.all() = 1.0;
    CHECK(double(sum(doubles.all())) == 2 * 3 * 512);
}

TEST_CASE("parameters of a layer are counted") {
    felt::recurrent_shape const s{30, 128, 1024, 1024};
    CHECK(s.parameters(4) == 8392704);
    CHECK(felt::recurrent_shape{1, 1, 2, 3}.parameters(1) == 5 * 3 + 3);
}

TEST_CASE("packed weights follow the memory that they were taken from") {
    felt::Tensor<float, 2> W({3, 2}), other({3, 2});
    felt::Tensor<float, 1> b({2});
    W = 1.f, other = 5.f;
    auto const x = felt::Tensor<float, 2>::of({{1, 10}});
    felt::recurrent_weights<float> w;
    auto const product = [&] {
        felt::Tensor<float, 2> const y = matmul(x, w.x()) + w.b();
        return y(0, 1);
    };
    w.take(felt::view(std::as_const(W)), felt::view(std::as_const(b)), 2);
    CHECK(product() == 11);
    W(1, 1) = 2, b(1) = 100;
    CHECK(product() == 111);  // a snapshot of W, a view of b
    w.take(felt::view(std::as_const(W)), felt::view(std::as_const(b)), 2);
    CHECK(product() == 121);
    w.take(felt::view(std::as_const(other)), felt::view(std::as_const(b)), 2);
    CHECK(product() == 155);
}
