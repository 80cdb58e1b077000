// SPDX-License-Identifier: BSD-3-Clause
//
// Factors of matrices: a = l l^H, a = q r, a = u diag(s) vh, and a v = v diag(values) of symmetric
// a.
#pragma once
#include <felt/linalg_matrices.hpp>
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>

namespace felt::inline FELT_ABI {

// reduced: only as many columns of q, u and rows of vh as min(rows, columns).
enum class factors { reduced, complete };

template <class Matrix>
struct qr_result {
    Matrix q, r;
};
template <class Matrix, class Vector>
struct svd_result {
    Matrix u;
    Vector s;  // falling
    Matrix vh;
};
template <class Matrix, class Vector>
struct eigh_result {
    Vector values;   // rising
    Matrix vectors;  // in columns
};

namespace detail {

template <class T>
void cholesky_factor(eigen_map<T const> const& a, bool upper, eigen_map<T> y) {
    if (a.size() == 0) return;
    Eigen::LLT<eigen_matrix<T>> const llt(upper ? eigen_matrix<T>(a.adjoint())
                                                : eigen_matrix<T>(a));
    if (llt.info() != Eigen::Success) {
        throw linalg_error(matrix_text("cholesky", a.rows(), a.cols()) +
                           "is not positive definite");
    }
    if (upper) y = eigen_matrix<T>(llt.matrixU());
    else y = eigen_matrix<T>(llt.matrixL());
}

template <class T>
void qr_factors(eigen_map<T const> const& a, eigen_map<T> q, eigen_map<T> r) {
    q.setIdentity();
    r.setZero();
    if (a.size() == 0) return;
    Eigen::HouseholderQR<eigen_matrix<T>> const qr(a);
    q = qr.householderQ() * eigen_matrix<T>::Identity(q.rows(), q.cols());
    auto const rows = std::min(r.rows(), qr.matrixQR().rows());
    r.topRows(rows) = qr.matrixQR().topRows(rows).template triangularView<Eigen::Upper>();
}

// `vectors` as Eigen names them: none, thin or full.
template <class T>
Eigen::BDCSVD<eigen_matrix<T>> singular_values(char const* function, eigen_map<T const> const& a,
                                               int vectors) {
    Eigen::BDCSVD<eigen_matrix<T>> svd(a, static_cast<unsigned>(vectors));
    if (svd.info() == Eigen::Success) return svd;
    throw linalg_error(matrix_text(function, a.rows(), a.cols()) +
                       (a.allFinite() ? "does not converge" : "is not finite"));
}

template <class T>
void svd_factors(eigen_map<T const> const& a, eigen_map<T> u, eigen_map<T> s, eigen_map<T> vh) {
    u.setIdentity();
    vh.setIdentity();
    if (a.size() == 0) return;
    bool const full = u.rows() == u.cols() && vh.rows() == vh.cols();
    auto const svd = singular_values<T>("svd", a,
                                        full ? Eigen::ComputeFullU | Eigen::ComputeFullV
                                             : Eigen::ComputeThinU | Eigen::ComputeThinV);
    u = svd.matrixU();
    s = svd.singularValues();
    vh = svd.matrixV().adjoint();
}

template <class T>
void symmetric_eigen(char const* function, eigen_map<T const> const& a, eigen_map<T> values,
                     eigen_map<T>* vectors) {
    if (a.size() == 0) return;
    Eigen::SelfAdjointEigenSolver<eigen_matrix<T>> solver;
    bool const finite = a.template triangularView<Eigen::Lower>().toDenseMatrix().allFinite();
    if (finite) {
        solver.compute(a, vectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
    }
    if (!finite || solver.info() != Eigen::Success) {
        throw linalg_error(matrix_text(function, a.rows(), a.cols()) +
                           (finite ? "does not converge" : "is not finite"));
    }
    values = solver.eigenvalues();
    if (vectors) *vectors = solver.eigenvectors();
}

// n columns or rows of the last two axes.
template <std::size_t R>
extents<R> with_columns(extents<R> e, index_t n) {
    e[R - 1] = n;
    return e;
}
template <std::size_t R>
extents<R> with_rows(extents<R> e, index_t n) {
    e[R - 2] = n;
    return e;
}

}  // namespace detail

// The lower triangle l with a = l l^H, of symmetric positive definite a, whose lower triangle is
// read; or the upper one u with a = u^H u, of the upper triangle. Throws linalg_error for others.
template <matrix_operand A>
[[nodiscard]] auto cholesky(A const& a, bool upper = false) {
    using T = floating_t<A>;
    auto const m = detail::in_memory<T>(a);
    detail::expect_square("cholesky", m.extents());
    auto y = detail::fresh<T>(m.extents());
    auto const lead = detail::leading(m.extents());
    detail::for_each_matrix(lead.value, lead.rank, [&](index_t const* at, std::size_t r) {
        detail::cholesky_factor<T>(detail::operands(m)(at, r), upper, detail::results(y, 2)(at, r));
    });
    return y;
}

// a = q r: the columns of q orthonormal, r upper triangular.
template <matrix_operand A>
[[nodiscard]] auto qr(A const& a, factors how = factors::reduced) {
    using T = floating_t<A>;
    auto const m = detail::in_memory<T>(a);
    auto const e = m.extents();
    index_t const rows = e[rank_of<A> - 2];
    index_t const inner = how == factors::complete ? rows : std::min(rows, e[rank_of<A> - 1]);
    auto q = detail::fresh<T>(detail::with_columns(e, inner));
    auto r = detail::fresh<T>(detail::with_rows(e, inner));
    auto const lead = detail::leading(e);
    detail::for_each_matrix(lead.value, lead.rank, [&](index_t const* at, std::size_t n) {
        detail::qr_factors<T>(detail::operands(m)(at, n), detail::results(q, 2)(at, n),
                              detail::results(r, 2)(at, n));
    });
    return qr_result<decltype(q)>{std::move(q), std::move(r)};
}

// a = u diag(s) vh: u and vh unitary, or, reduced, with orthonormal columns and rows.
// Throws linalg_error for a matrix that is not finite.
template <matrix_operand A>
[[nodiscard]] auto svd(A const& a, factors how = factors::complete) {
    using T = floating_t<A>;
    auto const m = detail::in_memory<T>(a);
    auto const e = m.extents();
    index_t const rows = e[rank_of<A> - 2], columns = e[rank_of<A> - 1];
    index_t const inner = std::min(rows, columns);
    bool const full = how == factors::complete;
    auto const lead = detail::leading(e);
    auto u = detail::fresh<T>(detail::with_columns(e, full ? rows : inner));
    auto s = detail::fresh<T>(detail::followed_by(lead, {inner}));
    auto vh = detail::fresh<T>(detail::with_rows(e, full ? columns : inner));
    detail::for_each_matrix(lead.value, lead.rank, [&](index_t const* at, std::size_t n) {
        detail::svd_factors<T>(detail::operands(m)(at, n), detail::results(u, 2)(at, n),
                               detail::results(s, 1)(at, n), detail::results(vh, 2)(at, n));
    });
    return svd_result<decltype(u), decltype(s)>{std::move(u), std::move(s), std::move(vh)};
}

// The singular values alone, falling.
template <matrix_operand A>
[[nodiscard]] auto svdvals(A const& a) {
    using T = floating_t<A>;
    auto const m = detail::in_memory<T>(a);
    auto const e = m.extents();
    auto const lead = detail::leading(e);
    auto s = detail::fresh<T>(
        detail::followed_by(lead, {std::min(e[rank_of<A> - 2], e[rank_of<A> - 1])}));
    detail::for_each_matrix(lead.value, lead.rank, [&](index_t const* at, std::size_t n) {
        auto const one = detail::operands(m)(at, n);
        if (one.size() == 0) return;
        detail::results(s, 1)(at, n) =
            detail::singular_values<T>("svdvals", one, 0).singularValues();
    });
    return s;
}

// Eigenvalues, rising, and orthonormal eigenvectors of symmetric a, whose lower triangle is read.
// Throws linalg_error for a matrix that is not finite.
template <matrix_operand A>
[[nodiscard]] auto eigh(A const& a) {
    using T = floating_t<A>;
    auto const m = detail::in_memory<T>(a);
    auto const e = m.extents();
    detail::expect_square("eigh", e);
    auto const lead = detail::leading(e);
    auto values = detail::fresh<T>(detail::followed_by(lead, {e[rank_of<A> - 1]}));
    auto vectors = detail::fresh<T>(e);
    detail::for_each_matrix(lead.value, lead.rank, [&](index_t const* at, std::size_t n) {
        auto v = detail::results(vectors, 2)(at, n);
        detail::symmetric_eigen<T>("eigh", detail::operands(m)(at, n),
                                   detail::results(values, 1)(at, n), &v);
    });
    return eigh_result<decltype(vectors), decltype(values)>{std::move(values), std::move(vectors)};
}

// The eigenvalues alone.
template <matrix_operand A>
[[nodiscard]] auto eigvalsh(A const& a) {
    using T = floating_t<A>;
    auto const m = detail::in_memory<T>(a);
    auto const e = m.extents();
    detail::expect_square("eigvalsh", e);
    auto const lead = detail::leading(e);
    auto values = detail::fresh<T>(detail::followed_by(lead, {e[rank_of<A> - 1]}));
    detail::for_each_matrix(lead.value, lead.rank, [&](index_t const* at, std::size_t n) {
        detail::symmetric_eigen<T>("eigvalsh", detail::operands(m)(at, n),
                                   detail::results(values, 1)(at, n), nullptr);
    });
    return values;
}

}  // namespace felt::inline FELT_ABI
