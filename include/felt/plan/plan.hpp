// SPDX-License-Identifier: BSD-3-Clause
//
// The plan: everything that is decided about a group of statements before anything runs. run()
// executes this very object, explain() prints it.
#pragma once
#include <felt/expr/assign.hpp>
#include <felt/plan/1_analysis/describe.hpp>
#include <felt/plan/1_analysis/place.hpp>
#include <felt/plan/schedule.hpp>
#include <memory>
#include <string>

namespace felt::inline FELT_ABI::planning {

// Something the size of a tensor that is written beside the destinations.
struct intermediate {
    std::string name;
    index_t bytes;
    std::string why;
};

struct plan {
    graph g;
    schedule s;
    std::shared_ptr<void const> keep;  // statements that were made for this plan

    // Every tensor-sized value that a fused run writes beside its destinations.
    std::vector<intermediate> intermediates() const;
    // Operations: one for a function of an element, n for a reduction of n elements, 2 for
    // each term of a product. Shared sub-expressions count once.
    index_t flops() const;
    // What moves to and from memory: each leaf and destination once, intermediates twice, and what
    // is read again once the last cache (caches.hpp) has held too much else.
    index_t bytes() const;
    // The same for run(unfused, ...): every node in a tensor of its own.
    index_t bytes_unfused() const;
    // The plan for programs (plan_json.hpp says what it holds), and as a page for a browser.
    std::string json() const;
    std::string html() const;
    bool fused() const { return intermediates().empty(); }
    // Which statements run together, and why the next one is not among them.
    std::vector<pass_facts> const& passes() const { return s.passes; }
};

namespace detail {

// Copies of what is packed are made before anything runs, on the thread that calls.
inline void make_packed(plan& p) {
    for (node_id id : p.g.nodes.ids()) {
        node const& f = p.g[id];
        if (f.lie_along != nullptr) p.s[id].data = f.lie_along(f.self, p.s[id].along);
    }
}

// A statement whose expression has been described, from node `root` on.
struct described {
    node_id root;
    void* data;
    int value_bytes, rank;
    index_t const* extent;
    index_t const* stride;
    bool no_alias;
    felt::detail::owner_t owner;
};

// Gives a statement whose tree was described its loops. Throws error if what it reads or writes is
// not the memory of the tensor that was named any more.
FELT_ONCE void add_described(graph& g, described const& s);

// All that a plan needs to know of the type of a statement.
template <class S>
void add_statement(graph& g, void const* self) {
    S const& s = *static_cast<S const*>(self);
    node_id const root = g.nodes.end_id();
    describe(s.expression, g);
    described const all{root,
                        s.data,
                        static_cast<int>(sizeof(typename S::value_type)),
                        static_cast<int>(S::rank),
                        s.e.value,
                        s.stride.value,
                        s.no_alias,
                        s.owner};
    add_described(g, all);
}

// A statement of any type.
struct any_statement {
    void const* self;
    void (*add)(graph&, void const*);
    std::size_t size;  // of its bytes, which are all of it; else 0
    void const* data;  // the destination
    index_t const *extent, *stride;
    int rank;
    bool no_alias;
    felt::detail::owner_t owner;
};
template <class S>
any_statement any(S const& s) {
    return {&s,
            &add_statement<S>,
            std::is_trivially_copyable_v<S> ? sizeof(S) : 0,
            s.data,
            s.e.value,
            s.stride.value,
            static_cast<int>(S::rank),
            s.no_alias,
            s.owner};
}

}  // namespace detail

}  // namespace felt::inline FELT_ABI::planning
