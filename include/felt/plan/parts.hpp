// SPDX-License-Identifier: BSD-3-Clause
//
// The parts that threads share out, by extents alone, never by the number of threads: the strips
// of a pass, or the terms of a long sum, which is then computed before the statement's loops.
// What the parts sum meets pairwise.
#pragma once
#include <felt/core/function_ref.hpp>
#include <felt/plan/queries.hpp>
#include <felt/plan/tasks.hpp>

namespace felt::planning {

// How many bytes the sums of all parts may take.
inline constexpr index_t part_bytes = index_t{16} << 20;

// Results of a sum that is computed first: more would be an intermediate.
inline constexpr index_t ahead_bytes = scratch_limit / 8;

namespace detail {

// How many parts `work` operations are worth whose sums take `bytes`; `again` of them are done
// once more for every part, for which a twentieth may be lost, as for the sums' way to memory.
inline index_t parts_worth(double work, double again, index_t bytes) {
    double most = std::min<double>(most_parts, work / static_cast<double>(part_work));
    if (again > 0) most = std::min(most, work / again / 20);
    if (bytes > 0)
        most = std::min({most, static_cast<double>(part_bytes / bytes),
                         work / static_cast<double>(bytes) / 20});
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

// Calls f for the nodes below id, outermost ones, that are computed whatever the strip is.
inline void for_each_unlinked(plan const& p, int id, std::vector<unsigned> const& linked,
                              function_ref<void(int)> call) {
    for (int x = id, next; x < p.at(id).end; x = next) {
        node_facts const& f = p.at(x);
        bool const first = computed_first(p, f);
        next = first ? f.end : x + 1;
        if (first || f.by != way::scratch || f.strip >= 0) continue;
        unsigned const bits = linked[static_cast<std::size_t>(f.space)];
        bool follows = false;
        for (int l = 0; l < f.at.loops; ++l) {
            follows = follows || ((bits >> l & 1U) != 0 && box_moves(f, l));
        }
        if (follows) continue;
        next = f.end;
        call(x);
    }
}

// Work below node id that does not follow the strip: every part does it again.
FELT_PLANNING_SELDOM inline double unlinked_work(plan const& p, int id,
                                                 std::vector<unsigned> const& linked) {
    double work = 0;
    for_each_unlinked(p, id, linked, [&](int x) { work += p.at(x).work; });
    return work;
}

// Decides which sums of a pass are computed before its loops, in parts.
class sums_ahead {
public:
    sums_ahead(plan& p, pass_facts& pass) : p_(p), pass_(pass) {}

    // The sums nearest to the root; where one is not taken, those below it.
    void find(int id) {
        node_facts const& f = p_.at(id);
        if (f.what == kind::reduce || f.what == kind::contract) {
            if (take(id)) return;
        }
        for (int x = id + 1; x < f.end; x = p_.at(x).end) find(x);
    }

    // A value that every part would compute again.
    bool take_value(int id) { return elements(p_.at(id)) == 1 && take(id); }

private:
    static constexpr double least = 2.0 * static_cast<double>(part_work);

    bool take(int id) {
        node_facts& f = p_.at(id);
        if (f.slot >= 0 && f.slot != id) return take(f.slot);
        if (f.part > 0) return true;
        bool const sum = f.what == kind::reduce || f.what == kind::contract;
        if (!sum || f.strip >= 0 || f.work < least || sum_bytes(f) > ahead_bytes) return false;
        if (!reached(id) || !apart(id)) return false;
        loop_space const& in = p_.loop(f.inner);
        for (int i = 0; i < in.rank; ++i) {
            int const l = f.what == kind::reduce ? in.order[i] : i;
            if (cut(id, l, most_parts) || (i + 1 == in.rank && cut_longest(id))) {
                f.direct = false;
                pass_.ahead.push_back(id);
                return true;
            }
        }
        return false;
    }

    // Cuts sum id along loop l of its own, in so many parts or, if memory bounds them, fewer.
    bool cut(int id, int l, index_t enough) {
        node_facts& f = p_.at(id);
        loop_space const& in = p_.loop(f.inner);
        // Long enough that it does not matter to write a part of a product and add it up.
        index_t const own = f.what == kind::contract ? 1024 : l == in.lane ? 2048 : 1;
        if (!sums_over(f, l) || in.extent[l] < enough * own) return false;
        f.strip = l;
        std::vector<unsigned> linked(p_.space.size(), 0U);
        link(p_, id, linked);
        index_t const unit = std::max(own, least_part(id, linked));
        if (in.extent[l] < enough * unit) {
            f.strip = -1;
            return false;
        }
        for_each_unlinked(p_, id, linked, [&](int x) {
            if (20 * most_parts * p_.at(x).work > f.work) take_value(x);
        });
        double const again = unlinked_work(p_, id, linked);
        f.part = part_of(in.extent[l], parts_worth(f.work, again, sum_bytes(f)), unit);
        if (f.part == 0) f.strip = -1;
        return f.part > 0;
    }

    // Products below want rows or columns enough to pack their operands again for each part, and
    // lanes that follow it, in loops further below, want rows that are not short.
    index_t least_part(int id, std::vector<unsigned> const& linked) const {
        constexpr index_t row = 64;
        if (contains_product(p_, id)) return pack_rows;
        for (int x = id + 1; x < p_.at(id).end; ++x) {
            node_facts const& f = p_.at(x);
            if (f.by != way::scratch || f.inner < 0) continue;
            int const axis = axis_along_lanes(p_, f, f.inner);
            for (int l = 0; l < f.at.loops && axis >= 0; ++l) {
                bool const moves = (linked[static_cast<std::size_t>(f.space)] >> l & 1U) != 0;
                if (moves && f.at.coef[axis][l] != 0) return row;
            }
        }
        return 1;
    }

    bool cut_longest(int id) {
        node_facts const& f = p_.at(id);
        loop_space const& in = p_.loop(f.inner);
        int longest = -1;
        for (int l = 0; l < in.rank; ++l) {
            if (sums_over(f, l) && (longest < 0 || in.extent[l] > in.extent[longest])) longest = l;
        }
        return longest >= 0 && cut(id, longest, 2);
    }

    // Whether accumulate() reaches node id: reshape, concat and the like ask for boxes only.
    bool reached(int id) const {
        for (int x = 0; x < id; ++x) {
            kind const what = p_.at(x).what;
            bool const passes = what == kind::map || what == kind::affine ||
                                what == kind::general || what == kind::once ||
                                what == kind::reduce || what == kind::contract;
            if (p_.at(x).end > id && !passes) return false;
        }
        return true;
    }

    // Whether nothing is shared between what is below id and the rest, but values computed first.
    bool apart(int id) {
        int const end = p_.at(id).end;
        for (int x = 0; x < static_cast<int>(p_.node.size()); ++x) {
            node_facts const& f = p_.at(x);
            bool const inside = id < x && x < end, of_inside = id < f.slot && f.slot < end;
            if (inside && (f.by == way::hoisted || f.home != nullptr)) return false;
            if (f.slot < 0 || inside == of_inside || f.slot == id) continue;
            if (!take_value(f.slot)) return false;
        }
        return true;
    }

    plan& p_;
    pass_facts& pass_;
};

// The strips of a pass of several statements in parts.
class shared_strips {
public:
    shared_strips(plan& p, pass_facts& pass) : p_(p), pass_(pass) {}

    FELT_PLANNING void decide() {
        double most = 0;
        for (int k = pass_.first; k < pass_.last; ++k) {
            int const root = statement(k).root;
            most += p_.at(root).work;
            for (int id = root; id < p_.at(root).end; ++id) {
                if (p_.at(id).strip >= 0) pass_.sums.push_back(id);
            }
        }
        if (parts_worth(most, 0, 0) == 1) return;
        for (int k = pass_.first; k < pass_.last; ++k) count_statement(statement(k));
        index_t const parts = parts_worth(work_, again_, bytes_);
        if (parts == 1) return;
        // Strips of this width still pay, so that short axes have parts too.
        index_t const least = std::max<index_t>(1024, round_up(pass_.extent / parts, 64));
        pass_.strip = std::min(pass_.strip, least);
        pass_.part = part_of(pass_.extent, parts, pass_.strip);
    }

private:
    statement_facts const& statement(int k) const {
        return p_.statement[static_cast<std::size_t>(k)];
    }

    void count_statement(statement_facts const& to) {
        auto const linked = linked_below(p_, to);
        sums_ahead ahead(p_, pass_);
        for_each_unlinked(p_, to.root, linked, [&](int id) { ahead.take_value(id); });
        if (to.strip >= 0) count(to.root, linked);
        for (int id : pass_.sums) {
            if (id < to.root || id >= p_.at(to.root).end) continue;
            count(id, linked);
            bytes_ += sum_bytes(p_.at(id));
        }
    }
    void count(int id, std::vector<unsigned> const& linked) {
        work_ += p_.at(id).work;
        again_ += unlinked_work(p_, id, linked);
    }

    plan& p_;
    pass_facts& pass_;
    double work_ = 0, again_ = 0;
    index_t bytes_ = 0;
};

// Long sums of a statement alone, where its blocks are too few to be shared out.
FELT_PLANNING_SELDOM inline void share_sums(plan& p, pass_facts& pass) {
    statement_facts const& to = p.statement[static_cast<std::size_t>(pass.first)];
    index_t const parts = parts_worth(p.at(to.root).work, 0, 0);
    if (parts > 1 && 2 * cut_tasks(p, to).count < parts) sums_ahead(p, pass).find(to.root);
}

}  // namespace detail
}  // namespace felt::planning
