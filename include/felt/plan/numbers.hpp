// SPDX-License-Identifier: BSD-3-Clause
//
// What a plan moves and computes, as numbers.
#pragma once
#include <felt/plan/arrange.hpp>

namespace felt::planning {

namespace detail {

// Whether an earlier node has the same value, so that this one costs nothing.
inline bool repeated(plan const& p, int id) {
    for (int a = 0; a < id; ++a) {
        bool const same = same_value(p.node, a, id);
        if (same && !changes(p, id, statement_of(p, a), statement_of(p, id))) return true;
    }
    return false;
}

inline index_t own_flops(plan const& p, int id) {
    node_facts const& f = p.at(id);
    if (f.what == kind::map) return elements_of(f) * f.flops;
    if (f.what == kind::scan) return elements_of(f);
    if (f.what == kind::reduce || f.what == kind::scatter) return elements_of(p.at(id + 1));
    if (f.what != kind::contract) return 0;
    index_t n = 2;
    for (int l = 0; l < p.loop(f.inner).rank; ++l) n *= p.loop(f.inner).extent[l];
    return n / blocks_of(p, id);
}

// Distinct elements in memory: an axis of stride 0 is one element.
inline index_t leaf_bytes(node_facts const& f) {
    index_t n = f.value_bytes;
    for (int a = 0; a < f.rank; ++a)
        n *= f.stride[a] == 0 ? std::min<index_t>(f.extent[a], 1) : f.extent[a];
    return n;
}

// The bytes of leaf id that no earlier leaf has read: other views of one tensor share them.
inline index_t new_bytes(plan const& p, int id) {
    auto const range = [&](int i) {
        node_facts const& f = p.at(i);
        return range_of(f.data, f.extent, f.stride, f.rank, f.value_bytes);
    };
    memory_range const own = range(id);
    index_t const all = leaf_bytes(p.at(id));
    index_t left = all;
    for (int a = 0; a < id; ++a) {
        if (p.at(a).what != kind::leaf) continue;
        if (same_value(p.node, a, id)) return 0;
        if (p.at(a).data == nullptr || p.at(id).data == nullptr) continue;  // packed: its own
        memory_range const other = range(a);
        bool const dense = other.hi - other.lo == leaf_bytes(p.at(a));
        index_t const both = std::min(own.hi, other.hi) - std::max(own.lo, other.lo);
        if (dense && both > 0) left = std::min(left, std::max<index_t>(0, all - both));
    }
    return left;
}

inline index_t destination_bytes(statement_facts const& to) {
    index_t n = to.value_bytes;
    for (int a = 0; a < to.rank; ++a) n *= to.extent[a];
    return n;
}

// A leaf that is the destination of an earlier statement is read while it is fresh.
inline bool written_before(plan const& p, int id) {
    node_facts const& f = p.at(id);
    for (statement_facts const& to : p.statement) {
        if (to.root + 0 <= id && id < p.at(to.root).end) return false;
        if (to.data == f.data) return true;
    }
    return false;
}

inline index_t memory_read(plan const& p, int id) {
    node_facts const& f = p.at(id);
    switch (f.what) {
        case kind::leaf:
            return leaf_bytes(f);
        case kind::scalar:
            return 0;
        case kind::affine:
        case kind::general:
        case kind::reshape:
            return std::min(memory_read(p, id + 1), elements_of(f) * f.value_bytes);
        default:
            return elements_of(f) * f.value_bytes;
    }
}

inline bool is_view(node_facts const& f) {
    return f.what == kind::affine || f.what == kind::general || f.what == kind::reshape ||
           f.what == kind::once;
}

// Node by node only what the root itself reads in memory can be in the way of its result.
inline bool kept_aside_unfused(plan const& p, statement_facts const& to) {
    node_facts const& root = p.at(to.root);
    bool const reads = is_view(root) || root.what == kind::leaf;
    auto const written = range_of(to.data, to.extent, to.stride, to.rank, to.value_bytes);
    for (int x = reads ? to.root : to.root + 1; to.temporary && x < root.end; x = p.at(x).end) {
        int id = x;
        while (is_view(p.at(id))) ++id;
        node_facts const& f = p.at(id);
        if (f.what != kind::leaf || same_elements(p, to, f, to.space)) continue;
        if (overlap(written, range_of(f.data, f.extent, f.stride, f.rank, f.value_bytes))) {
            return true;
        }
    }
    return false;
}

FELT_PLANNING_SELDOM inline std::vector<intermediate> intermediates_of(plan const& p) {
    std::vector<intermediate> list;
    for (int id = 0; id < static_cast<int>(p.node.size()); ++id) {
        node_facts const& f = p.at(id);
        if (f.by != way::hoisted || is_held_by_twin(p, id)) continue;
        if (elements_of(f) * f.value_bytes > uncounted_bytes) {
            list.push_back({f.name, elements_of(f) * f.value_bytes, f.why});
        }
    }
    for (statement_facts const& to : p.statement) {
        if (to.temporary) list.push_back({"the result", destination_bytes(to), to.why});
    }
    return list;
}

FELT_PLANNING_SELDOM inline index_t flops_of(plan const& p) {
    index_t n = 0;
    for (int id = 0; id < static_cast<int>(p.node.size()); ++id) {
        if (!repeated(p, id)) n += own_flops(p, id);
    }
    return n;
}

FELT_PLANNING_SELDOM inline index_t bytes_of(plan const& p) {
    index_t n = 0;
    for (int id = 0; id < static_cast<int>(p.node.size()); ++id) {
        if (p.at(id).what == kind::leaf && !written_before(p, id)) {
            n += new_bytes(p, id);
        }
    }
    for (statement_facts const& to : p.statement) n += destination_bytes(to);
    for (intermediate const& i : intermediates_of(p)) n += 2 * i.bytes;
    return n;
}

FELT_PLANNING_SELDOM inline index_t bytes_unfused_of(plan const& p) {
    index_t n = 0;
    for (int id = 0; id < static_cast<int>(p.node.size()); ++id) {
        node_facts const& f = p.at(id);
        bool const computed = f.what == kind::map || f.what == kind::reduce ||
                              f.what == kind::contract || f.what == kind::generator ||
                              f.what == kind::concat || f.what == kind::gather ||
                              f.what == kind::scatter || f.what == kind::scan;
        if (!computed || repeated(p, id)) continue;
        n += elements_of(f) * f.value_bytes;
        for (int x = id + 1; x < f.end; x = p.at(x).end) n += memory_read(p, x);
    }
    for (statement_facts const& to : p.statement) {
        node_facts const& root = p.at(to.root);
        bool const copied = root.what == kind::leaf || root.what == kind::scalar ||
                            root.what == kind::affine || root.what == kind::general ||
                            root.what == kind::reshape;
        if (copied) n += destination_bytes(to) + memory_read(p, to.root);
        if (kept_aside_unfused(p, to)) n += 2 * destination_bytes(to);
    }
    return n;
}

}  // namespace detail

}  // namespace felt::planning
