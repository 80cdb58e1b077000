// SPDX-License-Identifier: BSD-3-Clause
//
// The statements of a pass, bound anew by every thread, and sums that grow in parts: each part
// begins from nothing, in memory of its own, whoever computes it. Parts are combined pairwise in
// the order of the parts.
#pragma once
#include <felt/host/statement.hpp>
#include <felt/host/parallel.hpp>
#include <felt/plan/7_lowering/split_reduction.hpp>
#include <array>

namespace felt::inline FELT_ABI::host {

// The statements of a pass as one thread binds them.
struct bound_pass {
    planning::pass_facts const& facts;
    erased_statement const* statements;  // of the plan
    scratch_scope scratch{this_thread_arena()}, room{bound_statements_of_this_thread()};
    environment env;

    bound_pass(plan const& p, planning::pass_facts const& pass, erased_statement const* s)
        : facts(pass), statements(s), env(p, this_thread_arena()) {
        arena& memory = bound_statements_of_this_thread();
        bound_.first = memory.take<bound_statement*>(pass.last.number() - pass.first.number());
        for (statement_id k : pass.statements()) {
            erased_statement const& of = s[k.index()];
            void* const here = memory.take<char>(of.bytes);
            bound_.first[bound_.count++] = of.bind(of.self, env, k, here);
        }
    }
    bound_pass(bound_pass const&) = delete;

    bound_statement& operator[](statement_id k) {
        return *bound_.first[k.number() - facts.first.number()];
    }

private:
    struct list {
        bound_statement** first = nullptr;
        int count = 0;
        ~list() {
            for (int i = 0; i < count; ++i) first[i]->destroy();
        }
    };
    list bound_;
};

// Memory for the sums of every part of a pass that has parts, until this ends.
class part_memory {
public:
    explicit part_memory(planning::pass_facts const& pass) {
        if (pass.parts() > 1 || !pass.ahead.empty()) memory_ = of_this_thread();
    }
    part_memory(part_memory const&) = delete;
    ~part_memory() {
        for (int i = 0; memory_ != nullptr && i < planning::most_parts; ++i) {
            memory_[i].rewind({0, 0, 0});
        }
    }
    arena& of(long part) { return memory_[part]; }

private:
    static arena* of_this_thread() {
        thread_local std::array<arena, planning::most_parts> memory;
        return memory.data();
    }

    arena* memory_ = nullptr;
};

namespace detail {

// The sums of part i are at grown[i * sums]; in the end those of all parts are at grown[0].
inline void merge_parts(std::vector<slot>& grown, std::size_t sums) {
    std::size_t const all = grown.size();
    for (std::size_t step = sums; step < all; step *= 2) {
        for (std::size_t i = 0; i + step < all; i += 2 * step) {
            for (std::size_t k = 0; k < sums; ++k) {
                slot& into = grown[i + k];
                into.merge(into, grown[i + step + k]);
            }
        }
    }
}

}  // namespace detail

// Calls run(pass, part) for every part and leaves the sums in `main`.
inline void grow_in_parts(bound_pass& main, part_memory& memory, std::vector<node_id> const& sums,
                          long parts, function_ref<void(bound_pass&, long)> run) {
    std::vector<slot> grown(sums.size() * static_cast<std::size_t>(parts));
    long const workers = std::min<long>(threads(), parts);
    parallel(workers, [&](long w) {
        bound_pass own(main.env.p, main.facts, main.statements);
        for (long i = w * parts / workers; i < (w + 1) * parts / workers; ++i) {
            own.env.share(main.env);
            own.env.sums = &memory.of(i);
            run(own, i);
            slot* const to = grown.data() + sums.size() * static_cast<std::size_t>(i);
            for (std::size_t k = 0; k < sums.size(); ++k) to[k] = own.env.at(sums[k]);
        }
    });
    detail::merge_parts(grown, sums.size());
    for (std::size_t k = 0; k < sums.size(); ++k) {
        main.env.at(sums[k]) = grown[k];
        main.env.at(sums[k]).valid = true;
    }
}

// The sums that the pass wants first.
inline void sum_ahead(bound_pass& main, part_memory& memory) {
    planning::graph const& g = main.env.p.g;
    planning::schedule const& s = main.env.p.s;
    for (node_id id : main.facts.ahead) {
        watch::stage const stage(id);
        index_t const part = s[id].part, n = planning::summed_extent(g, s, id);
        grow_in_parts(main, memory, {id}, planning::parts_of(g, s, id),
                      [&](bound_pass& own, long i) {
                          strip_range const strip{i * part, std::min(n, (i + 1) * part), true, id};
                          for (statement_id k : own.facts.statements()) own[k].accumulate(strip);
                      });
    }
}

}  // namespace felt::inline FELT_ABI::host
