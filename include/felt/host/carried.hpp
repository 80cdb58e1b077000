// SPDX-License-Identifier: BSD-3-Clause
//
// Long sums: groups of eight rows are summed as they come, and what is rounded where a group is
// added to the results is carried to the next one (Kahan, "Further remarks on reducing truncation
// errors", 1965). Groups begin with the loop, whatever the box is.
//
//     term = group - rest,  all = sum + term,  rest = (all - sum) - term,  sum = all
#pragma once
#include <felt/expr/reduce.hpp>
#include <felt/host/reduce_kernels.hpp>

namespace felt::inline FELT_ABI::host {

// Rows of a group.
inline constexpr int carried_rows = 8;

namespace detail {

// B sums, and what they are too large by. What is infinite carries nothing.
template <class T, int B = 1>
struct carried_sums {
    using batch = xsimd::batch<T>;
    batch sum[B], rest[B];

    FELT_INLINE void load(T const* from, T const* beside) {
        for (int b = 0; b < B; ++b) {
            sum[b] = batch::load_unaligned(from + b * batch_size<T>);
            rest[b] = batch::load_unaligned(beside + b * batch_size<T>);
        }
    }
    FELT_INLINE void store(T* to, T* beside) const {
        for (int b = 0; b < B; ++b) {
            sum[b].store_unaligned(to + b * batch_size<T>);
            rest[b].store_unaligned(beside + b * batch_size<T>);
        }
    }
    FELT_INLINE void add(batch const (&x)[B]) {
        for (int b = 0; b < B; ++b) {
            batch const term = x[b] - rest[b], all = sum[b] + term;
            batch const more = (all - sum[b]) - term;
            rest[b] = math::select(more - more == batch(T(0)), more, batch(T(0)));
            sum[b] = all;
        }
    }
    // Columns j .. of so many rows.
    FELT_INLINE void add_rows(T const* const* rows, int count, index_t j) {
        for (int begin = 0; begin < count; begin += carried_rows) {
            int const end = std::min(count, begin + carried_rows);
            batch group[B];
            for (int b = 0; b < B; ++b) {
                group[b] = batch::load_unaligned(rows[begin] + j + b * batch_size<T>);
            }
            for (int r = begin + 1; r < end; ++r) {
                T const* const x = rows[r] + j;
                for (int b = 0; b < B; ++b) {
                    group[b] = group[b] + batch::load_unaligned(x + b * batch_size<T>);
                }
            }
            add(group);
        }
    }
};

}  // namespace detail

// One more term.
template <class T>
void carry_one(T& sum, T& rest, T x) {
    T const term = x - rest, all = sum + term, more = (all - sum) - term;
    rest = more - more == 0 ? more : T(0);
    sum = all;
}

template <class T>
void carry_one(std::complex<T>& all, std::complex<T>& rest, std::complex<T> const& x) {
    for (int p = 0; p < 2; ++p) {  // part by part
        carry_one(reinterpret_cast<T(&)[2]>(all)[p], reinterpret_cast<T(&)[2]>(rest)[p],
                  reinterpret_cast<T const(&)[2]>(x)[p]);
    }
}

// to[j] and rest[j] with x[j] for x in rows[0], then rows[1], ...: one pass over them.
template <class T>
void carry_into(T* to, T* rest, T const* const* rows, int count, index_t n) {
    constexpr int N = batch_size<T>, B = 4;
    if (n < N) {
        for (index_t j = 0; j < n; ++j) {
            for (int begin = 0; begin < count; begin += carried_rows) {
                T group = rows[begin][j];
                int const end = std::min(count, begin + carried_rows);
                for (int r = begin + 1; r < end; ++r) group += rows[r][j];
                carry_one(to[j], rest[j], group);
            }
        }
        return;
    }
    detail::carried_sums<T> one, last;  // last: before anything that it overlaps is stored
    if (n % N != 0) {
        last.load(to + n - N, rest + n - N);
        last.add_rows(rows, count, n - N);
    }
    index_t j = 0;
    for (; j + B * N <= n; j += B * N) {
        detail::carried_sums<T, B> some;
        some.load(to + j, rest + j);
        some.add_rows(rows, count, j);
        some.store(to + j, rest + j);
    }
    for (; j + N <= n; j += N) {
        one.load(to + j, rest + j);
        one.add_rows(rows, count, j);
        one.store(to + j, rest + j);
    }
    if (n % N != 0) last.store(to + n - N, rest + n - N);
}

template <class T>
void carry_into(std::complex<T>* to, std::complex<T>* rest, std::complex<T> const* const* rows,
                int count, index_t n) {
    auto const carry = [&](T* sums, T const* const* parts, int some, index_t size) {
        carry_into(sums, reinterpret_cast<T*>(rest), parts, some, size);
    };
    detail::with_parts(to, rows, count, n, carry);
}

// The results of a reduction while it runs: what some of its terms make is combined with them.
template <class M, class T>
struct results {
    T* data = nullptr;
    T* rest = nullptr;  // what each is too large by; null if nothing is carried

    void combine(T* p, T value) const {
        if constexpr (carries_rounding<M, T>) {
            if (rest != nullptr) return carry_one(*p, rest[p - data], value);
        }
        *p = M{}(*p, value);
    }
    // n columns from p on.
    void combine(T* p, T const* const* rows, int count, index_t n) const {
        if constexpr (carries_rounding<M, T>) {
            if (rest != nullptr) return carry_into(p, rest + (p - data), rows, count, n);
        }
        detail::reduce_into<M>(p, rows, count, n);
    }
};

}  // namespace felt::inline FELT_ABI::host
