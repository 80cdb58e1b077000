// SPDX-License-Identifier: BSD-3-Clause
//
// A node as plain data: what its type says, and what the plan decides about it.
#pragma once
#include <felt/expr/view.hpp>
#include <felt/plan/box.hpp>
#include <felt/tensor/owners.hpp>
#include <vector>

namespace felt::planning {

enum class kind : unsigned char {
    leaf,
    scalar,
    generator,
    map,
    once,
    affine,
    general,
    reshape,
    concat,
    gather,
    scatter,
    reduce,
    scan,
    contract
};

// How the value of a node reaches its reader.
enum class way : unsigned char {
    streamed,  // computed, or read from the operand's memory, as its reader asks for it
    scratch,   // box by box in scratch
    hoisted    // whole, in a buffer, before the loops run
};

inline constexpr index_t all_terms = index_t{1} << 40;

struct node_facts {
    kind what;
    char const* name;
    void const* self;                                  // the typed node
    void const* mark = nullptr;                        // of its type
    bool (*same)(void const*, void const*) = nullptr;  // equal own data, if the types are equal
    int end = 0;                                       // one past the last node of this subtree
    int rank = 0;
    index_t extent[max_axes] = {};
    int value_bytes = 0;
    char const* type = "";            // of its elements
    int cost = 0;                     // vector instructions per element, about
    int flops = 0;                    // operations per element
    bool scalar_only = false;         // map: a function of numbers, not batches
    bool may_be_kept = false;         // map: dear enough to be computed once for a block
    bool optional = false;            // once: found by share.hpp
    bool read_again = false;          // leaf: other loops of its statement read its memory too
    void const* data = nullptr;       // leaf; null until a run if it is packed
    felt::detail::owner_t owner = 0;  // leaf: of its memory, where lifetimes are checked
    void const* (*lie_along)(void const*, int) = nullptr;  // packed: makes the copy
    index_t stride[max_axes] = {};             // leaf, in elements; generator: of its index
    axis_rule const* rule = nullptr;           // views
    bool zero_fill = false;                    // views: what is outside of the source is 0
    unsigned mask = 0;                         // reduce
    bool carries = false;                      // its rounding from sum to sum
    int const* label[2] = {nullptr, nullptr};  // contract
    int axis = 0;                              // concat, gather
    int whole = -1;                            // scan: the axis of which its box has all
    bool carried = false;                      // or goes on where the box before it ended

    // Decided by the plan.
    int space = -1;                  // the loops it is read in
    int next = -1;                   // the next node that is read in them
    axis_map at = {};                // its axes by those loops
    int along = -1;                  // packed: the axis along which it is to lie
    index_t offset = 0;              // leaf, generator: the element at loop 0, 0, ...
    index_t by_loop[max_axes] = {};  // leaf, generator: its stride along each loop
    int inner = -1;                  // the loops of its own, if it is not streamed
    way by = way::streamed;
    int kept_along = -1;  // map: computed once for a block, along these loops; -1: for each point
    index_t most_terms = all_terms;  // that a product takes at a time
    bool direct = false;      // a product at the root that writes straight to the destination
    int slot = -1;            // the first node that is the same as this one
    unsigned twins_want = 0;  // of these axes a box has all, for equal nodes to find it there
    int strip = -1;           // its reduced loop that a pass of several statements advances along,
    index_t part = 0;         // or along which it is computed first, by parts of that length
    bool swapped = false;     // contract: the right operand gives the rows
    index_t chunk[3] = {0, 0, 0};  // contract: rows, columns and shared terms packed at a time
    bool left_in_place = false, right_in_place = false;  // contract: operands that are not packed
    bool left_boxed = false;                             // the left one lies in a box of scratch,
    unsigned boxed_whole = 0;             // which is made ready for all of these shared labels
    int last_shared = -1, last_row = -1;  // contract: the labels that come last of theirs
    double work = 0;  // operations to compute all of it once, with what is below
    double recompute = 1;
    index_t scratch_bytes = 0;
    index_t held[max_axes] = {};  // extents of the box it holds at a time
    int strip_axis = -1;  // once: for the strip of a pass along this axis, and all of the others
    index_t strip_extent = 0;
    void* home = nullptr;  // kept in a destination, whose strides are in `stride`
    char const* why = "";
};

using graph = std::vector<node_facts>;

// Whether the box of node f lies as its operand is read.
inline bool lies_as_operand(node_facts const& f) {
    return f.what == kind::once || f.what == kind::scan;
}

// Whether nodes a and b compute the same: equal types, equal own data, equal operands.
inline bool same_value(graph const& g, int a, int b) {
    int const length = g[static_cast<std::size_t>(a)].end - a;
    if (g[static_cast<std::size_t>(b)].end - b != length) return false;
    for (int i = 0; i < length; ++i) {
        node_facts const& x = g[static_cast<std::size_t>(a + i)];
        node_facts const& y = g[static_cast<std::size_t>(b + i)];
        if (x.mark != y.mark || !x.same(x.self, y.self)) return false;
    }
    return true;
}

}  // namespace felt::planning
