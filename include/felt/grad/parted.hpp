// SPDX-License-Identifier: BSD-3-Clause
//
// The derivative by a value that is read in parts, split<A, N>: a derivative by each part. It is
// written part by part, to where the part is; in an expression it is the sum of parts padded with
// zeros.
#pragma once
#include <felt/expr/views/split.hpp>
#include <felt/grad/derivative.hpp>
#include <algorithm>
#include <array>

namespace felt::inline FELT_ABI::derive {

// D: by the parts in their order, or zero. Their places among each other are known when it runs.
template <int A, int N, class T, std::size_t R, class... D>
struct parted {
    using value_type = T;
    static constexpr std::size_t rank = R;

    felt::extents<R> e;
    std::array<index_t, std::size_t(N)> place;  // -1: not known yet
    tuple<D...> d;
};
template <int A, int N, class T, std::size_t R, class... D>
inline constexpr bool is_parted<parted<A, N, T, R, D...>> = true;

template <int A, int N, int I, class X, class D>
auto of_part(part_node<A, N, I, X> const& n, D const& dy) {
    std::array<index_t, std::size_t(N)> place;
    place.fill(-1);
    place[std::size_t(I)] = n.place;
    auto const all = [&]<std::size_t... K>(std::index_sequence<K...>) {
        auto const of = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
            if constexpr (J == std::size_t(I)) return dy;
            else return zero{};
        };
        return felt::make_tuple(of(std::integral_constant<std::size_t, K>{})...);
    };
    auto d = all(std::make_index_sequence<std::size_t(N)>{});
    return [&]<class... Y>(tuple<Y...> const& y) {
        return parted<A, N, typename X::value_type, X::rank, Y...>{n.x.head.extents(), place, y};
    }(d);
}

// Of other parts: of the whole.
template <class P, class Q>
auto plus_parts(P const& p, Q const& q) {
    return plus(whole(p), whole(q));
}
template <int A, int N, class T, std::size_t R, class... D, class... E>
auto plus_parts(parted<A, N, T, R, D...> const& a, parted<A, N, T, R, E...> const& b) {
    auto place = a.place;
    for (std::size_t i = 0; i != place.size(); ++i) place[i] = std::max(place[i], b.place[i]);
    auto const all = [&]<std::size_t... K>(std::index_sequence<K...>) {
        return felt::make_tuple(plus(get<K>(a.d), get<K>(b.d))...);
    };
    auto d = all(std::make_index_sequence<std::size_t(N)>{});
    return [&]<class... Y>(tuple<Y...> const& y) {
        return parted<A, N, T, R, Y...>{a.e, place, y};
    }(d);
}

// One expression: part I between zeros.
template <int A, int N, class T, std::size_t R, class D>
auto padded_part(extents<R> const& e, index_t place, D const& d) {
    if constexpr (is_zero<D>) {
        return zero{};
    } else {
        view_map<R, R> m = identity_map(e);
        m.rule[A].offset = -place * (e[A] / N);
        return make_general_view(whole(d), m, T{}, "pad");
    }
}
template <int A, int N, class T, std::size_t R, class... D>
auto whole_of_parts(parted<A, N, T, R, D...> const& p) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return plus(padded_part<A, N, T>(p.e, p.place[K], get<K>(p.d))...);
    }(std::index_sequence_for<D...>{});
}

// Where a part that nobody reads is, is known from the others.
template <std::size_t N>
auto all_places(std::array<index_t, N> place) {
    for (index_t& p : place) {
        index_t free = 0;
        while (p < 0 && std::find(place.begin(), place.end(), free) != place.end()) ++free;
        if (p < 0) p = free;
    }
    return place;
}
// f(part of the memory, what is to be there) of each part.
template <int A, int N, class T, std::size_t R, class... D, class Space, class F>
auto each_part(parted<A, N, T, R, D...> const& p, leaf<T, R, Space> const& memory, F const& f) {
    auto const place = all_places(p.place);
    auto const one = [&]<class P>(index_t at, P const& d) {
        auto part = memory;
        part.e[A] /= N;
        part.data += at * part.e[A] * part.stride[A];
        if constexpr (is_zero<P>) return f(part, scalar<T>{T(0)});
        else return f(part, whole(d));
    };
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return felt::make_tuple(one(place[K], get<K>(p.d))...);
    }(std::index_sequence_for<D...>{});
}

}  // namespace felt::inline FELT_ABI::derive
