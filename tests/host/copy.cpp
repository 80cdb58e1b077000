// SPDX-License-Identifier: BSD-3-Clause
#include "tests/differential/memory.hpp"
#include <doctest/doctest.h>
#include <felt/host/copy.hpp>
#include <memory>

using felt::index_t;
using felt::host::box;
using felt::host::strided;
using plain::array;
using plain::shape;
using test::dice;
using test::field;
using test::order;

namespace {

template <class T, std::size_t R>
strided<T> memory_of(field<T, R>& f) {
    auto v = f.view();
    strided<T> s{v.data(), {}};
    for (std::size_t r = 0; r < R; ++r) s.stride[r] = v.strides()[r];
    return s;
}

// A box inside of two fields is copied; the rest of the destination stays.
template <class T>
void check_copies() {
    constexpr int orders = static_cast<int>(order::count);
    dice d(81);
    for (int i = 0; i < 3 * orders * orders; ++i) {
        shape const e{d.between(1, 4), d.between(1, 40), d.between(1, 70)};
        array x = test::whole_numbers(e, d, 9);
        for (double& v : x.v) v = static_cast<double>(static_cast<T>(std::fabs(v)));
        double const before = static_cast<double>(T(50));
        field<T, 3> from(x, static_cast<order>(i % orders));
        field<T, 3> to(array(e, before), static_cast<order>(i / orders % orders));
        box b = felt::planning::whole_box(e.data(), 3);
        array expected(e, before);
        for (int a = 0; a < 3; ++a) {
            b.lo[a] = d.between(0, b.hi[a] - 1);
            b.hi[a] = d.between(b.lo[a], b.hi[a]);
        }
        strided<T> t = memory_of(to), f = memory_of(from);
        for (int a = 0; a < 3; ++a) {
            t.data += b.lo[a] * t.stride[a];
            f.data += b.lo[a] * f.stride[a];
        }
        strided<T const> source{f.data, {}};
        std::copy(f.stride, f.stride + 3, source.stride);
        felt::host::copy_box(t, source, b);
        plain::each(e, [&](shape const& at) {
            for (std::size_t a = 0; a < 3; ++a) {
                int const axis = static_cast<int>(a);
                if (at[a] < b.lo[axis] || at[a] >= b.hi[axis]) return;
            }
            expected.v[plain::position(e, at)] = x.v[plain::position(e, at)];
        });
        CHECK(test::difference(to.get(), expected, 0) == "");
        CHECK(to.guards_hold());
    }
}

}  // namespace

TEST_CASE_TEMPLATE("a box is copied between any two layouts", T, float, double, std::uint8_t, bool,
                   std::int16_t) {
    check_copies<T>();
}

TEST_CASE_TEMPLATE("rows at every step, and no element that is not on it is read", T, float, double,
                   std::uint8_t, std::int16_t, bool) {
    for (index_t step : {-2, -1, 1, 2, 3, 4, 5}) {
        for (index_t n = 1; n <= 140; ++n) {
            index_t const reach = (n - 1) * std::abs(step) + 1;
            std::vector<signed char> from(static_cast<std::size_t>(reach) * sizeof(T), 0);
            T* const memory = reinterpret_cast<T*>(from.data());  // the sanitizer sees its ends
            T* const first = step < 0 ? memory + reach - 1 : memory;
            for (index_t i = 0; i < n; ++i) first[i * step] = static_cast<T>(i % 5);
            std::unique_ptr<T[]> const to(new T[static_cast<std::size_t>(n)]);
            felt::host::detail::copy_row(to.get(), index_t{1}, first, step, n);
            for (index_t i = 0; i < n; ++i) {
                CHECK(to[static_cast<std::size_t>(i)] == static_cast<T>(i % 5));
            }
        }
    }
}

TEST_CASE("one element without axes") {
    float x = 3, y = 0;
    box b;
    felt::host::copy_box(strided<float>{&y, {}}, strided<float const>{&x, {}}, b);
    CHECK(y == 3);
}
