// SPDX-License-Identifier: BSD-3-Clause
//
// Which products of a statement stay in it: the tile program computes them and hands their sums to
// the rest of the statement. The others are computed before, into memory.
#pragma once
#include <felt/device/plan.hpp>
#include <felt/device/tile/roles.hpp>
#include <felt/expr/map.hpp>
#include <felt/expr/once.hpp>
#include <felt/expr/reduce.hpp>
#include <felt/expr/view.hpp>
#include <optional>

namespace felt::inline FELT_ABI::device {

// Those that may stay, by type: plain ones, or one under a pool.
template <class N>
inline constexpr int pooled_products = 0;
template <class F, class... X>
inline constexpr int pooled_products<map_node<F, X...>> = (0 + ... + pooled_products<X>);
template <class X>
inline constexpr int pooled_products<once_node<X>> = pooled_products<X>;
template <class M, unsigned Mask, class X, std::size_t R>
    requires(R >= 2 && X::rank == R - 2 && Mask == 3U << (R - 2))
inline constexpr int pooled_products<reduce_node<
    M, Mask, view_node<view_kind::affine, view_node<view_kind::general, X, R - 2>, R>>> =
    finds_position<M, typename M::template result<typename X::value_type>> ? 0 : plain_products<X>;

template <class N>
inline constexpr bool is_pooled = false;
template <class M, unsigned Mask, class X>
inline constexpr bool is_pooled<reduce_node<M, Mask, X>> =
    pooled_products<reduce_node<M, Mask, X>> > 0;

template <class N, std::size_t R>
inline constexpr bool may_keep_products =
    N::rank == R && (pooled_products<N> == 0 ? plain_products<N> > 0
                                             : pooled_products<N> == 1 && plain_products<N> == 0);

// Whether nothing that is computed before has products: none of them can be in memory already.
template <class N>
consteval int all_products();
template <class... X>
consteval int all_products_of(tuple<X...> const*) {
    return (0 + ... + all_products<X>());
}
template <class N>
consteval int all_products() {
    int const below = all_products_of(static_cast<operands_of<N> const*>(nullptr));
    return below + (requires { &N::label_extents; } ? 1 : 0);
}
template <class N>
inline constexpr bool keeps_always = all_products<N>() == plain_products<N>;

// Where all products of n that have the type of P are.
template <class P, class N, std::size_t R>
auto places_of(N const& n, axes<R, R> const& own) {
    std::vector<axes<P::rank, R>> all;
    for_each_product(n, own, [&]<class Q, class M>(Q const&, M const& m) {
        if constexpr (std::is_same_v<P, Q> && std::is_same_v<M, axes<P::rank, R>>) all.push_back(m);
    });
    return all;
}

// How products equal to p at these places share their sums: all have the same (step 0), they are
// slices in equal steps, or neither.
template <class P, std::size_t V, std::size_t R>
std::optional<group_slots> shared_sums(P const& p, std::vector<axes<V, R>> const& all) {
    bool same = true;
    for (auto const& m : all) {
        same = same && m.offset == all[0].offset;
        for (std::size_t v = 0; v != V; ++v) same = same && m.coef[v] == all[0].coef[v];
    }
    if (same) return group_slots{};
    auto const slots = slots_of(all, p.extents());
    bool const fits = slots.step > 0 && is_of_one_operand(p, slots.axis);
    return fits ? std::optional(slots) : std::nullopt;
}

// The products that may stay in the tree of node id, in order.
inline std::vector<node_id> products_of(plan const& p, node_id id) {
    if (p.g[id].what == kind::contract) return {id};
    if (folds_windows(p, id)) return products_of(p, id + 3);  // windows, border
    std::vector<node_id> all;
    if (!reads_in_step(p.g[id])) return all;
    for (node_id x : p.g.operands(id)) {
        for (node_id product : products_of(p, x)) all.push_back(product);
    }
    return all;
}

// Keeps what may stay in expression n of a statement, node `root` of the graph.
template <std::size_t R, class N>
kept keep_products(N const& n, plan& p, node_id root) {
    kept found = kept::none;
    if constexpr (may_keep_products<N, R>) {
        auto const ids = products_of(p, root);
        bool equal = true;
        for (node_id id : p.g.subtree(root)) {
            bool const same = same_value(p.g, ids[0], id);
            bool const own = std::find(ids.begin(), ids.end(), id) != ids.end();
            if (!keeps_always<N> && same && !own) return kept::none;  // it is in memory
            equal = equal && (same || !own);
        }
        auto const own = broadcast(own_loops<R>(), n.extents());
        for_each_product(n, own, [&]<class P, class M>(P const& product, M const&) {
            if (found != kept::none) return;
            found = kept::all;
            if constexpr (plain_products<N> > 1) {
                auto const all = places_of<P>(n, own);
                bool const together =
                    equal && all.size() == ids.size() && shared_sums(product, all).has_value();
                if (!together) found = kept::first;
            }
        });
        for (node_id id : ids) {
            p[id].is_kept = found == kept::all || (found == kept::first && id == ids[0]);
        }
    }
    return found;
}

}  // namespace felt::inline FELT_ABI::device
