// SPDX-License-Identifier: BSD-3-Clause
//
// run(fused, s...): statements carried out by their plan.
#pragma once
#include <felt/expr/lifetimes.hpp>
#include <felt/host/group.hpp>
#include <felt/host/threads.hpp>
#include <felt/plan/share.hpp>

namespace felt {

namespace host {

// One statement in a pass of its own: its loops, cut for the threads that there are.
class execution {
public:
    // s: the statements of the plan.
    execution(erased_statement const* s, plan const& p, planning::pass_facts const& pass)
        : all_(s),
          s_(s[pass.first]),
          p_(p),
          pass_(pass),
          facts_(p.statement[static_cast<std::size_t>(pass.first)]) {}

    void run() {
        s_.check(s_.self);
        target to{facts_.data, {}};
        std::copy(facts_.by_loop, facts_.by_loop + loops().rank, to.stride);
        if (!facts_.temporary) {
            store(to);
            return;
        }
        index_t size = 1;
        for (int a = 0; a < facts_.rank; ++a) size *= facts_.extent[a];
        storage<char, Host> const memory(size * facts_.value_bytes, false);
        target aside{memory.data(), {}};
        index_t step = 1;
        for (int l = loops().rank - 1; l >= 0; --l) {
            aside.stride[l] = step;
            step *= loops().extent[l];
        }
        store(aside);
        s_.copy(to, aside, whole());
    }

private:
    loop_space const& loops() const { return p_.loop(facts_.space); }
    box whole() const { return planning::whole_box(loops().extent, loops().rank); }

    void store(target const& to) {
        for (int l = 0; l < facts_.rank; ++l) {
            if (facts_.extent[l] == 0) return;
        }
        scratch_scope const scope(this_thread_arena());
        environment main(p_, this_thread_arena());
        part_memory memory(pass_);
        shared_pass{pass_, all_, memory}.sum_ahead(main);
        s_.bind(s_.self, main, facts_, [&](running& root) {
            for (first_value const& v : main.first) v.compute(v.self);
            if (threads() <= 1) return root.store(whole(), to);
            auto const cut = planning::cut_tasks(p_, facts_);
            if (cut.count <= 1) root.store(whole(), to);
            else parallel(cut.count, [&](long i) { one_task(cut, i, main, to); });
        });
    }

    void one_task(planning::tasks const& cut, long i, environment const& main, target const& to) {
        scratch_scope const scope(this_thread_arena());
        environment own(p_, this_thread_arena());
        own.share(main);
        s_.bind(s_.self, own, facts_, [&](running& root) { root.store(cut.part(whole(), i), to); });
    }

    erased_statement const* all_;
    erased_statement const& s_;
    plan const& p_;
    planning::pass_facts const& pass_;
    statement_facts const& facts_;
};

// Statements in order, as many as possible in one pass.
inline void carry_out(plan const& p, erased_statement const* s) {
    for (planning::pass_facts const& pass : p.pass) {
        if (pass.strip > 0) run_strips(p, pass, s);
        else execution(s, p, pass).run();
    }
}

}  // namespace host

// Other spaces bring run and run_to_value of their own, which stand beside them.
template <class... Space>
concept statements_are_on_the_host = (std::same_as<join_space_t<Space, Host>, Host> && ...);

// Carries out statements in order, as many as possible in one pass.
template <class... T, std::size_t... R, class... Sp, class... E>
    requires statements_are_on_the_host<Sp...>
void run(fused_t, statement<T, R, Sp, E> const&... s) {
    if constexpr (host_pass) {
        detail::check_lifetimes(s...);
        planning::with_best_plan(
            [](planning::plan p, auto const&... best) {
                planning::detail::make_packed(p);
                host::erased_statement const all[] = {host::erase(best)...};
                apart<&host::carry_out>::call(p, all);
            },
            s...);
    }
}

template <class... S>
    requires all_are_statements<S...>
void fuse(S const&... s) {
    run(fused, s...);
}

// A tensor of e's type, extents and space.
template <array_operand E>
[[nodiscard]] auto eval(E&& e) {
    Tensor<value_of<E>, rank_of<E>, join_space_t<space_of<E>, Host>> y = std::forward<E>(e);
    return y;
}

template <node N>
    requires statements_are_on_the_host<typename N::space>
typename N::value_type run_to_value(N const& n) {
    Tensor<typename N::value_type, 0> value;
    run(fused, detail::make_statement(value, n, false));
    return value();
}

}  // namespace felt
