// SPDX-License-Identifier: BSD-3-Clause
//
// copy_box: to[i...] = from[i...] over a box, for any strides of both. If each side is
// contiguous along an axis of its own, W x W blocks are transposed in registers; elements at
// small steps, or backwards, are picked in registers too.
#pragma once
#include <felt/host/transpose_plane.hpp>
#include <felt/plan/box.hpp>

namespace felt::inline FELT_ABI::host {

using planning::box;
using planning::max_axes;

template <class T>
struct strided {
    T* data;  // element 0, 0, ... of the box
    index_t stride[max_axes] = {};
};

namespace detail {

// The axis of stride 1, else -1; axes of extent 1 do not count unless nothing else is there.
inline int unit_axis(index_t const* stride, box const& b) {
    for (int a = b.rank - 1; a >= 0; --a) {
        if (stride[a] == 1 && b.extent(a) > 1) return a;
    }
    return -1;
}

// r takes the lanes that vector number K of those at `from` has of every S-th element.
template <int S, int K, class V, class T, int... I>
FELT_INLINE void take_lanes(V& r, T const* from, std::integer_sequence<int, I...> lane) {
    constexpr int W = sizeof...(I);
    if constexpr (K < S) {
        V v;
        std::memcpy(&v, from + K * W, sizeof(v));
        r = shuffle<(S * I / W == K             ? W + S * I % W
                     : K == 1 && S * I / W == 0 ? S * I
                                                : I)...>(r, v);
        take_lanes<S, K + 1>(r, from, lane);
    }
}

// to[i] = from[i * S] from element i on, for whole registers of W lanes, then of fewer; S W
// elements are read for W. Returns how many are done.
template <int S, class T, int W = word_count<T>>
index_t copy_every(T* to, T const* from, index_t n, index_t i = 0) {
    using vec [[gnu::vector_size(sizeof(T) * W)]] = word_of<T>;
    for (; i + W < n; i += W) {  // strictly: what follows the last element may not be read
        vec r;
        std::memcpy(&r, from + S * i, sizeof(r));
        take_lanes<S, 1>(r, from + S * i, std::make_integer_sequence<int, W>{});
        std::memcpy(static_cast<void*>(to + i), &r, sizeof(r));
    }
    if constexpr (W * sizeof(T) > 16) return copy_every<S, T, W / 2>(to, from, n, i);
    else return i;
}

// Whether copy_steps picks elements in registers.
inline bool picks(index_t step) { return step == -1 || (step >= 1 && step <= 4); }

template <class T, int... I>
index_t copy_backwards(T* to, T const* from, index_t n, std::integer_sequence<int, I...>) {
    constexpr int W = sizeof...(I);
    using vec [[gnu::vector_size(sizeof(T) * W)]] = word_of<T>;
    index_t i = 0;
    for (; i + W <= n; i += W) {
        vec r;
        std::memcpy(&r, from - i - (W - 1), sizeof(r));
        r = shuffle<(W - 1 - I)...>(r, r);
        std::memcpy(static_cast<void*>(to + i), &r, sizeof(r));
    }
    return i;
}

// to[i] = from[i * step] for i < n. At wider steps each element costs a load of its own anyway.
template <class T>
void copy_steps(T* to, T const* from, index_t step, index_t n) {
    index_t i = 0;
    if constexpr (has_word<T>) {
        if (step == 2) i = copy_every<2>(to, from, n);
        else if (step == 3) i = copy_every<3>(to, from, n);
        else if (step == 4) i = copy_every<4>(to, from, n);
        else if (step == -1)
            i = copy_backwards(to, from, n, std::make_integer_sequence<int, word_count<T>>{});
    }
    for (; i < n; ++i) to[i] = from[i * step];
}

// `streaming`: past the caches.
template <class T>
void copy_row(T* to, index_t to_step, T const* from, index_t from_step, index_t n,
              bool streaming = false) {
    if (to_step == 1 && from_step == 1) {
        if (streaming) return copy_streaming(to, from, n);
        std::memcpy(static_cast<void*>(to), from, static_cast<std::size_t>(n) * sizeof(T));
    } else if (to_step == 1) {
        copy_steps(to, from, from_step, n);
    } else {
        for (index_t i = 0; i < n; ++i) to[i * to_step] = from[i * from_step];
    }
}

// Axes that both sides walk as one become one; b begins at 0.
inline void merge_axes(index_t const* to, index_t const* from, box& b) {
    auto const continues_row = [&](int out, int in) {
        index_t const n = b.hi[in];
        return out != in && n > 1 && to[out] == n * to[in] && from[out] == n * from[in];
    };
    for (int out = 0, in = 0; out < b.rank; in = 0, ++out) {
        while (in < b.rank && !(b.hi[out] > 1 && continues_row(out, in))) ++in;
        if (in == b.rank) continue;
        b.hi[in] *= b.hi[out];
        b.hi[out] = 1;
        out = -1;  // another may go on where these end
    }
}

// The innermost loop around axes i and j that is long enough to be worth a loop of its own.
inline int loop_around(box const& b, int i, int j) {
    for (int a = b.rank - 1; a >= 0; --a) {
        if (a != i && a != j && b.hi[a] > 3) return a;
    }
    return -1;
}

// A source that runs backwards along an axis which is not the destination's own: both turn round.
template <class T>
void turn_forwards(strided<T>& to, strided<T const>& from, box const& b, int own) {
    for (int a = 0; a < b.rank; ++a) {
        if (a == own || from.stride[a] != -1) continue;
        to.data += to.stride[a] * (b.hi[a] - 1);
        from.data -= b.hi[a] - 1;
        to.stride[a] = -to.stride[a];
        from.stride[a] = 1;
    }
}

}  // namespace detail

// `streaming`: whole lines go past the caches, in a loop that ends with streaming_ends().
template <class T>
[[gnu::noinline]] void copy_box(strided<T> to, strided<T const> from, box b,
                                bool streaming = false) {
    for (int a = 0; a < b.rank; ++a) {
        b.hi[a] -= b.lo[a];
        b.lo[a] = 0;
        if (b.hi[a] <= 0) return;
    }
    detail::merge_axes(to.stride, from.stride, b);
    int const tu = detail::unit_axis(to.stride, b);
    detail::turn_forwards(to, from, b, tu);
    int const fu = detail::unit_axis(from.stride, b);
    int const inner = tu >= 0 ? tu : b.rank - 1;
    bool const across = tu >= 0 && fu >= 0 && tu != fu &&
                        !(b.hi[fu] < detail::word_count<T> && detail::picks(from.stride[tu]));
    int const next = detail::loop_around(b, inner, across ? fu : inner);
    index_t const rows = next < 0 ? 1 : b.hi[next];
    box outer = b;
    if (across) outer.hi[fu] = 1;
    if (next >= 0) outer.hi[next] = 1;
    auto offset = [&](index_t const* stride, index_t const* at) {
        index_t o = 0;
        for (int a = 0; a < b.rank; ++a) o += stride[a] * at[a];
        return o;
    };
    planning::for_each_row(outer, inner, [&](index_t const* at) {
        T* t = to.data + offset(to.stride, at);
        T const* f = from.data + offset(from.stride, at);
        for (index_t r = 0; r < rows; ++r) {
            if (across) {
                detail::transpose_plane<T>(
                    {t, to.stride[fu], f, from.stride[tu], b.hi[fu], b.hi[tu]}, streaming);
            } else if (b.rank == 0) {
                *t = *f;
            } else {
                detail::copy_row(t, to.stride[inner], f, from.stride[inner], b.hi[inner],
                                 streaming);
            }
            if (next >= 0) t += to.stride[next], f += from.stride[next];
        }
    });
}

}  // namespace felt::inline FELT_ABI::host
