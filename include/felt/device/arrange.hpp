// SPDX-License-Identifier: BSD-3-Clause
//
// make_plan: every launch of a run, in order.
#pragma once
#include <felt/device/product_shared.hpp>
#include <felt/device/staging.hpp>
#include <felt/plan/6_statement_fusion/grouping.hpp>

namespace felt::inline FELT_ABI::device {

namespace detail {

// Whether a destination lies as dense results do.
inline bool is_dense(destination const& to) {
    walker const dense = row_major(to.extent, to.rank);
    bool all = true;
    for (int a = 0; a < to.rank; ++a) {
        all = all && (to.extent[a] == 1 || to.stride[a] == dense.by[a]);
    }
    return all;
}

// Statements that run element by element.
struct in_step {
    plan const& p;
    table<statement_id, std::vector<node_id>> const& live;

    bool writes_alike(statement_id a, statement_id b) const {
        return planning::detail::same_elements(p.g[a], p.g[b]);
    }
    std::string why_not(statement_id reader, node_id id, statement_id writer) const {
        bool const later = writer > reader;
        auto const& now = live[reader];
        if (std::find(now.begin(), now.end(), id) == now.end()) {
            return later ? "" : "what is computed before it reads what an earlier statement writes";
        }
        if (planning::detail::same_elements(p.g, writer, id, p.g[reader].space)) return {};
        return later ? "it writes what an earlier statement reads at other elements"
                     : "it reads other elements of what an earlier statement writes";
    }
};

class arranging {
public:
    explicit arranging(plan& p) : p_(p), stages_(p), live_(p.g.statements.size()) {
        for (statement_id k : p.g.statements.ids()) {
            destination const& to = at(k);
            if (stands_alone(p, to.root)) live_[k] = {to.root};
            else find_live(p, to.root, live_[k]);
            p[k].temporary = !to.no_alias && planning::detail::reads_elsewhere(p.g, live_[k], k);
        }
    }

    void arrange() {
        for (statement_id k = 0; k < p_.g.statements.end_id(); k = p_.pass.back().last) {
            p_.pass.push_back({k, k + 1, {}, {}});
            compute_stages(k);
            auto const join = [&](statement_id next) {
                std::string why = why_not(k, next);
                if (why.empty()) compute_stages(next);
                return why;
            };
            planning::detail::extend(p_.g, p_.pass.back(), join);
            end_pass(p_.pass.back());
        }
    }

private:
    destination const& at(statement_id k) const { return p_.g[k]; }
    bool keeps(statement_id k) const { return p_[k].keeps != kept::none; }

    // Why statement k may not be in one launch with those from `first` on; empty if it may.
    std::string why_not(statement_id first, statement_id k) const {
        if (p_.unfused) return "every node is a launch of its own";
        if (stands_alone(p_, at(first).root)) return "it follows one that does not stream";
        if (p_[first].temporary) return "it follows one that reads what it writes";
        if (keeps(first) && k >= p_[first].shares_until) {
            return "it needs other sums than the product before it";
        }
        if (!keeps(first) && keeps(k)) return "it has a product";
        if (stands_alone(p_, at(k).root)) return "it does not stream";
        if (k - first == most_together) return "so many statements are one kernel at most";
        if (keeps(first) && !is_near(k)) return "its elements lie too far apart for a product";
        if (p_[k].temporary) return "it reads what it writes, by other indices";
        if (at(k).rank != at(first).rank ||
            !std::equal(at(k).extent, at(k).extent + at(k).rank, at(first).extent)) {
            return "it has other extents";
        }
        return planning::detail::conflict(p_.g, {first, k}, k, in_step{p_, live_});
    }

    void compute_stages(statement_id k) {
        destination const& to = at(k);
        if (stands_alone(p_, to.root)) return compute_root(k);
        for (node_id id : live_[k]) {
            if (id != to.root && is_stage(p_, id)) stages_.compute(id);
        }
    }

    // A reduction and the like, into the destination where that lies as they write.
    void compute_root(statement_id k) {
        destination const& to = at(k);
        planning::node const& root = p_.g[to.root];
        bool const fits = root.rank == to.rank &&
                          std::equal(to.extent, to.extent + to.rank, root.extent) && is_dense(to);
        bool const reads =
            !to.no_alias && planning::detail::any_touches(p_.g, p_.g.nodes_of(k), to);
        if (!fits || reads) {
            return stages_.compute(to.root, reads ? "it reads what it writes"
                                                  : "its destination has other strides or extents");
        }
        stages_.compute(to.root, "", true);
        launch_facts& l = p_.launch.back();
        l.first = k;
        l.last = k + 1;
        p_.pass.back().launch = p_.launch.end_id() - 1;
    }

    // Whether the tile program can count where its elements lie.
    bool is_near(statement_id k) const {
        auto all = walkers_of(p_, live_[k], at(k).space);
        all.push_back(walker_of(at(k).stride, at(k).rank));
        return std::all_of(all.begin(), all.end(), [&](walker const& each) {
            index_t far = 0;
            for (int a = 0; a < at(k).rank; ++a) far += std::abs(each.by[a]) * at(k).extent[a];
            return far < int_limit;
        });
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
        bool in_order = true;
        for (statement_id k : pass.statements()) {
            auto const own = walkers_of(p_, live_[k], at(k).space);
            in_order =
                in_order && !own.empty() && may_run_in_order(k) && !reads_earlier(pass.first, k);
            all.insert(all.end(), own.begin(), own.end());
            all.push_back(walker_of(at(k).stride, to.rank));
            l.live.insert(l.live.end(), live_[k].begin(), live_[k].end());
        }
        choose_form(l, to.extent, to.rank, std::move(all), pass.last - pass.first, in_order);
        if (keeps(pass.first) && !temporary) l.how = form::product;
        pass.launch = p_.launch.add(std::move(l));
    }

    // The whole of statement k first, which then is a copy.
    void keep_aside(statement_id k) {
        node_id const root = at(k).root;
        stages_.compute(root, "it reads what it writes, by other indices", true);
        live_[k] = {root};
    }

    // Whether by its type a transform is compiled for statement k, or for a copy of its values.
    bool may_run_in_order(statement_id k) const {
        node_id const root = at(k).root;
        bool const in_memory = p_[root].launch && is_stage(p_, root);
        return p_.g[root].rank == at(k).rank && !keeps(k) &&
               (in_memory || p_[root].may_run_in_order);
    }
    // A transform has read everything before it writes.
    bool reads_earlier(statement_id first, statement_id k) const {
        for (statement_id j = first; j < k; ++j) {
            if (planning::detail::any_touches(p_.g, live_[k], at(j))) return true;
        }
        return false;
    }

    plan& p_;
    staging stages_;
    table<statement_id, std::vector<node_id>> live_;  // what each reads in its launch
};

FELT_PLANNING inline void arrange(plan& p) { arranging(p).arrange(); }

template <class How, class T, std::size_t R, class Space, class E>
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
    note_types<How, E>(p.nodes);
    p.statements.add().keeps = p.unfused ? kept::none : keep_products<R>(s.expression, p, to.root);
    apart<&place_statement>::call(p, to);
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
    constexpr bool unfused = std::is_same_v<How, unfused_t>;
    p.unfused = unfused;
    p.g.nodes.reserve(64);
    p.g.spaces.reserve(32);
    if constexpr (host_pass) {  // nvcc finds kernels in its other pass, which must come by here
        using rules = std::conditional_t<unfused, unfused_t, fused_t>;
        (detail::describe_statement<rules>(p, s), ...);
        detail::describe_sharing(p, 0, s...);
        apart<&detail::arrange>::call(p);
    }
    return p;
}

}  // namespace felt::inline FELT_ABI::device
