// SPDX-License-Identifier: BSD-3-Clause
//
// Groups, products, empty tensors.
#include "tests/device/same.hpp"

using namespace felt;
using test::same;

TEST_CASE("products, alone, in expressions and nested") {
    same([](auto& x, auto&, auto&) { return matmul(x, transpose(x)) / 100; });
    same([](auto& x, auto& v, auto&) { return softmax<1>(matmul(transpose(x), x) / 100 + v); });
    same([](auto& x, auto&, auto&) { return einsum<"ij,ij->i">(x, x); });
}

TEST_CASE("groups run in order, and destinations are views too") {
    Tensor<float, 2, Device> c({8, 9}), h({8, 9});
    c = 2;
    auto const s = assign(c, c * 3 + 1);
    auto const t = assign(transpose(h), transpose(sqrt(c + 2)));
    Tensor<float, 1, Device> rows({8});
    fuse(s, t, assign(rows, sum<1>(h)));
    CHECK(float(sum(rows)) == doctest::Approx(8 * 9 * 3));
}

// Groups of statements over x, y, z on the device have the values that they have one by one on the
// host.
template <class F>
void same_group(F const& f) {
    for (index_t m : {1, 7, 130}) {
        for (index_t n : {1, 17, 300}) {
            CAPTURE(m);
            CAPTURE(n);
            Tensor<float, 2> x = normal<float>({m, n}, 1), y = normal<float>({m, n}, 2), z = x - y;
            auto X = to<Device>(x), Y = to<Device>(y), Z = to<Device>(z);
            f([](auto const&... s) { (run(fused, s), ...); }, x, y, z);
            f([](auto const&... s) { run(fused, s...); }, X, Y, Z);
            CHECK(all_close(to<Host>(X), x, 1e-4, 1e-5));
            CHECK(all_close(to<Host>(Y), y, 1e-4, 1e-5));
            CHECK(all_close(to<Host>(Z), z, 1e-4, 1e-5));
        }
    }
}

TEST_CASE("groups that share a launch, or do not, have the values of their statements") {
    same_group([](auto run, auto& x, auto& y, auto& z) {  // a cell: two of one, state in place
        run(assign(y, sigmoid(x) * y + x * z), assign(z, sigmoid(z) * tanh(y)));
    });
    same_group([](auto run, auto& x, auto& y, auto& z) {
        run(assign(x, x + 1), assign(y, flip<0>(x)), assign(x, y * z), assign(z, x - z));
    });
    same_group([](auto run, auto& x, auto& y, auto& z) {
        run(assign(x, x - mean<1>(x, keepdims)), assign(y, x / max<0>(abs(z) + 1)),
            assign(z, x - mean<1>(x, keepdims)), assign(x, y));
    });
    same_group([](auto run, auto& x, auto& y, auto& z) {
        run(assign(y, x + flip<1>(z)), assign(z, x), assign(x, x + flip<0, 1>(x)), assign(y, y + x),
            assign(z, sum<1>(z, keepdims)), assign(x, z - 1));
    });
    same_group([](auto run, auto& x, auto& y, auto& z) {
        run(assign(y, softmax<1>(x) + z), assign(z, softmax<1>(x) * z));
    });
    same_group([](auto run, auto& x, auto& y, auto& z) {
        run(assign(y, 1.f), assign(y, y + x), assign(y, y * y), assign(z, y), assign(x, 2.f));
    });
}

TEST_CASE("nothing, and tensors of nothing") {
    Tensor<float, 2, Device> x({0, 5}), y;
    y = exp(x) + 1;
    CHECK(y.extents() == x.extents());
    Tensor<float, 1, Device> z;
    z = sum<0>(x);
    CHECK(float(sum(z)) == 0);
    CHECK_THROWS_AS(copy(y, Tensor<float, 2>({1, 5})), shape_error);
}
