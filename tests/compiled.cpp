// SPDX-License-Identifier: BSD-3-Clause
//
// The library felt::compiled: its flags are this source's, and other types work beside its own.
#include <cstdint>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <felt/compiled.hpp>

TEST_CASE("the library has the flags of this source") {
    bool const same = felt::same_flags == &felt::flags_of_this_source::than_this_source;
    CHECK(same);
}

TEST_CASE_TEMPLATE("types that the library knows and others give the same", T, float, double, int,
                   felt::index_t, std::int16_t, std::uint32_t) {
    felt::Tensor<T, 2> x({7, 19}), y({7, 19});
    x = felt::iota<T>({7, 19});
    y = x * x + transpose(transpose(x));
    felt::Tensor<T, 1> largest({7});
    largest = felt::max<1>(y);
    for (felt::index_t i = 0; i != 7; ++i) {
        T const last = static_cast<T>(i * 19 + 18);
        CHECK(largest(i) == static_cast<T>(last * last + last));
    }
}
