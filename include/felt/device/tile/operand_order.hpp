// SPDX-License-Identifier: BSD-3-Clause
//
// make_operand(..): a term and its forms over all loops, parted by which loops are the batch, the
// row and the other index. Loops that all forms walk as one become one.
#pragma once
#include <felt/device/tile/operand.hpp>

namespace felt::inline FELT_ABI::device {

// Loops of one index, the fastest last.
using loop_order = std::vector<std::size_t>;

template <std::size_t L>
bool walk_as_one(forms<L> const& x, std::size_t outer, std::size_t inner, index_t inner_extent) {
    return std::all_of(x.list.begin(), x.list.end(),
                       [&](auto const& f) { return f.by[outer] == f.by[inner] * inner_extent; });
}

template <int N, int F, std::size_t L>
index_steps<N, F> steps_of(forms<L> const& x, loop_order const& order) {
    index_steps<N, F> to{};
    int place = N;
    extents<N> e = felt::detail::ones<N>();
    index_t extent = 1;
    std::size_t outer = 0;
    for (std::size_t i = order.size(); i-- > 0;) {
        std::size_t const l = order[i];
        index_t const own = x.loops[l];
        if (own <= 1) continue;
        if (place < N && walk_as_one(x, l, outer, extent)) {
            extent *= own;
        } else {
            --place;
            extent = own;
            outer = l;
            for (std::size_t f = 0; f < x.list.size(); ++f) {
                to.by[place][f] = static_cast<int>(x.list[f].by[l]);
            }
        }
        e[static_cast<std::size_t>(place)] = extent;
    }
    to.digits = loops<N>(e);
    return to;
}

// Which of a term's numbers lie side by side, or stay, from neighbour to neighbour.
template <int F>
struct neighbours {
    bool aligned[F], still[F];
};

template <int At, int F, class T>
void settle(leaf_term<T>& x, neighbours<F> const& n) {
    auto const address = reinterpret_cast<std::uintptr_t>(x.data);
    x.whole = n.aligned[At] && address % sizeof(packet<T>) == 0;
}
template <int At, int F, class X>
void settle(X&, neighbours<F> const&) {}
template <int At, int F, class X, int Checked>
void settle(window_term<X, Checked>& x, neighbours<F> n) {
    x.together = true;
    for (int i = 0; i < Checked; ++i) {
        x.together = x.together && n.still[At + i];
        for (int f = 0; f < X::numbers; ++f) {
            bool const kept = x.per[i][f] % packet_size == 0;
            bool& aligned = n.aligned[At + Checked + f];
            aligned = aligned && kept;
        }
    }
    settle<At + Checked>(x.x, n);
}
template <int At, int F, class A, class... X>
void settle_each(tuple<A, X...>& x, neighbours<F> const& n) {
    settle<At>(x.head, n);
    if constexpr (sizeof...(X) > 0) settle_each<At + A::numbers>(x.tail, n);
}
template <int At, int F, class G, class T, class... X>
void settle(map_term<G, T, X...>& x, neighbours<F> const& n) {
    settle_each<At>(x.x, n);
}

template <class Term, int R, int S, int Run>
void settle(operand<Term, R, S, Run>& x) {
    constexpr int F = operand<Term, R, S, Run>::F;
    neighbours<F> n;
    auto const& inner = x.along_rows ? x.row.digits.extent[R - 1] : x.other.digits.extent[S - 1];
    auto const kept = [](auto const& of, int f, int but) {
        for (int r = 0; r < but; ++r) {
            if (of.by[r][f] % packet_size != 0) return false;
        }
        return true;
    };
    for (int f = 0; f < F; ++f) {
        int const step = x.along_rows ? x.row.step()[f] : x.other.step()[f];
        n.still[f] = step == 0;
        bool members = Run % packet_size == 0;
        for (auto const& m : x.member) members = members && m[f] % packet_size == 0;
        n.aligned[f] = members && step == 1 && inner.by % packet_size == 0 &&
                       x.begin.v[f] % packet_size == 0 && kept(x.batch, f, R) &&
                       kept(x.row, f, x.along_rows ? R - 1 : R) &&
                       kept(x.other, f, x.along_rows ? S : S - 1);
    }
    settle<0>(x.term, n);
}

// Whether number f of a term says where in memory it reads, and not where a window ends.
template <class Term>
struct reads_memory {
    static constexpr bool by(int f) { return f < Term::numbers; }
};
template <class X, int Checked>
struct reads_memory<window_term<X, Checked>> {
    static constexpr bool by(int f) { return f >= Checked && reads_memory<X>::by(f - Checked); }
};
template <class F, class T, class... X>
struct reads_memory<map_term<F, T, X...>> {
    static constexpr bool by(int f) {
        int first = 0;
        bool found = false;
        ((found = found || (f >= first && reads_memory<X>::by(f - first)), first += X::numbers),
         ...);
        return found;
    }
};

// Whether one digit is all, or neighbours never reach the next one.
template <int N, int F>
bool holds_neighbours(index_steps<N, F> const& x) {
    bool one = true;
    for (int r = 0; r + 1 < N; ++r) one = one && x.digits.extent[r].by == 1;
    return one || x.digits.extent[N - 1].by % packet_size == 0;
}

// What member m of a group adds to form f, if the loops `group` run over its members.
template <std::size_t L>
index_t added_by_member(steps<L> const& f, extents<L> const& loops, loop_order const& group,
                        int m) {
    index_t sum = 0, number = m;
    for (std::size_t i = group.size(); i-- > 0; number /= loops[group[i]]) {
        sum += number % loops[group[i]] * f.by[group[i]];
    }
    return sum;
}

template <int R, int S, int Run = 0, class Term, std::size_t L>
auto make_operand(Term const& t, forms<L> const& x, loop_order const& batch, loop_order const& row,
                  loop_order const& other, loop_order const& group = {}) {
    using to_type = operand<Term, R, S, Run>;
    constexpr int F = to_type::F;
    to_type to{
        t,     {},   steps_of<R, F>(x, batch), steps_of<R, F>(x, row), steps_of<S, F>(x, other), {},
        false, false};
    bool along_rows = false;
    for (std::size_t f = 0; f < x.list.size(); ++f) {
        to.begin.v[f] = static_cast<int>(x.list[f].begin);
        bool const reads = reads_memory<Term>::by(static_cast<int>(f));
        along_rows = along_rows || (reads && to.row.step()[f] == 1);
    }
    for (int m = 0; Run != 0 && m < group_size; ++m) {
        for (std::size_t f = 0; f < x.list.size(); ++f) {
            to.member[m][f] = static_cast<int>(added_by_member(x.list[f], x.loops, group, m));
        }
    }
    to.along_rows = along_rows;
    to.whole = along_rows ? Run != 1 && holds_neighbours(to.row) : holds_neighbours(to.other);
    settle(to);
    if constexpr (is_copied<Term>) {
        if (to.whole && to.term.alike()) {
            if (!along_rows) to.order = neighbour_order::steps;
            else if (to.term.packed()) to.order = neighbour_order::packets;
        }
    }
    return to;
}

}  // namespace felt::inline FELT_ABI::device
