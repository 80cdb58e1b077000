// SPDX-License-Identifier: BSD-3-Clause
//
// lanes<T, N>: N consecutive values of a node, as one or more SIMD batches. N is the same for
// all nodes of a loop, the width of its narrowest type; wider types take several batches.
// lanes<bool, N> are bytes from memory; lane_mask<U, N> is what comparing lanes<U, N> yields.
#pragma once
#include <felt/core/config.hpp>
#include <felt/core/math_batch.hpp>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace felt::host {

template <class T>
inline constexpr int batch_size = static_cast<int>(xsimd::batch<T>::size);
template <>
inline constexpr int batch_size<bool> = 1;

// All N lanes of a step, or only the first few where a row ends.
struct full {};
struct first {
    int count;
};

template <class T, int N>
struct lanes {
    using batch = xsimd::batch<T>;
    static constexpr int width = batch_size<T>;
    static constexpr int count = N / width;
    static_assert(N % width == 0);

    batch b[count];

    FELT_INLINE static lanes load(T const* p, full) {
        lanes x;
        for (int k = 0; k < count; ++k) x.b[k] = batch::load_unaligned(p + k * width);
        return x;
    }
    // Nothing past the end of a row is read. Lanes past it repeat the first element, so that a
    // function sees elements only: a user's own need not know what 1 / 0 is.
    FELT_INLINE static lanes load(T const* p, first part) {
        alignas(64) T t[N];
        broadcast(*p).store(t, full{});
        std::memcpy(t, p, static_cast<std::size_t>(part.count) * sizeof(T));
        return load(t, full{});
    }
    FELT_INLINE static lanes broadcast(T value) {
        lanes x;
        for (int k = 0; k < count; ++k) x.b[k] = batch(value);
        return x;
    }
    FELT_INLINE static lanes gather(T const* p, std::ptrdiff_t step, int n) {
        alignas(64) T t[N];
        for (int l = 0; l < N; ++l) t[l] = p[l < n ? l * step : 0];
        return load(t, full{});
    }
    FELT_INLINE void store(T* p, full) const {
        for (int k = 0; k < count; ++k) b[k].store_unaligned(p + k * width);
    }
    FELT_INLINE void store(T* p, first part) const {
        alignas(64) T t[N];
        store(t, full{});
        std::memcpy(p, t, static_cast<std::size_t>(part.count) * sizeof(T));
    }
};

template <int N>
struct lanes<bool, N> {
    bool v[N];

    FELT_INLINE static lanes load(bool const* p, full) {
        lanes x;
        std::memcpy(x.v, p, N);
        return x;
    }
    FELT_INLINE static lanes load(bool const* p, first part) {
        lanes x = broadcast(*p);
        std::memcpy(x.v, p, static_cast<std::size_t>(part.count));
        return x;
    }
    FELT_INLINE static lanes broadcast(bool value) {
        lanes x;
        std::memset(x.v, value, N);
        return x;
    }
    FELT_INLINE void store(bool* p, full) const { std::memcpy(p, v, N); }
    FELT_INLINE void store(bool* p, first part) const {
        std::memcpy(p, v, static_cast<std::size_t>(part.count));
    }
};

template <class U, int N>
struct lane_mask {
    using batch = xsimd::batch_bool<U>;
    static constexpr int width = batch_size<U>;
    static constexpr int count = N / width;

    batch b[count];

    FELT_INLINE lanes<bool, N> bytes() const {
        lanes<bool, N> x;
        for (int k = 0; k < count; ++k) b[k].store_unaligned(x.v + k * width);
        return x;
    }
    template <class Part>
    FELT_INLINE void store(bool* p, Part part) const {
        bytes().store(p, part);
    }
};

// A condition in the form that a batch of T wants.
template <class T, int N>
FELT_INLINE lane_mask<T, N> as_mask(lanes<bool, N> const& x) {
    lane_mask<T, N> m;
    for (int k = 0; k < m.count; ++k) {
        m.b[k] = xsimd::batch_bool<T>::load_unaligned(x.v + k * m.width);
    }
    return m;
}
template <class T, int N, class U>
FELT_INLINE lane_mask<T, N> as_mask(lane_mask<U, N> const& x) {
    if constexpr (std::is_same_v<T, U>) {
        return x;
    } else if constexpr (sizeof(T) == sizeof(U)) {
        lane_mask<T, N> m;  // the same bits serve every type of one size
        static_assert(sizeof(m) == sizeof(x));
        std::memcpy(&m, &x, sizeof(m));
        return m;
    } else {
        return as_mask<T>(x.bytes());
    }
}

// The lanes as an array. Read through a pointer into the registers they would alias them.
template <class T, int N>
struct spilled {
    alignas(64) T v[N];

    FELT_INLINE explicit spilled(lanes<T, N> const& x) { x.store(v, full{}); }
};

// A functor that only knows numbers, or an operation no batch has, runs lane by lane.
template <class R, int N, class F, class... X>
FELT_INLINE lanes<R, N> one_by_one(F const& f, lanes<X, N> const&... x) {
    alignas(64) R out[N];
    [&](spilled<X, N> const&... in) {
        for (int l = 0; l < N; ++l) out[l] = static_cast<R>(f(in.v[l]...));
    }(spilled<X, N>(x)...);
    return lanes<R, N>::load(out, full{});
}

template <class To, int N, class From>
FELT_INLINE auto convert(lanes<From, N> const& x) {
    if constexpr (std::is_same_v<To, bool>) {
        lane_mask<From, N> m;
        for (int k = 0; k < m.count; ++k) m.b[k] = !(x.b[k] == xsimd::batch<From>(From(0)));
        return m;
    } else {
        alignas(64) From in[N];
        alignas(64) To out[N];
        x.store(in, full{});
        for (int l = 0; l < N; ++l) out[l] = static_cast<To>(in[l]);
        return lanes<To, N>::load(out, full{});
    }
}
template <class To, int N, class U>
FELT_INLINE lanes<To, N> convert(lane_mask<U, N> const& x) {
    auto const m = as_mask<To>(x);
    lanes<To, N> out;
    for (int k = 0; k < out.count; ++k) {
        out.b[k] = xsimd::select(m.b[k], xsimd::batch<To>(To(1)), xsimd::batch<To>(To(0)));
    }
    return out;
}
template <class To, int N>
FELT_INLINE lanes<To, N> convert(lanes<bool, N> const& x) {
    return convert<To>(as_mask<To>(x));
}

}  // namespace felt::host
