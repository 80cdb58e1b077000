// SPDX-License-Identifier: BSD-3-Clause
//
// Several statements in one pass: for each strip of their common axis every statement writes
// its part or adds to its sums; results that are sums are stored after the last strip.
#pragma once
#include <felt/host/statement.hpp>

namespace felt::host {

namespace detail {

// Binds statements k .. pass.last-1 and then calls f; all live until it returns.
inline void with_members(environment& env, planning::pass_facts const& pass, int k,
                         erased_statement const* s, std::vector<running*>& members,
                         function_ref<void()> f) {
    if (k == pass.last) {
        f();
        return;
    }
    s[k].bind(s[k].self, env, env.p.statement[static_cast<std::size_t>(k)], [&](running& member) {
        members.push_back(&member);
        with_members(env, pass, k + 1, s, members, f);
    });
}

}  // namespace detail

inline void run_strips(plan const& p, planning::pass_facts const& pass,
                       erased_statement const* s) {
    scratch_scope const scope(this_thread_arena());
    environment env(p, this_thread_arena());
    std::vector<running*> members;
    detail::with_members(env, pass, pass.first, s, members, [&] {
        for (int k = pass.first; k < pass.last; ++k) s[k].check(s[k].self);
        for (index_t lo = 0; lo < pass.extent; lo += pass.strip) {
            strip_range const strip{lo, std::min(pass.extent, lo + pass.strip), lo == 0};
            for (running* m : members) m->step(strip);
        }
        for (running* m : members) m->finish();
    });
}

}  // namespace felt::host
