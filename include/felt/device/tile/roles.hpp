// SPDX-License-Identifier: BSD-3-Clause
//
// Which loops of a statement are the rows, the columns and the batch of the product in it: those
// that only its left operand follows, only the right one, and both (or neither).
#pragma once
#include <felt/device/host_apply.hpp>
#include <felt/device/tile/operand_order.hpp>
#include <felt/expr/contract.hpp>
#include <felt/expr/map.hpp>
#include <felt/expr/once.hpp>
#include <felt/expr/reduce.hpp>
#include <felt/expr/view.hpp>

namespace felt::inline FELT_ABI::device {

// A product in an expression and where its axes are: f(product, axes) for each that is reached by
// maps and affine views alone.
template <class N, std::size_t V, std::size_t R, class F>
void for_each_product(N const&, axes<V, R> const&, F const&) {}
template <class A, class B, std::size_t V, std::size_t S, std::size_t R, class F>
void for_each_product(contract_node<A, B, V, S> const& n, axes<V, R> const& m, F const& f) {
    f(n, m);
}
template <class G, class... X, std::size_t V, std::size_t R, class F>
void for_each_product(map_node<G, X...> const& n, axes<V, R> const& m, F const& f) {
    spread([&](auto const&... x) { (for_each_product(x, broadcast(m, x.extents()), f), ...); },
           n.operands());
}
template <class X, std::size_t V, std::size_t R, class F>
void for_each_product(view_node<view_kind::affine, X, V> const& n, axes<V, R> const& m,
                      F const& f) {
    for_each_product(n.x.head, through(n.map, m), f);
}
template <class X, std::size_t V, std::size_t R, class F>
void for_each_product(once_node<X> const& n, axes<V, R> const& m, F const& f) {
    for_each_product(n.x.head, m, f);
}

// A product under a pool: its axes are functions of the window, too.
template <class M, unsigned Mask, class X, std::size_t V, std::size_t R, class F>
    requires(plain_products<X> == 1)
void for_each_product(
    reduce_node<M, Mask,
                view_node<view_kind::affine, view_node<view_kind::general, X, V>, V + 2>> const& n,
    axes<V, R> const& m, F const& f) {
    auto const& windows = n.x.head;
    if (!is_pool_of_four(windows)) return;
    for_each_product(windows.x.head.x.head, under_pool(windows, m), f);
}

// Products that differ in where they begin along one axis, in up to four equal steps: slices of
// one, as the gates of a recurrent layer. Step 0 if they lie otherwise.
template <std::size_t V, std::size_t R>
group_slots slots_of(std::vector<axes<V, R>> const& all, extents<V> const& e) {
    group_slots slots;
    index_t last = 0;
    for (std::size_t v = 0; v != V; ++v) {
        std::vector<index_t> begin;
        for (auto const& m : all) begin.push_back(m.offset[v]);
        std::sort(begin.begin(), begin.end());
        if (begin.front() == begin.back()) continue;
        if (slots.step != 0) return {};
        index_t const step =
            *std::upper_bound(begin.begin(), begin.end(), begin.front()) - begin[0];
        slots = {v, begin.front(), step};
        last = begin.back();
        for (index_t b : begin) {
            if ((b - slots.first) % step != 0) return {};
        }
    }
    for (auto const& m : all) {
        for (std::size_t v = 0; v != V; ++v) {
            if (!(m.coef[v] == all[0].coef[v])) return {};
        }
    }
    bool const fits = slots.step > 0 && last <= slots.first + 3 * slots.step &&
                      slots.first + 4 * slots.step <= e[slots.axis];
    return fits ? slots : group_slots{};
}
// Whether an axis of a product's result is one of rows or columns, not of its batch.
template <class P>
bool is_of_one_operand(P const& p, std::size_t axis) {
    auto const has = [&](auto const& x, int const* label) {
        auto const e = x.extents();
        bool found = false;
        for (std::size_t v = 0; v != e.rank; ++v) {
            found = found || (label[v] == static_cast<int>(axis) && e[v] != 1);
        }
        return found;
    };
    return has(p.x.head, p.a_label) != has(p.x.tail.head, p.b_label);
}
// The axes of the four together, whose first is at m.
template <std::size_t V, std::size_t R>
axes<V, R + 1> with_members(axes<V, R> const& m, group_slots const& slots) {
    axes<V, R + 1> to{};
    for (std::size_t v = 0; v != V; ++v) {
        to.offset[v] = m.offset[v];
        std::copy(m.coef[v].begin(), m.coef[v].end(), to.coef[v].value);
    }
    to.offset[slots.axis] = slots.first;
    to.coef[slots.axis][R] = slots.step;
    return to;
}

// R loops of the statement (and of its groups), then the S of the sum.
template <class P, std::size_t R>
struct product_loops {
    static constexpr std::size_t S = P::summed, L = R + S;
    using left = decltype(P{}.x.head);
    using right = decltype(P{}.x.tail.head);

    extents<L> loops;
    axes<left::rank, L> a;
    axes<right::rank, L> b;
    loop_order batch, rows, columns, terms;
};

// Of an operand of a product: `label` of its axes, those of the result are at m.
template <std::size_t X, std::size_t V, std::size_t R, std::size_t L>
void operand_axes(axes<X, L>& to, extents<X> const& e, int const* label, axes<V, R> const& m) {
    for (std::size_t x = 0; x != X; ++x) {
        auto const l = static_cast<std::size_t>(label[x]);
        if (e[x] == 1) continue;
        if (l >= V) {
            to.coef[x][R + l - V] = 1;
            continue;
        }
        to.offset[x] = m.offset[l];
        std::copy(m.coef[l].begin(), m.coef[l].end(), to.coef[x].value);
    }
}
template <std::size_t X, std::size_t L>
bool follows(axes<X, L> const& m, std::size_t loop) {
    bool found = false;
    for (std::size_t x = 0; x != X; ++x) found = found || m.coef[x][loop] != 0;
    return found;
}

// The roles of loops e of a statement that holds product p, whose axes are at m. The rows and
// columns that lie side by side in the destination run fastest.
template <class P, std::size_t R>
product_loops<P, R> roles_of(P const& p, axes<P::rank, R> const& m, extents<R> const& e,
                             extents<R> const& stride) {
    product_loops<P, R> to{};
    auto const all = p.label_extents();
    for (std::size_t s = 0; s != P::summed; ++s) {
        to.loops[R + s] = all[P::rank + s];
        to.terms.push_back(R + s);
    }
    operand_axes(to.a, p.x.head.extents(), p.a_label, m);
    operand_axes(to.b, p.x.tail.head.extents(), p.b_label, m);
    for (std::size_t r = 0; r != R; ++r) {
        to.loops[r] = e[r];
        bool const by_a = follows(to.a, r), by_b = follows(to.b, r);
        (by_a == by_b ? to.batch : by_a ? to.rows : to.columns).push_back(r);
    }
    for (loop_order* order : {&to.rows, &to.columns}) {
        std::stable_sort(order->begin(), order->end(), [&](std::size_t x, std::size_t y) {
            return std::abs(stride[x]) > std::abs(stride[y]);
        });
    }
    return to;
}

// The terms of the sum in the order in which memory has them: the operand that is read along them
// decides, the left one if both are.
template <std::size_t L>
void order_terms(loop_order& terms, forms<L> const& a, forms<L> const& b) {
    auto const key = [&](std::size_t l) {
        index_t far = 0;
        for (forms<L> const* x : {&a, &b}) {
            for (auto const& f : x->list) {
                if (f.by[l] == 1) return index_t{x == &a ? -2 : -1};
                far = std::max(far, std::abs(f.by[l]));
            }
        }
        return far;
    };
    std::stable_sort(terms.begin(), terms.end(),
                     [&](std::size_t x, std::size_t y) { return key(x) > key(y); });
}

template <std::size_t L>
index_t extent_of(loop_order const& order, extents<L> const& loops) {
    index_t n = 1;
    for (std::size_t l : order) n *= loops[l];
    return n;
}

}  // namespace felt::inline FELT_ABI::device
