// SPDX-License-Identifier: BSD-3-Clause
//
// A product of a block-diagonal operand, as a convolution in groups has one: a view is 0 but where
// index i of one of the result's labels lies in the block of a shared label's index g,
//
//     each g <= i < each (g + 1)
//
// so that each i has terms at one g only. Such a shared label is a batch of the product.
#pragma once
#include <felt/plan/graph.hpp>

namespace felt::inline FELT_ABI::planning {

namespace detail {

// Of operand x of product id, whose axes have these labels.
FELT_PLANNING inline block_diagonal diagonal_in(graph const& g, node_id id, node_id x,
                                                int const* label) {
    node const &view = g[x], &source = g[x + 1];
    if (view.what != kind::general || !view.inner || !view.zero_fill) return {};
    for (axis_id a : source.axes()) {
        axis_rule const& r = view.rule[a];
        bool const meets = r.out1 >= 0 && r.out2 >= 0 && r.stride == 1 && r.offset == 0;
        if (!meets || r.divide != 1 || r.dilation != -source.extent[a]) continue;
        block_diagonal const d{label_id(label[r.out1]), label_id(label[r.out2]), -r.dilation};
        if (d.of < g[id].rank && d.term >= g[id].rank && d.each > 0) return d;
    }
    return {};
}

}  // namespace detail

// Of product id; none if both its operands are dense.
FELT_PLANNING inline block_diagonal find_diagonal(graph const& g, node_id id) {
    block_diagonal d;
    for (int side = 0; side < 2 && !d.any(); ++side) {
        d = detail::diagonal_in(g, id, g.operand(id, side), g[id].label[side]);
    }
    return d;
}

// How many of the products of all labels are 0 for one that is not.
inline index_t blocks_of(graph const& g, node_id id) {
    block_diagonal const& d = g[g[id].product].diagonal;
    return d.any() ? g[g[id].inner].extent[d.term] : 1;
}

}  // namespace felt::inline FELT_ABI::planning
