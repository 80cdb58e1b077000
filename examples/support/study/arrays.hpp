// SPDX-License-Identifier: BSD-3-Clause
//
// The study's arrays: created, filled, reshaped, and functions applied to them.
//
// Its dimensions are counted from 1 and from the inside, rows first: (d1, d2, d3, .., dN). In
// memory the rows of each matrix d1 x d2 are contiguous and the matrices follow one another, so
// they are our row-major extents (dN, .., d3, d1, d2): its (rows, columns, filters, images) is our
// (images, filters, rows, columns), N C H W.
#pragma once
#include <felt/felt.hpp>
#include <functional>
#include <utility>

namespace study {

using felt::extents;
using felt::index_t;

template <class X, std::size_t R>
concept of_rank = felt::array_operand<X> && felt::rank_of<X> == R;

// The axis of ours that is dimension d of N. Dimension 0 of three is the first axis too, as the
// study has it.
constexpr int axis_of(int d, int n) { return n == 1 ? 0 : d > 2 ? n - d : n + d - 3; }

// Extents (dN, .., d3, d1, d2) for dimensions (d1, .., dN).
template <std::size_t N>
extents<N> in_our_order(felt::extent_arg const (&dims)[N]) {
    extents<N> e{};
    for (int d = 1; d <= static_cast<int>(N); ++d) {
        auto const axis = static_cast<std::size_t>(axis_of(d, static_cast<int>(N)));
        e[axis] = dims[d - 1].value;
    }
    return e;
}

// One dimension of x.
template <felt::array_operand X>
index_t size(X const& x, int d) {
    return x.extents()[static_cast<std::size_t>(axis_of(d, static_cast<int>(felt::rank_of<X>)))];
}

// All dimensions of x: (d1, .., dN).
template <felt::array_operand X>
auto size(X const& x) {
    extents<felt::rank_of<X>> d{};
    for (std::size_t i = 0; i < felt::rank_of<X>; ++i) d[i] = size(x, static_cast<int>(i) + 1);
    return d;
}

// A new array of zeros.
template <class T, std::size_t N>
felt::Tensor<T, N> zeros(felt::extent_arg const (&dims)[N]) {
    return felt::Tensor<T, N>(in_our_order(dims));
}

// The elements of x in the order of memory, as an array of those dimensions. The study changes the
// shape of x itself; a tensor's rank is in its type, so this is another view of the same memory.
template <felt::array_operand X, std::size_t N>
auto reshape(X&& x, felt::extent_arg const (&dims)[N]) {
    return felt::reshape(std::forward<X>(x), in_our_order(dims));
}

// A copy of the numbers in x as an array of those dimensions.
template <of_rank<1> X, std::size_t N>
auto load_array(X const& x, felt::extent_arg const (&dims)[N]) {
    return felt::eval(felt::reshape(x, in_our_order(dims)));
}

// Part of a vector of parameters, as an array that shares its memory, and where the next begins.
template <class Theta, std::size_t N>
auto get_array_view(Theta& theta, index_t start, felt::extent_arg const (&dims)[N]) {
    auto const e = in_our_order(dims);
    return std::pair(felt::view(theta.data() + start, e), start + e.size());
}

// W = 0.1 times normal numbers. (A seed, because random numbers are a function of it here.)
template <class W>
void filter_init_randn(W&& w, std::uint64_t seed) {
    w = 0.1 * felt::normal<felt::value_of<W>>(w.extents(), seed);
}

// W uniform in [low, high).
template <class W, class T = felt::value_of<W>>
void filter_init_rand(W&& w, std::pair<T, T> range, std::uint64_t seed) {
    w = range.first + (range.second - range.first) * felt::uniform<T>(w.extents(), seed);
}

// x[i] = all_x[rp[i]], y[i] = all_y[rp[i]] along the outermost dimension: images and labels.
template <class X, class Y, class Xs, class Ys, of_rank<1> I>
void extract_random_minibatch(X&& x, Y&& y, Xs const& all_x, Ys const& all_y, I const& rp) {
    felt::fuse(felt::assign(x, felt::gather<0>(all_x, rp)),
               felt::assign(y, felt::gather<0>(all_y, rp)));
}

// f(A, B), extents of 1 repeated; f(A). f is a functor of numbers and batches, as map takes it.
template <class F, felt::array_operand A, felt::array_operand B>
auto bsxfun(F f, A&& a, B&& b) {
    return felt::map(f, std::forward<A>(a), std::forward<B>(b));
}
template <class F, felt::array_operand A>
auto arrayfun(F f, A&& a) {
    return felt::map(f, std::forward<A>(a));
}

// The sum along dimension D, the only reduction that the study asks for.
template <int D, felt::array_operand A>
auto reducefun(std::plus<>, A&& a) {
    return felt::sum<axis_of(D, static_cast<int>(felt::rank_of<A>))>(std::forward<A>(a));
}

}  // namespace study
