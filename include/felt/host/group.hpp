// SPDX-License-Identifier: BSD-3-Clause
//
// Several statements in one pass: for each strip of their common axis every statement writes
// its part or adds to its sums; results that are sums are stored after the last strip.
#pragma once
#include <felt/host/contract.hpp>
#include <felt/host/once.hpp>
#include <felt/host/rearrange.hpp>
#include <felt/host/reduce.hpp>
#include <felt/host/reshape.hpp>
#include <felt/host/scatter.hpp>
#include <felt/host/view.hpp>

namespace felt::host {

using planning::statement_facts;

template <class N>
inline constexpr bool is_contract = false;
template <class A, class B, std::size_t R, std::size_t S>
inline constexpr bool is_contract<contract_node<A, B, R, S>> = true;

template <class S>
class member {
    using N = decltype(S::expression);
    using T = typename S::value_type;

public:
    member(S const& s, environment& env, int k)
        : env_(env), facts_(env.p.statement[static_cast<std::size_t>(k)]), k_(k),
          to_{s.data, {}}, expression_(s.expression), root_(s.expression, env, facts_.root) {
        std::copy(facts_.by_loop, facts_.by_loop + facts_.rank, to_.stride);
        if constexpr (is_contract<N>) {
            bool const whole = env.p.at(facts_.root).rank == facts_.rank;
            stored_ = facts_.accumulates && whole && root_.accumulate_into(to_);
        }
    }

    bool in(planning::pass_facts const& pass) const { return k_ >= pass.first && k_ < pass.last; }

    void check() const { check_indices(expression_); }

    void step(strip_range const& strip) {
        if (facts_.accumulates) {
            root_.accumulate(strip);
            return;
        }
        box b = planning::whole_box(facts_.extent, facts_.rank);
        b.lo[facts_.strip] = strip.lo;
        b.hi[facts_.strip] = strip.hi;
        evaluate(rows_of(root_), env_.p.loop(facts_.space), b, to_, env_.scratch);
    }

    void finish() {
        if (!facts_.accumulates || stored_) return;
        box const b = planning::whole_box(facts_.extent, facts_.rank);
        evaluate(rows_of(root_), env_.p.loop(facts_.space), b, to_, env_.scratch);
    }

private:
    environment& env_;
    statement_facts const& facts_;
    int k_;
    strided<T> to_;
    N const& expression_;
    bound<N> root_;
    bool stored_ = false;
};

namespace detail {

// Calls f(member...) with the statements bound in order.
template <class F>
void with_members(environment&, int, F&& f) {
    f();
}
template <class F, class A, class... S>
void with_members(environment& env, int k, F&& f, A const& a, S const&... s) {
    member<A> m(a, env, k);
    with_members(env, k + 1, [&](auto&... rest) { f(m, rest...); }, s...);
}

}  // namespace detail

template <class... S>
void run_strips(plan const& p, planning::pass_facts const& pass, S const&... s) {
    scratch_scope const scope(this_thread_arena());
    environment env(p, this_thread_arena());
    auto strips = [&](auto&... m) {
        ((m.in(pass) ? m.check() : void()), ...);
        for (index_t lo = 0; lo < pass.extent; lo += pass.strip) {
            strip_range const strip{lo, std::min(pass.extent, lo + pass.strip), lo == 0};
            ((m.in(pass) ? m.step(strip) : void()), ...);
        }
        ((m.in(pass) ? m.finish() : void()), ...);
    };
    detail::with_members(env, 0, strips, s...);
}

}  // namespace felt::host
