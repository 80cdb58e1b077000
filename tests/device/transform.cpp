// SPDX-License-Identifier: BSD-3-Clause
//
// Expressions over contiguous memory, one destination and several.
#include "tests/device/same.hpp"

using namespace felt;

namespace {
template <class E>
using node_type = lowered<node_of<E>>;
}

TEST_CASE("which types a transform is compiled for") {
    using matrix = Tensor<float, 2, Device>;
    using row = Tensor<float, 1, Device>;
    using device::may_run_on;
    static_assert(may_run_on<node_type<matrix&>, 2>());
    static_assert(!may_run_on<node_type<row&>, 2>());
    static_assert(may_run_on<node_type<decltype(exp(std::declval<matrix&>()) * 2)>, 2>());
    static_assert(may_run_on<node_type<decltype(transpose(std::declval<matrix&>()))>, 2>());
    static_assert(
        !may_run_on<node_type<decltype(std::declval<matrix&>() + std::declval<row&>())>, 2>());
    static_assert(!may_run_on<node_type<decltype(uniform<float>({2, 2}, 1))>, 2>());
}

TEST_CASE("operands keep their numbers, whatever tree they are in") {
    for (index_t n : {0, 1, 7, 1000, 100003}) {
        Tensor<float, 1> const a = normal<float>({n}, 1), b = normal<float>({n}, 2);
        Tensor<double, 1> const c = normal<double>({n}, 3);
        auto const A = to<Device>(a), B = to<Device>(b);
        auto const C = to<Device>(c);
        auto const e = [](auto& x, auto& y, auto& z) {
            return where(x > 0.5f, (x - y) * 2.0, clip(z, -1, 1) / (1 + square(y))) - x * z;
        };
        auto const f = [](auto& x, auto& y, auto&) { return y - 3 * x; };
        Tensor<double, 1> want = e(a, b, c);
        Tensor<float, 1> also = f(a, b, c);
        Tensor<double, 1, Device> found({n});
        Tensor<float, 1, Device> beside({n});
        run(fused, assign(found, e(A, B, C)), assign(beside, f(A, B, C)));
        CHECK(all_close(to<Host>(found), want, 1e-6, 1e-6));
        CHECK(all_close(to<Host>(beside), also, 1e-6, 1e-6));
        run(fused, assign(beside, beside * 2), assign(found, found + C));
        CHECK(all_close(to<Host>(beside), also * 2, 1e-6, 1e-6));
        CHECK(all_close(to<Host>(found), want + c, 1e-6, 1e-6));
    }
}

TEST_CASE("many operands") {
    Tensor<float, 1, Device> const x = iota<float>({1000});
    Tensor<float, 1, Device> y;
    y = x + x * x + x + x + x + x + x + x + x;  // as many as a transform has
    CHECK(to<Host>(y)(3) == 33);
    y = x + x * x + x + x + x + x + x + x + x + x;
    CHECK(to<Host>(y)(3) == 36);
}
