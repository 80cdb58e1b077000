// SPDX-License-Identifier: BSD-3-Clause
//
// Several statements in one pass: for each strip of their common axis every statement writes
// its part or adds to its sums; results that are sums are stored after the last strip.
#pragma once
#include <felt/host/parts.hpp>

namespace felt::host {

namespace detail {

// The strips of one part; sums begin anew.
inline void run_part(planning::pass_facts const& pass, members const& bound, long part) {
    index_t const length = pass.part > 0 ? pass.part : pass.extent;
    index_t const begin = part * length, end = std::min(pass.extent, begin + length);
    for (index_t lo = begin; lo < end; lo += pass.strip) {
        strip_range const strip{lo, std::min(end, lo + pass.strip), lo == begin};
        for (running* m : bound) m->step(strip);
    }
}

}  // namespace detail

inline void run_strips(plan const& p, planning::pass_facts const& pass, erased_statement const* s) {
    scratch_scope const scope(this_thread_arena());
    environment env(p, this_thread_arena());
    members bound;
    detail::with_members(env, pass, pass.first, s, bound, [&] {
        for (statement_id k : pass.statements()) s[k.index()].check(s[k.index()].self);
        part_memory memory(pass);
        shared_pass const all{pass, s, memory};
        all.sum_ahead(env);
        if (pass.parts() == 1) {
            detail::run_part(pass, bound, 0);
            for (node_id id : pass.sums) env.at(id).valid = true;
            for (running* m : bound) m->finish();
            return;
        }
        all.grow(env, pass.sums, pass.parts(),
                 [&](members const& own, long part) { detail::run_part(pass, own, part); });
        for (running* m : bound) m->finish();
    });
}

}  // namespace felt::host
