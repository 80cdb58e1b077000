// SPDX-License-Identifier: BSD-3-Clause
//
// What a statement takes, about, in nanoseconds of one core: to compare two schedules of it, not to
// foretell a time. Counted are the points of all loops with the functions evaluated at each, rows,
// boxes that are asked for, terms of products, what is packed, and what buffers move.
#pragma once
#include <felt/plan/caches.hpp>
#include <felt/plan/constants.hpp>
#include <felt/plan/1_analysis/aliasing.hpp>
#include <felt/plan/5_hoisting/recomputed.hpp>

namespace felt::inline FELT_ABI::planning::detail {

// The streaming nodes and leaves that are read in each space, by the point.
inline work_counts at_a_point(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    work_counts n;
    double const wide = static_cast<double>(f.value_bytes) / 4;
    if (s[id].by == way::hoisted || s[id].kept_along >= 0) {
        n.points = wide;
        return n;
    }
    switch (f.what) {
        case kind::map:
        case kind::generator:
            (f.scalar_only ? n.by_element : n.operations) =
                std::max(1, f.cost) * (f.scalar_only ? 1 : wide);
            break;
        case kind::leaf: {
            loop_id const lane = s[f.space].lane;
            index_t const step = lane < 0 ? 0 : by_loop_of(g, s, id)[lane];
            (step != 0 && step != 1 ? n.staged : n.points) = wide;
            break;
        }
        case kind::scalar:
            break;
        default:
            n.points = wide;  // read from a box
    }
    return n;
}

// A product computes whole tiles: few rows or columns leave most of a tile idle.
inline work_counts of_product(graph const& g, schedule const& s, node_id id, node_run const& run) {
    node const& f = g[id];
    contraction_axes const& axes = s[f.product].axes;
    double rows = 1, columns = 1;
    work_counts n;
    n.products = run.asked;
    for (label_id l : axes.m) rows *= run.length[l];
    for (label_id l : axes.n) columns *= run.length[l];
    for (label_id l : axes.batch) n.products *= run.length[l];
    loop_space const& in = g[f.inner];
    double terms = n.products;
    for (loop_id l{f.rank}; l < in.rank; ++l) terms *= static_cast<double>(in.extent[l]);
    double const wide = static_cast<double>(f.value_bytes) / 4;
    n.terms = wide * terms * (rows + 2) * (columns + 16);
    return n;
}

// Calls f(id, phase) for the nodes that are read, in which phase: equal nodes are computed in the
// first's.
template <class F>
void for_each_phase(graph const& g, schedule const& s, node_id id, node_id phase, F&& f) {
    f(id, phase);
    if (is_reused(s, id)) return;
    node_id const below = s[id].by == way::hoisted ? id : phase;
    for (node_id c : g.operands(id)) for_each_phase(g, s, c, below, f);
}

// To move so many bytes once, which were last touched when all of them were. The second cache gives
// them twice as fast as the last one.
inline work_counts traffic(double bytes) {
    work_counts n;
    if (bytes > caches().last) n.far_bytes = bytes;
    else if (bytes > caches().first) n.near_bytes = bytes > caches().second ? bytes : bytes / 2;
    return n;
}

struct moved_bytes {
    work_counts once;   // the destination, and what is read first
    work_counts again;  // what is read after other loops have run, which a fused statement spares
};

// Hoisted values are written first; they, and leaves that several of them read, are read again.
FELT_PLANNING inline moved_bytes traffic_of(graph const& g, schedule const& s, node_id root) {
    struct reading {
        void const* data;
        node_id phase;  // the hoisted node that is computed then; none: the statement
    };
    std::vector<reading> seen;
    moved_bytes all{traffic(elements(g[root]) * g[root].value_bytes), {}};
    for_each_phase(g, s, root, {}, [&](node_id id, node_id phase) {
        node const& f = g[id];
        bool const value = s[id].by == way::hoisted;
        if (!value && (f.what != kind::leaf || f.data == nullptr)) return;
        work_counts const bytes = traffic(elements(f) * f.value_bytes);
        if (value && !is_reused(s, id)) all.again += bytes;
        void const* const data = value ? &g[s[id].slot ? s[id].slot : id] : f.data;
        bool again = value;
        for (reading const& r : seen) {
            if (r.data != data) continue;
            if (r.phase == phase) return;
            again = true;
        }
        seen.push_back({data, phase});
        (again ? all.again : all.once) += bytes;
    });
    return all;
}

// Whether rows of a leaf with these strides go on at the next index of loop l: in memory, as one
// value, or as a short row that a reader repeats along the innermost of its loops.
inline bool continues_row(loop_space const& in, index_t const* by_loop, loop_id l) {
    if (nests(in.extent, l, by_loop, nesting::row_major)) return true;
    bool moves = false, repeats = true;
    for (int k = l + 1; k < in.rank; ++k) {
        moves = moves || by_loop[k] != 0;
        repeats = repeats && (by_loop[k] != 0 || in.extent[k] <= 1);
    }
    index_t const row = repeated_by(in, by_loop);
    repeats = repeats && row > 0 && row * in.extent[l] <= repeated_elements;
    return by_loop[l] == 0 && (!moves || repeats);
}

// How far the rows of a space reach: those of memory that goes on are one.
inline double row_length(graph const& g, schedule const& s, space_id sp, space_run const& run) {
    loop_space const& in = g[sp];
    loop_id const lane = s[sp].lane;
    if (lane < 0) return 1;
    double n = std::max(1.0, run.length[lane]);
    for (loop_id l{lane - 1}; l >= 0 && n < 512; --l) {
        bool const whole = run.length[l + 1] >= static_cast<double>(in.extent[l + 1]);
        bool joins = whole;
        for (node_id id : g.read_in(sp)) {
            bool const reads = s[id].by == way::streamed && reads_memory(g[id]);
            if (reads) joins = joins && continues_row(in, by_loop_of(g, s, id), l);
            joins = joins && !finds_rows(g, s, id);
        }
        if (!joins) break;
        n *= std::max(1.0, run.length[l]);
    }
    return n;
}

// Whether product id reads the operand in space sp where it lies.
inline bool is_read_in_place(graph const& g, schedule const& s, node_id id, space_id sp) {
    product_schedule const& p = s[g[id].product];
    return p.is_left(sp - g[id].inner) ? p.left_in_place : p.right_in_place;
}

// What is written into boxes that the first cache does not hold, and read from there.
inline work_counts moved_by_boxes(graph const& g, schedule const& s, node_id id,
                                  node_run const& run) {
    if (s[id].by == way::hoisted) return {};
    return traffic(run.box() * g[id].value_bytes) * (2 * run.asked);
}

struct estimated_time {
    double all = 0;
    double repeated = 0;  // of it, for what is moved again between loops
};

// Whether indices pick or add elements along the lanes, one by one.
inline bool picks_elements(graph const& g, schedule const& s, node_id id) {
    kind const what = g[id].what;
    bool const indexed = what == kind::gather || what == kind::scatter;
    return indexed && axis_of_lanes(g, s, id) == g[id].axis;
}

FELT_PLANNING inline work_counts counts_of(graph const& g, schedule const& s, node_id root,
                                           space_id over) {
    loop_nests const around(g, s, root, over);
    work_counts all;
    table<space_id, work_counts> each(g.spaces.size());
    node_id kept;  // what is read below a function whose values are kept is not read at each point
    for (node_id id : g.subtree(root)) {
        node const& f = g[id];
        node_run const& run = around.of(id);
        if (id >= kept || f.inner) each[f.space] += at_a_point(g, s, id);
        if (s[id].kept_along >= 0) kept = f.end;
        if (!f.inner || run.asked == 0 || finds_rows(g, s, id)) continue;
        all.boxes += run.asked;
        all += moved_by_boxes(g, s, id, run);
        if (f.what == kind::contract) all += of_product(g, s, id, run);
        else (picks_elements(g, s, id) ? all.by_element : all.points) += run.asked * run.box();
    }
    for (space_id sp : g.spaces.ids()) {
        if (!g[sp].first) continue;
        space_run const& run = around.over(sp);
        node_id const owner = g[sp].owner;
        bool const product = owner && g[owner].what == kind::contract;
        if (product && is_read_in_place(g, s, owner, sp)) continue;
        all += each[sp] * run.points;
        if (product) all.packed += run.points;
        all.rows += run.points / row_length(g, s, sp, run);
    }
    return all;
}

FELT_PLANNING inline estimated_time estimate(graph const& g, schedule const& s, node_id root,
                                             space_id sp) {
    moved_bytes const moved = traffic_of(g, s, root);
    double const again = moved.again.nanoseconds();
    return {counts_of(g, s, root, sp).nanoseconds() + moved.once.nanoseconds() + again, again};
}

}  // namespace felt::inline FELT_ABI::planning::detail
