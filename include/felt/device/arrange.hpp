// SPDX-License-Identifier: BSD-3-Clause
//
// make_plan: every launch of a run, in order.
#pragma once
#include <felt/device/product_shared.hpp>
#include <felt/device/staging.hpp>

namespace felt::device {

namespace detail {

inline bool is_dense(index_t const* extent, index_t const* stride, int rank) {
    index_t n = 1;
    for (int a = rank - 1; a >= 0; --a) {
        if (extent[a] != 1 && stride[a] != n) return false;
        n *= extent[a];
    }
    return true;
}

class arranging {
public:
    explicit arranging(plan& p) : p_(p), stages_(p), members_(p.g.statements.size()) {}

    void arrange() {
        statement_id const end = p_.g.statements.end_id();
        for (statement_id k = 0; k < end; k = p_.pass.back().last) {
            begin_pass(k);
            while (p_.pass.back().last < end && join(p_.pass.back())) {
            }
            end_pass(p_.pass.back());
        }
    }

private:
    struct member {
        std::vector<node_id> live;
        bool placed = false, direct = false;
    };

    destination const& at(statement_id k) const { return p_.g[k]; }
    member& of(statement_id k) { return members_[k]; }

    void begin_pass(statement_id k) {
        p_.pass.push_back({k, k + 1, {}, {}});
        if (!of(k).placed) place(k);
        compute_stages(k);
        if (!of(k).direct) find_alias(k);
    }

    // The next statement, if nothing keeps it out.
    bool join(pass_facts& pass) {
        statement_id const k = pass.last;
        pass.why = cut(pass, k);
        if (!pass.why.empty()) return false;
        compute_stages(k);
        ++pass.last;
        return true;
    }
    std::string cut(pass_facts const& pass, statement_id k) {
        if (p_.unfused) return "every node is a launch of its own";
        if (stands_alone(p_, at(pass.first).root)) return "it follows one that does not stream";
        if (p_[pass.first].temporary) return "it follows one that reads what it writes";
        if (keeps(pass.first) && k >= p_[pass.first].shares_until) {
            return "it needs other sums than the product before it";
        }
        if (!keeps(pass.first) && keeps(k)) return "it has a product";
        place(k);
        if (stands_alone(p_, at(k).root)) return "it does not stream";
        if (pass.last - pass.first == most_together) {
            return "so many statements are one kernel at most";
        }
        if (keeps(pass.first) && !is_near(k)) return "its elements lie too far apart for a product";
        find_alias(k);
        if (p_[k].temporary) return "it reads what it writes, by other indices";
        std::string why;
        for (statement_id j = pass.first; j < pass.last && why.empty(); ++j) {
            why = conflict(p_, at(j), of(j).live, at(k), of(k).live);
        }
        return why;
    }

    // Nodes of statement k by its loops; what is computed before comes later.
    void place(statement_id k) {
        of(k).placed = true;
        destination const& to = at(k);
        planning::detail::follow_destination(p_[to.root].at, p_.g[to.root], to.rank);
        placing(p_, of(k).live).place(to.root, true, !stands_alone(p_, to.root));
    }

    void compute_stages(statement_id k) {
        destination const& to = at(k);
        if (stands_alone(p_, to.root)) of(k).direct = compute_root(k);
        for (node_id id : of(k).live) {
            if (id != to.root && is_stage(p_, id)) stages_.compute(id);
        }
    }

    // A reduction and the like, into the destination where that lies as they write.
    bool compute_root(statement_id k) {
        destination const& to = at(k);
        planning::node const& root = p_.g[to.root];
        bool const fits = root.rank == to.rank &&
                          std::equal(to.extent, to.extent + to.rank, root.extent) &&
                          is_dense(to.extent, to.stride, to.rank);
        std::string why = "its destination has other strides or extents";
        bool reads = false;
        for (node_id id : p_.g.nodes_of(k)) reads = reads || touches(p_, id, to);
        if (reads && !to.no_alias) why = "it reads what it writes";
        bool const direct = fits && (!reads || to.no_alias);
        if (!direct) stages_.compute(to.root, why);
        if (!direct) return false;
        stages_.compute(to.root, "", false);
        launch_facts& l = p_.launch.back();
        l.first = k;
        l.last = k + 1;
        p_.pass.back().launch = p_.launch.end_id() - 1;
        return true;
    }

    // Whether the tile program can count where its elements lie.
    bool is_near(statement_id k) {
        auto all = walkers_of(p_, of(k).live, at(k).rank);
        all.emplace_back(at(k).stride, at(k).stride + at(k).rank);
        return std::all_of(all.begin(), all.end(), [&](walker const& by) {
            index_t far = 0;
            for (int a = 0; a < at(k).rank; ++a) {
                far += std::abs(by[static_cast<std::size_t>(a)]) * at(k).extent[a];
            }
            return far < int_limit;
        });
    }

    void find_alias(statement_id k) {
        destination const& to = at(k);
        p_[k].temporary = !to.no_alias && reads_elsewhere(p_, of(k).live, to);
    }

    // The launch of the statements themselves.
    void end_pass(pass_facts& pass) {
        if (pass.launch) return;
        launch_facts l;
        l.first = pass.first;
        l.last = pass.last;
        destination const& to = at(pass.first);
        bool const temporary = p_[pass.first].temporary;
        if (temporary) keep_aside(pass.first);
        std::vector<walker> all;
        bool ordered = true;
        for (statement_id k : pass.statements()) {
            auto const own = walkers_of(p_, of(k).live, to.rank);
            ordered = ordered && !own.empty() &&
                      may_run_on(p_, at(k).root, to.rank, !p_[at(k).root].launch) &&
                      !reads_earlier(pass.first, k);
            all.insert(all.end(), own.begin(), own.end());
            all.emplace_back(at(k).stride, at(k).stride + to.rank);
            l.live.insert(l.live.end(), of(k).live.begin(), of(k).live.end());
        }
        auto const operands = static_cast<int>(all.size()) - (pass.last - pass.first);
        l.loops = walk_over(to.extent, to.rank, std::move(all));
        ordered = ordered && l.loops.in_order && operands <= most_operands;
        if (ordered) l.how = form::transform;
        if (keeps(pass.first) && !temporary) l.how = form::product;
        pass.launch = p_.launch.add(std::move(l));
    }

    bool keeps(statement_id k) const { return p_[k].keeps != kept::none; }

    // The whole of statement k first, which then is a copy.
    void keep_aside(statement_id k) {
        node_id const root = at(k).root;
        stages_.compute(root, "it reads what it writes, by other indices", false);
        placing(p_, of(k).live).locate_dense(root);
        of(k).live = {root};
    }

    // A transform has read everything before it writes.
    bool reads_earlier(statement_id first, statement_id k) {
        for (node_id id : of(k).live) {
            for (statement_id j = first; j < k; ++j) {
                if (touches(p_, id, at(j))) return true;
            }
        }
        return false;
    }

    plan& p_;
    staging stages_;
    table<statement_id, member> members_;
};

FELT_PLANNING inline void arrange(plan& p) { arranging(p).arrange(); }

template <class T, std::size_t R, class Space, class E>
void describe_statement(plan& p, statement<T, R, Space, E> const& s) {
    destination to;
    to.root = p.g.nodes.end_id();
    to.data = s.data;
    to.rank = static_cast<int>(R);
    to.value_bytes = static_cast<int>(sizeof(T));
    to.no_alias = s.no_alias;
    std::copy(s.e.begin(), s.e.end(), to.extent);
    std::copy(s.stride.begin(), s.stride.end(), to.stride);
    planning::describe(s.expression, p.g);
    p.g.statements.add(to);
    p.nodes.resize(p.g.nodes.size());
    kept const keeps = p.unfused ? kept::none : products_to_keep<R>(s.expression, p.g, to.root);
    p.statements.add().keeps = keeps;
    std::vector<node_id> products;
    if (keeps != kept::none) find_products(p.g, to.root, products);
    if (keeps == kept::first) products.resize(1);
    for (node_id id : products) p[id].is_kept = true;
}

// Which statements, from k on, may be in a pass that each of them begins with its products.
template <class S, class... Next>
void describe_sharing(plan& p, statement_id k, S const& s, Next const&... next) {
    p[k].shares_until = shared_until(p, k, s, next...);
    if constexpr (sizeof...(Next) > 0) describe_sharing(p, k + 1, next...);
}

}  // namespace detail

// Of statements that are lowered.
template <class How, class... S>
plan make_plan(How, S const&... s) {
    plan p;
    p.unfused = std::is_same_v<How, unfused_t>;
    if constexpr (host_pass) {  // nvcc finds kernels in its other pass, which must come by here
        (detail::describe_statement(p, s), ...);
        detail::describe_sharing(p, 0, s...);
        apart<&detail::arrange>::call(p);
    }
    return p;
}

}  // namespace felt::device
