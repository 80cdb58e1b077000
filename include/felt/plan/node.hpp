// SPDX-License-Identifier: BSD-3-Clause
//
// A node as plain data: what its type says, and how it moves with the loops that it is read in.
#pragma once
#include <felt/expr/view.hpp>
#include <felt/plan/box.hpp>
#include <felt/plan/ids.hpp>
#include <felt/tensor/owners.hpp>

namespace felt::inline FELT_ABI::planning {

using kind = node_kind;

struct node {
    // Its type and its operands.
    kind what;
    char const* name;
    void const* self;                                  // the typed node
    void const* mark = nullptr;                        // of its type
    bool (*same)(void const*, void const*) = nullptr;  // equal own data, if the types are equal
    node_id end;                                       // one past the last node of this subtree
    int rank = 0;
    index_t extent[max_axes] = {};
    int value_bytes = 0;
    char const* type = "";            // of its elements
    int cost = 0;                     // vector instructions per element, about
    int flops = 0;                    // operations per element
    bool scalar_only = false;         // map: a function of numbers, not batches
    bool may_be_kept = false;         // map: expensive enough to be computed once for a block
    bool optional = false;            // once: found by cse_plan.hpp
    void const* data = nullptr;       // leaf; null until a run if it is packed
    felt::detail::owner_t owner = 0;  // leaf: of its memory, where lifetimes are checked
    void const* (*lie_along)(void const*, int) = nullptr;  // packed: makes the copy
    index_t stride[max_axes] = {};             // leaf, in elements; generator: of its index
    axis_rule const* rule = nullptr;           // views
    bool zero_fill = false;                    // views: what is outside of the source is 0
    unsigned mask = 0;                         // reduce: the loops of its own that it sums over
    bool carries = false;                      // its rounding from sum to sum
    int const* label[2] = {nullptr, nullptr};  // contract
    bool carries_softmax = false;              // contract: along its terms, of the left operand
    product_id product;                        // contract, once it has loops
    axis_id axis{0};                           // concat, gather, scatter
    axis_id whole;                             // scan: the axis of which its box has all
    signed char follows[2][max_axes] = {};     // see axis_followed(); 0: none

    // Its loops.
    space_id space;                  // the loops it is read in
    node_id next;                    // the next node that is read in them
    axis_map at = {};                // its axes by those loops
    index_t offset = 0;              // leaf, generator: the element at loop 0, 0, ...
    index_t by_loop[max_axes] = {};  // leaf, generator: its stride along each loop
    space_id inner;                  // the first of the loops of its own, if it has any
    double work = 0;                 // operations to compute all of it once, with what is below

    id_range<axis_id> axes() const { return first_of<axis_id>(rank); }

    // The axis of this node that axis l of an operand follows step by step, the first's or the
    // second's; of a product, that label l gives. -1: none.
    axis_id axis_followed(int side, int l) const { return axis_id(follows[side][l] - 1); }
    void follow(int side, int l, int own) { follows[side][l] = static_cast<signed char>(own + 1); }
};

// How a reduction numbers the axes that it keeps of so many.
inline void number_kept_axes(node& f, int loops) {
    for (int l = 0, a = 0; l < max_axes; ++l) {
        f.follow(0, l, l >= loops || (f.mask >> l & 1U) != 0 ? -1 : a++);
    }
}

// What its kind says of node f.
constexpr kind_trait const& trait_of(node const& f) { return felt::trait_of(f.what); }
// Whether the box of node f lies as its operand is read.
inline bool lies_as_operand(node const& f) { return trait_of(f).lies_as_operand; }

namespace detail {

// Where the first element lies and how far it is to the next one along each loop, of axes that
// follow the loops by `at` and have these strides.
inline void locate(axis_map const& at, index_t const* stride, index_t& offset, index_t* by_loop) {
    offset = 0;
    for (loop_id l : at.all_loops()) by_loop[l] = 0;
    for (axis_id a : at.all_axes()) {
        offset += at.offset[a] * stride[a];
        for (loop_id l : at.all_loops()) by_loop[l] += at.coef[a][l] * stride[a];
    }
}

inline double elements(node const& f) {
    double n = 1;
    for (axis_id a : f.axes()) n *= static_cast<double>(f.extent[a]);
    return n;
}
inline index_t elements_of(node const& f) {
    index_t n = 1;
    for (axis_id a : f.axes()) n *= f.extent[a];
    return n;
}

}  // namespace detail

}  // namespace felt::inline FELT_ABI::planning
