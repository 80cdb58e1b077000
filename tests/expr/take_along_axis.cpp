// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/take_along_axis.hpp>

using felt::index_t;
using felt::put_along_axis;
using felt::take_along_axis;
using felt::Tensor;
using test::computed;
using test::message;
using test::numbered;
using test::plain;
using test::values;

namespace {

// k indices below n for each of the rest, each once.
template <class T>
Tensor<T, 3> some_indices(felt::extents<3> const& e, index_t n) {
    Tensor<T, 3> x(e);
    index_t i = 0;
    computed({e.begin(), e.end()}, [&](auto at) {
        x(at[0], at[1], at[2]) = static_cast<T>((at[0] + 5 * at[1] + 3 * at[2]) % n);
        return static_cast<double>(i++);
    });
    return x;
}

}  // namespace

TEST_CASE("take_along_axis has an index for every element") {
    auto const x = Tensor<int, 2>::of({{10, 20, 30}, {40, 50, 60}});
    auto const i = Tensor<int, 2>::of({{2, 0}, {1, 1}});
    CHECK(values(take_along_axis<1>(x, i)) == plain{{2, 2}, {30, 10, 50, 50}});
    CHECK(values(take_along_axis<-2>(x, Tensor<short, 2>::of({{1, 0, 1}}))) ==
          plain{{1, 3}, {40, 20, 60}});
    CHECK(values(take_along_axis<1>(x, expand_dims<1>(felt::argmax<1>(x)))) ==
          plain{{2, 1}, {30, 60}});
    CHECK(values(take_along_axis<0>(felt::iota<int>(4) * 2, Tensor<int, 1>::of({3, 3}))) ==
          plain{{2}, {6, 6}});
    CHECK(values(take_along_axis<1>(x, Tensor<int, 2>({2, 0}))) == plain{{2, 0}, {}});
}

TEST_CASE("along every axis, of tensors in any layout and of expressions") {
    auto const x = numbered<Tensor<float, 3>>({4, 7, 17});
    Tensor<float, 3, felt::Host, felt::ColMajor> const c = x;
    auto const a = values(x);
    auto const check = [&]<int A>(std::integral_constant<int, A>, felt::extents<3> e) {
        auto const i = some_indices<int>(e, a.extents[A]);
        auto const expected = computed({e.begin(), e.end()}, [&](auto at) {
            index_t from[3] = {at[0], at[1], at[2]};
            from[A] = i(at[0], at[1], at[2]);
            return a(from[0], from[1], from[2]);
        });
        CHECK(values(take_along_axis<A>(x, i)) == expected);
        CHECK(values(take_along_axis<A>(c, i)) == expected);
        CHECK(values(take_along_axis<A>(x * 2, i + 0) / 2) == expected);
    };
    check(std::integral_constant<int, 0>{}, {{9, 7, 17}});
    check(std::integral_constant<int, 1>{}, {{4, 1, 17}});
    check(std::integral_constant<int, 2>{}, {{4, 7, 33}});
}

TEST_CASE("put_along_axis puts values where indices say") {
    auto const x = Tensor<int, 2>::of({{10, 20, 30}, {40, 50, 60}});
    auto const i = Tensor<int, 2>::of({{2}, {0}});
    CHECK(values(put_along_axis<1>(x, i, 0)) == plain{{2, 3}, {10, 20, 0, 0, 50, 60}});
    CHECK(values(put_along_axis<1>(x, i, Tensor<int, 2>::of({{7}, {8}}))) ==
          plain{{2, 3}, {10, 20, 7, 8, 50, 60}});
    CHECK(values(put_along_axis<1>(x, Tensor<int, 2>::of({{1, 1}, {2, 0}}), 5)) ==
          plain{{2, 3}, {10, 10, 30, 5, 50, 5}});
    auto const y = numbered<Tensor<float, 3>>({4, 7, 17});
    auto const at = some_indices<index_t>({{4, 3, 17}}, 7);
    auto const back = take_along_axis<1>(put_along_axis<1>(y, at, 4.5f), at);
    CHECK(values(back) == values(felt::full({4, 3, 17}, 4.5f)));
    Tensor<float, 3> z = y;
    z = put_along_axis<1>(z, at, 100);
    auto const a = values(y);
    CHECK(values(z) == computed({4, 7, 17}, [&](auto p) {
              for (index_t k = 0; k < 3; ++k)
                  if (at(p[0], k, p[2]) == p[1]) return 100.0;
              return a(p[0], p[1], p[2]);
          }));
}

TEST_CASE("an index outside, or extents that differ beside the axis, are errors") {
    auto const x = Tensor<int, 2>::of({{10, 20, 30}, {40, 50, 60}});
    Tensor<int, 2> y({2, 1});
    y = 7;
    auto const beyond = Tensor<int, 2>::of({{0}, {3}});
    CHECK(message([&] { y = take_along_axis<1>(x, beyond); }) ==
          "gather: index 3 is outside axis 0 of extent 3");
    CHECK(values(y) == plain{{2, 1}, {7, 7}});
    CHECK_THROWS_AS(felt::eval(take_along_axis<1>(x, beyond - 1)), felt::shape_error);
    CHECK_THROWS_AS(felt::eval(put_along_axis<1>(x, beyond, 1)), felt::shape_error);
    CHECK(message([&] { (void)take_along_axis<0>(x, beyond); }) ==
          "take_along_axis: (2, 3) and indices of (2, 1) differ beside axis 0");
}

TEST_CASE("what is taken from memory is not written") {
    auto const x = numbered<Tensor<float, 3>>({4, 7, 17});
    auto const i = some_indices<int>({{4, 3, 17}}, 7);
    Tensor<float, 3> y({4, 3, 17});
    CHECK(explain(assign(y, exp(take_along_axis<1>(x, i)))).intermediates().empty());
}
