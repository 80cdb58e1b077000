// SPDX-License-Identifier: BSD-3-Clause
//
// row_source<T>: a bound expression behind two functions. Everything that consumes values (a
// store, a reduction, packing) takes rows of them from memory and is compiled once for each
// element type; only the loop that computes a row is compiled for each expression.
#pragma once
#include <felt/host/bind.hpp>
#include <felt/host/next_block.hpp>
#include <felt/host/streaming_stores.hpp>

namespace felt::inline FELT_ABI::host {

template <class T>
class rows_in_place;

template <class T>
struct row_source {
    void* self;
    void (*prepare_box)(void*, box const&);
    T const* (*line_at)(void const*, index_t const*, index_t, index_t, T*);
    T const* (*memory_at)(void const*, index_t const**);
    bool (*continues_row_at)(void const*, int, index_t);
    void (*stream_at)(void const*, index_t const*, index_t, index_t, T*) = nullptr;
    rows_in_place<T> const* apart = nullptr;  // rows lie in memory, but each of them anywhere
    strided<T const> const* leaf = nullptr;   // elements that are nothing but memory
    next_block const* next = nullptr;         // what is fetched meanwhile
    // Of scores with a mask: whether it leaves any of a box (carried_softmax.hpp).
    bool (*leaves_any)(void*, loop_view const&, box const&, arena&) = nullptr;

    void prepare(box const& b) const { prepare_box(self, b); }

    // Where the elements lo .. hi-1 along the lanes of row `at` are: in memory, or in `room`.
    T const* line(index_t const* at, index_t lo, index_t hi, T* room) const {
        T const* const there = line_at(self, at, lo, hi, room);
        if (next != nullptr) next->fetch(at, lo, hi);
        return there;
    }

    // Whether the row at the next index of loop l goes on where n lanes of this one end, so that
    // line() may be asked for both at once. As of the box that was prepared last.
    bool continues_row(int l, index_t n) const { return continues_row_at(self, l, n); }

    // If all elements lie in memory with contiguous lanes: where loops 0, 0, ... are, and the
    // strides along the loops. Else nullptr.
    T const* memory(index_t const** by_loop) const { return memory_at(self, by_loop); }
};

namespace detail {

// The lanes that one step over B takes.
template <class B>
inline constexpr int step_lanes = B::lanes_wanted == 1 ? 16 : B::lanes_wanted;

// Steps that are taken side by side. In a chain of functions each waits for the one before, and a
// core sees no further than a few hundred instructions: tanh in tanh takes 0.57 ns for each of
// them, 16 of them 1.03 each; of four steps side by side 0.43 and 0.47 (Zen 4, AVX-512).
inline constexpr int long_chain = 30;
template <class B>
inline constexpr int steps_together = chain_of<B> < long_chain ? 1
                                      : batch_size<float> < 16 ? 2
                                                               : 4;

// f(std::integral_constant<int, lanes>, j) for j from `begin` to `end`, by many lanes and then by
// few.
template <class B, class F>
FELT_INLINE void by_steps(index_t& j, index_t end, F const& f) {
    constexpr int N = step_lanes<B>, M = N * steps_together<B>;
    if constexpr (M > N) {
        for (; j + M <= end; j += M) f(std::integral_constant<int, M>{}, j);
    }
    for (; j + N <= end; j += N) f(std::integral_constant<int, N>{}, j);
}

// Memory that is to be read later, fetched while a row is computed: so much of it in each step.
struct no_fetch {
    FELT_INLINE void step() {}
};
struct fetch {
    char const* next;
    index_t bytes;

    FELT_INLINE void step() {
        __builtin_prefetch(next);
        next += bytes;
    }
};

// The inner loop of an expression. Of a row that is no multiple of N the last N elements are
// computed first, for `to` may be what they are computed from, and stored last: some are stored
// twice, which costs less than a step of fewer lanes.
template <class B, class T, class Fetch = no_fetch>
[[gnu::noinline]] void compute_row(B const& x, index_t const* at, index_t lo, index_t hi, T* to,
                                   Fetch later = {}) {
    constexpr int N = step_lanes<B>;
    auto const state = x.row(at);
    if (hi - lo < N) {
        first const part{static_cast<int>(hi - lo)};
        x.template run<N>(state, lo, part).store(to, part);
        return;
    }
    index_t const rest = (hi - lo) % N;
    alignas(64) T last[N];
    for (bool main : {false, true}) {
        if (!main && rest == 0) continue;
        index_t const begin = main ? lo : hi - N, end = main ? hi - rest : hi;
        T* const out = main ? to : last;
        index_t j = begin;
        by_steps<B>(j, end, [&](auto width, index_t i) {
            x.template run<width()>(state, i, full{}).store(out + (i - begin), full{});
            for (int k = 0; k < width(); k += N) later.step();
        });
    }
    if (rest != 0) std::memcpy(static_cast<void*>(to + (hi - N - lo)), last, sizeof(last));
}

template <class B>
inline constexpr bool is_memory = requires(B const& x, index_t const* at) {
    { x.row(at) } -> std::same_as<cursor<typename B::value_type>>;
};

template <class T>
T const* memory_row(cursor<T> const& c, index_t lo, index_t hi, T* room) {
    if (c.contiguous || hi - lo == 1) return c.contiguous ? c.p + lo : c.p;
    std::fill(room, room + (hi - lo), *c.p);
    return room;
}

template <class B, class T>
T const* line_of(void const* self, index_t const* at, index_t lo, index_t hi, T* room) {
    B const& x = *static_cast<B const*>(self);
    if constexpr (is_memory<B>) {
        return memory_row(x.row(at), lo, hi, room);
    } else {
        compute_row(x, at, lo, hi, room);
        return room;
    }
}

// The same straight past the caches.
template <class B, class T>
[[gnu::noinline]] void stream_row_of(void const* self, index_t const* at, index_t lo, index_t hi,
                                     T* to) {
    B const& x = *static_cast<B const*>(self);
    index_t j = lo + before_lines(to, hi - lo);
    if (j > lo) compute_row(x, at, lo, j, to);
    auto const state = x.row(at);
    by_steps<B>(j, hi, [&](auto width, index_t i) {
        store_streaming(to + (i - lo), x.template run<width()>(state, i, full{}));
    });
    if (j < hi) compute_row(x, at, j, hi, to + (j - lo));
}

// Whether nothing below has to be computed first: only such expressions outrun memory.
template <class B>
inline constexpr bool streams_only = false;
template <class T, std::size_t R, class S>
inline constexpr bool streams_only<bound<leaf<T, R, S>>> = true;
template <class T, std::size_t R, class S>
inline constexpr bool streams_only<bound<owned<T, R, S>>> = true;
template <class T, std::size_t R, class S>
inline constexpr bool streams_only<bound<packed_node<T, R, S>>> = true;
template <class T>
inline constexpr bool streams_only<bound<scalar<T>>> = true;
template <class X, std::size_t R>
inline constexpr bool streams_only<bound<view_node<view_kind::affine, X, R>>> =
    streams_only<bound<X>>;
template <class F, class... X>
inline constexpr bool streams_only<bound<map_node<F, X...>>> = (streams_only<bound<X>> && ...);

template <class B, class T>
T const* memory_of(void const* self, index_t const** by_loop) {
    if constexpr (requires(B const& x) { x.direct(by_loop); }) {
        return static_cast<B const*>(self)->direct(by_loop);
    } else {
        return nullptr;
    }
}

template <class B>
rows_in_place<typename B::value_type> const* rows_apart(B const& x) {
    if constexpr (requires { x.rows_apart(); }) return x.rows_apart();
    else return nullptr;
}

}  // namespace detail

template <class B>
row_source<typename B::value_type> rows_of(B& x) {
    using T = typename B::value_type;
    row_source<T> rows{&x,
                       [](void* self, box const& b) { static_cast<B*>(self)->prepare(b); },
                       &detail::line_of<B, T>,
                       &detail::memory_of<B, T>,
                       [](void const* self, int l, index_t n) {
                           return static_cast<B const*>(self)->continues_row(l, n);
                       },
                       nullptr,
                       detail::rows_apart(x)};
    constexpr bool has_mask =
        requires(loop_view const& l, box const& b, arena& a) { mask_leaves_any(x, l, b, a); };
    if constexpr (has_mask) {
        rows.leaves_any = [](void* self, loop_view const& l, box const& b, arena& room) {
            return mask_leaves_any(*static_cast<B*>(self), l, b, room);
        };
    }
    return rows;
}

// The rows of a whole statement, which may have to go past the caches.
template <class B>
row_source<typename B::value_type> statement_rows_of(B& x) {
    using T = typename B::value_type;
    auto rows = rows_of(x);
    if constexpr (requires { x.elements(); }) rows.leaf = &x.elements();
    if constexpr (std::is_floating_point_v<computed_t<T>> && detail::streams_only<B>) {
        rows.stream_at = &detail::stream_row_of<B, T>;
    }
    return rows;
}

}  // namespace felt::inline FELT_ABI::host
