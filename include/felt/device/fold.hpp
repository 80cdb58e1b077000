// SPDX-License-Identifier: BSD-3-Clause
//
// What a reduction folds: items, which are the terms themselves or, where a position is wanted,
// terms with their number; and how terms are found.
#pragma once
#include <felt/device/readers.hpp>

namespace felt::inline FELT_ABI::device {

template <class M, class T>
inline constexpr bool finds_position = std::is_integral_v<T> && requires { typename M::best; };

// A term and its number, below 0 for none. It converts to what a reduction yields.
template <class V>
struct found {
    V value;
    index_t at;

    FELT_FN operator index_t() const { return at; }
};

// How terms V of a reduction M with results T are folded.
template <class M, class T, class V>
struct folding {
    using item = T;

    static FELT_FN item identity() { return M::template identity<T>(); }
    static FELT_FN item of(V const& x, index_t) { return static_cast<T>(x); }
    FELT_FN item operator()(item const& a, item const& b) const {
        return static_cast<T>(M{}(a, b));
    }
};
// Of equal terms the first, in whatever order they meet.
template <class M, class T, class V>
    requires finds_position<M, T>
struct folding<M, T, V> {
    using item = found<V>;

    static FELT_FN item identity() { return {V(), -1}; }
    static FELT_FN item of(V const& x, index_t number) { return {x, number}; }
    FELT_FN item operator()(item const& a, item const& b) const {
        bool const in_order = a.at < b.at;
        item const first = in_order ? a : b, next = in_order ? b : a;
        return first.at < 0 || M::better(next.value, first.value) ? next : first;
    }
};

// Term i of result k, counted in I: the first K loops are those of the result.
template <class F, class I, std::size_t K, std::size_t S, class X>
struct terms {
    loops<K, I> kept;
    loops<S - K, I> summed;
    X x;

    FELT_FN typename F::item operator()(I k, I i) const { return at(place_of(k, i), i); }

    FELT_FN place<S, I> place_of(I k, I i) const {
        auto const outer = kept(k);
        auto const inner = summed(i);
        place<S, I> at;
        for (std::size_t l = 0; l != K; ++l) at[l] = outer[l];
        for (std::size_t l = K; l != S; ++l) at[l] = inner[l - K];
        return at;
    }
    FELT_FN typename F::item at(place<S, I> const& where, I i) const { return F::of(x(where), i); }

    // add(term) for terms i .. end-1.
    template <class Add>
    FELT_FN void each(I k, I i, I end, Add const& add) const {
        while (i < end) i = each_of_row(k, i, end, add);
    }

    // The same as long as the last loop alone goes on, and where they end. Only the first of them
    // takes divisions.
    template <class Add>
    FELT_FN I each_of_row(I k, I i, I end, Add const& add) const {
        auto where = place_of(k, i);
        I const left = static_cast<I>(summed.extent[S - K - 1].by) - where[S - 1];
        if (left < end - i) end = i + left;
        for (; i < end; ++i, ++where[S - 1]) add(at(where, i));
        return end;
    }
};

// The same by the number of a term among all of them, k * n + i.
template <class Terms>
struct counted_terms {
    divisor<> n;
    bool one_result;
    Terms x;

    FELT_FN auto operator()(count_t number) const {
        count_t const k = one_result ? 0 : n.quotient(number);
        return x(k, n.rest(number, k));
    }
};

// Items that were stored: item i of result k at from[i * results + k].
template <class I>
struct stored_items {
    I const* from;
    index_t results;

    template <class Add>
    FELT_FN void each(index_t k, index_t i, index_t end, Add const& add) const {
        for (; i < end; ++i) add(from[i * results + k]);
    }
};

}  // namespace felt::inline FELT_ABI::device
