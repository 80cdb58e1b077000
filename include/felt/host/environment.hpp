// SPDX-License-Identifier: BSD-3-Clause
//
// environment: what one thread needs to run a plan. A slot for the values of each node, scratch,
// and what is computed before the loops.
#pragma once
#include <felt/host/loop_view.hpp>
#include <felt/host/scratch.hpp>
#include <felt/host/value_pool.hpp>
#include <felt/plan/plan.hpp>
#include <vector>

namespace felt::inline FELT_ABI::host {

using planning::axis_map;
using planning::kind;
using planning::node_id;
using planning::plan;
using planning::space_id;
using planning::statement_id;
using planning::way;

// The values that a node which is not streamed holds: a box of its axes, by strides.
struct slot {
    bool valid = false;
    box held;
    void* data = nullptr;
    index_t capacity = 0;  // bytes
    index_t stride[max_axes] = {};
    void* best = nullptr;  // where positions are sought: the best values so far
    index_t best_capacity = 0;
    void const* filters = nullptr;  // of a product by Winograd's algorithm, once transformed
    // A sum that grew over other strips is added. Set where sums grow.
    void (*merge)(slot& into, slot const& other) = nullptr;
};

// A strip: indices lo .. hi-1 of the axis that the statements of a pass share; the first of a
// part. Or, if `only` is a node: of the axis along which the plan cuts that sum.
struct strip_range {
    index_t lo, hi;
    bool first;
    node_id only = {};
};

// A value that is computed before the loops, and who does it.
struct first_value {
    void* self;
    void (*compute)(void* self);
};

// What one thread needs to run a plan.
struct environment {
    plan const& p;
    arena& scratch;
    planning::table<node_id, slot> slots;
    std::vector<first_value> first;      // what is hoisted: the innermost comes first
    pooled_values buffers;               // for it
    bool before_loops = false;           // while that is done
    arena* sums;                         // memory for sums that grow
    index_t strip_lo = 0, strip_hi = 0;  // of a pass, where it is

    environment(plan const& of, arena& a) : p(of), scratch(a), slots(of.g.nodes.size()), sums(&a) {}

    slot& at(node_id id) { return slots[id]; }
    planning::node const& described(node_id id) const { return p.g[id]; }
    planning::placement const& placed(node_id id) const { return p.s[id]; }
    loop_view loops(space_id sp) const { return {p.g[sp], p.s[sp]}; }

    // What another environment has computed first is here too, and nothing else.
    void share(environment const& other) {
        for (node_id id : slots.ids()) {
            planning::placement const& f = placed(id);
            bool const ahead = f.by == way::hoisted || f.part > 0;
            if (ahead && other.slots[id].valid) slots[id] = other.slots[id];
            else if (f.strip >= 0) slots[id] = {};
            else slots[id].valid = false;
            slots[id].filters = other.slots[id].filters;
        }
    }
};

// While a value is computed before the loops: scratch for what is below it is given back at the
// end, for nobody asks for that again.
class computing_first {
public:
    computing_first(environment& env, node_id id) : env_(env), id_(id), scope_(env.scratch) {}
    computing_first(computing_first const&) = delete;
    ~computing_first() {
        for (node_id x : env_.p.g.below(id_)) {
            planning::placement const& f = env_.placed(x);
            if (f.by != way::hoisted && f.part == 0) env_.at(x) = {};
        }
    }

private:
    environment& env_;
    node_id id_;
    scratch_scope scope_;
};

}  // namespace felt::inline FELT_ABI::host
