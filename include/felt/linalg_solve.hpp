// SPDX-License-Identifier: BSD-3-Clause
//
// a x = b and what comes of it: LU factors with partial pivoting. Singular means that a pivot is
// exactly 0, as in LAPACK; what is nearly singular gives large numbers, NaN gives NaN.
#pragma once
#include <felt/linalg_matrices.hpp>
#include <Eigen/LU>

namespace felt::inline FELT_ABI {

namespace detail {

template <class T>
using lu_factors = Eigen::PartialPivLU<eigen_matrix<T>>;

template <class T>
lu_factors<T> regular_lu(char const* function, eigen_map<T const> const& a) {
    lu_factors<T> lu(a);
    for (index_t i = 0; i < a.rows(); ++i) {
        if (lu.matrixLU()(i, i) == T(0)) {
            throw linalg_error(matrix_text(function, a.rows(), a.cols()) + "is singular: pivot " +
                               std::to_string(i) + " is 0");
        }
    }
    return lu;
}

template <class T>
void solve_matrix(char const* function, eigen_map<T const> const& a, eigen_map<T const> const& b,
                  eigen_map<T> x) {
    if (x.size() > 0) x = regular_lu<T>(function, a).solve(b);
}

template <class T>
void invert_matrix(char const* function, eigen_map<T const> const& a, eigen_map<T> x) {
    if (x.size() > 0) x = regular_lu<T>(function, a).inverse();
}

// det a = sign exp(log), by the pivots and the parity of the permutation.
template <class T>
void log_determinant(eigen_map<T const> const& a, T& sign, T& log) {
    sign = 1, log = 0;
    if (a.size() == 0) return;
    lu_factors<T> const lu(a);
    sign = static_cast<T>(lu.permutationP().determinant());
    for (index_t i = 0; i < a.rows(); ++i) {
        T const pivot = lu.matrixLU()(i, i);
        if (pivot < 0) sign = -sign;
        if (pivot == 0) sign = 0;
        log += std::log(std::abs(pivot));
    }
}

template <class T>
T determinant_of(eigen_map<T const> const& a) {
    return a.size() == 0 ? T(1) : lu_factors<T>(a).determinant();
}

template <std::size_t L, std::size_t M, std::size_t A, std::size_t B>
auto broadcast_leading(char const* function, extents<L> const& a, extents<M> const& b,
                       extents<A> const& all_a, extents<B> const& all_b) {
    auto lead = ones<max_of<L, M>>();
    if (!broadcast_into(lead, a) || !broadcast_into(lead, b)) {
        broadcast_fails(function, {all_a, all_b});
    }
    return lead;
}

}  // namespace detail

// x with a x = b: a of n x n; b a vector of n, or of n x k. Throws shape_error, and linalg_error
// for a singular matrix.
template <matrix_operand A, array_operand B>
    requires lies_on_host<B> && (rank_of<B> >= 1)
[[nodiscard]] auto solve(A const& a, B const& b) {
    using T = floating_t<A, B>;
    constexpr std::size_t columns = rank_of<B> == 1 ? 1 : 2;
    auto const ma = detail::in_memory<T>(a);
    auto const mb = detail::in_memory<T>(b);
    auto const ea = ma.extents();
    auto const eb = mb.extents();
    detail::expect_square("solve", ea);
    index_t const n = ea[rank_of<A> - 1];
    if (eb[rank_of<B> - columns] != n) {
        throw shape_error("solve: " + to_string(ea) + " and " + to_string(eb) + ": " +
                          std::to_string(n) + " is not " +
                          std::to_string(eb[rank_of<B> - columns]));
    }
    auto const run = [&](auto const& lead, auto const& e) {
        auto x = detail::fresh<T>(e);
        auto const xs = detail::results(x, columns);
        auto const as = detail::operands(ma), bs = detail::operands(mb, columns);
        detail::for_each_matrix(lead.value, lead.rank, [&](index_t const* at, std::size_t r) {
            detail::solve_matrix<T>("solve", as(at, r), bs(at, r), xs(at, r));
        });
        return x;
    };
    if constexpr (columns == 1) {
        auto const lead = detail::leading(ea);
        return run(lead, detail::followed_by(lead, {n}));
    } else {
        auto const lead =
            detail::broadcast_leading("solve", detail::leading(ea), detail::leading(eb), ea, eb);
        return run(lead, detail::followed_by(lead, {n, eb[rank_of<B> - 1]}));
    }
}

// The inverse of square matrices. Throws linalg_error for a singular one.
template <matrix_operand A>
[[nodiscard]] auto inv(A const& a) {
    using T = floating_t<A>;
    auto const m = detail::in_memory<T>(a);
    detail::expect_square("inv", m.extents());
    auto x = detail::fresh<T>(m.extents());
    auto const lead = detail::leading(m.extents());
    detail::for_each_matrix(lead.value, lead.rank, [&](index_t const* at, std::size_t r) {
        detail::invert_matrix<T>("inv", detail::operands(m)(at, r), detail::results(x, 2)(at, r));
    });
    return x;
}

// The determinant of square matrices; 1 of 0 x 0.
template <matrix_operand A>
[[nodiscard]] auto det(A const& a) {
    using T = floating_t<A>;
    auto const m = detail::in_memory<T>(a);
    detail::expect_square("det", m.extents());
    auto const lead = detail::leading(m.extents());
    auto y = detail::fresh<T>(lead);
    detail::for_each_matrix(lead.value, lead.rank, [&](index_t const* at, std::size_t r) {
        detail::results(y, 0)(at, r)(0, 0) = detail::determinant_of<T>(detail::operands(m)(at, r));
    });
    return detail::number_or_tensor(std::move(y));
}

// det a = sign exp(logabsdet), where the determinant itself would overflow.
template <class Number>
struct slogdet_result {
    Number sign, logabsdet;  // 0 and -infinity for a singular matrix
};

template <matrix_operand A>
[[nodiscard]] auto slogdet(A const& a) {
    using T = floating_t<A>;
    auto const m = detail::in_memory<T>(a);
    detail::expect_square("slogdet", m.extents());
    auto const lead = detail::leading(m.extents());
    auto sign = detail::fresh<T>(lead), log = detail::fresh<T>(lead);
    detail::for_each_matrix(lead.value, lead.rank, [&](index_t const* at, std::size_t r) {
        detail::log_determinant<T>(detail::operands(m)(at, r),
                                   detail::results(sign, 0)(at, r)(0, 0),
                                   detail::results(log, 0)(at, r)(0, 0));
    });
    using Number = decltype(detail::number_or_tensor(std::move(sign)));
    return slogdet_result<Number>{detail::number_or_tensor(std::move(sign)),
                                  detail::number_or_tensor(std::move(log))};
}

// a^n of square matrices; n < 0 takes the inverse. Throws linalg_error where there is none.
template <matrix_operand A>
[[nodiscard]] auto matrix_power(A const& a, index_t n) {
    using T = floating_t<A>;
    auto base = n < 0 ? inv(a) : [&] { return eval(cast<T>(a)); }();
    detail::expect_square("matrix_power", base.extents());
    auto y = detail::fresh<T>(base.extents());
    auto const lead = detail::leading(base.extents());
    detail::for_each_matrix(lead.value, lead.rank, [&](index_t const* at, std::size_t r) {
        auto b = detail::results(base, 2)(at, r);
        auto out = detail::results(y, 2)(at, r);
        out.setIdentity();
        for (auto k = n < 0 ? 0 - static_cast<std::size_t>(n) : static_cast<std::size_t>(n); k;) {
            if (k & 1) out = detail::eigen_matrix<T>(out * b);
            if (k >>= 1) b = detail::eigen_matrix<T>(b * b);
        }
    });
    return y;
}

}  // namespace felt::inline FELT_ABI
