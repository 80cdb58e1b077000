// SPDX-License-Identifier: BSD-3-Clause
//
// What a statement takes, about, in nanoseconds of one core: to compare two schedules of it, not to
// foretell a time. Counted are the points of all loops with the functions evaluated at each, rows,
// boxes that are asked for, terms of products, what is packed, and what buffers move.
#pragma once
#include <felt/plan/place.hpp>
#include <felt/plan/times.hpp>

namespace felt::planning::detail {

// What a schedule does, counted.
struct work_counts {
    double operations = 0;  // vector instructions, by the element of a float
    double by_element = 0;  // operations of functions of numbers
    double points = 0;      // elements loaded or stored in a cache
    double packed = 0;      // elements packed
    double staged = 0;      // elements transposed on the way in
    double rows = 0;        // rows begun
    double boxes = 0;       // boxes asked for
    double products = 0;    // products begun
    double terms = 0;       // multiplications with their additions
    double near_bytes = 0;  // bytes moved between a cache and the next one
    double far_bytes = 0;   // bytes moved to or from memory

    static constexpr int count = 11;
    double const* all() const { return &operations; }
    double* all() { return &operations; }

    work_counts& operator+=(work_counts const& o) {
        for (int i = 0; i < count; ++i) all()[i] += o.all()[i];
        return *this;
    }
    work_counts operator*(double n) const {
        work_counts c;
        for (int i = 0; i < count; ++i) c.all()[i] = all()[i] * n;
        return c;
    }
    double at(work_counts const& price) const {
        double sum = 0;
        for (int i = 0; i < count; ++i) sum += all()[i] * price.all()[i];
        return sum;
    }
};

// Nanoseconds of one core of about 4 GHz with AVX-512, fitted to the times of
// benchmarks/never_slower; what counts are their ratios.
inline constexpr work_counts price{.operations = 0.02,
                                   .by_element = 1.0,
                                   .points = 0.035,
                                   .packed = 0.2,
                                   .staged = 0.15,
                                   .rows = 6,
                                   .boxes = 300,
                                   .products = 250,
                                   .terms = 0.018,
                                   .near_bytes = 0.025,
                                   .far_bytes = 0.075};

// The streaming nodes and leaves that are read in each space, by the point.
inline work_counts at_a_point(loops const& p, node_facts const& f) {
    work_counts n;
    double const wide = static_cast<double>(f.value_bytes) / 4;
    if (f.by == way::hoisted || f.kept_along >= 0) {
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
            int const lane = p.loop(f.space).lane;
            index_t const step = lane < 0 ? 0 : f.by_loop[lane];
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
inline work_counts of_product(loops const& p, int id, node_run const& run) {
    node_facts const& f = p.at(id);
    contract_roles const r = roles_of(p, id);
    double rows = 1, columns = 1;
    work_counts n;
    n.products = run.asked;
    for (int i = 0; i < r.rows; ++i) rows *= run.length[r.row[i]];
    for (int i = 0; i < r.columns; ++i) columns *= run.length[r.column[i]];
    for (int i = 0; i < r.batches; ++i) n.products *= run.length[r.batch[i]];
    loop_space const& in = p.loop(f.inner);
    double terms = n.products;
    for (int l = f.rank; l < in.rank; ++l) terms *= static_cast<double>(in.extent[l]);
    double const wide = static_cast<double>(f.value_bytes) / 4;
    n.terms = wide * terms * (rows + 2) * (columns + 16);
    return n;
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

// What the caches hold, of which other things take a part.
inline constexpr double first_cache = 32e3, second_cache = 1e6, last_cache = 8e6;

// To move so many bytes once, which were last touched when all of them were. The second cache gives
// them twice as fast as the last one.
inline work_counts traffic(double bytes) {
    work_counts n;
    if (bytes > last_cache) n.far_bytes = bytes;
    else if (bytes > first_cache) n.near_bytes = bytes > second_cache ? bytes : bytes / 2;
    return n;
}

struct moved_bytes {
    work_counts once;   // the destination, and what is read first
    work_counts again;  // what is read after other loops have run, which a fused statement spares
};

// Hoisted values are written first; they, and leaves that several of them read, are read again.
FELT_PLANNING inline moved_bytes traffic_of(loops const& p, int root) {
    struct reading {
        void const* data;
        int phase;  // the hoisted node that is computed then; -1: the statement
    };
    std::vector<reading> seen;
    moved_bytes all{traffic(elements(p.at(root)) * p.at(root).value_bytes), {}};
    for_each_phase(p, root, -1, [&](int id, int phase) {
        node_facts const& f = p.at(id);
        bool const value = f.by == way::hoisted;
        if (!value && (f.what != kind::leaf || f.data == nullptr)) return;
        work_counts const bytes = traffic(elements(f) * f.value_bytes);
        if (value && !is_held_by_twin(p, id)) all.again += bytes;
        void const* const data =
            value ? static_cast<void const*>(&p.at(f.slot < 0 ? id : f.slot)) : f.data;
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

// Whether rows of leaf f go on at the next index of loop l: in memory, as one value, or as a short
// row that a reader repeats along the innermost of its loops.
inline bool goes_on(loop_space const& in, node_facts const& f, int l) {
    if (nests(in, l, f.by_loop, nesting::row_major)) return true;
    bool moves = false, repeats = true;
    for (int k = l + 1; k < in.rank; ++k) {
        moves = moves || f.by_loop[k] != 0;
        repeats = repeats && (f.by_loop[k] != 0 || in.extent[k] <= 1);
    }
    index_t const row = repeated_by(in, f);
    repeats = repeats && row > 0 && row * in.extent[l] <= repeated_elements;
    return f.by_loop[l] == 0 && (!moves || repeats);
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
            if (f.by == way::streamed && reads_memory(f)) joins = joins && goes_on(in, f, l);
        }
        if (!joins) break;
        n *= std::max(1.0, run.length[l]);
    }
    return n;
}

// Whether a product reads the operand in space s where it lies.
inline bool is_read_in_place(node_facts const& f, int s) {
    bool const left = s - f.inner == (f.swapped ? 1 : 0);
    return left ? f.left_in_place : f.right_in_place;
}

// What is written into boxes that the first cache does not hold, and read from there.
inline work_counts moved_by_boxes(node_facts const& f, node_run const& run) {
    if (f.by == way::hoisted) return {};
    return traffic(run.box() * f.value_bytes) * (2 * run.asked);
}

struct estimated_time {
    double all = 0;
    double repeated = 0;  // of it, for what is moved again between loops
};

FELT_PLANNING inline work_counts counts_of(loops const& p, int root, int space) {
    loop_nests const around(p, root, space);
    work_counts all;
    std::vector<work_counts> each(p.space.size());
    int kept = 0;  // what is read below a function whose values are kept is not read at each point
    for (int id = root; id < p.at(root).end; ++id) {
        node_facts const& f = p.at(id);
        node_run const& run = around.of(id);
        if (id >= kept || f.inner >= 0) each[static_cast<std::size_t>(f.space)] += at_a_point(p, f);
        if (f.kept_along >= 0) kept = f.end;
        if (f.inner < 0 || run.asked == 0) continue;
        all.boxes += run.asked;
        all += moved_by_boxes(f, run);
        if (f.what == kind::contract) all += of_product(p, id, run);
        else all.points += run.asked * run.box();
    }
    for (std::size_t s = 0; s < each.size(); ++s) {
        if (p.loop(static_cast<int>(s)).first < 0) continue;
        space_run const& run = around.over(static_cast<int>(s));
        int const owner = p.loop(static_cast<int>(s)).owner;
        bool const product = owner >= 0 && p.at(owner).what == kind::contract;
        if (product && is_read_in_place(p.at(owner), static_cast<int>(s))) continue;
        all += each[s] * run.points;
        if (product) all.packed += run.points;
        all.rows += run.points / row_length(p, static_cast<int>(s), run);
    }
    return all;
}

FELT_PLANNING inline estimated_time estimate(loops const& p, int root, int space) {
    moved_bytes const moved = traffic_of(p, root);
    double const again = moved.again.at(price);
    return {(counts_of(p, root, space)).at(price) + moved.once.at(price) + again, again};
}

}  // namespace felt::planning::detail
