// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions. On a GPU, long rows and full ones by CUB; all others by parts, which threads fold
// side by side, and their results again until one is left. The same bits in every run and for any
// number of threads.
#pragma once
#include <felt/device/fold.hpp>
#include <felt/device/memory.hpp>
#include <felt/device/write.hpp>
#include <felt/expr/reduce.hpp>

namespace felt::inline FELT_ABI::device {

// Terms in runs of so many, so that rounding grows slowly.
inline constexpr index_t run_length = 32;

// Part p of result k, thread p * results + k: neighbours fold neighbours. One part is the result.
template <class F, class T, class X>
struct part_folder {
    typename F::item* parts_to;
    T* to;
    divisor<index_t> results;
    index_t terms, parts, part;
    X x;

    FELT_FN void operator()(index_t number) const {
        index_t const p = results.quotient(number), k = results.rest(number, p);
        index_t const begin = p * part;
        index_t const end = begin + part < terms ? begin + part : terms;
        auto all = F::identity();
        for (index_t i = begin; i < end;) {
            auto run = F::identity();
            index_t const last = i + run_length < end ? i + run_length : end;
            x.each(k, i, last, [&](auto const& term) { run = F{}(run, term); });
            all = F{}(all, run);
            i = last;
        }
        if (parts > 1) parts_to[number] = all;
        else to[k] = static_cast<T>(all);
    }
};

// How many parts of a result a thread adds up. Where results are few, one after the other takes
// longer than another launch: 1024 at once make sums by channel of 128 x 16 x 32 x 32 take 177 us
// on an H200, 32 at once 65.
inline constexpr index_t parts_at_once = 32;

template <class F, class T, class X>
void fold_parts(T* to, X const& x, index_t results, index_t terms, index_t part,
                char const* operation) {
    using item = typename F::item;
    index_t const parts = std::max<index_t>(1, (terms + part - 1) / part);
    storage<item, Device> const found(parts > 1 ? results * parts : 0, false);
    if (results == 0) return;
    divisor<index_t> const by_part(results);
    launch(results * parts, part_folder<F, T, X>{found.data(), to, by_part, terms, parts, part, x},
           operation);
    if (parts == 1) return;
    using stored = stored_items<item>;
    fold_parts<F>(to, stored{found.data(), results}, results, parts, parts_at_once, operation);
}

// The values of n, dense and in row-major order, to `to`, as the launch says.
template <class M, unsigned Mask, class N>
void fold(launch_facts const& l, typename reduce_node<M, Mask, N>::value_type* to,
          reduce_node<M, Mask, N> const& n) {
    using node = reduce_node<M, Mask, N>;
    using T = typename node::value_type;
    using F = folding<M, T, typename N::value_type>;
    constexpr std::size_t S = N::rank, K = node::rank;
    index_t const start[max_axes] = {};
    auto const x = reader(n.x.head, axes_of<S>(l.loops, start));
    using X = std::remove_const_t<decltype(x)>;
    extents<K> kept;
    extents<S - K> summed;
    std::copy(l.loops.extent, l.loops.extent + K, kept.value);
    std::copy(l.loops.extent + K, l.loops.extent + S, summed.value);
    if constexpr (!is_host_memory) {
        if (l.how == form::rows || l.how == form::whole) {
            using counted = terms<F, count_t, K, S, X>;
            counted_terms<counted> const all{divisor<>(summed.size()), K == 0,
                                             counted{loops<K>(kept), loops<S - K>(summed), x}};
            auto const s = stream_of_this_thread();
            if constexpr (K == 0) {
                fold_all(to, all, summed.size(), F{}, F::identity(), s, M::name);
            } else {
                fold_rows(to, all, kept.size(), summed.size(), F{}, F::identity(), s, M::name);
            }
            return;
        }
    }
    terms<F, index_t, K, S, X> const all{loops<K, index_t>(kept), loops<S - K, index_t>(summed), x};
    fold_parts<F>(to, all, kept.size(), summed.size(), l.part, M::name);
}

}  // namespace felt::inline FELT_ABI::device
