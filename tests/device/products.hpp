// SPDX-License-Identifier: BSD-3-Clause
//
// Statements with products have the values of the host's, however they are run.
#pragma once
#include <doctest/doctest.h>
#include <felt/device.hpp>

namespace test {

using namespace felt;
using matrix = Tensor<float, 2, Device>;

// y = e has the values of f() for tensors of the host, however it is run.
template <class E, class F>
void same_product(E const& e, F const& f, double relative = 1e-5) {
    auto const want = eval(f());
    Tensor<float, rank_of<E>, Device> y(want.extents());
    run(fused, assign(y, e));
    CHECK(all_close(to<Host>(y), want, relative, 30 * relative));
    y = 7;
    run(unfused, assign(y, e));
    CHECK(all_close(to<Host>(y), want, relative, 30 * relative));
    y = 7;
    run(tf32, assign(y, e));
    CHECK(all_close(to<Host>(y), want, 2e-3, 5e-2));
}

struct operands {
    Tensor<float, 2> a = normal<float>({19, 13}, 1), b = normal<float>({13, 22}, 2);
    Tensor<float, 2> c = normal<float>({19, 22}, 3), w = normal<float>({22, 9}, 4);
    Tensor<float, 1> v = normal<float>({22}, 5);
    matrix da = to<Device>(a), db = to<Device>(b), dc = to<Device>(c), dw = to<Device>(w);
    Tensor<float, 1, Device> dv = to<Device>(v);
};

// The launches of y = e, where there are any of its own.
template <class E>
std::size_t launches_of(E const& e) {
    Tensor<float, rank_of<E>, Device> y(e.extents());
    auto const s = assign(y, e);
    return explain(s).launch.size();
}

}  // namespace test
