// SPDX-License-Identifier: BSD-3-Clause
//
// Batches whose conditions may be branched on, for functors that know nothing of batches:
//
//     [](auto v) { return v > 0 ? v : 0.1f * v; }
//
// A branch is taken as the first lane wants that is still followed. Lanes that want the other way
// are left, and followed by another call; so every lane gets what it gets alone, whatever its
// neighbours are, and a functor is called as often as there are ways through it.
#pragma once
#include <felt/core/math.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI {

// The instruction set of such batches: this machine's, with other conditions.
struct branching : xsimd::default_arch {};

namespace detail {

// Of the call that this thread makes; all of them between calls.
struct followed_lanes {
    static constexpr int most = 64;
    bool all = true;
    bool left[most] = {};

    // The way that the first lane of n takes; the followed ones that want the other are left.
    bool choose(bool const* wants, int n) {
        int const lead = static_cast<int>(std::find(left, left + n - 1, false) - left);
        for (int l = 0; l < n; ++l) left[l] = left[l] || wants[l] != wants[lead];
        all = all && std::find(left, left + n, true) == left + n;
        return wants[lead];
    }
};
inline thread_local constinit followed_lanes followed;

// Conditions as numbers 0 and 1, and back: bits and registers differ between instruction sets.
template <class T, class A>
FELT_INLINE xsimd::batch<T, A> as_numbers(xsimd::batch_bool<T, A> const& m) {
    return math::select(m, xsimd::batch<T, A>(T(1)), xsimd::batch<T, A>(T(0)));
}

template <class T>
[[gnu::noinline]] bool choose_way(xsimd::batch_bool<T, branching> const& m) {
    constexpr int n = static_cast<int>(xsimd::batch<T>::size);
    T number[n];
    bool wants[n];
    as_numbers(m).store_unaligned(number);
    std::transform(number, number + n, wants, [](T x) { return x == T(1); });
    return followed.choose(wants, n);
}

template <class T>
struct branching_bool : xsimd::types::get_bool_simd_register_t<T, xsimd::default_arch> {
    using base = xsimd::types::get_bool_simd_register_t<T, xsimd::default_arch>;

    branching_bool() = default;
    branching_bool(typename base::register_type r) : base{r} {}
    operator bool() const {
        return choose_way(static_cast<xsimd::batch_bool<T, branching> const&>(*this));
    }
};

}  // namespace detail
}  // namespace felt::inline FELT_ABI

namespace xsimd::types {

template <class T>
struct has_simd_register<T, felt::branching> : has_simd_register<T, default_arch> {};
template <class T>
struct simd_register<T, felt::branching> : simd_register<T, default_arch> {
    using register_type = typename simd_register<T, default_arch>::register_type;
    simd_register() = default;
    simd_register(register_type r) : simd_register<T, default_arch>{r} {}
};
template <class T>
struct get_bool_simd_register<T, felt::branching> {
    using type = felt::detail::branching_bool<T>;
};

}  // namespace xsimd::types

namespace xsimd {

FELT_XSIMD_UNEQUAL(float, felt::branching, batch)
FELT_XSIMD_UNEQUAL(double, felt::branching, batch)
FELT_XSIMD_UNEQUAL(float, felt::branching, batch_bool)
FELT_XSIMD_UNEQUAL(double, felt::branching, batch_bool)

}  // namespace xsimd

namespace felt::inline FELT_ABI {

template <class T>
using branching_batch = xsimd::batch<T, branching>;
template <class T>
using branching_condition = xsimd::batch_bool<T, branching>;

// Beside a plain bool the built-in operators would be as good as xsimd's.
template <class T>
branching_condition<T> operator&&(branching_condition<T> const& m, bool c) {
    return m & branching_condition<T>(c);
}
template <class T>
branching_condition<T> operator&&(bool c, branching_condition<T> const& m) {
    return m && c;
}
template <class T>
branching_condition<T> operator||(branching_condition<T> const& m, bool c) {
    return m | branching_condition<T>(c);
}
template <class T>
branching_condition<T> operator||(bool c, branching_condition<T> const& m) {
    return m || c;
}

namespace detail {

template <class T>
FELT_INLINE branching_batch<T> as_numbers(branching_batch<T> const& x) {
    return x;
}

// What one call has not followed, by further calls.
template <class F, class Y, class... X>
[[gnu::noinline]] auto follow_others(F const& f, Y const& y, X const&... x) {
    using batch = decltype(as_numbers(y));
    constexpr int n = static_cast<int>(batch::size);
    typename batch::value_type way[n], out[n];
    bool done[n] = {};
    as_numbers(y).store_unaligned(way);
    for (;;) {
        for (int l = 0; l < n; ++l) {
            if (done[l]) continue;
            done[l] = !followed.left[l];
            if (done[l]) out[l] = way[l];
        }
        if (std::find(done, done + n, false) == done + n) break;
        std::copy(done, done + n, followed.left);
        as_numbers(f(x...)).store_unaligned(way);
    }
    followed = {};
    return batch::load_unaligned(out);
}

// f(x...), every lane as if it were alone: a batch, or a condition if f yields one.
template <class F, class... X>
FELT_INLINE auto call_branching(F const& f, X const&... x) {
    auto const y = f(x...);
    if (followed.all) [[likely]]
        return y;
    auto const all = follow_others(f, y, x...);
    if constexpr (std::is_same_v<decltype(y), decltype(all)>) return all;
    else return decltype(f(x...))(all != 0);
}

}  // namespace detail
}  // namespace felt::inline FELT_ABI
