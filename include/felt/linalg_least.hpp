// SPDX-License-Identifier: BSD-3-Clause
//
// What singular values tell: least squares, pseudo-inverses, ranks and norms. A singular value
// counts as 0 if it is at most rtol times the largest; rtol < 0 is max(rows, columns) times the
// distance from 1 to the next number, as in NumPy.
#pragma once
#include <felt/linalg_factors.hpp>
#include <limits>

namespace felt::inline FELT_ABI {

template <class X, class Vector, class Rank>
struct lstsq_result {
    X x;
    Rank rank;
    Vector s;  // the singular values of a, falling
};

enum class norm_order { fro, nuc, one, two, inf, minus_one, minus_two, minus_inf };

namespace detail {

template <class T>
double tolerance(index_t rows, index_t columns, double rtol) {
    return rtol >= 0 ? rtol
                     : static_cast<double>(std::max(rows, columns)) *
                           static_cast<double>(std::numeric_limits<T>::epsilon());
}

template <class S>
index_t count_above(S const& s, double rtol) {
    index_t n = 0;
    while (n < s.size() && s(n) > rtol * s(0)) ++n;
    return n;
}

// x = v diag(1 / s) u^H b over the singular values that count.
template <class T>
index_t least_squares(char const* function, eigen_map<T const> const& a,
                      eigen_map<T const> const& b, double rtol, eigen_map<T> x, eigen_map<T>* s) {
    x.setZero();
    if (a.size() == 0) return 0;
    auto const svd = singular_values<T>(function, a, Eigen::ComputeThinU | Eigen::ComputeThinV);
    auto const n = count_above(svd.singularValues(), tolerance<T>(a.rows(), a.cols(), rtol));
    if (s) *s = svd.singularValues();
    eigen_matrix<T> y = svd.matrixU().leftCols(n).adjoint() * b;
    for (index_t i = 0; i < n; ++i) y.row(i) /= svd.singularValues()(i);
    x = svd.matrixV().leftCols(n) * y;
    return n;
}

template <class T>
T norm_of(eigen_map<T const> const& a, norm_order ord) {
    if (a.size() == 0) return 0;
    switch (ord) {
        case norm_order::fro:
            return a.stableNorm();
        case norm_order::one:
            return a.cwiseAbs().colwise().sum().template maxCoeff<Eigen::PropagateNaN>();
        case norm_order::minus_one:
            return a.cwiseAbs().colwise().sum().template minCoeff<Eigen::PropagateNaN>();
        case norm_order::inf:
            return a.cwiseAbs().rowwise().sum().template maxCoeff<Eigen::PropagateNaN>();
        case norm_order::minus_inf:
            return a.cwiseAbs().rowwise().sum().template minCoeff<Eigen::PropagateNaN>();
        default:
            break;
    }
    auto const svd = singular_values<T>("matrix_norm", a, 0);
    auto const& s = svd.singularValues();
    return ord == norm_order::nuc ? s.sum() : ord == norm_order::two ? s(0) : s(s.size() - 1);
}

}  // namespace detail

// x of least |a x - b|, and of least |x| among these; b is a vector or a matrix, and has the
// leading axes of a. NumPy's residuals are sum<-2>(square(matmul(a, x) - b)).
template <matrix_operand A, array_operand B>
    requires lies_on_host<B> && (rank_of<B> + 1 == rank_of<A> || rank_of<B> == rank_of<A>)
[[nodiscard]] auto lstsq(A const& a, B const& b, double rtol = -1) {
    using T = floating_t<A, B>;
    constexpr std::size_t axes = rank_of<B> + 2 - rank_of<A>;
    auto const ma = detail::in_memory<T>(a);
    auto const mb = detail::in_memory<T>(b);
    auto const ea = ma.extents();
    auto ex = mb.extents();
    auto const lead = detail::leading(ea);
    bool fits = ex[rank_of<B> - axes] == ea[rank_of<A> - 2];
    for (std::size_t r = 0; r != lead.rank; ++r) fits = fits && ex[r] == ea[r];
    if (!fits) throw shape_error("lstsq: " + to_string(ea) + " and " + to_string(ex));
    index_t const inner = std::min(ea[rank_of<A> - 2], ea[rank_of<A> - 1]);
    ex[rank_of<B> - axes] = ea[rank_of<A> - 1];
    auto x = detail::fresh<T>(ex);
    auto rank = detail::fresh<index_t>(lead);
    auto s = detail::fresh<T>(detail::followed_by(lead, {inner}));
    detail::for_each_matrix(lead.value, lead.rank, [&](index_t const* at, std::size_t r) {
        auto values = detail::results(s, 1)(at, r);
        detail::results(rank, 0)(at, r)(0, 0) = detail::least_squares<T>(
            "lstsq", detail::operands(ma)(at, r), detail::operands(mb, axes)(at, r), rtol,
            detail::results(x, axes)(at, r), &values);
    });
    auto ranks = detail::number_or_tensor(std::move(rank));
    return lstsq_result<decltype(x), decltype(s), decltype(ranks)>{std::move(x), std::move(ranks),
                                                                   std::move(s)};
}

// The pseudo-inverse of Moore and Penrose.
template <matrix_operand A>
[[nodiscard]] auto pinv(A const& a, double rtol = -1) {
    using T = floating_t<A>;
    auto const m = detail::in_memory<T>(a);
    auto e = m.extents();
    std::swap(e[rank_of<A> - 2], e[rank_of<A> - 1]);
    auto y = detail::fresh<T>(e);
    auto const lead = detail::leading(e);
    index_t const n = e[rank_of<A> - 1];
    detail::eigen_matrix<T> const one = detail::eigen_matrix<T>::Identity(n, n);
    detail::eigen_map<T const> const b(one.data(), n, n, {n, 1});
    detail::for_each_matrix(lead.value, lead.rank, [&](index_t const* at, std::size_t r) {
        detail::least_squares<T>("pinv", detail::operands(m)(at, r), b, rtol,
                                 detail::results(y, 2)(at, r), nullptr);
    });
    return y;
}

// How many singular values count.
template <matrix_operand A>
[[nodiscard]] auto matrix_rank(A const& a, double rtol = -1) {
    using T = floating_t<A>;
    auto const m = detail::in_memory<T>(a);
    auto const lead = detail::leading(m.extents());
    auto y = detail::fresh<index_t>(lead);
    detail::for_each_matrix(lead.value, lead.rank, [&](index_t const* at, std::size_t r) {
        auto const one = detail::operands(m)(at, r);
        detail::results(y, 0)(at, r)(0, 0) =
            one.size() == 0
                ? 0
                : detail::count_above(
                      detail::singular_values<T>("matrix_rank", one, 0).singularValues(),
                      detail::tolerance<T>(one.rows(), one.cols(), rtol));
    });
    return detail::number_or_tensor(std::move(y));
}

// fro: sqrt(sum |a_ij|^2); one, inf: the largest sum of |a_ij| down a column, along a row; two,
// nuc: the largest singular value, their sum; minus_..: the smallest. 0 of nothing.
template <matrix_operand A>
[[nodiscard]] auto matrix_norm(A const& a, norm_order ord = norm_order::fro) {
    using T = floating_t<A>;
    auto const m = detail::in_memory<T>(a);
    auto const lead = detail::leading(m.extents());
    auto y = detail::fresh<T>(lead);
    detail::for_each_matrix(lead.value, lead.rank, [&](index_t const* at, std::size_t r) {
        detail::results(y, 0)(at, r)(0, 0) = detail::norm_of<T>(detail::operands(m)(at, r), ord);
    });
    return detail::number_or_tensor(std::move(y));
}

}  // namespace felt::inline FELT_ABI
