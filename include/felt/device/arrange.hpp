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
    explicit arranging(plan& p) : p_(p), stages_(p), members_(p.statement.size()) {}

    void arrange() {
        int const count = static_cast<int>(p_.statement.size());
        for (int k = 0; k < count; k = p_.pass.back().last) {
            begin_pass(k);
            while (p_.pass.back().last < count && join(p_.pass.back())) {
            }
            end_pass(p_.pass.back());
        }
    }

private:
    struct member {
        std::vector<int> live;
        bool placed = false, direct = false;
    };

    statement_facts& at(int k) { return p_.statement[static_cast<std::size_t>(k)]; }
    member& of(int k) { return members_[static_cast<std::size_t>(k)]; }

    void begin_pass(int k) {
        p_.pass.push_back({k, k + 1, -1, {}});
        if (!of(k).placed) place(k);
        compute_stages(k);
        if (!of(k).direct) find_alias(k);
    }

    // The next statement, if nothing keeps it out.
    bool join(pass_facts& pass) {
        int const k = pass.last;
        pass.why = cut(pass, k);
        if (!pass.why.empty()) return false;
        compute_stages(k);
        ++pass.last;
        return true;
    }
    std::string cut(pass_facts const& pass, int k) {
        if (p_.unfused) return "every node is a launch of its own";
        if (stands_alone(p_, at(pass.first).root)) return "it follows one that does not stream";
        if (at(pass.first).temporary) return "it follows one that reads what it writes";
        if (keeps(pass.first) && k >= p_.shares_until[static_cast<std::size_t>(pass.first)]) {
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
        if (at(k).temporary) return "it reads what it writes, by other indices";
        std::string why;
        for (int j = pass.first; j < pass.last && why.empty(); ++j) {
            why = conflict(p_, at(j), of(j).live, at(k), of(k).live);
        }
        return why;
    }

    // Nodes of statement k by its loops; what is computed before comes later.
    void place(int k) {
        of(k).placed = true;
        statement_facts& to = at(k);
        node_facts& root = p_.at(to.root);
        auto& at = planning::detail::stand_still(root.at, root.rank, to.rank);
        for (int a = 0; a < root.rank; ++a) {
            if (root.extent[a] != 1) at.coef[a][to.rank - root.rank + a] = 1;
        }
        placing(p_, of(k).live).place(to.root, true, !stands_alone(p_, to.root));
    }

    void compute_stages(int k) {
        statement_facts const& to = at(k);
        if (stands_alone(p_, to.root)) of(k).direct = compute_root(k);
        for (int id : of(k).live) {
            if (id != to.root && is_stage(p_, id)) stages_.compute(id);
        }
    }

    // A reduction and the like, into the destination where that lies as they write.
    bool compute_root(int k) {
        statement_facts const& to = at(k);
        node_facts const& root = p_.at(to.root);
        bool const fits = root.rank == to.rank &&
                          std::equal(to.extent, to.extent + to.rank, root.extent) &&
                          is_dense(to.extent, to.stride, to.rank);
        std::string why = "its destination has other strides or extents";
        bool reads = false;
        for (int id = to.root; id < root.end; ++id) reads = reads || touches(p_, id, to);
        if (reads && !to.no_alias) why = "it reads what it writes";
        bool const direct = fits && (!reads || to.no_alias);
        if (!direct) stages_.compute(to.root, why);
        if (!direct) return false;
        stages_.compute(to.root, "", false);
        launch_facts& l = p_.launch.back();
        l.first = k;
        l.last = k + 1;
        p_.pass.back().launch = static_cast<int>(p_.launch.size()) - 1;
        return true;
    }

    // Whether the tile program can count where its elements lie.
    bool is_near(int k) {
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

    void find_alias(int k) {
        statement_facts& to = at(k);
        to.temporary = !to.no_alias && reads_elsewhere(p_, of(k).live, to);
    }

    // The launch of the statements themselves.
    void end_pass(pass_facts& pass) {
        if (pass.launch >= 0) return;
        launch_facts l;
        l.first = pass.first;
        l.last = pass.last;
        statement_facts const& to = at(pass.first);
        if (to.temporary) keep_aside(pass.first);
        std::vector<walker> all;
        bool ordered = true;
        for (int k = pass.first; k < pass.last; ++k) {
            auto const own = walkers_of(p_, of(k).live, to.rank);
            ordered = ordered && !own.empty() &&
                      may_run_on(p_, at(k).root, to.rank, !computed(at(k).root)) &&
                      !reads_earlier(pass.first, k);
            all.insert(all.end(), own.begin(), own.end());
            all.emplace_back(at(k).stride, at(k).stride + to.rank);
            l.live.insert(l.live.end(), of(k).live.begin(), of(k).live.end());
        }
        auto const operands = static_cast<int>(all.size()) - (pass.last - pass.first);
        l.loops = walk_over(to.extent, to.rank, std::move(all));
        ordered = ordered && l.loops.in_order && operands <= most_operands;
        if (ordered) l.how = form::transform;
        if (keeps(pass.first) && !to.temporary) l.how = form::product;
        pass.launch = static_cast<int>(p_.launch.size());
        p_.launch.push_back(std::move(l));
    }

    bool keeps(int k) const { return p_.keeps[static_cast<std::size_t>(k)] != kept::none; }
    bool computed(int id) const { return p_.launch_of[static_cast<std::size_t>(id)] >= 0; }

    // The whole of statement k first, which then is a copy.
    void keep_aside(int k) {
        statement_facts const& to = at(k);
        stages_.compute(to.root, "it reads what it writes, by other indices", false);
        placing::locate_dense(p_.at(to.root));
        of(k).live = {to.root};
    }

    // A transform has read everything before it writes.
    bool reads_earlier(int first, int k) {
        for (int id : of(k).live) {
            for (int j = first; j < k; ++j) {
                if (touches(p_, id, at(j))) return true;
            }
        }
        return false;
    }

    plan& p_;
    staging stages_;
    std::vector<member> members_;
};

FELT_PLANNING inline void arrange(plan& p) { arranging(p).arrange(); }

template <class T, std::size_t R, class Space, class E>
void describe_statement(plan& p, statement<T, R, Space, E> const& s) {
    statement_facts to;
    to.root = static_cast<int>(p.node.size());
    to.data = s.data;
    to.rank = static_cast<int>(R);
    to.value_bytes = static_cast<int>(sizeof(T));
    to.no_alias = s.no_alias;
    std::copy(s.e.begin(), s.e.end(), to.extent);
    std::copy(s.stride.begin(), s.stride.end(), to.stride);
    planning::describe(s.expression, p.node);
    p.statement.push_back(to);
    p.is_kept.resize(p.node.size());
    p.keeps.push_back(p.unfused ? kept::none : products_to_keep<R>(s.expression, p.node, to.root));
    std::vector<int> products;
    if (p.keeps.back() != kept::none) find_products(p.node, to.root, products);
    if (p.keeps.back() == kept::first) products.resize(1);
    for (int id : products) p.is_kept[static_cast<std::size_t>(id)] = true;
}

// Which statements may be in a pass that each of them begins with its products.
template <class S, class... Next>
void describe_sharing(plan& p, S const& s, Next const&... next) {
    std::size_t const k = p.shares_until.size();
    std::vector<int> root;
    for (std::size_t i = k; i < p.statement.size(); ++i) root.push_back(p.statement[i].root);
    p.shares_until.push_back(static_cast<int>(k) +
                             shared_until(p.node, p.keeps.data() + k, root.data(), s, next...));
    if constexpr (sizeof...(Next) > 0) describe_sharing(p, next...);
}

}  // namespace detail

// Of statements that are lowered.
template <class How, class... S>
plan make_plan(How, S const&... s) {
    plan p;
    p.unfused = std::is_same_v<How, unfused_t>;
    if constexpr (host_pass) {  // nvcc finds kernels in its other pass, which must come by here
        (detail::describe_statement(p, s), ...);
        detail::describe_sharing(p, s...);
        apart<&detail::arrange>::call(p);
    }
    return p;
}

}  // namespace felt::device
