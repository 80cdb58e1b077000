// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/branching.hpp>
#include <limits>

TEST_CASE("the base of all instruction sets is this machine's too") {
    CHECK(std::is_base_of_v<felt::any_arch, xsimd::default_arch>);
}

TEST_CASE_TEMPLATE("NaN is unequal to itself, and true is not unequal to true", T, float, double) {
    using batch = felt::branching_batch<T>;
    auto const ones = [](auto const& m) {
        T out[batch::size];
        felt::detail::as_numbers(m).store_unaligned(out);
        return out[0];
    };
    batch const nan(std::numeric_limits<T>::quiet_NaN()), one(T(1));
    CHECK(ones(nan != nan) == 1);
    CHECK(ones(one != one) == 0);
    CHECK(ones((one == one) != (one == one)) == 0);
    CHECK(ones((one == one) != (one < one)) == 1);
}

TEST_CASE_TEMPLATE("of NaN and a number the larger and the smaller are the second", T, float,
                   double) {
    using batch = xsimd::batch<T>;
    batch const nan(std::numeric_limits<T>::quiet_NaN()), one(T(1)), two(T(2));
    using namespace felt::math;
    CHECK(xsimd::all(max_or_second(nan, one) == one));
    CHECK(xsimd::all(min_or_second(nan, one) == one));
    CHECK_FALSE(xsimd::any(max_or_second(one, nan) == max_or_second(one, nan)));
    CHECK_FALSE(xsimd::any(min_or_second(one, nan) == min_or_second(one, nan)));
    CHECK(xsimd::all(max_or_second(one, two) == two));
    CHECK(xsimd::all(min_or_second(one, two) == one));
}
