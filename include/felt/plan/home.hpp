// SPDX-License-Identifier: BSD-3-Clause
//
// Values that lie where the results go until these replace them: they take no scratch, however long
// their rows are. A product is kept there, or a dear value with several readers (softmax), and
// under it the product that it is computed from.
#pragma once
#include <felt/plan/place.hpp>
#include <felt/plan/times.hpp>
#include <algorithm>
#include <string_view>

namespace felt::planning::detail {

// Whether node `id` is memory of the destination.
inline bool is_destination(plan const& p, statement_facts const& to, int id) {
    return p.at(id).what == kind::leaf && overlap(range_of(to), range_of(p.at(id)));
}

// Whether the expression reads the destination or values that are kept there.
inline bool is_read(plan const& p, statement_facts const& to, bool kept = true) {
    for (int id = to.root; id < p.at(to.root).end; ++id) {
        if ((kept && p.at(id).home != nullptr) || is_destination(p, to, id)) return true;
    }
    return false;
}

// More than a core's share of the last-level cache: results are better written once, past them.
inline constexpr index_t streaming_limit = index_t{32} << 20;
inline bool is_beyond_caches(plan const& p, statement_facts const& to) {
    loop_space const& in = p.loop(to.space);
    index_t bytes = to.value_bytes;
    for (int l = 0; l < in.rank; ++l) bytes *= in.extent[l];
    return bytes >= streaming_limit;
}

inline bool is_identity(axis_map const& m, loop_space const& in) {
    for (int a = 0; a < m.rank; ++a) {
        if (m.offset[a] != 0) return false;
        for (int l = 0; l < m.loops; ++l) {
            if (in.extent[l] > 1 && m.coef[a][l] != (a == l ? 1 : 0)) return false;
        }
    }
    return m.rank == m.loops;
}

// Whether the loops s are the statement's own, or run over a value that is kept in its destination.
inline bool run_over_destination(plan const& p, statement_facts const& to, int s) {
    int const owner = p.loop(s).owner;
    if (s == to.space) return true;
    return owner >= 0 && p.at(owner).what == kind::once && p.at(owner).home == to.data &&
           p.at(owner).space == to.space;
}

// Whether node f has an element for each of the destination's: it may be larger, and read in part.
inline bool has_its_extents(statement_facts const& to, node_facts const& f) {
    return f.rank == to.rank && std::equal(to.extent, to.extent + to.rank, f.extent);
}

// Whether a product can be written where its box lies in the destination: columns are contiguous
// there, and not several axes, of which a box has parts.
inline bool stores_in_rows(plan const& p, statement_facts const& to, int id) {
    contract_roles const r = roles_of(p, id);
    loop_space const& in = p.loop(p.at(id).inner);
    auto const is_long = [&](int l) { return in.extent[l] > 1; };
    auto const axes = std::count_if(r.column, r.column + r.columns, is_long);
    return r.lane >= 0 && to.by_loop[r.lane] == 1 && axes <= 1;
}

// Whether node `id` is read element by element where a result of its type is stored, along lanes
// that are contiguous there.
inline bool lies_as_stored(plan const& p, statement_facts const& to, int id) {
    node_facts const& f = p.at(id);
    loop_space const& in = p.loop(f.space);
    return in.lane >= 0 && to.by_loop[in.lane] == 1 && has_its_extents(to, f) &&
           is_identity(f.at, in) && f.type == std::string_view(p.at(to.root).type);
}

// Whether a row along the scanned axis leaves the caches before functions of it are computed.
inline bool is_long(node_facts const& scan) {
    return scan.extent[scan.whole] * scan.value_bytes > scratch_limit / 2;
}

// Whether an equal node of node `id`, the first of them, is read too.
inline bool has_twin(plan const& p, statement_facts const& to, int id) {
    for (int x = id + 1; x < p.at(to.root).end; ++x) {
        if (p.at(x).slot == id) return true;
    }
    return false;
}

// Whether what node `id` holds may lie where the results go: each element is read for the last
// time when the result takes its place, or a value that is kept there.
inline bool may_stay_home(plan const& p, statement_facts const& to, int id) {
    node_facts const& f = p.at(id);
    if (!lies_as_operand(f) && f.what != kind::contract) return false;
    if (f.what == kind::scan && (f.space != to.space || has_twin(p, to, id))) return false;
    if (f.what == kind::scan && id != to.root && is_long(f)) return false;
    loop_space const& in = p.loop(f.space);
    if (!run_over_destination(p, to, f.space) || f.slot != id) return false;
    if (!lies_as_stored(p, to, id)) return false;
    if (f.what == kind::contract && !stores_in_rows(p, to, id)) return false;
    for (int x = to.root; x < p.at(to.root).end; ++x) {
        node_facts const& other = p.at(x);
        bool const same = other.space == f.space && other.slot == id;
        if (same && !is_identity(other.at, in)) return false;
        if (x != id && x != in.owner && other.home != nullptr) return false;
    }
    return true;
}

inline void stay_home(plan& p, statement_facts const& to, int id) {
    p.at(id).home = to.data;
    std::copy(to.by_loop, to.by_loop + to.rank, p.at(id).stride);
}

// A row too long for scratch can be kept so, and a short one is written only once.
FELT_PLANNING inline void keep_home(plan& p, statement_facts const& to) {
    if (to.temporary || is_read(p, to)) return;
    for (int id = to.root; id < p.at(to.root).end; ++id) {
        bool const as_operand = lies_as_operand(p.at(id));
        if (!may_stay_home(p, to, id) || (!as_operand && is_beyond_caches(p, to))) continue;
        stay_home(p, to, id);
        return;
    }
}

// What may stay home although the destination is read: all that reads it is below equal nodes, the
// first of which reads it for all. -1 if there is nothing.
inline int kept_in_place(plan const& p, statement_facts const& to) {
    int kept = -1;
    for (int id = to.root, next; id < p.at(to.root).end; id = next) {
        node_facts const& f = p.at(id);
        bool const mine =
            kept < 0 ? f.what == kind::once && may_stay_home(p, to, id) : f.slot == kept;
        next = mine ? f.end : id + 1;
        if (mine && kept < 0) kept = id;
        if (!mine && is_destination(p, to, id)) return -1;
    }
    return kept;
}

// Whether node `id`, which is kept in a destination that it reads, overwrites what has been read:
// streaming, the same element, and by equal nodes nothing, for they read what it holds.
inline bool holds_for_all(plan const& p, statement_facts const& to, int id) {
    int const own = p.at(id).inner;
    for (int x = to.root; x < p.at(to.root).end; ++x) {
        bool const streamed = p.at(x).space == own && is_destination(p, to, x);
        if (streamed && !same_elements(p, to, p.at(x), own)) return false;
        if (p.at(x).by == way::hoisted) return false;
        if (x != id && p.at(x).slot == id && !is_held_by_twin(p, x)) return false;
    }
    return true;
}

// Whether product `id`, of which an equal one is read below a reduction, is computed again for
// that, or in boxes of few rows or columns, to fit in scratch.
inline bool is_cramped(loops const& p, int id) {
    node_facts const& f = p.at(id);
    bool twin = false, again = false;
    for (node_facts const& x : p.node) {
        if (x.slot != id || x.space == f.space || x.by != way::scratch) continue;
        twin = true;
        again = again || x.scratch_bytes > 0;
    }
    loop_space const& in = p.loop(f.space);
    return again || (twin && thin(p, id, in.block) > 1.1 * thin(p, id, in.extent));
}

// A product that is read again below a reduction over its rows and does not fit in scratch with
// them; false if there is none.
FELT_PLANNING inline bool keep_product_home(plan& p, statement_facts const& to) {
    if (to.temporary || is_read(p, to, false)) return false;
    for (int id = to.root; id < p.at(to.root).end; ++id) {
        node_facts const& f = p.at(id);
        bool const product = f.what == kind::contract && f.by == way::scratch && !f.home;
        if (!product || !is_cramped(p, id) || !may_stay_home(p, to, id)) continue;
        stay_home(p, to, id);
        return true;
    }
    return false;
}

// In a group: the value of every element that a statement stores, as it is or streamed through
// functions, and that may lie where it is stored; -1 if there is none.
inline int stored_value(plan const& p, statement_facts const& to) {
    int kept = p.at(to.root).what == kind::once ? to.root : -1, products = 0;
    for (int id = to.root; id < p.at(to.root).end; ++id) {
        if (p.at(id).space != to.space || p.at(id).what != kind::contract) continue;
        if (kept < 0 && stores_in_rows(p, to, id)) kept = id;
        ++products;
    }
    bool const one = kept == to.root || products == 1;
    bool const fits = kept >= 0 && one && p.at(kept).strip < 0 && lies_as_stored(p, to, kept);
    return fits && !to.temporary && !is_read(p, to) ? kept : -1;
}

// When statement k of a pass stores: in its turn within a strip, or after the last strip.
inline int time_of(plan const& p, pass_facts const& pass, int k) {
    return p.statement[static_cast<std::size_t>(k)].accumulates ? pass.last + k : k;
}

// When the value that node `id` holds for equal ones is read for the last time.
inline int last_read(plan const& p, pass_facts const& pass, int id) {
    int last = -1;
    for (int k = pass.first; k < pass.last; ++k) {
        int const root = p.statement[static_cast<std::size_t>(k)].root;
        int grown = root;  // one past the nodes below sums that grow strip by strip
        for (int x = root; x < p.at(root).end; ++x) {
            if (p.at(x).strip >= 0) grown = std::max(grown, p.at(x).end);
            if (p.at(x).slot == id) last = std::max(last, x < grown ? k : time_of(p, pass, k));
        }
    }
    return last;
}

// Whether what node `id` of an earlier statement holds may lie where statement k stores: nobody
// reads from there what was there before.
inline bool may_lie_ahead(plan const& p, int id, int k) {
    statement_facts const& to = p.statement[static_cast<std::size_t>(k)];
    int const s = statement_of(p, id);
    statement_facts const& from = p.statement[static_cast<std::size_t>(s)];
    if (p.at(id).home != nullptr || p.at(id).strip >= 0 || p.at(id).space != from.space ||
        from.accumulates != to.accumulates || from.strip != to.strip) {
        return false;
    }
    for (int x = from.root; x < to.root; ++x) {
        if (is_destination(p, to, x)) return false;
    }
    return lies_as_stored(p, to, id) &&
           (p.at(id).what != kind::contract || stores_in_rows(p, to, id));
}

// In a pass of several statements: what is stored as it is lies there for all that read it, and
// what is stored streamed through functions lies where it is read for the last time.
FELT_PLANNING inline void keep_homes(plan& p, pass_facts const& pass) {
    for (int k = pass.first; k < pass.last; ++k) {
        int const root = p.statement[static_cast<std::size_t>(k)].root;
        for (int id = root; id < p.at(root).end; ++id) p.at(id).home = nullptr;
    }
    for (int k = pass.first; k < pass.last && pass.last > pass.first + 1; ++k) {
        statement_facts const& to = p.statement[static_cast<std::size_t>(k)];
        int const kept = stored_value(p, to);
        if (kept < 0) continue;
        int const owner = p.at(kept).slot;
        if (kept != to.root && last_read(p, pass, owner) != time_of(p, pass, k)) continue;
        if (owner != kept && may_lie_ahead(p, owner, k)) stay_home(p, to, owner);
        stay_home(p, to, kept);
    }
}

}  // namespace felt::planning::detail
