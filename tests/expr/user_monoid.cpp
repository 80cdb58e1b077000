// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/user_monoid.hpp>
#include <type_traits>

using felt::index_t;
using felt::keepdims;
using felt::reduce;
using felt::Tensor;
using test::computed;
using test::near;
using test::numbered;
using test::plain;
using test::values;

namespace {

// The number that is farthest from 0, of -a and a the larger: for numbers and batches.
struct farthest {
    static constexpr char const* name = "farthest";
    template <class T>
    static FELT_FN T identity() {
        return T(0);
    }
    FELT_FN auto operator()(auto x, auto y) const {
        auto const a = felt::math::abs(x), b = felt::math::abs(y);
        auto const larger = felt::math::select(x < y, y, x);
        return felt::math::select(a == b, larger, felt::math::select(a < b, y, x));
    }
};
// The same with branches, and by numbers alone.
struct branching : farthest {
    FELT_FN auto operator()(auto x, auto y) const {
        auto const a = felt::math::abs(x), b = felt::math::abs(y);
        if (a == b) return x < y ? y : x;
        return a < b ? y : x;
    }
};
struct of_numbers : farthest {
    template <class T>
        requires std::is_arithmetic_v<T>
    FELT_FN T operator()(T x, T y) const {
        T const a = x < 0 ? -x : x, b = y < 0 ? -y : y;
        if (a == b) return x < y ? y : x;
        return a < b ? y : x;
    }
};
struct plus {
    template <class T>
    static FELT_FN T identity() {
        return T(0);
    }
    FELT_FN auto operator()(auto x, auto y) const { return x + y; }
};
// Which bits any value has.
struct bits {
    template <class T>
    static FELT_FN T identity() {
        return T(0);
    }
    FELT_FN int operator()(int x, int y) const { return x | y; }
};
struct with_data : plus {
    int x = 0;
};
struct without_identity {
    float operator()(float x, float y) const { return x + y; }
};

double one_of(double x, double y) {
    if (std::abs(x) == std::abs(y)) return std::max(x, y);
    return std::abs(x) < std::abs(y) ? y : x;
}

template <class M, class X>
void check_axes(X const& x) {
    auto const a = values(x);
    index_t const m = a.extents[0], n = a.extents[1];
    CHECK(values(reduce<1>(M{}, x)) == computed({m}, [&](auto at) {
              double all = 0;
              for (index_t j = 0; j < n; ++j) all = one_of(all, a(at[0], j));
              return all;
          }));
    CHECK(values(reduce<0>(M{}, x)) == computed({n}, [&](auto at) {
              double all = 0;
              for (index_t i = 0; i < m; ++i) all = one_of(all, a(i, at[0]));
              return all;
          }));
    CHECK(values(reduce(M{}, x)) == computed({}, [&](auto) {
              double all = 0;
              for (double e : a.values) all = one_of(all, e);
              return all;
          }));
}

template <class M>
void check_monoid() {
    for (index_t m : {0, 1, 7, 131})
        for (index_t n : {0, 1, 15, 16, 17, 2051}) {
            auto const x = numbered<Tensor<float, 2>>({m, n});
            check_axes<M>(x);
            check_axes<M>(Tensor<float, 2, felt::Host, felt::ColMajor>(x));
            check_axes<M>(x * 2);
        }
    auto const wide = numbered<Tensor<double, 2>>({9, 90});
    check_axes<M>(felt::slice(wide, felt::all(), felt::range(1, 90, 3)));
    check_axes<M>(cast<int>(wide * 4));
}

}  // namespace

TEST_CASE("a monoid of one's own reduces axes, or all") {
    auto const x = Tensor<float, 2>::of({{1, -5, 3}, {4, 2, -4}});
    CHECK(values(reduce<1>(farthest{}, x)) == plain{{2}, {-5, 4}});
    CHECK(values(reduce<0>(farthest{}, x)) == plain{{3}, {4, -5, -4}});
    CHECK(values(reduce<-1>(farthest{}, x, keepdims)) == plain{{2, 1}, {-5, 4}});
    CHECK(values(reduce(farthest{}, x, keepdims)) == plain{{1, 1}, {-5}});
    float const all = reduce(farthest{}, x);
    CHECK(all == -5);
    CHECK(values(x / reduce<1>(farthest{}, x, keepdims)) ==
          near(plain{{2, 3}, {-0.2, 1, -0.6, 1, 0.5, -1}}, 1e-6));
}

TEST_CASE("by batches, with branches, and by numbers: all extents and layouts") {
    check_monoid<farthest>();
    check_monoid<branching>();
    check_monoid<of_numbers>();
}

TEST_CASE("over nothing it is the identity; bool is taken as int, other types stay") {
    CHECK(values(reduce<1>(farthest{}, Tensor<float, 2>({2, 0}))) == plain{{2}, {0, 0}});
    CHECK(values(reduce(plus{}, Tensor<bool, 1>::of({true, false, true}))) == plain{{}, {2}});
    CHECK(std::is_same_v<felt::value_of<decltype(reduce(plus{}, Tensor<bool, 1>()))>, int>);
    CHECK(std::is_same_v<felt::value_of<decltype(reduce(plus{}, Tensor<short, 1>()))>, short>);
    CHECK(values(reduce(bits{}, Tensor<int, 1>::of({1, 4, 5}))) == plain{{}, {5}});
    CHECK(values(reduce(bits{}, Tensor<std::uint8_t, 1>::of({1, 128}))) == plain{{}, {129}});
}

TEST_CASE("NaN goes through what combines it") {
    auto const x = Tensor<float, 1>::of({1, NAN, 2});
    CHECK(values(reduce(plus{}, x)) == plain{{}, {test::not_a_number}});
}

TEST_CASE("a monoid is a struct without data with an identity and a function of two") {
    CHECK(felt::monoid_of<farthest, float>);
    CHECK(felt::monoid_of<bits, int>);
    CHECK_FALSE(felt::monoid_of<with_data, float>);
    CHECK_FALSE(felt::monoid_of<without_identity, float>);
    CHECK_FALSE(felt::monoid_of<int, float>);
}

TEST_CASE("fused and unfused it is the same, and nothing is written") {
    auto const x = numbered<Tensor<float, 2>>({67, 301});
    Tensor<float, 2> y({67, 301}), z({67, 301});
    auto const e = square(x) - 2 * reduce<1>(farthest{}, square(x) + x, keepdims);
    CHECK(explain(assign(y, e)).intermediates().empty());
    run(felt::fused, assign(y, e));
    run(felt::unfused, assign(z, e));
    CHECK(values(y) == values(z));
    auto const a = values(x);
    CHECK(values(y) == computed({67, 301}, [&](auto at) {
              double far = 0, own = a(at[0], at[1]);
              for (index_t j = 0; j < 301; ++j) {
                  double const t = a(at[0], j);
                  far = one_of(far, t * t + t);
              }
              return own * own - 2 * far;
          }));
}

TEST_CASE("the same bits with any number of threads") {
    Tensor<float, 2> const x = felt::normal<float>({300, 3001}, 5);
    int const before = felt::threads();
    auto const by = [&](int threads) {
        felt::threads(threads);
        return std::pair{values(reduce<0>(plus{}, exp(x))), values(reduce(plus{}, x))};
    };
    auto const one = by(1);
    for (int n : {2, 3, 7}) CHECK(by(n) == one);
    felt::threads(before);
}
