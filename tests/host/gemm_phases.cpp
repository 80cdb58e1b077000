// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <cmath>
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;

TEST_CASE("zeros beyond a border make a NaN of what is not finite, and of nothing else") {
    using images = felt::Tensor<float, 4, felt::Host, felt::ChannelsLast>;
    for (double bad : {test::infinity, test::not_a_number}) {
        auto const x = test::numbered<images>({2, 128, 5, 5}, 3);
        auto w = test::numbered<images>({40, 128, 3, 3}, 5);
        w(33, 7, 0, 2) = static_cast<float>(bad);  // of the row above, to the right
        images y({2, 40, 5, 5});
        y = conv2d(x, w, {.padding = {1, 1}});
        for (index_t o = 0; o < 40; ++o)
            for (index_t p = 0; p < 5; ++p)
                for (index_t q = 0; q < 5; ++q) {
                    bool const zero = p == 0 || q == 4;
                    CHECK(std::isfinite(y(1, o, p, q)) == (o != 33));
                    if (o == 33 && zero) CHECK(std::isnan(y(1, o, p, q)));
                }
    }
}
