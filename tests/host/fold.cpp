// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/host/fold.hpp>
#include <algorithm>
#include <functional>

namespace {

template <class T>
xsimd::batch<T> counting() {
    alignas(64) T t[felt::host::batch_size<T>];
    for (int l = 0; l < felt::host::batch_size<T>; ++l) t[l] = static_cast<T>(l + 1);
    return xsimd::batch<T>::load_aligned(t);
}

struct larger {
    template <class V>
    V operator()(V const& a, V const& b) const {
        return xsimd::max(a, b);
    }
};

}  // namespace

TEST_CASE_TEMPLATE("folding takes every lane once", T, float, double, int, short) {
    constexpr int N = felt::host::batch_size<T>;
    CHECK(felt::host::fold<N / 2, std::plus<>>(counting<T>()) == static_cast<T>(N * (N + 1) / 2));
    CHECK(felt::host::fold<N / 2, larger>(counting<T>()) == static_cast<T>(N));
    CHECK(felt::host::fold<N / 2, larger>(-counting<T>()) == static_cast<T>(-1));
}
