// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/host/macro_kernel.hpp>
#include <felt/tensor/storage.hpp>
#include <algorithm>

using felt::index_t;

TEST_CASE("tiles at the edge write nothing past the last column") {
    using geometry = felt::host::tile<double>;
    index_t const m = 3, n = geometry::nr + 1, k = 5;
    using memory = felt::storage<double, felt::Host>;
    memory const a_room(m * k + 64, true), b_room(2 * geometry::nr * k + 64, true);
    memory const c_room(m * (n + 1), false);
    double *const a = a_room.data(), *const b = b_room.data(), *const c = c_room.data();
    std::fill(c, c + m * (n + 1), -1.0);
    for (index_t p = 0; p < k; ++p) {
        for (index_t i = 0; i < m; ++i) a[p * m + i] = static_cast<double>(i + p);
        for (index_t j = 0; j < 2 * geometry::nr; ++j) {
            index_t const strip = j / geometry::nr, at = j % geometry::nr;
            b[(strip * k + p) * geometry::nr + at] = j < n ? static_cast<double>(j - p) : 0.0;
        }
    }
    felt::host::row_strip const strip{0, 0, static_cast<int>(m)};
    for (bool add : {false, true}) {
        felt::host::multiply_tiles<double>(n, {k}, {a, &strip, 1, 1, true},
                                           {b, geometry::nr * k, geometry::nr},
                                           {c, n + 1, false, add});
        for (index_t i = 0; i < m; ++i) {
            for (index_t j = 0; j < n; ++j) {
                double sum = 0;
                for (index_t p = 0; p < k; ++p) sum += static_cast<double>((i + p) * (j - p));
                CHECK(c[i * (n + 1) + j] == (add ? 2 * sum : sum));
            }
            CHECK(c[i * (n + 1) + n] == -1.0);
        }
    }
}

TEST_CASE("a left operand in memory whose terms are one") {
    using geometry = felt::host::tile<float>;
    index_t const m = 3, n = geometry::nr, k = 5;
    felt::storage<float, felt::Host> const a(m, true), b(n * k, true), c(m * n, true);
    for (index_t i = 0; i < m; ++i) a.data()[i] = static_cast<float>(i + 1);
    std::fill(b.data(), b.data() + n * k, 2.f);
    felt::host::row_strip const strip{0, 0, static_cast<int>(m)};
    felt::host::multiply_tiles<float>(n, {k}, {a.data(), &strip, 1, 1, false, 0},
                                      {b.data(), n * k, n}, {c.data(), n, false, false});
    for (index_t i = 0; i < m; ++i) {
        for (index_t j = 0; j < n; ++j)
            CHECK(c.data()[i * n + j] == 10 * static_cast<float>(i + 1));
    }
}
