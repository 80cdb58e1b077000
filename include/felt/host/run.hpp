// SPDX-License-Identifier: BSD-3-Clause
//
// run(fused, s...): statements carried out by their plan.
#pragma once
#include <felt/host/group.hpp>
#include <felt/host/threads.hpp>

namespace felt {

namespace host {

using planning::statement_facts;

// A task of one thread: the part of the loops that it runs. Cut along one loop by extents
// alone: whole blocks, and at least 32768 elements.
struct tasks {
    int loop = -1;
    index_t step = 0;
    long count = 1;

    box part(box whole, long i) const {
        if (loop < 0) return whole;
        whole.lo[loop] = i * step;
        whole.hi[loop] = std::min(whole.hi[loop], whole.lo[loop] + step);
        return whole;
    }
};

inline tasks cut_tasks(plan const& p, int space) {
    loop_space const& in = p.loop(space);
    tasks t;
    index_t size = 1;
    for (int l = 0; l < in.rank; ++l) size *= in.extent[l];
    if (size < 2 * 32768) return t;
    t.loop = planning::detail::shared_loop(p, space);
    if (t.loop < 0) return t;
    index_t const extent = in.extent[t.loop];
    bool const cut = in.block[t.loop] < extent;
    index_t const whole = planning::detail::has_products(p, space) ? planning::pack_columns
                          : t.loop == in.lane                      ? 64
                                                                   : 1;
    index_t const unit = cut ? in.block[t.loop] : whole;
    index_t const row = size / extent;
    t.step = planning::detail::round_up(std::max<index_t>(32768 / row, 1), unit);
    t.count = static_cast<long>((extent + t.step - 1) / t.step);
    return t;
}

template <class S>
class execution {
    using N = decltype(S::expression);
    using T = typename S::value_type;

public:
    execution(S const& s, plan const& p, statement_facts const& facts)
        : s_(s), p_(p), facts_(facts) {}

    void run() {
        check_indices(s_.expression);
        strided<T> to{s_.data, {}};
        std::copy(facts_.by_loop, facts_.by_loop + loops().rank, to.stride);
        if (!facts_.temporary) {
            store(to);
            return;
        }
        storage<T, Host> const aside(static_cast<index_t>(s_.e.size()), false);
        strided<T> copy{aside.data(), {}};
        index_t step = 1;
        for (int l = loops().rank - 1; l >= 0; --l) {
            copy.stride[l] = step;
            step *= loops().extent[l];
        }
        store(copy);
        strided<T const> from{aside.data(), {}};
        std::copy(copy.stride, copy.stride + max_axes, from.stride);
        copy_box(to, from, whole());
    }

private:
    loop_space const& loops() const { return p_.loop(facts_.space); }
    box whole() const { return planning::whole_box(loops().extent, loops().rank); }

    void store(strided<T> const& to) {
        for (int l = 0; l < facts_.rank; ++l) {
            if (facts_.extent[l] == 0) return;
        }
        scratch_scope const scope(this_thread_arena());
        environment main(p_, this_thread_arena());
        bound<N> root(s_.expression, main, facts_.root);
        hoist(root);
        tasks const cut = cut_tasks(p_, facts_.space);
        if (threads() <= 1 || cut.count <= 1) {
            part(root, whole(), to, main);
            return;
        }
        parallel(cut.count, [&](long i) {
            scratch_scope const own_scope(this_thread_arena());
            environment own(p_, this_thread_arena());
            own.share_hoisted(main);
            bound<N> mine(s_.expression, own, facts_.root);
            part(mine, cut.part(whole(), i), to, own);
        });
    }

    // Hoisted nodes are computed at the first prepare: any box will do.
    void hoist(bound<N>& root) {
        bool some = false;
        for (int id = facts_.root; id < p_.at(facts_.root).end; ++id) {
            some = some || p_.at(id).by == way::hoisted;
        }
        if (!some) return;
        box b = whole();
        for (int l = 0; l < b.rank; ++l) {
            b.hi[l] = b.lo[l] + 1;
        }
        root.prepare(b);
    }

    void part(bound<N>& root, box const& b, strided<T> const& to, environment& env) {
        if constexpr (is_contract<N>) {
            bool plain = p_.at(facts_.root).rank == facts_.rank;
            for_each_block(loops(), b, [&](box const& block) {
                plain = plain && root.compute_into(block, to);
            });
            if (plain) return;
        }
        evaluate(rows_of(root), loops(), b, to, env.scratch);
    }

    S const& s_;
    plan const& p_;
    statement_facts const& facts_;
};

}  // namespace host

// Carries out statements in order, as many as possible in one pass.
template <class... T, std::size_t... R, class... Sp, class... E>
void run(fused_t, statement<T, R, Sp, E> const&... s) {
    planning::plan const p = planning::make_plan(s...);
    if constexpr (sizeof...(E) == 1) {
        (host::execution<statement<T, R, Sp, E>>(s, p, p.statement[0]).run(), ...);
    } else {
        for (planning::pass_facts const& pass : p.pass) {
            if (pass.strip > 0) {
                host::run_strips(p, pass, s...);
                continue;
            }
            int k = 0;
            auto one = [&](auto const& st) {
                host::execution<std::remove_cvref_t<decltype(st)>> run_one(
                    st, p, p.statement[static_cast<std::size_t>(k)]);
                if (k++ == pass.first) run_one.run();
            };
            (one(s), ...);
        }
    }
}

template <class... S>
void fuse(S const&... s) {
    run(fused, s...);
}

// A tensor of e's type, extents and space.
template <array_operand E>
auto eval(E&& e) {
    Tensor<value_of<E>, rank_of<E>, join_space_t<space_of<E>, Host>> y = std::forward<E>(e);
    return y;
}

template <node N>
typename N::value_type run_to_value(N const& n) {
    Tensor<typename N::value_type, 0> value;
    run(fused, detail::make_statement(value, n, false));
    return value();
}

}  // namespace felt
