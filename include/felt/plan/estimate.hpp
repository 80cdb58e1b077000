// SPDX-License-Identifier: BSD-3-Clause
//
// What a statement takes, about, in nanoseconds of one core: to compare two schedules of it, not to
// foretell a time. Counted are the points of all loops with the functions evaluated at each, rows,
// boxes that are asked for, terms of products, what is packed, and what buffers move.
#pragma once
#include <felt/plan/plan.hpp>
#include <felt/plan/times.hpp>

namespace felt::planning::detail {

// Measured on cores of about 4 GHz with AVX-512 by benchmarks/never_slower; what counts are
// their ratios.
namespace price {
inline constexpr double operation = 0.02;  // a vector instruction, by the element of a float
inline constexpr double by_element = 1.0;  // a function of numbers
inline constexpr double point = 0.05;      // to load or to store an element in a cache
inline constexpr double packed = 0.3;      // to pack an element
inline constexpr double staged = 0.4;      // to transpose one on the way in
inline constexpr double row = 8;           // to begin a row
inline constexpr double box = 150;         // to ask for a box
inline constexpr double term = 0.01;       // a multiplication with its addition
inline constexpr double near_byte = 0.02;  // to move a byte between a cache and the next one
inline constexpr double far_byte = 0.1;    // to or from memory
}  // namespace price

// The streaming nodes and leaves that are read in each space, by the point.
inline double point_price(loops const& p, node_facts const& f) {
    if (f.by == way::hoisted) return price::point;
    double const wide = static_cast<double>(f.value_bytes) / 4;
    switch (f.what) {
        case kind::map:
        case kind::generator:
            if (f.scalar_only) return price::by_element * std::max(1, f.cost);
            return price::operation * wide * std::max(1, f.cost);
        case kind::leaf: {
            int const lane = p.loop(f.space).lane;
            index_t const step = lane < 0 ? 0 : f.by_loop[lane];
            return (step != 0 && step != 1 ? price::staged : price::point) * wide;
        }
        case kind::scalar:
            return 0;
        default:
            return price::point * wide;  // read from a box
    }
}

// A product computes whole tiles: few rows or columns leave most of a tile idle.
inline double product_price(loops const& p, int id, node_run const& run) {
    node_facts const& f = p.at(id);
    contract_roles const r = roles_of(p, id);
    double rows = 1, columns = 1, terms = run.asked;
    for (int i = 0; i < r.rows; ++i) rows *= run.length[r.row[i]];
    for (int i = 0; i < r.columns; ++i) columns *= run.length[r.column[i]];
    for (int i = 0; i < r.batches; ++i) terms *= run.length[r.batch[i]];
    loop_space const& in = p.loop(f.inner);
    double const batches = terms;
    for (int l = f.rank; l < in.rank; ++l) terms *= static_cast<double>(in.extent[l]);
    double const wide = static_cast<double>(f.value_bytes) / 4;
    return price::term * wide * terms * (rows + 2) * (columns + 16) + price::box / 2 * batches;
}

// Calls f(id, phase) for the nodes that are read, in which phase: equal nodes are computed in the
// first's.
template <class F>
void for_each_phase(loops const& p, int id, int phase, F&& f) {
    f(id, phase);
    if (is_held_by_twin(p, id)) return;
    int const below = p.at(id).by == way::hoisted ? id : phase;
    for (int c = id + 1; c < p.at(id).end; c = p.at(c).end) for_each_phase(p, c, below, f);
}

// To move so many bytes once, which were last touched when all of them were.
inline double traffic_price(double bytes) {
    if (bytes <= 512e3) return 0;
    return bytes * (bytes <= 16e6 ? price::near_byte : price::far_byte);
}

// What is read again after other loops have run, which a fused statement spares: hoisted values,
// which are written first, and leaves that several of them read.
FELT_PLANNING inline double repeated_traffic(loops const& p, int root) {
    struct reading {
        void const* data;
        int phase;  // the hoisted node that is computed then; -1: the statement
    };
    std::vector<reading> seen;
    double all = 0;
    for_each_phase(p, root, -1, [&](int id, int phase) {
        node_facts const& f = p.at(id);
        bool const value = f.by == way::hoisted;
        if (!value && (f.what != kind::leaf || f.data == nullptr)) return;
        double const bytes = elements(f) * f.value_bytes;
        if (value && !is_held_by_twin(p, id)) all += traffic_price(bytes);
        void const* const data =
            value ? static_cast<void const*>(&p.at(f.slot < 0 ? id : f.slot)) : f.data;
        bool again = value;
        for (reading const& r : seen) {
            if (r.data != data) continue;
            if (r.phase == phase) return;
            again = true;
        }
        seen.push_back({data, phase});
        if (again) all += traffic_price(bytes);
    });
    return all;
}

// How far the rows of a space reach: those of memory that goes on are one.
inline double row_length(loops const& p, int s, space_run const& run) {
    loop_space const& in = p.loop(s);
    if (in.lane < 0) return 1;
    double n = std::max(1.0, run.length[in.lane]);
    for (int l = in.lane - 1; l >= 0 && n < 512; --l) {
        bool const whole = run.length[l + 1] >= static_cast<double>(in.extent[l + 1]);
        bool joins = whole;
        for (int id : p.read_in(s)) {
            node_facts const& f = p.at(id);
            if (f.by != way::streamed || !reads_memory(f)) continue;
            joins = joins && (nests(in, l, f.by_loop, nesting::row_major) ||
                              (f.by_loop[l] == 0 && f.by_loop[l + 1] == 0));
        }
        if (!joins) break;
        n *= std::max(1.0, run.length[l]);
    }
    return n;
}

struct estimated_time {
    double all = 0;
    double repeated = 0;  // of it, for what is moved again between loops
};

FELT_PLANNING inline estimated_time estimate(loops const& p, int root, int space) {
    loop_nests const around(p, root, space);
    double const repeated = repeated_traffic(p, root);
    double all = repeated;
    std::vector<double> each(p.space.size(), 0.0);
    for (int id = root; id < p.at(root).end; ++id) {
        node_facts const& f = p.at(id);
        node_run const& run = around.of(id);
        each[static_cast<std::size_t>(f.space)] += point_price(p, f);
        if (f.inner < 0 || run.asked == 0) continue;
        all += run.asked * price::box;
        if (f.what == kind::contract) all += product_price(p, id, run);
        else all += run.asked * run.box() * price::point;
    }
    for (std::size_t s = 0; s < each.size(); ++s) {
        if (each[s] == 0) continue;
        space_run const& run = around.over(static_cast<int>(s));
        int const owner = p.loop(static_cast<int>(s)).owner;
        bool const packs = owner >= 0 && p.at(owner).what == kind::contract;
        double const rows = run.points / row_length(p, static_cast<int>(s), run);
        all += run.points * (each[s] + (packs ? price::packed : 0)) + rows * price::row;
    }
    return {all, repeated};
}

}  // namespace felt::planning::detail
