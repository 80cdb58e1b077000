// SPDX-License-Identifier: BSD-3-Clause
//
// Sums that grow in parts: each part begins from nothing, in memory of its own, whoever computes
// it. Parts meet pairwise in the order of the parts.
#pragma once
#include <felt/host/statement.hpp>
#include <felt/host/parallel.hpp>
#include <felt/plan/7_lowering/split_reduction.hpp>
#include <array>

namespace felt::host {

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

using members = std::vector<running*>;

namespace detail {

// Binds statements k .. pass.last-1 and then calls f; all live until it returns.
inline void with_members(environment& env, planning::pass_facts const& pass, statement_id k,
                         erased_statement const* s, members& bound, function_ref<void()> f) {
    if (k == pass.last) {
        f();
        return;
    }
    erased_statement const& here = s[k.index()];
    here.bind(here.self, env, k, [&](running& member) {
        bound.push_back(&member);
        with_members(env, pass, k + 1, s, bound, f);
    });
}

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

// A pass whose statements are bound anew for every thread.
struct shared_pass {
    planning::pass_facts const& facts;
    erased_statement const* statements;
    part_memory& memory;

    // Calls run(members, part) for every part and leaves the sums in `main`.
    void grow(environment& main, std::vector<node_id> const& sums, long parts,
              function_ref<void(members const&, long)> run) const {
        std::vector<slot> grown(sums.size() * static_cast<std::size_t>(parts));
        long const workers = std::min<long>(threads(), parts);
        parallel(workers, [&](long w) {
            scratch_scope const scope(this_thread_arena());
            environment own(main.p, this_thread_arena());
            members bound;
            detail::with_members(own, facts, facts.first, statements, bound, [&] {
                for (long i = w * parts / workers; i < (w + 1) * parts / workers; ++i) {
                    own.share(main);
                    own.sums = &memory.of(i);
                    run(bound, i);
                    std::size_t const first = sums.size() * static_cast<std::size_t>(i);
                    for (std::size_t k = 0; k < sums.size(); ++k) {
                        grown[first + k] = own.at(sums[k]);
                    }
                }
            });
        });
        detail::merge_parts(grown, sums.size());
        for (std::size_t k = 0; k < sums.size(); ++k) {
            main.at(sums[k]) = grown[k];
            main.at(sums[k]).valid = true;
        }
    }

    // The sums that the pass wants first.
    void sum_ahead(environment& main) const {
        for (node_id id : facts.ahead) {
            index_t const part = main.placed(id).part;
            index_t const n = planning::summed_extent(main.p.g, main.p.s, id);
            grow(main, {id}, planning::parts_of(main.p.g, main.p.s, id),
                 [&](members const& bound, long i) {
                     strip_range const strip{i * part, std::min(n, (i + 1) * part), true, id};
                     for (running* m : bound) m->accumulate(strip);
                 });
        }
    }
};

}  // namespace felt::host
