// SPDX-License-Identifier: BSD-3-Clause
#include <felt/nn/recurrent.hpp>
#include <doctest/doctest.h>

using felt::index_t;

TEST_CASE("a series has the same elements in either order of memory") {
    for (bool last : {false, true}) {
        felt::series<float, felt::Host> s(3, 4, 5, last);
        s.all() = felt::iota<float>({3, 4, 5});
        CHECK(s.at(2)(3, 4) == 59);
        CHECK(s.at(1)(0, 2) == 22);
        CHECK(s.from(1, 2)(1, 3, 4) == 59);
        CHECK(s.all().strides()[last ? 1 : 2] == 1);
    }
}

TEST_CASE("no rows of a series are a multiple of a page apart") {
    felt::series<float, felt::Host> rows(2, 3, 1024, false), columns(2, 2048, 3, true);
    CHECK(rows.all().strides()[1] == 1024 + 16);
    CHECK(columns.all().strides()[2] == 2048 + 16);
    felt::series<double, felt::Host> doubles(2, 3, 512, false);
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
