// SPDX-License-Identifier: BSD-3-Clause
//
// What a plan for a device consists of: launches in their order, the loops of each, and which of
// them computes which node.
#pragma once
#include <felt/plan/ids.hpp>
#include <felt/plan/box.hpp>
#include <algorithm>
#include <string>

namespace felt::inline FELT_ABI::device {

using planning::max_axes;
using planning::node_id;
using planning::statement_id;

enum class form : unsigned char {
    transform,  // a statement or a node over memory that is walked in order
    loops,      // the same over loops
    whole,      // a full reduction
    rows,       // a reduction of rows
    parts,      // any reduction: parts side by side, then their results
    lines,      // a thread for each line across an axis
    product
};

// The loops of a launch: those of one index come first, neighbours that everything walks as one
// are one. axis[l] is the axis of the destination that loop l moves, -1 if none. Reductions have
// loops over their operand: first the axes that stay, then, from `kept` on, those that do not.
struct walk {
    int rank = 0, kept = 0;
    index_t extent[max_axes];
    int axis[max_axes];
    index_t reach[max_axes] = {};  // the largest step in memory
    bool in_order = false;         // one loop, along which all step from neighbour to neighbour

    index_t size() const {
        index_t n = 1;
        for (int l = 0; l < rank; ++l) n *= extent[l];
        return n;
    }
    // Whether numbers of elements and offsets fit what kernels count in.
    bool is_countable() const;
};

struct launch_facts {
    form how = form::loops;
    node_id node;              // what it computes; none: statements
    statement_id first, last;  // statements first .. last-1, which are written
    walk loops = {};
    index_t part = 0;                // of a reduction by parts
    std::vector<node_id> live = {};  // the nodes that it reads, apart from what was computed before
    std::string why = {};            // there is a tensor for this node

    planning::id_range<statement_id> statements() const { return {first, last}; }
};
using launch_id = planning::id<launch_facts>;

// Statements first .. last-1 in one launch.
struct pass_facts {
    statement_id first = 0, last = 1;
    launch_id launch = {};
    std::string why = {};  // the next statement is not in it

    planning::id_range<statement_id> statements() const { return {first, last}; }
};

inline bool walk::is_countable() const {
    constexpr double most = 2147483647.0;
    double n = 1, span = 0;
    for (int l = 0; l < rank; ++l) {
        n *= static_cast<double>(extent[l]);
        span +=
            static_cast<double>(reach[l]) * static_cast<double>(std::max<index_t>(extent[l], 1));
    }
    return n <= most && span <= most;
}

// Calls f(loops, offset) for pieces of a walk that are countable; offset[l] is where loop l begins.
template <class F>
void in_pieces(walk const& w, F const& f, index_t const (&offset)[max_axes] = {}) {
    if (w.is_countable()) return f(w, offset);
    int widest = 0;
    auto const span = [&](int l) {
        return static_cast<double>(w.extent[l] - 1) * static_cast<double>(w.reach[l] + 1);
    };
    for (int l = 1; l < w.rank; ++l) {
        if (span(l) > span(widest)) widest = l;
    }
    index_t second[max_axes];
    std::copy(offset, offset + max_axes, second);
    walk half = w;
    half.extent[widest] /= 2;
    in_pieces(half, f, offset);
    second[widest] += half.extent[widest];
    half.extent[widest] = w.extent[widest] - half.extent[widest];
    in_pieces(half, f, second);
}

}  // namespace felt::inline FELT_ABI::device
