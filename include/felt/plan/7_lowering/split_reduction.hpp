// SPDX-License-Identifier: BSD-3-Clause
//
// The parts that threads share out, by extents alone, never by the number of threads: the strips
// of a pass, or the terms of a long sum, which is then computed before the statement's loops.
// What the parts sum meets pairwise.
#pragma once
#include <felt/core/function_ref.hpp>
#include <felt/plan/constants.hpp>
#include <felt/plan/1_analysis/queries.hpp>
#include <felt/plan/7_lowering/tasks.hpp>

namespace felt::inline FELT_ABI::planning {

namespace detail {

// How many parts `work` operations are worth whose sums take `bytes`; `again` of them are done
// once more for every part, for which a twentieth may be lost, as for the sums' way to memory.
inline index_t parts_worth(double work, double again, index_t bytes) {
    double most = std::min<double>(most_parts, work / static_cast<double>(part_work));
    if (again > 0) most = std::min(most, work / again / part_overhead);
    if (bytes > 0)
        most = std::min({most, static_cast<double>(part_bytes / bytes),
                         work / static_cast<double>(bytes) / part_overhead});
    return std::max<index_t>(1, static_cast<index_t>(most));
}

// Equal parts of n, multiples of `unit`; 0 if there is only one.
inline index_t part_of(index_t n, index_t parts, index_t unit) {
    index_t const length = round_up((n + parts - 1) / parts, unit);
    return length < n ? length : 0;
}

inline index_t sum_bytes(node const& f) { return (product(f.extent, f.rank) + 64) * f.value_bytes; }

// Calls f for the nodes below id, outermost ones, that are computed whatever the strip is.
inline void for_each_unlinked(graph const& g, schedule const& s, node_id id,
                              linked_loops const& linked, function_ref<void(node_id)> call) {
    for (node_id x = id, next; x < g[id].end; x = next) {
        node const& f = g[x];
        bool const first = computed_first(s, x);
        next = first ? f.end : x + 1;
        if (first || s[x].by != way::scratch || s[x].strip >= 0) continue;
        unsigned const bits = linked[f.space];
        bool follows = false;
        for (loop_id l : f.at.all_loops()) {
            follows = follows || ((bits >> l & 1U) != 0 && box_moves(f, l));
        }
        if (follows) continue;
        next = f.end;
        call(x);
    }
}

// Work below node id that does not follow the strip: every part does it again.
FELT_PLANNING_SELDOM inline double unlinked_work(graph const& g, schedule const& s, node_id id,
                                                 linked_loops const& linked) {
    double work = 0;
    for_each_unlinked(g, s, id, linked, [&](node_id x) { work += g[x].work; });
    return work;
}

// Decides which sums of a pass are computed before its loops, in parts.
class sums_ahead {
public:
    sums_ahead(graph const& g, schedule& s, pass_facts& pass) : g_(g), s_(s), pass_(pass) {}

    // The sums nearest to the root; where one is not taken, those below it.
    void find(node_id id) {
        if (is_sum(id) && take(id)) return;
        for (node_id x : g_.operands(id)) find(x);
    }

    // A value that every part would compute again.
    bool take_value(node_id id) { return elements(g_[id]) == 1 && take(id); }

private:
    static constexpr double least = 2.0 * static_cast<double>(part_work);

    bool is_sum(node_id id) const { return trait_of(g_[id]).sums; }

    bool take(node_id id) {
        node const& f = g_[id];
        placement& how = s_[id];
        if (how.slot && how.slot != id) return take(how.slot);
        if (how.part > 0) return true;
        if (!is_sum(id) || how.strip >= 0 || f.work < least || sum_bytes(f) > ahead_bytes) {
            return false;
        }
        if (!reached(id) || !apart(id)) return false;
        int const rank = g_[f.inner].rank;
        for (int i = 0; i < rank; ++i) {
            loop_id const l = f.what == kind::reduce ? s_[f.inner].order[i] : loop_id(i);
            if (cut(id, l, most_parts) || (i + 1 == rank && cut_longest(id))) {
                if (f.what == kind::contract) s_[f.product].direct = false;
                pass_.ahead.push_back(id);
                return true;
            }
        }
        return false;
    }

    // Cuts sum id along loop l of its own, in so many parts or, if memory bounds them, fewer.
    bool cut(node_id id, loop_id l, index_t enough) {
        node const& f = g_[id];
        placement& how = s_[id];
        index_t const extent = g_[f.inner].extent[l];
        // Long enough that it does not matter to write a part of a product and add it up.
        index_t const own = f.what == kind::contract ? product_part
                            : l == s_[f.inner].lane  ? lanes_part
                                                     : 1;
        if (!sums_over(f, l) || extent < enough * own) return false;
        how.strip = l;
        linked_loops linked(g_.spaces.size(), 0U);
        link(g_, s_, id, linked);
        index_t const unit = std::max(own, least_part(id, linked));
        if (extent < enough * unit) {
            how.strip = {};
            return false;
        }
        for_each_unlinked(g_, s_, id, linked, [&](node_id x) {
            if (part_overhead * most_parts * g_[x].work > f.work) take_value(x);
        });
        double const again = unlinked_work(g_, s_, id, linked);
        how.part = part_of(extent, parts_worth(f.work, again, sum_bytes(f)), unit);
        if (how.part == 0) how.strip = {};
        return how.part > 0;
    }

    // Products below want rows or columns enough to pack their operands again for each part, and
    // lanes that follow it, in loops further below, want rows that are not short.
    index_t least_part(node_id id, linked_loops const& linked) const {
        if (contains_product(g_, id)) return most_mc;
        for (node_id x : g_.below(id)) {
            node const& f = g_[x];
            if (s_[x].by != way::scratch || !f.inner) continue;
            axis_id const axis = axis_along_lanes(g_, s_, x, f.inner);
            for (loop_id l{0}; l < f.at.loops && axis >= 0; ++l) {
                bool const moves = (linked[f.space] >> l & 1U) != 0;
                if (moves && f.at.coef[axis][l] != 0) return least_row_part;
            }
        }
        return 1;
    }

    bool cut_longest(node_id id) {
        node const& f = g_[id];
        loop_space const& in = g_[f.inner];
        loop_id longest;
        for (loop_id l : in.loops()) {
            if (sums_over(f, l) && (longest < 0 || in.extent[l] > in.extent[longest])) longest = l;
        }
        return longest >= 0 && cut(id, longest, 2);
    }

    // Whether accumulate() reaches node id: reshape, concat and the like ask for boxes only.
    bool reached(node_id id) const {
        for (node_id x = 0; x < id; ++x) {
            if (g_[x].end > id && !trait_of(g_[x]).passes_sums) return false;
        }
        return true;
    }

    // Whether nothing is shared between what is below id and the rest, but values computed first.
    bool apart(node_id id) {
        auto const below = g_.below(id);
        for (node_id x : g_.nodes.ids()) {
            placement const& f = s_[x];
            bool const inside = below.contains(x), of_inside = below.contains(f.slot);
            if (inside && (f.by == way::hoisted || f.reused != nullptr)) return false;
            if (!f.slot || inside == of_inside || f.slot == id) continue;
            if (!take_value(f.slot)) return false;
        }
        return true;
    }

    graph const& g_;
    schedule& s_;
    pass_facts& pass_;
};

// The strips of a pass in parts.
class split_strips {
public:
    split_strips(graph const& g, schedule& s, pass_facts& pass) : g_(g), s_(s), pass_(pass) {}

    FELT_PLANNING void decide() {
        if (pass_.alone()) return;
        double most = 0;
        for (statement_id k : pass_.statements()) {
            most += g_[g_[k].root].work;
            for (node_id id : g_.nodes_of(k)) {
                if (s_[id].strip >= 0) pass_.sums.push_back(id);
            }
        }
        if (parts_worth(most, 0, 0) == 1) return;
        for (statement_id k : pass_.statements()) count_statement(k);
        index_t const parts = parts_worth(work_, again_, bytes_);
        if (parts == 1) return;
        // Strips of this width still pay, so that short axes have parts too.
        index_t const least = std::max(product_part, round_up(pass_.extent / parts, lane_step));
        pass_.strip = std::min(pass_.strip, least);
        pass_.part = part_of(pass_.extent, parts, pass_.strip);
    }

private:
    void count_statement(statement_id k) {
        node_id const root = g_[k].root;
        auto const linked = linked_below(g_, s_, k);
        sums_ahead ahead(g_, s_, pass_);
        for_each_unlinked(g_, s_, root, linked, [&](node_id id) { ahead.take_value(id); });
        if (s_[k].strip >= 0) count(root, linked);
        for (node_id id : pass_.sums) {
            if (!g_.subtree(root).contains(id)) continue;
            count(id, linked);
            bytes_ += sum_bytes(g_[id]);
        }
    }
    void count(node_id id, linked_loops const& linked) {
        work_ += g_[id].work;
        again_ += unlinked_work(g_, s_, id, linked);
    }

    graph const& g_;
    schedule& s_;
    pass_facts& pass_;
    double work_ = 0, again_ = 0;
    index_t bytes_ = 0;
};

// Long sums of a statement alone, where its tasks are too few.
FELT_PLANNING_SELDOM inline void split_sums(graph const& g, schedule& s, pass_facts& pass) {
    if (!pass.alone()) return;
    statement_id const k = pass.first;
    node_id const root = g[k].root;
    index_t const parts = parts_worth(g[root].work, 0, 0);
    if (parts > 1 && 2 * cut_tasks(g, s, k).count < parts) sums_ahead(g, s, pass).find(root);
}

}  // namespace detail
}  // namespace felt::inline FELT_ABI::planning
