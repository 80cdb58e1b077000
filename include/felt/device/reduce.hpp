// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions: parts of at most part_length elements are folded side by side, and their results
// again until one is left for each element of the result. The same bits for any number of threads.
#pragma once
#include <felt/device/memory.hpp>
#include <felt/device/write.hpp>

namespace felt::device {

inline constexpr index_t part_length = 1024, run_length = 32;

template <class M, class T>
inline constexpr bool finds_position =
    std::is_same_v<T, index_t> && requires { &M::template better<int>; };

// What number `summed` of those that element `kept` is made of has for an index.
template <unsigned Mask, std::size_t S, std::size_t K>
FELT_FN extents<S> joined(extents<K> const& kept, extents<S - K> const& summed) {
    extents<S> at;
    std::size_t k = 0, s = 0;
    for (std::size_t r = 0; r != S; ++r) at[r] = (Mask >> r & 1U) == 0 ? kept[k++] : summed[s++];
    return at;
}

// Parts of x over the axes in Mask: part p of element k at to[k * parts + p].
template <class M, unsigned Mask, class T, std::size_t S, std::size_t K, class X>
struct part_folder {
    T* to;
    extents<K> kept;
    extents<S - K> summed;
    index_t parts;
    X x;

    FELT_FN void operator()(index_t number) const {
        extents<K> const k = index_of(number / parts, kept);
        index_t const n = summed.size(), begin = number % parts * part_length;
        index_t const end = begin + part_length < n ? begin + part_length : n;
        auto const element = [&](index_t i) { return x(joined<Mask, S>(k, index_of(i, summed))); };
        if constexpr (finds_position<M, T>) {
            index_t best = begin;
            for (index_t i = begin + 1; i < end; ++i) {
                if (M::better(element(i), element(best))) best = i;
            }
            to[number] = best;
        } else {
            T all = M::template identity<T>();
            for (index_t i = begin; i < end;) {  // in runs, so that rounding grows slowly
                T run = M::template identity<T>();
                for (index_t last = i + run_length < end ? i + run_length : end; i < last; ++i) {
                    run = M{}(run, static_cast<T>(element(i)));
                }
                all = M{}(all, run);
            }
            to[number] = all;
        }
    }
};

// The results of parts, `length` for each element, folded on. For positions `x` says what is there.
template <class M, unsigned Mask, class T, std::size_t S, std::size_t K, class X>
struct result_folder {
    T const* from;
    T* to;
    extents<K> kept;
    extents<S - K> summed;
    index_t length, parts;
    X x;

    FELT_FN void operator()(index_t number) const {
        index_t const k = number / parts, begin = number % parts * part_length;
        index_t const end = begin + part_length < length ? begin + part_length : length;
        T all = from[k * length + begin];
        for (index_t i = begin + 1; i < end; ++i) {
            T const next = from[k * length + i];
            if constexpr (finds_position<M, T>) {
                extents<K> const at = index_of(k, kept);
                auto const element = [&](T p) {
                    return x(joined<Mask, S>(at, index_of(p, summed)));
                };
                if (M::better(element(next), element(all))) all = next;
            } else {
                all = M{}(all, next);
            }
        }
        to[number] = all;
    }
};

// The values of n, dense and in row-major order, to `to`.
template <class M, unsigned Mask, class N>
void fold(typename reduce_node<M, Mask, N>::value_type* to, reduce_node<M, Mask, N> const& n) {
    using node = reduce_node<M, Mask, N>;
    using T = typename node::value_type;
    constexpr std::size_t S = N::rank, K = node::rank;
    auto const source = n.x.head.extents();
    extents<K> kept;
    extents<S - K> summed;
    std::size_t k = 0, s = 0;
    for (std::size_t r = 0; r != S; ++r) {
        ((Mask >> r & 1U) == 0 ? kept[k++] : summed[s++]) = source[r];
    }
    auto const x = reader(n.x.head, own_loops<S>());
    using X = std::remove_const_t<decltype(x)>;
    auto const parts_of = [](index_t length) {
        return length <= part_length ? 1 : (length + part_length - 1) / part_length;
    };
    index_t const results = kept.size();
    index_t length = parts_of(summed.size());
    storage<T, Device> found(length > 1 ? results * length : 0, false);
    launch(
        results * length,
        part_folder<M, Mask, T, S, K, X>{length > 1 ? found.data() : to, kept, summed, length, x},
        M::name);
    while (length > 1) {
        index_t const parts = parts_of(length);
        storage<T, Device> next(parts > 1 ? results * parts : 0, false);
        launch(results * parts,
               result_folder<M, Mask, T, S, K, X>{found.data(), parts > 1 ? next.data() : to, kept,
                                                  summed, length, parts, x},
               M::name);
        found = std::move(next);
        length = parts;
    }
}

}  // namespace felt::device
