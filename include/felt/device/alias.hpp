// SPDX-License-Identifier: BSD-3-Clause
//
// Whether a kernel would read what it, or another thread of it, has written.
#pragma once
#include <felt/device/plan.hpp>

namespace felt::device {

// Whether node id reads memory in the launch that it is live in.
inline bool reads_memory(plan const& p, node_id id) { return p.g[id].what == kind::leaf; }

inline bool touches(plan const& p, node_id id, destination const& to) {
    return reads_memory(p, id) && planning::detail::overlap(planning::detail::range_of(p.g[id]),
                                                            planning::detail::range_of(to));
}

// Whether element by element leaf id is read where `to` is written.
inline bool same_place(plan const& p, node_id id, destination const& to) {
    planning::node const& f = p.g[id];
    placement const& leaf = p[id];
    auto const* const begin = static_cast<char const*>(f.data) + leaf.offset * f.value_bytes;
    bool same = leaf.in_step && begin == to.data && f.value_bytes == to.value_bytes;
    for (int a = 0; a < to.rank; ++a) {
        same = same && (to.extent[a] <= 1 || leaf.by_loop[a] == to.stride[a]);
    }
    return same;
}
inline bool same_place(destination const& a, destination const& b) {
    return a.data == b.data && a.value_bytes == b.value_bytes &&
           std::equal(a.stride, a.stride + a.rank, b.stride);
}

// Whether one of the nodes reads elements of `to` other than the one that is computed.
inline bool reads_elsewhere(plan const& p, std::vector<node_id> const& live,
                            destination const& to) {
    return std::any_of(live.begin(), live.end(),
                       [&](node_id id) { return touches(p, id, to) && !same_place(p, id, to); });
}

// Why statement b may not be in one launch with the earlier statement a; empty if it may.
inline std::string conflict(plan const& p, destination const& a, std::vector<node_id> const& live_a,
                            destination const& b, std::vector<node_id> const& live_b) {
    if (a.rank != b.rank || !std::equal(a.extent, a.extent + a.rank, b.extent)) {
        return "it has other extents";
    }
    if (planning::detail::overlap(planning::detail::range_of(a), planning::detail::range_of(b)) &&
        !same_place(a, b)) {
        return "it writes what an earlier statement writes";
    }
    if (reads_elsewhere(p, live_b, a)) {
        return "it reads other elements of what an earlier statement writes";
    }
    if (reads_elsewhere(p, live_a, b)) {
        return "it writes what an earlier statement reads at other elements";
    }
    for (node_id id : p.g.subtree(b.root)) {
        bool const now = std::find(live_b.begin(), live_b.end(), id) != live_b.end();
        if (!now && touches(p, id, a)) {
            return "what is computed before it reads what an earlier statement writes";
        }
    }
    return {};
}

}  // namespace felt::device
