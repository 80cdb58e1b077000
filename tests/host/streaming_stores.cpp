// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

using felt::index_t;

namespace {

// Copies n elements between places that are `t` and `f` elements past a cache line.
template <class T>
void check_copy(index_t n, index_t t, index_t f) {
    felt::storage<T, felt::Host> from(n + f + 1, true), to(n + t + 2, true);
    for (index_t i = 0; i < n; ++i) from.data()[f + i] = static_cast<T>(i + 1);
    to.data()[t + n] = T(77);
    felt::host::copy_streaming(to.data() + t, from.data() + f, n);
    felt::host::streaming_ends();
    index_t wrong = 0;
    for (index_t i = 0; i < n; ++i) wrong += to.data()[t + i] != static_cast<T>(i + 1);
    CHECK(wrong == 0);
    CHECK(to.data()[t + n] == T(77));
}

}  // namespace

TEST_CASE_TEMPLATE("streaming stores copy whole lines and their ends", T, float, double, short,
                   signed char) {
    for (index_t n : {0, 1, 15, 16, 17, 64, 67, 129}) {
        for (index_t t : {0, 1, 3, 16}) {
            for (index_t f : {0, 5}) {
                CAPTURE(n);
                CAPTURE(t);
                CAPTURE(f);
                check_copy<T>(n, t, f);
            }
        }
    }
}

TEST_CASE("a large expression with odd rows arrives whole past the caches") {
    index_t const m = 1031, n = 8209;  // 32.3 MiB of float
    felt::Tensor<float, 1> row({n});
    felt::Tensor<float, 2> column({m, index_t{1}}), y({m, n});
    row = felt::iota<float>({n});
    column = felt::reshape(felt::iota<float>({m}), {m, index_t{1}});
    REQUIRE(felt::explain(felt::assign(y, row + 2 * column)).s.statements[0].streaming);
    y = row + 2 * column;
    index_t wrong = 0;
    for (index_t i = 0; i < m; ++i) {
        for (index_t j = 0; j < n; ++j) wrong += y(i, j) != float(j) + 2 * float(i);
    }
    CHECK(wrong == 0);
}

TEST_CASE("a slice inside a large tensor is written past the caches without its neighbours") {
    index_t const m = 4099, n = 4100;
    felt::Tensor<float, 2> y({m, n});
    y = 5.f;
    auto inside = felt::slice(y, felt::range(1, m - 1), felt::range(3, n - 2));
    felt::Tensor<float, 2> x({m - 2, n - 5});
    x = felt::iota<float>({n - 5});
    REQUIRE(felt::explain(felt::assign(inside, x + 1)).s.statements[0].streaming);
    inside = x + 1;
    CHECK(y(0, index_t{10}) == 5.f);
    CHECK(y(m - 1, n - 1) == 5.f);
    index_t wrong = 0;
    for (index_t i = 1; i < m - 1; ++i) {
        wrong += y(i, index_t{2}) != 5.f;
        wrong += y(i, n - 2) != 5.f;
        for (index_t j = 3; j < n - 2; ++j) wrong += y(i, j) != float(j - 3) + 1;
    }
    CHECK(wrong == 0);
}
