// SPDX-License-Identifier: BSD-3-Clause
//
// A monoid M over lines of memory: over one, or of two lines element by element.
#pragma once
#include <felt/core/extents.hpp>
#include <felt/host/fold.hpp>
#include <algorithm>
#include <array>

namespace felt::inline FELT_ABI::host::detail {

// Partial results, combined as a binary counter carries: equal amounts meet.
template <class M, class T>
class pairwise {
public:
    void add(T value) {
        int level = 0;
        for (; (count_ >> level & 1) != 0; ++level) value = M{}(part_[level], value);
        part_[level] = value;
        ++count_;
    }
    T total() const {
        T all = M::template identity<T>();
        bool some = false;
        for (int level = 0; count_ >> level != 0; ++level) {
            if ((count_ >> level & 1) == 0) continue;
            all = some ? M{}(part_[level], all) : part_[level];
            some = true;
        }
        return all;
    }

private:
    T part_[48];
    index_t count_ = 0;
};

// The last `count` lanes, count <= N: a window onto N times false and N times true.
template <class T>
FELT_INLINE xsimd::batch_bool<T> last_lanes(index_t count) {
    constexpr int N = batch_size<T>;
    static constexpr auto window = [] {
        std::array<bool, 2 * std::size_t{N}> is{};
        for (std::size_t l = N; l < is.size(); ++l) is[l] = true;
        return is;
    }();
    return condition_bytes<T>::load(window.data() + count);
}

// all[p] = M over elements p, p + Parts, .. of n: in four chains of lanes, so that operations do
// not wait for each other, then in one; what is left is read with elements before it, which count
// as nothing.
template <class M, int Parts, class T>
FELT_INLINE void reduce_parts(T const* x, index_t n, T (&all)[Parts]) {
    constexpr int N = batch_size<T>;
    using batch = xsimd::batch<T>;
    M const m;
    T const nothing = M::template identity<T>();
    if (n < N) {
        for (T& one : all) one = nothing;
        for (index_t j = 0; j < n; ++j) all[j % Parts] = m(all[j % Parts], x[j]);
        return;
    }
    batch acc[4] = {batch::load_unaligned(x)};
    index_t j = N;
    if (n >= 4 * N) {
        for (int c = 1; c < 4; ++c) acc[c] = batch::load_unaligned(x + c * N);
        for (j = 4 * N; j + 4 * N <= n; j += 4 * N) {
            for (int c = 0; c < 4; ++c) acc[c] = m(acc[c], batch::load_unaligned(x + j + c * N));
        }
        acc[0] = m(m(acc[0], acc[1]), m(acc[2], acc[3]));
    }
    for (; j + N <= n; j += N) acc[0] = m(acc[0], batch::load_unaligned(x + j));
    if (j < n) {
        auto const end = batch::load_unaligned(x + n - N);
        acc[0] = m(acc[0], math::select(last_lanes<T>(n - j), end, batch(nothing)));
    }
    fold<N / 2, M>(acc[0], all);
}

// A sum of complex numbers is one of each part.
template <class M, class T>
inline constexpr bool sums_parts = is_complex<T> && requires { M::by_parts; };

// M over n elements.
template <class M, class T>
T reduce_line(T const* x, index_t n) {
    if constexpr (sums_parts<M, T>) {
        real_of<T> all[2];
        reduce_parts<M>(reinterpret_cast<real_of<T> const*>(x), 2 * n, all);
        return {all[0], all[1]};
    } else if constexpr (is_complex<T>) {
        T all = M::template identity<T>();
        for (index_t j = 0; j < n; ++j) all = M{}(all, x[j]);
        return all;
    } else {
        T all[1];
        reduce_parts<M>(x, n, all);
        return all[0];
    }
}

// B batches from j on of what the rows make of `to`, in registers until all rows are in.
template <class M, int B, class T>
FELT_INLINE void reduce_columns(T* to, T const* const* rows, int count, index_t j,
                                xsimd::batch<T>* result) {
    constexpr int N = batch_size<T>;
    using batch = xsimd::batch<T>;
    batch acc[B];
    for (int b = 0; b < B; ++b) acc[b] = batch::load_unaligned(to + j + b * N);
    for (int r = 0; r < count; ++r) {
        T const* const x = rows[r] + j;
        for (int b = 0; b < B; ++b) acc[b] = M{}(acc[b], batch::load_unaligned(x + b * N));
    }
    for (int b = 0; b < B; ++b) result[b] = acc[b];
}

// f(to, rows, n) with the parts of complex numbers.
template <class T, class F>
void with_parts(std::complex<T>* to, std::complex<T> const* const* rows, int count, index_t n,
                F const& f) {
    constexpr int most = 32;
    for (int first = 0; first < count; first += most) {
        T const* parts[most];
        int const some = std::min(most, count - first);
        for (int r = 0; r < some; ++r) parts[r] = reinterpret_cast<T const*>(rows[first + r]);
        f(reinterpret_cast<T*>(to), parts, some, 2 * n);
    }
}

// to[j] = m(to[j], x[j]) for x in rows[0], then rows[1], ...: one pass over `to`.
template <class M, class T>
void reduce_into(T* to, T const* const* rows, int count, index_t n) {
    constexpr int N = batch_size<T>, B = 4;
    if (n < N) {
        for (int r = 0; r < count; ++r) {
            for (index_t j = 0; j < n; ++j) to[j] = static_cast<T>(M{}(to[j], rows[r][j]));
        }
        return;
    }
    xsimd::batch<T> last, acc[B];  // last: before anything that it overlaps is stored
    if (n % N != 0) reduce_columns<M, 1>(to, rows, count, n - N, &last);
    index_t j = 0;
    for (; j + B * N <= n; j += B * N) {
        reduce_columns<M, B>(to, rows, count, j, acc);
        for (int b = 0; b < B; ++b) acc[b].store_unaligned(to + j + b * N);
    }
    if (j + 2 * N <= n) {
        reduce_columns<M, 2>(to, rows, count, j, acc);
        for (int b = 0; b < 2; ++b) acc[b].store_unaligned(to + j + b * N);
        j += 2 * N;
    }
    if (j + N <= n) {
        reduce_columns<M, 1>(to, rows, count, j, acc);
        acc[0].store_unaligned(to + j);
    }
    if (n % N != 0) last.store_unaligned(to + (n - N));
}

template <class M, class T>
void reduce_into(std::complex<T>* to, std::complex<T> const* const* rows, int count, index_t n) {
    if constexpr (sums_parts<M, std::complex<T>>) {
        with_parts(to, rows, count, n, [](T* sums, T const* const* parts, int some, index_t size) {
            reduce_into<M>(sums, parts, some, size);
        });
    } else {
        for (int r = 0; r < count; ++r) {
            for (index_t j = 0; j < n; ++j) to[j] = M{}(to[j], rows[r][j]);
        }
    }
}

}  // namespace felt::inline FELT_ABI::host::detail
