// SPDX-License-Identifier: BSD-3-Clause
//
// A plan is carried out, pass by pass, whatever the expressions are.
#pragma once
#include <felt/host/group.hpp>
#include <felt/host/run.hpp>
#include <felt/host/parallel.hpp>
#include <felt/plan/plan_engine.hpp>

namespace felt::host {

// One statement in a pass of its own: its loops, cut for the threads that there are.
class execution {
public:
    // s: the statements of the plan.
    execution(erased_statement const* s, plan const& p, planning::pass_facts const& pass)
        : all_(s),
          s_(s[pass.first.index()]),
          p_(p),
          pass_(pass),
          to_(p.g[pass.first]),
          in_(p.g[to_.space]) {}

    void run() {
        s_.check(s_.self);
        target to{to_.data, {}};
        std::copy(to_.by_loop, to_.by_loop + in_.rank, to.stride);
        if (!p_.s[k()].temporary) {
            store(to);
            return;
        }
        index_t size = 1;
        for (int a = 0; a < to_.rank; ++a) size *= to_.extent[a];
        storage<char, Host> const memory(size * to_.value_bytes, false);
        target aside{memory.data(), {}};
        index_t step = 1;
        for (int l = in_.rank - 1; l >= 0; --l) {
            aside.stride[l] = step;
            step *= in_.extent[l];
        }
        store(aside);
        s_.copy(to, aside, whole());
    }

private:
    statement_id k() const { return pass_.first; }
    box whole() const { return planning::whole_box(in_.extent, in_.rank); }

    void store(target const& to) {
        for (int l = 0; l < to_.rank; ++l) {
            if (to_.extent[l] == 0) return;
        }
        scratch_scope const scope(this_thread_arena());
        environment main(p_, this_thread_arena());
        part_memory memory(pass_);
        shared_pass{pass_, all_, memory}.sum_ahead(main);
        s_.bind(s_.self, main, k(), [&](running& root) {
            for (first_value const& v : main.first) v.compute(v.self);
            if (threads() <= 1) return root.store(whole(), to);
            auto const cut = planning::cut_tasks(p_.g, p_.s, k());
            if (cut.count <= 1) root.store(whole(), to);
            else parallel(cut.count, [&](long i) { one_task(cut, i, main, to); });
        });
    }

    void one_task(planning::tasks const& cut, long i, environment const& main, target const& to) {
        scratch_scope const scope(this_thread_arena());
        environment own(p_, this_thread_arena());
        own.share(main);
        s_.bind(s_.self, own, k(), [&](running& root) { root.store(cut.part(whole(), i), to); });
    }

    erased_statement const* all_;
    erased_statement const& s_;
    plan const& p_;
    planning::pass_facts const& pass_;
    planning::destination const& to_;
    planning::loop_space const& in_;
};

FELT_ONCE void carry_out(plan& p, erased_statement const* s) {
    planning::detail::make_packed(p);
    for (planning::pass_facts const& pass : p.s.passes) {
        if (pass.strip > 0) run_strips(p, pass, s);
        else execution(s, p, pass).run();
    }
}

FELT_ONCE void plan_and_carry_out(planning::detail::any_statement const* planned,
                                  erased_statement const* s, std::size_t count) {
    plan p = planning::detail::plan_all(planned, count);
    carry_out(p, s);
}

}  // namespace felt::host
