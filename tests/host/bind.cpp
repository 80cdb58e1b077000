// SPDX-License-Identifier: BSD-3-Clause
#include "tests/differential/memory.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using plain::array;
using test::dice;
using test::field;
using test::order;

namespace {

constexpr int orders = static_cast<int>(order::count);

struct weighted {
    float operator()(float a, float b, float c, float d) const { return a + 2 * b + 3 * c + 4 * d; }
};

}  // namespace

TEST_CASE("a generator gives an element by its row-major index, in every layout") {
    felt::uniform_stream<float> const stream{17};
    felt::normal_stream<double> const bell{18};
    for (int o = 0; o < orders; ++o) {
        field<float, 2> fu({33, 21}, static_cast<order>(o));
        field<double, 2> fn({33, 21}, static_cast<order>(o));
        field<index_t, 2> fi({21, 33}, static_cast<order>(o));
        fu.view() = felt::uniform<float>({33, 21}, 17);
        fn.view() = felt::normal<double>({33, 21}, 18);
        fi.view() = transpose(felt::iota({33, 21}));
        for (index_t i = 0; i < 33; ++i) {
            for (index_t j = 0; j < 21; ++j) {
                CHECK(fu.view()(i, j) == stream.at(i * 21 + j));
                CHECK(fn.view()(i, j) == doctest::Approx(bell.at(i * 21 + j)).epsilon(1e-14));
                CHECK(fi.view()(j, i) == i * 21 + j);
            }
        }
    }
}

TEST_CASE("a function of four operands: memory, a scalar, a temporary, a generator") {
    dice d(111);
    for (index_t n : {1, 15, 16, 17, 100}) {
        array const x = test::whole_numbers({n}, d);
        field<float, 1> fx(x, order::flipped), fy({n}, order::steps);
        felt::Tensor<float, 1> three({n});
        three = 3.f;
        fy.view() = felt::map(weighted{}, fx.view(), 2.f, std::move(three), felt::iota<float>(n));
        for (index_t i = 0; i < n; ++i) {
            double const v = x.v[static_cast<std::size_t>(i)];
            CHECK(fy.view()(i) == v + 4 + 9 + 4 * static_cast<double>(i));
        }
        CHECK(fy.guards_hold());
    }
}

TEST_CASE("operands of wide and of narrow types take the same steps") {
    for (index_t n : {1, 31, 64, 65, 130}) {
        felt::Tensor<std::int8_t, 1> small({n});
        felt::Tensor<double, 1> y;
        small = felt::cast<std::int8_t>(felt::iota(n) - 64 * (felt::iota(n) / 64));
        y = felt::cast<double>(small) * 0.5 + felt::iota<double>(n);
        for (index_t i = 0; i < n; ++i) {
            CHECK(y(i) == static_cast<double>(i % 64) * 0.5 + static_cast<double>(i));
        }
    }
}
