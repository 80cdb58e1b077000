// SPDX-License-Identifier: BSD-3-Clause
//
// The study's convolutions, pools and upsampling against plain loops in double, in each of its
// three ways and over arrays in C and in Fortran order.
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <support/study.hpp>

namespace {

using felt::index_t;
using test::computed;
using test::near;
using test::numbered;
using test::plain;
using test::values;
template <class L>
using slices = felt::Tensor<double, 3, felt::Host, L>;
template <class L>
using images = felt::Tensor<double, 4, felt::Host, L>;

constexpr double rounding = 1e-12;

double logistic(double v) { return 1 / (1 + std::exp(-v)); }

// sum over i < n of f(i).
template <class F>
double total(index_t n, F f) {
    double sum = 0;
    for (index_t i = 0; i < n; ++i) sum += f(i);
    return sum;
}

// sum_rs a(h + r, v + s) b(r, s) over a filter of m x n.
template <class A, class B>
double correlated(index_t m, index_t n, A a, B b) {
    return total(m,
                 [&](index_t r) { return total(n, [&](index_t s) { return a(r, s) * b(r, s); }); });
}

// convolve_T4 of (4, 9, 11) images and (3, 4, 4) filters.
plain convolved(plain const& a, plain const& b) {
    return computed({4, 3, 6, 8}, [&](index_t const* at) {
        return correlated(
            4, 4, [&](index_t r, index_t s) { return a(at[0], at[2] + r, at[3] + s); },
            [&](index_t r, index_t s) { return b(at[1], r, s); });
    });
}

// grad_conv_T4 of (4, 9, 11) images and (4, 3, 6, 8) deltas.
plain filter_gradient(plain const& a, plain const& d) {
    return computed({3, 4, 4}, [&](index_t const* at) {
        return total(4, [&](index_t n) {
            return correlated(
                6, 8, [&](index_t r, index_t s) { return a(n, at[1] + r, at[2] + s); },
                [&](index_t r, index_t s) { return d(n, at[0], r, s); });
        });
    });
}

}  // namespace

TEST_CASE_TEMPLATE("convolutions and their gradients, in each of three ways", L, felt::RowMajor,
                   felt::ColMajor) {
    auto const a = numbered<slices<L>>({4, 9, 11}), w = numbered<slices<L>>({3, 4, 4}, 5);
    auto const d = numbered<images<L>>({4, 3, 6, 8}, 9);
    plain const y = convolved(values(a), values(w)), g = filter_gradient(values(a), values(d));
    CHECK(values(study::convolve_2d(slice(a, 0, felt::all(), felt::all()),
                                    slice(w, 0, felt::all(), felt::all()))) ==
          computed({6, 8}, [&](auto at) { return y(0, 0, at[0], at[1]); }));
    CHECK(values(study::convolve_T4(a, w)) == y);
    CHECK(values(study::grad_conv_T4(a, d)) == g);

    images<L> by_slices({4, 3, 6, 8}), flattened = by_slices, whole = by_slices;
    study::flat_arrays<double> one, other;
    study::convolve_by_slices(a, w, by_slices);
    study::convolve_flattened(a, w, flattened, one);
    study::convolve_whole(a, w, whole);
    CHECK(values(by_slices) == y);
    CHECK(values(flattened) == y);
    CHECK(values(whole) == y);

    slices<L> g_by_slices({3, 4, 4}), g_flattened = g_by_slices, g_whole = g_by_slices;
    study::gradient_by_slices(a, d, g_by_slices);
    study::gradient_flattened(a, d, g_flattened, other);
    study::gradient_whole(a, d, g_whole);
    CHECK(values(g_by_slices) == g);
    CHECK(values(g_flattened) == g);
    CHECK(values(g_whole) == g);
}

TEST_CASE_TEMPLATE("pooling, and upsampling as its derivative, in each of three ways", L,
                   felt::RowMajor, felt::ColMajor) {
    auto const y = numbered<images<L>>({2, 3, 6, 9}), d = numbered<images<L>>({2, 3, 2, 3}, 4);
    plain const p = values(y), q = values(d);
    auto const expected = near(
        computed({2, 3, 6, 9}, [&](auto at) { return q(at[0], at[1], at[2] / 3, at[3] / 3) / 9; }),
        rounding);
    CHECK(values(study::average_pool_T4(y, 3)) ==
          near(computed({2, 3, 2, 3},
                        [&](auto at) {
                            return total(9, [&](index_t k) {
                                return p(at[0], at[1], 3 * at[2] + k / 3, 3 * at[3] + k % 3) / 9;
                            });
                        }),
               rounding));
    CHECK(values(study::upsample_T4(d, 3)) == expected);
    CHECK(values(study::rot180_T4(y)) ==
          computed({2, 3, 6, 9}, [&](auto at) { return p(at[0], at[1], 5 - at[2], 8 - at[3]); }));
    images<L> by_slices({2, 3, 6, 9}), flattened = by_slices, whole = by_slices;
    study::flat_arrays<double> flat;
    study::upsample_by_slices(d, 3, by_slices);
    study::upsample_flattened(d, 3, flattened, flat);
    study::upsample_whole(d, 3, whole);
    CHECK(values(by_slices) == expected);
    CHECK(values(flattened) == expected);
    CHECK(values(whole) == expected);
}

TEST_CASE_TEMPLATE("the layer of a network, with no tensor allocated", L, felt::RowMajor,
                   felt::ColMajor, felt::ChannelsLast) {
    auto const a = numbered<slices<felt::RowMajor>>({4, 9, 11});
    auto const w = numbered<slices<felt::ColMajor>>({3, 4, 4}, 5);
    auto const b = numbered<felt::Tensor<double, 2>>({3, 1}, 2);
    plain const y = convolved(values(a), values(w)), bias = values(b);
    images<L> pooled({4, 3, 3, 4}), h({4, 3, 6, 8});
    auto const before = felt::allocations();
    h = study::filter_convolve(a, w, b);
    pooled = study::average_pool_T4(study::filter_convolve(a, w, b), 2);
    CHECK(felt::allocations().tensors == before.tensors);
    auto const active = [&](index_t n, index_t f, index_t i, index_t j) {
        return logistic(y(n, f, i, j) + bias(f, 0));
    };
    CHECK(values(h) ==
          near(computed({4, 3, 6, 8}, [&](auto at) { return active(at[0], at[1], at[2], at[3]); }),
               rounding));
    CHECK(values(pooled) == near(computed({4, 3, 3, 4},
                                          [&](auto at) {
                                              return total(4, [&](index_t k) {
                                                  return active(at[0], at[1], 2 * at[2] + k / 2,
                                                                2 * at[3] + k % 2) /
                                                         4;
                                              });
                                          }),
                                 rounding));
}
