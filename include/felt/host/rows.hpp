// SPDX-License-Identifier: BSD-3-Clause
//
// row_source<T>: a bound expression behind two functions. Everything that consumes values (a
// store, a reduction, packing) takes rows of them from memory and is compiled once for each
// element type; only the loop that computes a row is compiled for each expression.
#pragma once
#include <felt/host/bind.hpp>

namespace felt::host {

template <class T>
struct row_source {
    void* self;
    void (*prepare_box)(void*, box const&);
    T const* (*line_at)(void const*, index_t const*, index_t, index_t, T*);
    T const* (*memory_at)(void const*, index_t const**);

    void prepare(box const& b) const { prepare_box(self, b); }

    // Where the elements lo .. hi-1 along the lanes of row `at` are: in memory, or in `room`.
    T const* line(index_t const* at, index_t lo, index_t hi, T* room) const {
        return line_at(self, at, lo, hi, room);
    }

    // If all elements lie in memory with contiguous lanes: where loops 0, 0, ... are, and the
    // strides along the loops. Else nullptr.
    T const* memory(index_t const** by_loop) const { return memory_at(self, by_loop); }
};

namespace detail {

// The lanes that one step over B takes.
template <class B>
inline constexpr int step_lanes = B::lanes_wanted == 1 ? 16 : B::lanes_wanted;

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

// The inner loop of an expression.
template <class B, class T, class Fetch = no_fetch>
[[gnu::noinline]] void compute_row(B const& x, index_t const* at, index_t lo, index_t hi, T* to,
                                   Fetch later = {}) {
    constexpr int N = step_lanes<B>;
    auto const state = x.row(at);
    index_t j = lo;
    for (; j + N <= hi; j += N) {
        x.template run<N>(state, j, full{}).store(to + (j - lo), full{});
        later.step();
    }
    if (j < hi) {
        first const part{static_cast<int>(hi - j)};
        x.template run<N>(state, j, part).store(to + (j - lo), part);
    }
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

template <class B, class T>
T const* memory_of(void const* self, index_t const** by_loop) {
    if constexpr (requires(B const& x) { x.direct(by_loop); }) {
        return static_cast<B const*>(self)->direct(by_loop);
    } else {
        return nullptr;
    }
}

}  // namespace detail

template <class B>
row_source<typename B::value_type> rows_of(B& x) {
    using T = typename B::value_type;
    return {&x, [](void* self, box const& b) { static_cast<B*>(self)->prepare(b); },
            &detail::line_of<B, T>, &detail::memory_of<B, T>};
}

}  // namespace felt::host
