// SPDX-License-Identifier: BSD-3-Clause
//
// same(f): an expression on the device has the values that it has on the host, fused and unfused,
// over extents that are awkward.
#pragma once
#include <doctest/doctest.h>
#include <felt/device.hpp>

namespace test {

using felt::Device;
using felt::Host;
using felt::index_t;
using felt::keepdims;
using matrix = felt::Tensor<float, 2>;
using labels = felt::Tensor<int, 1>;

inline matrix numbered(felt::extent_arg const (&e)[2]) {
    return felt::cast<float>(felt::iota<int>(e));
}

// f(x, v, at) has the values on the device that it has on the host.
template <class F>
void same(F const& f) {
    for (index_t m : {1, 2, 7, 1025}) {
        for (index_t n : {1, 3, 17, 1300}) {
            CAPTURE(m);
            CAPTURE(n);
            matrix const x = felt::normal<float>({m, n}, 1);
            felt::Tensor<float, 1> const v = felt::normal<float>({n}, 2);
            labels at({m});
            for (index_t i = 0; i < m; ++i) at(i) = static_cast<int>(i * 7 % m);
            auto const there_x = felt::to<Device>(x);
            auto const there_v = felt::to<Device>(v);
            auto const there_at = felt::to<Device>(at);
            auto const expected = felt::eval(f(x, v, at));
            auto const found = felt::eval(f(there_x, there_v, there_at));
            static_assert(std::is_same_v<felt::space_of<decltype(found)>, Device>);
            REQUIRE(found.extents() == expected.extents());
            CHECK(felt::all_close(felt::to<Host>(found), expected, 1e-5, 1e-4));
            auto unfused = found;
            unfused = felt::full(found.extents(), typename decltype(unfused)::value_type(7));
            run(felt::unfused, assign(unfused, f(there_x, there_v, there_at)));
            CHECK(felt::all_close(felt::to<Host>(unfused), expected, 1e-5, 1e-4));
        }
    }
}

}  // namespace test
