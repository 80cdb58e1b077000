// SPDX-License-Identifier: BSD-3-Clause
//
// lanes<T, N>: N consecutive values of a node, as one or more SIMD batches. N is the same for
// all nodes of a loop, the width of its narrowest type; wider types take several batches.
// lanes<bool, N> are bytes from memory, complex numbers the pairs that they are there; lane_mask<U,
// N> is what comparing lanes<U, N> yields.
#pragma once
#include <felt/core/bfloat16.hpp>
#include <felt/core/complex.hpp>
#include <felt/core/config.hpp>
#include <felt/core/math_batch.hpp>
#include <felt/host/shuffle.hpp>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace felt::inline FELT_ABI::host {

template <class T>
inline constexpr int batch_size = static_cast<int>(xsimd::batch<T>::size);
template <>
inline constexpr int batch_size<bool> = 1;
template <>
inline constexpr int batch_size<bfloat16> = static_cast<int>(xsimd::batch<std::uint16_t>::size);
template <class T>
inline constexpr int batch_size<std::complex<T>> = (batch_size<T> + 1) / 2;

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

// Elements in memory: functions are those of floats. In pieces of as many as a batch of float has,
// for what is stored in halves is not loaded as a whole at once.
template <int N>
struct lanes<bfloat16, N> {
    static constexpr int width = batch_size<float>, count = N / width;
    static_assert(N % width == 0);
    using word = std::conditional_t<(N > 0), std::uint16_t, float>;  // dependent, for g++ 12
    using piece [[gnu::vector_size(2 * width)]] = word;

    piece b[count];

    FELT_INLINE static lanes load(bfloat16 const* p, full) {
        lanes x;
        for (int k = 0; k < count; ++k) std::memcpy(&x.b[k], p + k * width, sizeof(piece));
        return x;
    }
    FELT_INLINE static lanes load(bfloat16 const* p, first part) {
        alignas(64) bfloat16 t[N];
        broadcast(*p).store(t, full{});
        std::memcpy(static_cast<void*>(t), p, static_cast<std::size_t>(part.count) * sizeof(*p));
        return load(t, full{});
    }
    FELT_INLINE static lanes broadcast(bfloat16 value) {
        lanes x;
        for (int k = 0; k < count; ++k) x.b[k] = piece{} + value.bits;
        return x;
    }
    FELT_INLINE void store(bfloat16* p, full) const {
        for (int k = 0; k < count; ++k)
            std::memcpy(static_cast<void*>(p + k * width), &b[k], sizeof(piece));
    }
    FELT_INLINE void store(bfloat16* p, first part) const {
        alignas(64) bfloat16 t[N];
        store(t, full{});
        std::memcpy(static_cast<void*>(p), t, static_cast<std::size_t>(part.count) * sizeof(*p));
    }
};

// Functions of them run number by number, in loops that the compiler takes in registers.
template <class T, int N>
struct lanes<std::complex<T>, N> {
    using number = std::complex<T>;
    number v[N];

    FELT_INLINE static lanes load(number const* p, full) {
        lanes x;
        std::memcpy(static_cast<void*>(x.v), p, sizeof(x.v));
        return x;
    }
    FELT_INLINE static lanes load(number const* p, first part) {
        lanes x = broadcast(*p);
        std::memcpy(static_cast<void*>(x.v), p, static_cast<std::size_t>(part.count) * sizeof(*p));
        return x;
    }
    FELT_INLINE static lanes broadcast(number value) {
        lanes x;
        for (number& one : x.v) one = value;
        return x;
    }
    FELT_INLINE void store(number* p, full) const {
        std::memcpy(static_cast<void*>(p), v, sizeof(v));
    }
    FELT_INLINE void store(number* p, first part) const {
        std::memcpy(static_cast<void*>(p), v, static_cast<std::size_t>(part.count) * sizeof(*p));
    }
};

namespace detail {

// Conditions of one size have the same bits, whatever the type.
template <class To, class From>
FELT_INLINE To same_bits(From const& x) {
    static_assert(sizeof(To) == sizeof(From));
    To y;
    std::memcpy(&y, &x, sizeof(y));
    return y;
}

// W integers of From bytes as integers of To bytes, doubled or halved step by step: a step is an
// instruction or two, anything else goes lane by lane with g++ 12.
template <int From, int To, int W, class V>
FELT_INLINE auto resized(V const& x) {
    if constexpr (From == To) {
        return x;
    } else {
        constexpr int next = From < To ? 2 * From : From / 2;
        using integer = typename integer_of_size<next>::type;
        using vec [[gnu::vector_size(next * W)]] = integer;
        return resized<next, To, W>(__builtin_convertvector(x, vec));
    }
}

// Between a batch of conditions and bytes 0 and 1, through integers as wide as U.
template <class U>
struct condition_bytes {
    static constexpr int size = static_cast<int>(sizeof(U)), width = batch_size<U>;
    using integer = typename integer_of_size<size>::type;
    using batch = xsimd::batch<integer>;
    using mask = xsimd::batch_bool<integer>;
    using byte = std::conditional_t<(width > 0), std::int8_t, U>;  // dependent, for g++ 12
    using wide [[gnu::vector_size(size * width)]] = integer;
    using narrow [[gnu::vector_size(width)]] = byte;

    FELT_INLINE static void store(xsimd::batch_bool<U> const& m, bool* to) {
        auto const ones = math::select(same_bits<mask>(m), batch(integer(1)), batch(integer(0)));
        wide x;
        std::memcpy(&x, &ones, sizeof(x));
        auto const bytes = resized<size, 1, width>(x);
        std::memcpy(to, &bytes, sizeof(bytes));
    }
    FELT_INLINE static xsimd::batch_bool<U> load(bool const* from) {
        narrow bytes;
        std::memcpy(&bytes, from, sizeof(bytes));
        auto const ones = same_bits<batch>(resized<1, size, width>(bytes));
        return same_bits<xsimd::batch_bool<U>>(ones != batch(integer(0)));
    }
};

// What a condition is in a register; with AVX-512 a bit for each lane.
template <class U>
using mask_register = typename xsimd::batch_bool<U>::register_type;
template <class U>
inline constexpr bool is_bits = std::is_integral_v<mask_register<U>>;

}  // namespace detail

template <class U, int N>
struct lane_mask {
    using batch = xsimd::batch_bool<U>;
    static constexpr int width = batch_size<U>;
    static constexpr int count = N / width;
    static_assert(N % width == 0);

    batch b[count];

    FELT_INLINE lanes<bool, N> bytes() const {
        lanes<bool, N> x;
        for (int k = 0; k < count; ++k) detail::condition_bytes<U>::store(b[k], x.v + k * width);
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
        m.b[k] = detail::condition_bytes<T>::load(x.v + k * m.width);
    }
    return m;
}
template <class T, int N, class U>
FELT_INLINE lane_mask<T, N> as_mask(lane_mask<U, N> const& x) {
    if constexpr (std::is_same_v<T, U>) {
        return x;
    } else if constexpr (sizeof(T) == sizeof(U)) {
        return detail::same_bits<lane_mask<T, N>>(x);
    } else if constexpr (detail::is_bits<T> && detail::is_bits<U>) {
        std::uint64_t all = 0;
        for (int k = 0; k < x.count; ++k)
            all |= std::uint64_t(detail::mask_register<U>(x.b[k])) << (k * x.width);
        lane_mask<T, N> m;
        for (int k = 0; k < m.count; ++k)
            m.b[k] = static_cast<detail::mask_register<T>>(all >> (k * m.width));
        return m;
    } else {
        return as_mask<T>(x.bytes());
    }
}

}  // namespace felt::inline FELT_ABI::host
