// SPDX-License-Identifier: BSD-3-Clause
//
// Every reduction over every mask of three axes, with and without keepdims, and products by many
// subscripts: beside central differences, for extents that are 1 and primes.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>

using namespace felt;
using test::error_of;
using test::tolerance;

namespace {

Tensor<double, 3> values(extents<3> const& e) {
    Tensor<double, 3> w(e);
    w = normal<double>(e, 3);
    return w;
}

// reduce(x, over) with `over` a set of axes.
template <int... A>
struct mask_of {};
template <class F>
void each_mask(F const& f) {
    f(mask_of<0>{}), f(mask_of<1>{}), f(mask_of<2>{}), f(mask_of<0, 1>{}), f(mask_of<0, 2>{}),
        f(mask_of<1, 2>{});
    f(mask_of<0, 1, 2>{});
}

// Of a function that is squared, so that its derivative depends on what comes back.
template <class F>
void check(F const& reduce) {
    each_mask([&]<int... A>(mask_of<A...> over) {
        for (auto e : {extents<3>{{3, 4, 2}}, extents<3>{{1, 5, 1}}}) {
            auto w = values(e);
            CHECK(error_of(w, [&](auto x) { return square(reduce(x, over)); }) < tolerance);
        }
    });
}
template <class F>
void check_kept(F const& reduce) {
    each_mask([&]<int... A>(mask_of<A...> over) {
        auto w = values({{2, 3, 5}});
        CHECK(error_of(w, [&](auto x) { return reduce(x, over) * x; }) < tolerance);
    });
}

template <fixed_string Subscripts, std::size_t R, std::size_t S>
void check_product(extents<R> const& a, extents<S> const& b) {
    Tensor<double, R> x(a);
    Tensor<double, S> y(b);
    x = normal<double>(a, 1), y = normal<double>(b, 2);
    CAPTURE(std::string(Subscripts.text));
    CHECK(error_of(x, [&](auto n) { return square(einsum<Subscripts>(n, y)); }) < tolerance);
    CHECK(error_of(y, [&](auto n) { return square(einsum<Subscripts>(x, n)); }) < tolerance);
}

}  // namespace

TEST_CASE("sums and means") {
    check([]<int... A>(auto x, mask_of<A...>) { return sum<A...>(x); });
    check_kept([]<int... A>(auto x, mask_of<A...>) { return mean<A...>(x, keepdims); });
}
TEST_CASE("variances and norms") {
    check_kept([]<int... A>(auto x, mask_of<A...>) { return var<A...>(x, keepdims); });
    check([]<int... A>(auto x, mask_of<A...>) { return norm<A...>(x); });
}
TEST_CASE("the largest, the smallest and products") {
    check([]<int... A>(auto x, mask_of<A...>) { return max<A...>(x); });
    check_kept([]<int... A>(auto x, mask_of<A...>) { return min<A...>(x, keepdims); });
    check_kept([]<int... A>(auto x, mask_of<A...>) { return prod<A...>(x, keepdims); });
}

TEST_CASE("products by their subscripts") {
    check_product<"ij,jk->ik">(extents<2>{{3, 5}}, extents<2>{{5, 2}});
    check_product<"ji,jk->ki">(extents<2>{{3, 5}}, extents<2>{{3, 2}});
    check_product<"bij,bjk->bik">(extents<3>{{2, 3, 4}}, extents<3>{{2, 4, 5}});
    check_product<"bij,jk->kbi">(extents<3>{{2, 3, 4}}, extents<2>{{4, 5}});
    check_product<"i,j->ij">(extents<1>{{4}}, extents<1>{{3}});
    check_product<"ijk,kj->i">(extents<3>{{2, 3, 4}}, extents<2>{{4, 3}});
    check_product<"ij,ij->j">(extents<2>{{3, 4}}, extents<2>{{3, 4}});
    check_product<"ijk,ij->">(extents<3>{{2, 3, 1}}, extents<2>{{2, 3}});
    check_product<"nchw,ochw->no">(extents<4>{{3, 2, 2, 3}}, extents<4>{{4, 2, 2, 3}});
    check_product<"tni,ik->tnk">(extents<3>{{1, 3, 4}}, extents<2>{{4, 7}});
}
TEST_CASE("letters of one operand alone, which are summed over") {
    check_product<"akm,klb->ab">(extents<3>{{3, 4, 2}}, extents<3>{{4, 5, 3}});
    check_product<"ij,ik->j">(extents<2>{{3, 4}}, extents<2>{{3, 1}});
    check_product<"ij,k->k">(extents<2>{{3, 4}}, extents<1>{{5}});
    check_product<"i,j->">(extents<1>{{3}}, extents<1>{{5}});
}
