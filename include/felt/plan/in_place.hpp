// SPDX-License-Identifier: BSD-3-Clause
//
// Statements that read what they write: whether block by block everything is read before it is
// overwritten.
#pragma once
#include <felt/plan/cut.hpp>
#include <felt/plan/groups.hpp>
#include <algorithm>

namespace felt::planning::detail {

// Whether leaf f, which is the destination itself, is read block by block before the block is
// stored: what a block reads of it lies in the block, along every axis that is cut.
inline bool read_before_stored(plan const& p, statement_facts const& to, node_facts const& f) {
    loop_space const& in = p.loop(to.space);
    if (f.space == to.space || p.at(to.root).what == kind::contract || f.rank != to.rank ||
        f.value_bytes != to.value_bytes) {
        return false;
    }
    for (int l = 0; l < to.rank; ++l) {
        if (f.stride[l] != to.stride[l] && to.extent[l] > 1) return false;
        bool const shared_out = l == shared_loop(p, to.space);  // among threads
        if (in.extent[l] <= 1 || (in.block[l] >= in.extent[l] && !shared_out)) continue;
        std::vector<unsigned> linked(p.space.size(), 0U);
        linked[static_cast<std::size_t>(to.space)] = 1U << l;
        link(p, to.root, linked);
        if (!reads_inside(p, f, linked, to, to.stride[l])) return false;
    }
    return true;
}

// Whether everything that a statement reads of what it writes is read before it is written.
inline bool safe_in_place(plan const& p, statement_facts const& to) {
    for (int id = to.root, next; id < p.at(to.root).end; id = next) {
        node_facts const& f = p.at(id);
        next = computed_first(p, f) ? f.end : id + 1;  // computed before anything is stored
        if (f.what != kind::leaf) continue;
        bool const safe = !overlap(range_of(to), range_of(f)) ||
                          same_elements(p, to, f, to.space) || read_before_stored(p, to, f);
        if (!safe) return false;
    }
    return true;
}

// In place after all, now that the blocks are known? Where nothing is cut, any loop may be the
// outermost, which threads share out.
inline void reconsider(plan& p, pass_facts const& pass) {
    statement_facts& to = p.statement[static_cast<std::size_t>(pass.first)];
    if (!to.temporary) return;
    loop_space& in = p.loop(to.space);
    bool const whole = std::equal(in.block, in.block + in.rank, in.extent);
    bool safe = safe_in_place(p, to);
    for (int turn = 1; turn < in.rank && whole && !safe; ++turn) {
        std::rotate(in.order, in.order + 1, in.order + in.rank);
        safe = safe_in_place(p, to);
    }
    if (!safe && whole && in.rank > 1) std::rotate(in.order, in.order + 1, in.order + in.rank);
    if (!safe) return;
    to.temporary = false;
    to.why = "";
}

// In place, with what is dear kept where its operand was, if block by block that is safe. Else
// nothing has changed; if so, p is another object.
FELT_PLANNING inline bool cut_in_place(plan& p, std::size_t k) {
    int const id = p.statement[k].temporary ? kept_in_place(p, p.statement[k]) : -1;
    if (id < 0) return false;
    plan tried = p;
    statement_facts& to = tried.statement[k];
    to.temporary = false;
    to.why = "";
    stay_home(tried, to, id);
    cut(tried, to);
    bool const safe = safe_in_place(tried, to) && holds_for_all(tried, to, id);
    if (safe) p = std::move(tried);
    return safe;
}

}  // namespace felt::planning::detail
