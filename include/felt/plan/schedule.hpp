// SPDX-License-Identifier: BSD-3-Clause
//
// A schedule: what is decided about a graph. It is a value: schedules of one graph are compared and
// the better one is taken.
#pragma once
#include <felt/expr/packed.hpp>
#include <felt/plan/graph.hpp>
#include <felt/plan/product_schedule.hpp>
#include <string>

namespace felt::inline FELT_ABI::planning {

// How the value of a node reaches its reader.
enum class way : unsigned char {
    streamed,  // computed, or read from the operand's memory, as its reader asks for it
    scratch,   // box by box in scratch
    hoisted    // whole, in a buffer, before the loops run
};

// What is decided about a node.
struct placement {
    way by = way::streamed;
    bool read_again = false;     // leaf: other loops of its statement read its memory too
    bool carried = false;        // scan: its box goes on where the box before it ended
    axis_id along;               // packed: the axis along which it is to lie,
    void const* data = nullptr;  // and the copy that lies so
    index_t offset = 0;
    index_t stride[max_axes] = {};  // of that copy, or of the destination that it is kept in
    index_t by_loop[max_axes] = {};
    int kept_along = -1;  // map: computed once for a block, along these loops; -1: for each point
    bool fixed = false;   // and then no more: nothing below is computed block by block
    bool carries_rounding = false;  // reduce: from sum to sum, as so many meet in a result
    bool computes_source = false;   // general view: its source is computed where its elements are
    axis_id lane_axis;             // its axis that the reader's lanes follow; the last if none does
    node_id slot;                  // the first node that is the same as this one
    unsigned wanted_by_equal = 0;  // of these axes a box has all, for equal nodes to find it there
    loop_id strip;            // its reduced loop that a pass of several statements advances along,
    index_t part = 0;         // or along which it is computed first, by parts of that length
    bool recomputed = false;  // although an equal node was computed before: in another box
    index_t held[max_axes] = {};  // extents of the box it holds at a time
    axis_id strip_axis;  // once: for the strip of a pass along this axis, and all of the others
    index_t strip_extent = 0;
    void* reused = nullptr;    // kept in a destination, whose strides are in `stride`,
    bool past_caches = false;  // which is large: rows of memory are copied past the caches
    char const* why = "";
};

// What is decided about the loops of a space.
struct loop_schedule {
    loop_id lane;                  // the loop that runs along SIMD lanes; -1: rank 0
    loop_id columns;               // the loop that the columns of products follow; -1: the lanes
    index_t block[max_axes] = {};  // the box of one step
    loop_id order[max_axes] = {};  // loops from outermost to innermost
    unsigned summed_rows = 0;      // the loops over which rows are summed, a bit each
    index_t mirror = 0;            // > 0: squares of that side, (i, j) and then (j, i)
    node_id fetched;               // a leaf of which the next block is fetched early,
    index_t fetch_step = 0;        // and how far away that is, in elements

    void run_along(loop_id l) {
        lane = l;
        columns = {};
    }
    loop_id columns_along() const { return columns >= 0 ? columns : lane; }
};

// What is decided about a statement.
struct statement_schedule {
    bool temporary = false;  // evaluated aside first, because it reads what it writes
    char const* why = "";
    loop_id strip;             // the loop along which its pass advances; -1: it accumulates
    bool accumulates = false;  // complete only after the last strip
    bool streaming = false;    // results go past the caches
    short_list<special_case const*, 8> special;
};

// Pieces of one of a statement's loops, one for each task; loop -1: all of them are one task.
struct tasks {
    loop_id loop;
    index_t step = 0;
    long count = 1;

    box part(box whole, long i) const {
        if (loop < 0) return whole;
        whole.lo[loop] = i * step;
        if (i + 1 < count) whole.hi[loop] = whole.lo[loop] + step;
        return whole;
    }
};

// Statements first .. last-1 in one pass, strip by strip. A statement alone has one strip, all of
// it: extent and strip are 1.
struct pass_facts {
    statement_id first = 0, last = 1;
    index_t extent = 1;               // of the axis that all of them share
    index_t strip = 1;                // how much of it at a time
    std::string why = {};             // the reason why the next statement is not in this pass
    index_t part = 0;                 // strips are shared out by so much of the axis; 0: all of it
    tasks shared_out = {};            // of a statement alone: what threads share out
    std::vector<node_id> sums = {};   // the nodes that grow strip by strip
    std::vector<node_id> ahead = {};  // sums that are computed before the pass, in this order

    bool alone() const { return last == first + 1; }
    long parts() const { return part > 0 ? static_cast<long>((extent + part - 1) / part) : 1; }
    id_range<statement_id> statements() const { return {first, last}; }
};

// An axis of the first of equal nodes follows these loops of a space around both.
struct equal_axis {
    node_id id;  // of the other one
    axis_id axis;
    space_id space;
    unsigned loops;
};

class schedule {
public:
    table<node_id, placement> nodes;
    table<space_id, loop_schedule> spaces;
    table<product_id, product_schedule> products;
    table<statement_id, statement_schedule> statements;
    std::vector<pass_facts> passes;
    std::vector<equal_axis> equal_axes;

    schedule() = default;
    // Nothing is decided yet: what has loops of its own is computed box by box, each of them whole.
    FELT_PLANNING explicit schedule(graph const& g)
        : nodes(g.nodes.size()),
          spaces(g.spaces.size()),
          products(g.products.size()),
          statements(g.statements.size()) {
        for (node_id id : g.nodes.ids()) {
            node const& f = g[id];
            if (f.inner) nodes[id].by = way::scratch;
            if (f.lie_along != nullptr) lie_as_described(f, nodes[id]);
        }
        for (space_id sp : g.spaces.ids()) {
            loop_space const& in = g[sp];
            loop_schedule& to = spaces[sp];
            copy_axes(to.block, in.extent, in.rank);
            for (loop_id l : in.loops()) to.order[l] = l;
            to.lane = loop_id(in.rank - 1);
        }
    }

    placement& operator[](node_id id) { return nodes[id]; }
    placement const& operator[](node_id id) const { return nodes[id]; }
    loop_schedule& operator[](space_id sp) { return spaces[sp]; }
    loop_schedule const& operator[](space_id sp) const { return spaces[sp]; }
    product_schedule& operator[](product_id p) { return products[p]; }
    product_schedule const& operator[](product_id p) const { return products[p]; }
    statement_schedule& operator[](statement_id k) { return statements[k]; }
    statement_schedule const& operator[](statement_id k) const { return statements[k]; }

    // A packed leaf is contiguous along its last axis, until the plan has it lie along axis a.
    static void lie_as_described(node const& f, placement& to) {
        to.along = axis_id(f.rank - 1);
        to.offset = f.offset;
        copy_axes(to.stride, f.stride, f.rank);
        copy_axes(to.by_loop, f.by_loop, f.at.loops);
    }
    static void lie_along(node const& f, placement& to, axis_id a) {
        to.along = a;
        felt::detail::packed_strides(f.extent, f.rank, a, f.value_bytes, to.stride);
        detail::locate(f.at, to.stride, to.offset, to.by_loop);
    }
};

// Where the elements of a leaf lie, or the numbers of a generator's: a packed leaf as it is to be
// packed.
inline void const* data_of(graph const& g, schedule const& s, node_id id) {
    return g[id].lie_along != nullptr ? s[id].data : g[id].data;
}
inline index_t offset_of(graph const& g, schedule const& s, node_id id) {
    return g[id].lie_along != nullptr ? s[id].offset : g[id].offset;
}
inline index_t const* strides_of(graph const& g, schedule const& s, node_id id) {
    return g[id].lie_along != nullptr ? s[id].stride : g[id].stride;
}
inline index_t const* by_loop_of(graph const& g, schedule const& s, node_id id) {
    return g[id].lie_along != nullptr ? s[id].by_loop : g[id].by_loop;
}

// Whether node id finds its values in the box of an equal one, or in its buffer.
inline bool is_reused(schedule const& s, node_id id) {
    placement const& f = s[id];
    return f.by != way::streamed && f.slot && f.slot != id && !f.recomputed;
}

}  // namespace felt::inline FELT_ABI::planning
