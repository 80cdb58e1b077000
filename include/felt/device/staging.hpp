// SPDX-License-Identifier: BSD-3-Clause
//
// The launches of a plan that compute a node into memory: their loops, their form, and which of
// them serve equal nodes.
#pragma once
#include <felt/device/walks.hpp>
#include <felt/plan/1_analysis/cse.hpp>

namespace felt::inline FELT_ABI::device {

// Rows at least so long are folded by a block of threads each.
inline constexpr index_t long_row = 64;

namespace detail {

class staging {
public:
    explicit staging(plan& p) : p_(p) {
        for (node_id id : p.g.nodes.ids()) p[id].slot = id;
    }

    void compute(node_id id) { compute(id, reason(id)); }

    // A launch that computes node id, after those that compute what it reads. `root`: of a
    // statement, and for nothing else.
    void compute(node_id id, std::string const& why, bool root = false) {
        placement& to = p_[id];
        if (to.launch) return;
        if (node_id const first = root ? node_id{} : first_of(id); first) {
            to.slot = first;
            to.launch = p_[first].launch;
            return;
        }
        launch_facts l;
        l.node = id;
        l.why = why;
        find_live(p_, id, l.live);
        for (node_id x : l.live) {
            if (x != id && is_stage(p_, x)) compute(x);
        }
        choose(id, root, l);
        to.launch = p_.launch.add(std::move(l));
    }

private:
    std::string reason(node_id id) const {
        planning::node const& f = p_.g[id];
        if (f.what == kind::contract && !p_.unfused) return product_reason(id);
        char const* const waits = f.what == kind::contract ? nullptr : trait_of(f).waits;
        return waits ? waits : "nodes of an unfused run have tensors of their own";
    }

    // Of a product whose sums are not given to the statement as they are.
    std::string product_reason(node_id id) const {
        node_id root = id;
        for (node_id a = id - 1; a; --a) {
            planning::node const& f = p_.g[a];
            if (f.end <= id) continue;
            root = a;
            if (f.what == kind::contract) return "it is in an operand of another product";
            if (!reads_in_step(f)) return std::string("it is read by ") + f.name;
        }
        for (node_id x : p_.g.subtree(root)) {
            if (p_[x].is_kept) return "it comes with another product";
        }
        return "its statement reads it otherwise, too, or has more axes";
    }

    void choose(node_id id, bool root, launch_facts& l) {
        planning::node const& f = p_.g[id];
        if (f.what == kind::scatter || f.what == kind::scan) l.how = form::lines;
        if (f.what == kind::contract) l.how = form::product;
        for (node_id x : l.live) {
            if (x != id && p_[x].is_kept) l.how = form::product;
        }
        if (l.how == form::lines || l.how == form::product) return;
        if (p_[id].never_streams) return choose_fold(id, l);
        auto all = walkers_over(id, root, l.live);
        bool const in_order = !all.empty() && p_[id].may_run_in_order;
        all.push_back(row_major(f.extent, f.rank));
        choose_form(l, f.extent, f.rank, std::move(all), 1, in_order);
    }

    // The steps along the axes of node id of what it reads: the last loops of a statement, those of
    // its own, or, where all is read by indices, these.
    std::vector<walker> walkers_over(node_id id, bool root,
                                     std::vector<node_id> const& live) const {
        planning::node const& f = p_.g[id];
        if (!root && f.what != kind::map) {
            std::vector<walker> indices(static_cast<std::size_t>(f.rank));
            for (int a = 0; walker & each : indices) each.by[a++] = 1;
            return indices;
        }
        space_id const in = root ? f.space : f.inner;
        auto all = walkers_of(p_, live, in);
        for (walker& each : all) each = walker_of(each.by + p_.g[in].rank - f.rank, f.rank);
        return all;
    }

    void choose_fold(node_id id, launch_facts& l) const {
        planning::node const& f = p_.g[id];
        l.loops = walk_to_fold(p_, id, l.live);
        index_t results = 1, terms = 1;
        for (int loop = 0; loop < l.loops.rank; ++loop) {
            (loop < l.loops.kept ? results : terms) *= l.loops.extent[loop];
        }
        l.part = part_of(results, terms);
        l.how = form::parts;
        bool const trailing = (f.mask + (1U << l.loops.kept)) == 1U << l.loops.rank;
        if (is_host_memory || !l.loops.is_countable() || results * terms == 0) return;
        if (results == 1 && l.loops.kept == 0) l.how = form::whole;
        else if (trailing && l.loops.kept > 0 && terms >= long_row) l.how = form::rows;
    }

    // Long parts are few results to fold again, short ones are many threads.
    static index_t part_of(index_t results, index_t terms) {
        constexpr index_t threads = index_t{1} << 17, least = 64, most = 1024;
        if (is_host_memory || terms <= 4 * least) return most;
        return std::clamp(results * terms / threads, least, most);
    }

    // An equal node that is computed before, into memory of its own.
    node_id first_of(node_id id) const {
        return planning::detail::first_unchanged(p_.g, 0, id, [&](node_id a) {
            placement const& first = p_[a];
            return first.launch && first.slot == a && !p_.launch[first.launch].first;
        });
    }

    plan& p_;
};

}  // namespace detail

}  // namespace felt::inline FELT_ABI::device
