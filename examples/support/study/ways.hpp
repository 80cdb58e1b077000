// SPDX-License-Identifier: BSD-3-Clause
//
// The three ways in which the study wrote its convolutions and its upsampling, over arrays a of
// images (N, h, w), filters w (F, f, f), activations y and deltas d (N, F, p, q):
//
//   by slices     one matrix at a time, in loops over images and filters
//   flattened     the four dimensions written out as two, then one operation on matrices
//   whole arrays  one expression over all dimensions
//
// All are programs in Felt's public language; what differs is what they let the library see.
#pragma once
#include <support/study/networks.hpp>

namespace study {

//[by_slices]
// A matrix of images and filters: x[n, f].
template <class X>
auto matrix_of(X& x, index_t n, index_t f) {
    return felt::slice(x, n, f, felt::all(), felt::all());
}
template <class X>
auto matrix_of(X& x, index_t n) {
    return felt::slice(x, n, felt::all(), felt::all());
}

template <class A, class W, class Y>
void convolve_by_slices(A const& a, W const& w, Y& y) {
    for (index_t n = 0; n < y.extent(0); ++n) {
        for (index_t f = 0; f < y.extent(1); ++f) {
            matrix_of(y, n, f) = convolve_2d(matrix_of(a, n), matrix_of(w, f));
        }
    }
}
//[by_slices]

template <class A, class D, class G>
void gradient_by_slices(A const& a, D const& d, G& g) {
    g = 0;
    for (index_t n = 0; n < d.extent(0); ++n) {
        for (index_t f = 0; f < d.extent(1); ++f) {
            matrix_of(g, f) += convolve_2d(matrix_of(a, n), matrix_of(d, n, f));
        }
    }
}

template <class A, class Y>
void upsample_by_slices(A const& a, index_t p, Y& y) {
    using T = felt::value_of<A>;
    felt::Tensor<T, 2> block({p, p});
    block = 1 / static_cast<T>(p * p);
    for (index_t n = 0; n < a.extent(0); ++n) {
        for (index_t f = 0; f < a.extent(1); ++f) {
            matrix_of(y, n, f) = felt::kron(matrix_of(a, n, f), block);
        }
    }
}

//[flattened]
// What is needed as matrices: a tensor for each, which may be kept from call to call.
template <class T>
struct flat_arrays {
    felt::Tensor<T, 2> columns;  // (f f, N p q): every window of every image
    felt::Tensor<T, 2> results;  // (F, N p q)
};

template <class A, class W, class Y, class T>
void convolve_flattened(A const& a, W const& w, Y& y, flat_arrays<T>& flat) {
    index_t const N = y.extent(0), F = y.extent(1), p = y.extent(2), q = y.extent(3);
    index_t const taps = w.extent(1) * w.extent(2);
    auto const windows = felt::windows(a, {w.extent(1), w.extent(2)});  // N, p, q, r, s
    flat.columns = felt::reshape(felt::permute<3, 4, 0, 1, 2>(windows), {taps, N * p * q});
    flat.results = felt::matmul(felt::reshape(w, {F, taps}), flat.columns);
    y = felt::permute<1, 0, 2, 3>(felt::reshape(flat.results, {F, N, p, q}));
}
//[flattened]

template <class A, class D, class G, class T>
void gradient_flattened(A const& a, D const& d, G& g, flat_arrays<T>& flat) {
    index_t const N = d.extent(0), F = d.extent(1), p = d.extent(2), q = d.extent(3);
    index_t const r = g.extent(1), s = g.extent(2);
    auto const windows = felt::windows(a, {p, q});  // N, r, s, p, q
    flat.columns = felt::reshape(felt::permute<1, 2, 0, 3, 4>(windows), {r * s, N * p * q});
    flat.results = felt::reshape(felt::permute<1, 0, 2, 3>(d), {F, N * p * q});
    g = felt::reshape(felt::matmul(flat.results, felt::transpose(flat.columns)), {F, r, s});
}

template <class A, class Y, class T>
void upsample_flattened(A const& a, index_t p, Y& y, flat_arrays<T>& flat) {
    auto const e = a.extents();
    flat.columns = felt::full({p, p}, 1 / static_cast<T>(p * p));
    flat.results = felt::kron(felt::reshape(a, {e[0] * e[1] * e[2], e[3]}), flat.columns);
    y = felt::reshape(flat.results, {e[0], e[1], e[2] * p, e[3] * p});
}

//[whole_arrays]
template <class A, class W, class Y>
void convolve_whole(A const& a, W const& w, Y& y) {
    y = convolve_T4(a, w);
}
//[whole_arrays]

template <class A, class D, class G>
void gradient_whole(A const& a, D const& d, G& g) {
    g = grad_conv_T4(a, d);
}

template <class A, class Y>
void upsample_whole(A const& a, index_t p, Y& y) {
    y = upsample_T4(a, p);
}

}  // namespace study
