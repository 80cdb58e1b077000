// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/device/tile/digits.hpp>
#include <initializer_list>

using namespace felt;
using device::digits;
using device::divider;

TEST_CASE("quotients of 31 bits") {
    for (index_t d : {1, 2, 3, 5, 7, 64, 1000, 65535, 65536, 65537, 1 << 30, (1 << 30) - 1}) {
        divider const by(d);
        for (unsigned n : {0U, 1U, 63U, 64U, 999U, 65536U, 1000003U, (1U << 31) - 1}) {
            for (unsigned m : {n, n - n % by.by, n - n % by.by + by.by - 1}) {
                if (m >= 1U << 31) continue;
                CHECK(by.quotient(m) == m / by.by);
            }
        }
    }
}

TEST_CASE("digits, the last place fastest") {
    digits<3> const places{{divider(4), divider(1), divider(7)}};
    int digit[3];
    for (int n = 0; n < 28; ++n) {
        places.of(n, digit);
        CHECK(digit[0] * 7 + digit[2] == n);
        CHECK(digit[1] == 0);
    }
}
