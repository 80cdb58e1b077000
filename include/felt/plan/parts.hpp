// SPDX-License-Identifier: BSD-3-Clause
//
// What threads share out. Always by extents alone, never by the number of threads: the strips of
// a pass, and the terms of a long sum, are cut in parts; what the parts sum meets pairwise.
#pragma once
#include <felt/plan/groups.hpp>

namespace felt::planning {

// A part has at least so many operations; the sums of all parts so many bytes.
inline constexpr index_t part_work = index_t{1} << 18, part_bytes = index_t{4} << 20;
inline constexpr int most_parts = 16;

// The extent of the axis along which sum `id` is cut.
inline index_t summed_extent(loops const& p, int id) {
    return p.loop(p.at(id).inner).extent[p.at(id).strip];
}

namespace detail {

// How many parts `work` operations are worth whose sums take `bytes`; `again` of them are done
// once more for every part, for which a twentieth may be lost.
inline index_t parts_worth(double work, double again, index_t bytes) {
    double most = std::min<double>(most_parts, work / static_cast<double>(part_work));
    if (again > 0) most = std::min(most, work / again / 20);
    if (bytes > 0) most = std::min(most, static_cast<double>(part_bytes / bytes));
    return std::max<index_t>(1, static_cast<index_t>(most));
}

// Equal parts of n, multiples of `unit`; 0 if there is only one.
inline index_t part_of(index_t n, index_t parts, index_t unit) {
    index_t const length = round_up((n + parts - 1) / parts, unit);
    return length < n ? length : 0;
}

inline index_t sum_bytes(node_facts const& f) {
    return (product(f.extent, f.rank) + 64) * f.value_bytes;
}

// Work below node id that does not follow the strip: every part does it again.
FELT_PLANNING inline double unlinked_work(plan const& p, int id,
                                          std::vector<unsigned> const& linked) {
    double work = 0;
    for (int x = id, next; x < p.at(id).end; x = next) {
        node_facts const& f = p.at(x);
        next = x + 1;
        if (f.by != way::scratch || f.strip >= 0) continue;
        unsigned const bits = linked[static_cast<std::size_t>(f.space)];
        bool follows = false;
        for (int l = 0; l < f.at.loops; ++l) {
            follows = follows || ((bits >> l & 1U) != 0 && f.at.follows(l));
        }
        if (follows) continue;
        work += f.work;
        next = f.end;
    }
    return work;
}

// The strips of a pass of several statements in parts.
FELT_PLANNING inline void share_strips(plan& p, pass_facts& pass) {
    double work = 0, again = 0;
    index_t bytes = 0;
    for (int k = pass.first; k < pass.last; ++k) {
        statement_facts const& to = p.statement[static_cast<std::size_t>(k)];
        std::vector<unsigned> linked(p.space.size(), 0U);
        if (to.strip >= 0) linked[static_cast<std::size_t>(to.space)] = 1U << to.strip;
        link(p, to.root, linked);
        if (to.strip >= 0) {
            work += p.at(to.root).work;
            again += unlinked_work(p, to.root, linked);
        }
        for (int id = to.root; id < p.at(to.root).end; ++id) {
            node_facts const& f = p.at(id);
            if (f.strip < 0) continue;
            pass.sums.push_back(id);
            work += f.work;
            again += unlinked_work(p, id, linked);
            bytes += sum_bytes(f);
        }
    }
    pass.part = part_of(pass.extent, parts_worth(work, again, bytes), pass.strip);
}

}  // namespace detail
}  // namespace felt::planning
