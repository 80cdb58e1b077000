// SPDX-License-Identifier: BSD-3-Clause
//
// Spans as operands and destinations, tensors as spans: of the standard library and of Kokkos'
// reference implementation where they are found, and of a small one that is always there.
#include <felt/mdspan.hpp>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <tests/support/plain_mdspan.hpp>
#include <version>
#include <vector>
#if __has_include(<mdspan/mdspan.hpp>)
#include <mdspan/mdspan.hpp>
#endif
#ifdef __cpp_lib_mdspan
#include <mdspan>
#endif

namespace {

using felt::Tensor, felt::View;

// One library's names. at() is its own element access, where it has one.
struct plain {
    template <std::size_t R, class I = int>
    using extents = test::dextents<I, R>;
    template <class T, class E, class L>
    using span = test::mdspan<T, E, L>;
    using right = test::layout_right;
    using left = test::layout_left;
    using stride = test::layout_stride;
    static float at(auto const& m, int i, int j) {
        return m.data_handle()[i * m.mapping().stride(0) + j * m.mapping().stride(1)];
    }
};
#if __has_include(<mdspan/mdspan.hpp>)
struct kokkos {
    template <std::size_t R, class I = int>
    using extents = Kokkos::dextents<I, R>;
    template <class T, class E, class L>
    using span = Kokkos::mdspan<T, E, L>;
    using right = Kokkos::layout_right;
    using left = Kokkos::layout_left;
    using stride = Kokkos::layout_stride;
    static float at(auto const& m, int i, int j) { return m(i, j); }
    using two_by_any = Kokkos::extents<int, 2, Kokkos::dynamic_extent>;
};
#define FELT_KOKKOS , kokkos
#else
#define FELT_KOKKOS
#endif
#ifdef __cpp_lib_mdspan
struct standard {
    template <std::size_t R, class I = int>
    using extents = std::dextents<I, R>;
    template <class T, class E, class L>
    using span = std::mdspan<T, E, L>;
    using right = std::layout_right;
    using left = std::layout_left;
    using stride = std::layout_stride;
    static float at(auto const& m, int i, int j) { return m[i, j]; }
    using two_by_any = std::extents<int, 2, std::dynamic_extent>;
};
#define FELT_STANDARD , standard
#else
#define FELT_STANDARD
#endif

template <class S, class L, class T = float>
using matrix = typename S::template span<T, typename S::template extents<2>, L>;

template <class S, class L>
auto span_of(float* data, int m, int n) {
    using E = typename S::template extents<2>;
    return matrix<S, L>(data, typename L::template mapping<E>(E(std::array<int, 2>{m, n})));
}
template <class S>
auto span_of(float* data, int m, int n, std::array<int, 2> const& steps) {
    using E = typename S::template extents<2>;
    using L = typename S::stride;
    return matrix<S, L>(data, typename L::template mapping<E>(E(std::array<int, 2>{m, n}), steps));
}

// Whether v shows m, element by element at one address.
template <class S, class V, class M>
bool shows(V&& v, M const& m) {
    bool same = v.extent(0) == m.extent(0) && v.extent(1) == m.extent(1);
    for (int i = 0; i < m.extent(0); ++i) {
        for (int j = 0; j < m.extent(1); ++j) {
            v(i, j) = static_cast<float>(10 * i + j);
            same = same && S::at(m, i, j) == v(i, j);
        }
    }
    return same;
}

}  // namespace

TEST_CASE_TEMPLATE("a view of a span is its elements, in every layout", S,
                   plain FELT_KOKKOS FELT_STANDARD) {
    std::vector<float> memory(24);
    auto const right = span_of<S, typename S::right>(memory.data(), 2, 3);
    auto const left = span_of<S, typename S::left>(memory.data(), 2, 3);
    auto const strided = span_of<S>(memory.data(), 2, 3, {8, 2});
    CHECK(felt::view(right).data() == memory.data());
    CHECK(felt::view(right).strides() == felt::extents<2>{{3, 1}});
    CHECK(felt::view(left).strides() == felt::extents<2>{{1, 2}});
    CHECK(shows<S>(felt::view(right), right));
    CHECK(shows<S>(felt::view(left), left));
    CHECK(shows<S>(felt::view(strided), strided));
    static_assert(std::same_as<decltype(felt::view(right)), View<float, 2>>);
    using constant = matrix<S, typename S::right, float const>;
    static_assert(!felt::foreign_destination<constant&>);
    static_assert(
        felt::foreign_destination<decltype(right)&>);  // a constant span of others' elements
    auto const none = span_of<S, typename S::right>(nullptr, 0, 3);
    CHECK(felt::view(none).extents() == felt::extents<2>{{0, 3}});
}

TEST_CASE_TEMPLATE("spans are operands and destinations", S, plain FELT_KOKKOS FELT_STANDARD) {
    std::vector<float> a(6, 1.f), b(12, -1.f);
    auto const x = span_of<S, typename S::left>(a.data(), 2, 3);
    auto const y = span_of<S>(b.data(), 2, 3, {6, 2});
    auto const z = Tensor<float, 2>::of({{1, 2, 3}, {4, 5, 6}});
    felt::fuse(felt::assign(x, x * z), felt::assign(y, x + felt::sum<1>(z, felt::keepdims)));
    CHECK(a == std::vector<float>{1, 4, 2, 5, 3, 6});
    CHECK(b == std::vector<float>{7, -1, 8, -1, 9, -1, 19, -1, 20, -1, 21, -1});
    felt::noalias(y) = felt::matmul(x, Tensor<float, 2>::of({{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}));
    CHECK(b[2] == 4);
    CHECK(b[10] == 18);
    auto const e = felt::exp(span_of<S, typename S::left>(a.data(), 2, 3));  // a span owns nothing
    a[5] = 0;
    CHECK(felt::eval(e)(1, 2) == 1);
    Tensor<float, 2> const tall({3, 2});
    CHECK_THROWS_WITH_AS(felt::fuse(felt::assign(x, tall)), "assign: (3, 2) does not fit (2, 3)",
                         felt::shape_error);
}

TEST_CASE_TEMPLATE("what is written must be shown once, what is read need not", S,
                   plain FELT_KOKKOS FELT_STANDARD) {
    std::vector<float> memory = {1, 2, 3, 4};
    using E = typename S::template extents<2>;
    using L = typename S::stride;
    typename L::template mapping<E> const windows(E(std::array<int, 2>{2, 3}),
                                                  std::array<int, 2>{1, 1});
    matrix<S, L, float const> const read(memory.data(), windows);
    CHECK(float(felt::sum(read)) == 15);
    matrix<S, L> const written(memory.data(), windows);
    CHECK_THROWS_WITH_AS((void)felt::view(written),
                         "view: strides (1, 1) of (2, 3) show an element twice: read it as const",
                         felt::shape_error);
}

TEST_CASE_TEMPLATE("tensors are spans where the layout places elements as they lie", S,
                   plain FELT_KOKKOS FELT_STANDARD) {
    Tensor<float, 2> x({2, 3});
    using right = matrix<S, typename S::right>;
    using left = matrix<S, typename S::left>;
    using stride = matrix<S, typename S::stride>;
    CHECK(shows<S>(x, felt::to_mdspan<right>(x)));
    CHECK(shows<S>(x, felt::to_mdspan<stride>(x)));
    CHECK_THROWS_WITH_AS((void)felt::to_mdspan<left>(x),
                         "to_mdspan: strides (3, 1) of (2, 3) are "
                         "not those of the mdspan's layout",
                         felt::shape_error);
    Tensor<float, 2, felt::Host, felt::ColMajor> f({2, 3});
    CHECK(shows<S>(f, felt::to_mdspan<left>(f)));
    CHECK_THROWS_AS((void)felt::to_mdspan<right>(f), felt::shape_error);
    auto part = felt::slice(x, felt::all(), felt::range(0, 3, 2));
    CHECK(shows<S>(part, felt::to_mdspan<stride>(part)));
    CHECK(felt::to_mdspan<right>(felt::slice(x, felt::range(1, 2), felt::all())).extent(0) == 1);
    CHECK_THROWS_WITH_AS((void)felt::to_mdspan<stride>(felt::flip<1>(x)),
                         "to_mdspan: strides (3, -1) of (2, 3) are no mdspan's", felt::shape_error);
    View<float, 2> const same(x.data(), {{2, 3}}, {{0, 1}});
    CHECK_THROWS_AS((void)felt::to_mdspan<stride>(same), felt::shape_error);
    View<float, 2> const windows(x.data(), {{2, 3}}, {{1, 1}});
    CHECK_THROWS_WITH_AS((void)felt::to_mdspan<stride>(windows),
                         "to_mdspan: strides (1, 1) of (2, 3) show an element twice",
                         felt::shape_error);
    Tensor<float, 2> const empty({0, 3});
    using constant = matrix<S, typename S::right, float const>;
    CHECK(felt::to_mdspan<constant>(empty).extent(1) == 3);
    static_assert(!felt::span_shows_such_elements<right, Tensor<float, 2> const>);
    static_assert(!felt::elements_outlive_the_span<Tensor<float, 2>>);
    static_assert(!felt::span_has_as_many_axes<right, Tensor<float, 1>&>);
}

TEST_CASE_TEMPLATE("extents that an index type cannot hold are refused, and rank 0 is a number", S,
                   plain FELT_KOKKOS FELT_STANDARD) {
    using E = typename S::template extents<1, signed char>;
    using bytes = typename S::template span<char, E, typename S::right>;
    Tensor<char, 1> x({200});
    CHECK_THROWS_WITH_AS((void)felt::to_mdspan<bytes>(x),
                         "to_mdspan: extents (200) do not fit the type", felt::shape_error);
    using number =
        typename S::template span<float, typename S::template extents<0>, typename S::right>;
    Tensor<float, 0> one;
    one() = 3;
    auto const m = felt::to_mdspan<number>(one);
    CHECK(felt::view(m)() == 3);
}

#if __has_include(<mdspan/mdspan.hpp>) || defined(__cpp_lib_mdspan)
TEST_CASE_TEMPLATE_DEFINE("extents in the type are those of the tensor", S, static_extents) {
    using fixed = typename S::template span<float, typename S::two_by_any, typename S::right>;
    Tensor<float, 2> x({2, 3}), tall({3, 2});
    CHECK(shows<S>(x, felt::to_mdspan<fixed>(x)));
    CHECK(felt::view(felt::to_mdspan<fixed>(x)).data() == x.data());
    CHECK_THROWS_WITH_AS((void)felt::to_mdspan<fixed>(tall),
                         "to_mdspan: extents (3, 2) do not fit the type", felt::shape_error);
}
#if __has_include(<mdspan/mdspan.hpp>)
TEST_CASE_TEMPLATE_INVOKE(static_extents, kokkos);
#endif
#ifdef __cpp_lib_mdspan
TEST_CASE_TEMPLATE_INVOKE(static_extents, standard);
#endif
#endif

namespace {

// Its elements are computed: not the floats that lie there.
struct scaled_span : test::mdspan<float, test::dextents<int, 1>> {
    using reference = float;
};

}  // namespace

TEST_CASE("a span whose elements are not in memory is no operand") {
    static_assert(felt::mdspan_like<scaled_span> && !felt::mdspan_operand<scaled_span>);
    static_assert(!felt::mdspan_like<Tensor<float, 1>> && !felt::mdspan_like<std::vector<float>>);
    static_assert(!felt::mdspan_operand<test::mdspan<long double, test::dextents<int, 1>>>);
}

TEST_CASE("what the page on other libraries shows") {
    using span = test::mdspan<float, test::dextents<int, 2>>;
    //[mdspan]
    // A function of somebody else's, and statements in it.
    auto const scale = [](auto a, auto b) { felt::fuse(felt::assign(b, 2.f * felt::exp(a))); };

    felt::Tensor<float, 2> x({3, 4}), y({3, 4});
    scale(felt::to_mdspan<span>(x), felt::to_mdspan<span>(y));
    //[mdspan]
    CHECK(y(2, 3) == 2);
}
