// SPDX-License-Identifier: BSD-3-Clause
//
// A streaming expression as a function of few numbers that are linear in the indices of the loops:
// the offset of each leaf, the coordinates that a window may leave. What the rows and what the
// columns of a tile add to them is computed once for each. A term's numbers begin at number At of
// its tree's; `n` are their values, `c` is what an epilogue has besides: the sums.
#pragma once
#include <felt/device/readers.hpp>
#include <felt/device/packet.hpp>

namespace felt::inline FELT_ABI::device {

// Where an element is, and what it is if it is nowhere.
template <class T>
struct source {
    T const* data;
    bool inside;
    T fill;
};

template <class T>
struct leaf_term {
    using value_type = T;
    static constexpr int numbers = 1;
    T const* data;
    bool whole = false;  // neighbours lie side by side and aligned

    template <int At, int F, class C>
    FELT_HOST_DEVICE T value(int const (&n)[F], C const&) const {
        return data[n[At]];
    }
    template <int At, int F>
    FELT_HOST_DEVICE source<T> find(int const (&n)[F]) const {
        return {data + n[At], true, T(0)};
    }
    // How far apart neighbours are, if all are inside or none.
    template <int At, int F>
    FELT_HOST_DEVICE int apart(int const (&step)[F]) const {
        return step[At];
    }
    FELT_HOST_DEVICE T const* data_of() const { return data; }
    FELT_HOST_DEVICE bool alike() const { return true; }
    FELT_HOST_DEVICE bool packed() const { return whole; }

    // Of `count` neighbours, `step` apart.
    template <int At, int F>
    FELT_HOST_DEVICE packet<T> load(int const (&n)[F], int const (&step)[F], int count) const {
        if (whole) return load_packet(data + n[At]);
        packet<T> p;
        FELT_UNROLL
        for (int j = 0; j < packet_size; ++j) {
            p.v[j] = j < count ? data[n[At] + j * step[At]] : T(0);
        }
        return p;
    }
};

template <class T>
struct scalar_term {
    using value_type = T;
    static constexpr int numbers = 0;
    T constant;

    template <int At, int F, class C>
    FELT_HOST_DEVICE T value(int const (&)[F], C const&) const {
        return constant;
    }
    template <int At, int F>
    FELT_HOST_DEVICE packet<T> load(int const (&)[F], int const (&)[F], int) const {
        return {{constant, constant, constant, constant}};
    }
};

// The sum of the products, in an epilogue; of a group, that of member `slot`.
template <class T>
struct sum_term {
    using value_type = T;
    static constexpr int numbers = 0;
    int slot = 0;

    template <int At, int F, class C>
    FELT_HOST_DEVICE T value(int const (&)[F], C const& c) const {
        return c.of(slot);
    }
};

// What an epilogue gets: a sum, or the four of a group.
template <class T>
struct whole_sum {
    T sum;
    FELT_HOST_DEVICE T of(int) const { return sum; }
};
template <class T>
struct group_sums {
    T sum[4];
    FELT_HOST_DEVICE T of(int slot) const {  // by registers
        T const low = slot % 2 == 0 ? sum[0] : sum[1], high = slot % 2 == 0 ? sum[2] : sum[3];
        return slot < 2 ? low : high;
    }
};
struct no_sum {};

// Neighbours one by one.
template <int At, class X, int F>
FELT_HOST_DEVICE auto each_value(X const& x, int const (&n)[F], int const (&step)[F], int count) {
    using T = typename X::value_type;
    packet<T> p;
    FELT_UNROLL
    for (int j = 0; j < packet_size; ++j) {
        int here[F];
        FELT_UNROLL
        for (int f = 0; f < F; ++f) here[f] = n[f] + j * step[f];
        p.v[j] = j < count ? x.template value<At>(here, no_sum{}) : T(0);
    }
    return p;
}

// Anything else: by the indices of the loops themselves.
template <class X, class T, std::size_t L>
struct reader_term {
    using value_type = T;
    static constexpr int numbers = static_cast<int>(L);
    X x;

    template <int At, int F, class C>
    FELT_HOST_DEVICE T value(int const (&n)[F], C const&) const {
        extents<L> at;
        FELT_UNROLL
        for (std::size_t l = 0; l != L; ++l) at[l] = n[At + static_cast<int>(l)];
        return x(at);
    }
    template <int At, int F>
    FELT_HOST_DEVICE packet<T> load(int const (&n)[F], int const (&step)[F], int count) const {
        return each_value<At>(*this, n, step, count);
    }
};

// x where Checked coordinates, each divided, lie inside, else the fill value. A quotient moves the
// numbers of x by `per`.
template <class X, int Checked = 2>
struct window_term {
    using value_type = typename X::value_type;
    static constexpr int checked = Checked;
    static constexpr int numbers = checked + X::numbers;
    X x;
    int limit[checked] = {}, divide[checked] = {};
    bool exact[checked] = {};
    int per[checked][X::numbers == 0 ? 1 : X::numbers] = {};
    value_type fill;
    bool together = false;  // neighbours are inside or outside together

    template <int At, int F>
    FELT_HOST_DEVICE bool inside(int const (&n)[F], int (&to)[F]) const {
        bool in = true;
        FELT_UNROLL
        for (int f = 0; f < F; ++f) to[f] = n[f];
        FELT_UNROLL
        for (int i = 0; i < checked; ++i) {
            int const at = n[At + i];
            int q = at;
            if (divide[i] != 1) {
                q = at / divide[i];
                in = in && !(exact[i] && q * divide[i] != at);
            }
            in = in && at >= 0 && q < limit[i];
            FELT_UNROLL
            for (int f = 0; f < X::numbers; ++f) to[At + checked + f] += q * per[i][f];
        }
        return in;
    }
    template <int At, int F>
    FELT_HOST_DEVICE source<value_type> find(int const (&n)[F]) const {
        int to[F];
        bool const in = inside<At>(n, to);
        if (!in) {
            FELT_UNROLL
            for (int f = 0; f < F; ++f) to[f] = 0;
        }
        return {x.template find<At + checked>(to).data, in, fill};
    }
    template <int At, int F>
    FELT_HOST_DEVICE int apart(int const (&step)[F]) const {
        return x.template apart<At + checked>(step);
    }
    FELT_HOST_DEVICE value_type const* data_of() const { return x.data_of(); }
    FELT_HOST_DEVICE bool alike() const { return together; }
    FELT_HOST_DEVICE bool packed() const { return together && x.packed(); }

    template <int At, int F, class C>
    FELT_HOST_DEVICE value_type value(int const (&n)[F], C const& c) const {
        int to[F];
        return inside<At>(n, to) ? x.template value<At + checked>(to, c) : fill;
    }
    template <int At, int F>
    FELT_HOST_DEVICE packet<value_type> load(int const (&n)[F], int const (&step)[F],
                                             int count) const {
        if (!together) return each_value<At>(*this, n, step, count);
        int to[F];
        if (inside<At>(n, to)) return x.template load<At + checked>(to, step, count);
        return {{fill, fill, fill, fill}};
    }
};

// The window of a pool, whose four elements are the sums of a group: each moves the numbers of x.
template <class M, class T, class X>
struct pool_term {
    using value_type = T;
    static constexpr int numbers = X::numbers;
    X x;
    int add[4][X::numbers == 0 ? 1 : X::numbers];

    template <int At, int F, class C>
    FELT_HOST_DEVICE T value(int const (&n)[F], C const& c) const {
        T all = M::template identity<T>();
        FELT_UNROLL
        for (int m = 0; m < 4; ++m) {
            int here[F];
            FELT_UNROLL
            for (int f = 0; f < F; ++f) {
                bool const own = f >= At && f < At + numbers;
                here[f] = n[f] + (own ? add[m][own ? f - At : 0] : 0);
            }
            auto const sum = whole_sum{c.of(m)};
            all = M{}(all, static_cast<T>(x.template value<At>(here, sum)));
        }
        return all;
    }
};

namespace detail {
// f(values of the operands...), whose numbers follow each other.
template <int At, class F, class N, class C, class A>
FELT_HOST_DEVICE auto map_values(F const& f, N const& n, C const& c, tuple<A> const& x) {
    return f(x.head.template value<At>(n, c));
}
template <int At, class F, class N, class C, class A, class B, class... X>
FELT_HOST_DEVICE auto map_values(F const& f, N const& n, C const& c, tuple<A, B, X...> const& x) {
    auto const a = x.head.template value<At>(n, c);
    return map_values<At + A::numbers>([&](auto... rest) { return f(a, rest...); }, n, c, x.tail);
}
template <int At, class F, class N, class A>
FELT_HOST_DEVICE auto map_packets(F const& f, N const& n, N const& step, int count,
                                  tuple<A> const& x) {
    return f(x.head.template load<At>(n, step, count));
}
template <int At, class F, class N, class A, class B, class... X>
FELT_HOST_DEVICE auto map_packets(F const& f, N const& n, N const& step, int count,
                                  tuple<A, B, X...> const& x) {
    auto const a = x.head.template load<At>(n, step, count);
    return map_packets<At + A::numbers>([&](auto const&... rest) { return f(a, rest...); }, n, step,
                                        count, x.tail);
}
}  // namespace detail

// F{} for one without state, which then is no argument of the kernel.
template <class F, class... X>
struct map_parts {
    tuple<X...> x;
    F state;
    FELT_HOST_DEVICE F const& f() const { return state; }
};
template <class F, class... X>
    requires std::is_empty_v<F>
struct map_parts<F, X...> {
    tuple<X...> x;
    FELT_HOST_DEVICE F f() const { return {}; }
};

template <class F, class T, class... X>
struct map_term : map_parts<F, X...> {
    using value_type = T;
    static constexpr int numbers = (0 + ... + X::numbers);

    template <int At, int N, class C>
    FELT_HOST_DEVICE T value(int const (&n)[N], C const& c) const {
        return detail::map_values<At>([&](auto... v) { return static_cast<T>(this->f()(v...)); }, n,
                                      c, this->x);
    }
    template <int At, int N>
    FELT_HOST_DEVICE packet<T> load(int const (&n)[N], int const (&step)[N], int count) const {
        return detail::map_packets<At>(
            [&](auto const&... v) {
                packet<T> p;
                FELT_UNROLL
                for (int j = 0; j < packet_size; ++j) {
                    p.v[j] = static_cast<T>(this->f()(v.v[j]...));
                }
                return p;
            },
            n, step, count, this->x);
    }
};

}  // namespace felt::inline FELT_ABI::device
