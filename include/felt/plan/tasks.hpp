// SPDX-License-Identifier: BSD-3-Clause
//
// The tasks of a statement: pieces of one of its loops, whole blocks, cut by extents alone. No
// value depends on the piece that it is computed in.
#pragma once
#include <felt/plan/groups.hpp>

namespace felt::planning {

// Operations that are worth a task.
inline constexpr index_t part_work = index_t{1} << 18;

struct tasks {
    int loop = -1;
    index_t step = 0;
    long count = 1;

    box part(box whole, long i) const {
        if (loop < 0) return whole;
        whole.lo[loop] = i * step;
        if (i + 1 < count) whole.hi[loop] = whole.lo[loop] + step;
        return whole;
    }
};

namespace detail {

// Operations for each element of a statement, without what is computed before its loops.
FELT_PLANNING inline double work_per_element(plan const& p, statement_facts const& to,
                                             index_t size) {
    double work = 0;
    for (int id = to.root; id < p.at(to.root).end; ++id) {
        node_facts const& f = p.at(id);
        if (id == to.root) work = f.work;
        if (!computed_first(p, f) && f.by != way::hoisted) continue;
        work -= f.work;
        id = f.end - 1;
    }
    return std::max(1.0, work / static_cast<double>(std::max<index_t>(size, 1)));
}

// Whether something read in the loops s runs through rows of memory that are cut with the lanes.
inline bool reduces_rows(plan const& p, int s) {
    for (node_facts const& f : p.node) {
        if (f.space != s || f.what != kind::reduce || computed_first(p, f)) continue;
        int const lane = p.loop(f.inner).lane;
        if (lane >= 0 && (f.mask >> lane & 1U) == 0) return true;
    }
    return false;
}

}  // namespace detail

// Tasks of whole blocks, and of at least 32768 elements unless these are dear.
FELT_PLANNING inline tasks cut_tasks(plan const& p, statement_facts const& to) {
    loop_space const& in = p.loop(to.space);
    tasks t;
    index_t const size = detail::product(in.extent, in.rank);
    double const each = detail::work_per_element(p, to, size);
    index_t const enough =
        std::clamp<index_t>(static_cast<index_t>(static_cast<double>(part_work) / each), 1, 32768);
    if (size < 2 * enough) return t;
    t.loop = detail::shared_loop(p, to.space);
    if (t.loop < 0) return t;
    index_t const extent = in.extent[t.loop];
    bool const cut = in.block[t.loop] < extent, products = detail::has_products(p, to.space);
    bool const lanes = t.loop == in.lane;
    index_t const least = detail::reduces_rows(p, to.space) ? 1024 : 64;
    index_t const whole = lanes ? (products ? pack_columns : least) : (products ? pack_rows : 1);
    index_t const unit = cut ? in.block[t.loop] : whole;
    index_t const row = size / extent;
    t.step = detail::round_up(std::max<index_t>(enough / row, 1), unit);
    t.count = static_cast<long>((extent + t.step - 1) / t.step);
    // Products of very few rows are no task of their own.
    index_t const rest = extent - (t.count - 1) * t.step;
    if (t.count > 1 && !cut && products && rest < unit / 4) --t.count;
    return t;
}

}  // namespace felt::planning
