// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/branching.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

namespace {

// Lanes whose call by batches is not f of their number alone, over values that take every way.
template <class T, class F>
int lanes_that_differ(F const& f) {
    constexpr int n = static_cast<int>(xsimd::batch<T>::size);
    int bad = 0;
    for (int s = 0; s < 40; ++s) {
        T in[n], out[n];
        for (int l = 0; l < n; ++l) in[l] = T((l * 7 + s * 13) % 23 - 11) / 4;
        if (s % 2) in[s / 2 % n] = std::numeric_limits<T>::quiet_NaN();
        auto const x = felt::branching_batch<T>::load_unaligned(in);
        felt::detail::as_numbers(felt::detail::call_branching(f, x)).store_unaligned(out);
        for (int l = 0; l < n; ++l) {
            double const want = static_cast<double>(f(in[l]));
            double const got = static_cast<double>(out[l]);
            bad += std::isnan(want) ? !std::isnan(got)
                                    : !(std::abs(got - want) <= 1e-5 * std::abs(want));
        }
    }
    return bad;
}

}  // namespace

TEST_CASE_TEMPLATE("a lane gets what its number gets, whichever way it goes", T, float, double) {
    auto const check = [](auto const& f) { CHECK(lanes_that_differ<T>(f) == 0); };
    check([](auto v) { return v > 0 ? v : decltype(v)(v * 2); });
    check([](auto v) { return v > 0 ? decltype(v)(1) : v; });
    check([](auto v) {
        if (v > 0) return v;
        return -3 * v;
    });
    check([](auto v) {
        if (v > 0 && v < 2) v = v + 1;
        else if (!(v > -1) || v == -2) v = v * 3;
        return v;
    });
    check([](auto v) {
        while (v > T(0.3)) v = v * T(0.5);
        return v;
    });
    check([](auto v) {
        bool const up = v > 0;
        for (int i = 0; i < 3 && v < 2; ++i) v = up ? v + 1 : v - 1;
        return v;
    });
    check([](auto v) { return std::max(v, decltype(v)(0)); });
    check([](auto v) { return std::clamp(v, decltype(v)(-1), decltype(v)(T(0.5))); });
    check([](auto v) { return v > 0 ? felt::math::exp(v) : felt::math::tanh(v); });
}

TEST_CASE_TEMPLATE("so does one whose result is a condition", T, float, double) {
    auto const check = [](auto const& f) { CHECK(lanes_that_differ<T>(f) == 0); };
    check([](auto v) { return v > 0 && !(v > 2); });
    check([](auto v) { return v > 0 ? v < 2 : v < -1; });
    check([](auto v) { return v != v; });
    check([](auto v) { return v == v; });
    check([](auto v) { return !(v != 1); });
    check([](auto v) { return v < 1 || v <= -1 || v > 2 || v >= 2.5; });
    check([](auto v) { return (v > 0) != (v > 1); });
    check([](auto v) { return (v < 0) == !(v > 1); });
    for (bool known : {false, true}) {
        check([=](auto v) { return (v > 0 && known) || (!known && v < -1); });
        check([=](auto v) { return (known || v > 0) && (v > 1 || known); });
    }
}

TEST_CASE("a function that does not branch, or whose lanes agree, is called once") {
    int calls = 0;
    auto const f = [&](auto v) {
        ++calls;
        return v > 0 ? v : v * 2;
    };
    felt::branching_batch<float> const same(3.f);
    felt::detail::call_branching(f, same);
    CHECK(calls == 1);
    float in[same.size];
    for (std::size_t l = 0; l < same.size; ++l) in[l] = l % 3 == 0 ? -1.f : 1.f;
    felt::detail::call_branching(f, felt::branching_batch<float>::load_unaligned(in));
    CHECK(calls == 3);
    felt::detail::call_branching(f, same);
    CHECK(calls == 4);
}
