// SPDX-License-Identifier: BSD-3-Clause
//
// reduce: a monoid over some axes. sum(x) is over all of them, sum<0, 2>(x) over axes 0 and 2,
// sum<1>(x, keepdims) leaves the axis with extent 1. Over nothing, sum is 0, prod 1, mean NaN,
// all true, any false; max, min, argmax and argmin throw. NaN wins in max, min and argmax.
#pragma once
#include <felt/expr/functions.hpp>
#include <felt/expr/views/broadcast.hpp>
#include <limits>

namespace felt::inline FELT_ABI {

struct keepdims_t {};
inline constexpr keepdims_t keepdims{};

// Of what is handed on: nothing, or keepdims.
template <class K>
concept same_as_keepdims = std::same_as<K, keepdims_t>;

namespace detail {
consteval unsigned all_axes(std::size_t rank) { return (1U << rank) - 1; }
template <std::size_t Rank, int... Axes>
consteval unsigned axis_mask() {
    return ((1U << axis_v<Axes, Rank>) | ... | 0U);
}
consteval std::size_t kept_axes(std::size_t rank, unsigned mask) {
    std::size_t kept = 0;
    for (std::size_t r = 0; r < rank; ++r) kept += (mask >> r & 1U) == 0;
    return kept;
}

// Constants, because code for devices may not call std::numeric_limits.
template <class T>
inline constexpr T least = std::is_floating_point_v<T> ? -std::numeric_limits<T>::infinity()
                                                       : std::numeric_limits<T>::lowest();
template <class T>
inline constexpr T largest = std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity()
                                                         : std::numeric_limits<T>::max();
}  // namespace detail

// Whether many terms T are summed with the rounding of each step carried to the next.
template <class M, class T>
inline constexpr bool carries_rounding = !std::is_integral_v<T> && requires { M::carries; };

// M is a monoid: result<T>, identity<T>() and a function of two that also takes batches.
// An index monoid (argmax) yields the position of the first of the values that are `best`.
template <class M, unsigned Mask, class X>
struct FELT_LAZY reduce_node {
    using monoid = M;
    using value_type = typename M::template result<typename X::value_type>;
    using space = typename X::space;
    static constexpr node_kind what = node_kind::reduce;
    static constexpr std::size_t rank = detail::kept_axes(X::rank, Mask);
    static constexpr unsigned mask = Mask;
    static constexpr char const* name = M::name;

    tuple<X> x;

    FELT_FN felt::extents<rank> extents() const {
        auto const from = x.head.extents();
        felt::extents<rank> e;
        std::size_t to = 0;
        for (std::size_t r = 0; r != X::rank; ++r) {
            if ((Mask >> r & 1U) == 0) e[to++] = from[r];
        }
        return e;
    }
    FELT_FN tuple<X> const& operands() const { return x; }
    template <class Y>
    FELT_FN reduce_node<M, Mask, Y> over(tuple<Y> y) const {
        return {std::move(y)};
    }

    // A full reduction converts to its value: float s = sum(x);
    operator value_type() const
        requires(rank == 0)
    {
        return run_to_value(*this);
    }
};

namespace monoid {
struct sum {
    static constexpr char const* name = "sum";
    static constexpr bool needs_elements = false;
    static constexpr bool carries = true;   // its rounding, over many terms
    static constexpr bool by_parts = true;  // of complex numbers, of each part by itself
    template <class T>
    using result = std::conditional_t<std::is_integral_v<T>, index_t, T>;
    template <class T>
    static FELT_FN T identity() {
        return T(0);
    }
    FELT_FN auto operator()(auto x, auto y) const { return x + y; }
};
struct prod {
    static constexpr char const* name = "prod";
    static constexpr bool needs_elements = false;
    template <class T>
    using result = std::conditional_t<std::is_integral_v<T>, index_t, T>;
    template <class T>
    static FELT_FN T identity() {
        return T(1);
    }
    FELT_FN auto operator()(auto x, auto y) const { return math::multiply(x, y); }
};
struct max {
    static constexpr char const* name = "max";
    static constexpr bool needs_elements = true;
    template <class T>
    using result = T;
    template <class T>
    static FELT_FN T identity() {
        return detail::least<T>;
    }
    FELT_FN auto operator()(auto x, auto y) const { return math::maximum(x, y); }
};
struct min {
    static constexpr char const* name = "min";
    static constexpr bool needs_elements = true;
    template <class T>
    using result = T;
    template <class T>
    static FELT_FN T identity() {
        return detail::largest<T>;
    }
    FELT_FN auto operator()(auto x, auto y) const { return math::minimum(x, y); }
};
// any and all are max and min over 0 and 1.
struct any : max {
    static constexpr char const* name = "any";
    static constexpr bool needs_elements = false;
    template <class T>
    using result = unsigned char;
    template <class T>
    static FELT_FN T identity() {
        return T(0);
    }
};
struct all : min {
    static constexpr char const* name = "all";
    static constexpr bool needs_elements = false;
    template <class T>
    using result = unsigned char;
    template <class T>
    static FELT_FN T identity() {
        return T(1);
    }
};
struct argmax {
    static constexpr char const* name = "argmax";
    using best = max;
    static constexpr bool needs_elements = true;
    template <class T>
    using result = index_t;
    template <class T>
    static FELT_FN bool better(T x, T best) {
        return x > best || (x != x && best == best);
    }
};
// The same in J, an integer no smaller than an element, which has to hold how many there are.
template <class J>
struct argmax_as : argmax {
    template <class T>
    using result = J;
};
struct argmin {
    static constexpr char const* name = "argmin";
    using best = min;
    static constexpr bool needs_elements = true;
    template <class T>
    using result = index_t;
    template <class T>
    static FELT_FN bool better(T x, T best) {
        return x < best || (x != x && best == best);
    }
};
}  // namespace monoid

}  // namespace felt::inline FELT_ABI
