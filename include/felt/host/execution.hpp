// SPDX-License-Identifier: BSD-3-Clause
//
// A plan is carried out, pass by pass, whatever the expressions are: strip by strip every statement
// of a pass stores its part or adds to its sums. Results that are sums are stored after the last
// strip.
#pragma once
#include <felt/host/parts.hpp>
#include <felt/host/run.hpp>
#include <felt/plan/latest_plans.hpp>
#include <felt/plan/plan_engine.hpp>
#include <optional>

namespace felt::inline FELT_ABI::host {

class execution {
public:
    // s: the statements of the plan.
    execution(plan const& p, planning::pass_facts const& pass, erased_statement const* s)
        : p_(p), pass_(pass), s_(s) {}

    void run() {
        for (statement_id k : pass_.statements()) s_[k.index()].check(s_[k.index()].self);
        if (!has_results()) return;
        make_room_aside();
        bound_pass main(p_, pass_, s_);
        part_memory memory(pass_);
        sum_ahead(main, memory);
        main.env.before_loops = true;
        for (first_value const& v : main.env.first) v.compute(v.self);
        main.env.before_loops = false;
        if (pass_.parts() > 1) {
            grow_in_parts(main, memory, pass_.sums, pass_.parts(),
                          [&](bound_pass& own, long part) { run_strips(own, part); });
        } else if (pass_.shared_out.count > 1 && threads() > 1) {
            run_tasks(main);
        } else {
            run_strips(main, 0);
        }
        finish(main);
    }

private:
    bool has_results() const {
        for (statement_id k : pass_.statements()) {
            if (planning::detail::product(p_.g[k].extent, p_.g[k].rank) > 0) return true;
        }
        return false;
    }

    // The strips of one part; sums begin anew, also where there is nothing to add.
    void run_strips(bound_pass& on, long part) const {
        index_t const length = pass_.part > 0 ? pass_.part : pass_.extent;
        index_t const begin = part * length, end = std::min(pass_.extent, begin + length);
        index_t lo = begin;
        do {
            step(on, {lo, std::min(end, lo + pass_.strip), lo == begin});
            lo += pass_.strip;
        } while (lo < end);
    }

    void step(bound_pass& on, strip_range const& strip) const {
        on.env.strip_lo = strip.lo;
        on.env.strip_hi = strip.hi;
        for (statement_id k : pass_.statements()) {
            bound_statement& s = on[k];
            if (p_.s[k].accumulates) {
                // The first part of a product grows where the result belongs, others beside it.
                if (strip.first) s.accumulate_into(strip.lo == 0 ? target_of(k) : target{});
                s.accumulate(strip);
            } else {
                s.store(part_of(k, strip), target_of(k));
            }
        }
    }

    void run_tasks(bound_pass const& main) const {
        statement_id const k = pass_.first;
        parallel(pass_.shared_out.count, [&](long i) {
            bound_pass own(p_, pass_, s_);
            own.env.share(main.env);
            own[k].store(pass_.shared_out.part(whole(k), i), target_of(k));
        });
    }

    // What is complete only now is stored.
    void finish(bound_pass& main) const {
        for (node_id id : pass_.sums) main.env.at(id).valid = true;
        for (statement_id k : pass_.statements()) {
            planning::destination const& to = p_.g[k];
            bool const stored = main.env.at(to.root).data == to.data;
            if (p_.s[k].accumulates && !stored) main[k].store(whole(k), target_of(k));
            if (p_.s[k].temporary) main[k].copy(memory_of(k), aside_, whole(k));
        }
    }

    box whole(statement_id k) const {
        planning::loop_space const& in = p_.g[p_.g[k].space];
        return planning::whole_box(in.extent, in.rank);
    }
    box part_of(statement_id k, strip_range const& strip) const {
        box b = whole(k);
        int const l = p_.s[k].strip;
        if (l >= 0) b.lo[l] = strip.lo, b.hi[l] = strip.hi;
        return b;
    }

    target memory_of(statement_id k) const {
        planning::destination const& to = p_.g[k];
        target there{to.data, {}};
        std::copy(to.by_loop, to.by_loop + max_axes, there.stride);
        return there;
    }
    target target_of(statement_id k) const { return p_.s[k].temporary ? aside_ : memory_of(k); }

    // For a statement, alone in its pass, of which the result is kept aside first.
    void make_room_aside() {
        statement_id const k = pass_.first;
        if (!p_.s[k].temporary) return;
        planning::loop_space const& in = p_.g[p_.g[k].space];
        index_t size = 1;
        for (int l = in.rank - 1; l >= 0; --l) {
            aside_.stride[l] = size;
            size *= in.extent[l];
        }
        room_.emplace(size * p_.g[k].value_bytes, false);
        aside_.data = room_->data();
    }

    plan const& p_;
    planning::pass_facts const& pass_;
    erased_statement const* s_;
    std::optional<storage<char, Host>> room_;
    target aside_{nullptr, {}};
};

inline void carry_out(plan& p, erased_statement const* s) {
    planning::detail::make_packed(p);
    for (planning::pass_facts const& pass : p.s.passes) execution(p, pass, s).run();
}

FELT_ONCE bool carry_out_known(planning::detail::any_statement const* planned,
                               erased_statement const* s, std::size_t count) {
    return planning::detail::latest_plans::of_this_thread().if_known(
        planned, count, [&](plan& p) { carry_out(p, s); });
}
FELT_ONCE void carry_out_new(plan p, planning::detail::any_statement const* planned,
                             erased_statement const* s, std::size_t count) {
    planning::detail::latest_plans::of_this_thread().keep(planned, count, std::move(p),
                                                          [&](plan& kept) { carry_out(kept, s); });
}

FELT_ONCE void plan_and_carry_out(planning::detail::any_statement const* planned,
                                  erased_statement const* s, std::size_t count) {
    if (carry_out_known(planned, s, count)) return;
    carry_out_new(planning::detail::plan_all(planned, count), planned, s, count);
}

}  // namespace felt::inline FELT_ABI::host
