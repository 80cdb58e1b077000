// SPDX-License-Identifier: BSD-3-Clause
//
// What becomes of the sums of a tile: the values of one or several statements, stored.
#pragma once
#include <felt/device/tile/term_forms.hpp>

namespace felt::inline FELT_ABI::device {

template <class T, class X>
struct result_term {
    using value_type = T;
    static constexpr int numbers = 1 + X::numbers;
    T* data;
    X x;

    template <int At, int F, class C>
    FELT_HOST_DEVICE void store(int const (&n)[F], C const& c) const {
        data[n[At]] = static_cast<T>(x.template value<At + 1>(n, c));
    }
};

template <class A, class B>
struct both_results {
    using value_type = typename A::value_type;
    static constexpr int numbers = A::numbers + B::numbers;
    A a;
    B b;

    template <int At, int F, class C>
    FELT_HOST_DEVICE void store(int const (&n)[F], C const& c) const {
        a.template store<At>(n, c);
        b.template store<At + A::numbers>(n, c);
    }
};

// What is stored: y holds n.
template <class T, std::size_t R, class N>
struct tile_target {
    using node = N;
    static constexpr std::size_t rank = R;
    T* y;
    extents<R> e, stride;
    N n;
};

template <class T, std::size_t R, class N>
auto stored(tuple<tile_target<T, R, N>> const& to, forms<R>& all) {
    auto const& s = to.head;
    all.list.push_back({0, s.stride});
    auto const x = term(s.n, broadcast(own_loops<R>(), s.n.extents()), all);
    return result_term<T, std::remove_const_t<decltype(x)>>{s.y, x};
}
template <class A, class B, class... X, std::size_t R>
auto stored(tuple<A, B, X...> const& to, forms<R>& all) {
    auto const a = stored(tuple<A>{to.head}, all);
    auto const b = stored(to.tail, all);
    return both_results<std::remove_const_t<decltype(a)>, std::remove_const_t<decltype(b)>>{a, b};
}

}  // namespace felt::inline FELT_ABI::device
