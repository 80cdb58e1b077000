// SPDX-License-Identifier: BSD-3-Clause
//
// A statement behind functions. Who carries out statements does not know their expressions:
// what is compiled for each of them is here, and it is little.
#pragma once
#include <felt/core/function_ref.hpp>
#include <felt/host/contract.hpp>
#include <felt/host/once.hpp>
#include <felt/host/rearrange.hpp>
#include <felt/host/reduce.hpp>
#include <felt/host/reshape.hpp>
#include <felt/host/scan.hpp>
#include <felt/host/scatter.hpp>
#include <felt/host/view.hpp>

namespace felt::host {

using planning::statement_facts;

// Memory that values go to, of whatever type: element 0, 0, ... and the strides of the loops.
using target = strided<void>;

// A statement whose expression is bound to its loops and to memory.
class running {
public:
    virtual void prepare(box const& b) = 0;
    // The values over a part of the loops to memory, all at once.
    virtual void store(box const& part, target const& to) = 0;
    // The same strip by strip, where the statement says; finish() after the last.
    virtual void step(strip_range const& strip) = 0;
    virtual void finish() = 0;
    // Only the sums of the strip grow.
    virtual void accumulate(strip_range const& strip) = 0;

protected:
    ~running() = default;
};

struct erased_statement {
    void const* self;
    void (*check)(void const*);  // throws if an index is out of range
    void (*bind)(void const*, environment&, statement_facts const&, function_ref<void(running&)>);
    void (*copy)(target const& to, target const& from, box const&);
};

namespace detail {

// The bound root of a statement; the last two are null unless it is a product or a view of one.
template <class T>
struct root_functions {
    row_source<T> rows;
    void (*accumulate)(void*, strip_range const&);
    bool (*compute_into)(void*, box const&, strided<T> const&);
    void (*accumulate_into)(void*, strided<T> const&);
};

template <class B>
root_functions<typename B::value_type> root_of(B& x) {
    using T = typename B::value_type;
    root_functions<T> f{
        statement_rows_of(x),
        [](void* self, strip_range const& strip) { static_cast<B*>(self)->accumulate(strip); },
        nullptr, nullptr};
    if constexpr (requires(box const& b, strided<T> const& to) { x.compute_into(b, to); }) {
        f.compute_into = [](void* self, box const& b, strided<T> const& to) {
            return static_cast<B*>(self)->compute_into(b, to);
        };
        f.accumulate_into = [](void* self, strided<T> const& to) {
            static_cast<B*>(self)->accumulate_into(to);
        };
    }
    return f;
}

template <class T>
strided<T> typed(target const& to) {
    strided<T> typed{static_cast<T*>(to.data), {}};
    std::copy(to.stride, to.stride + max_axes, typed.stride);
    return typed;
}

template <class T>
class running_of final : public running {
public:
    running_of(root_functions<T> const& root, environment& env, statement_facts const& facts)
        : root_(root), env_(env), facts_(facts) {}

    void prepare(box const& b) override { root_.rows.prepare(b); }

    void store(box const& part, target const& to) override {
        strided<T> const here = typed<T>(to);
        if (is_product() && env_.p.at(facts_.root).part == 0) {
            bool plain = true;
            for_each_block(loops(), part, [&](box const& block) {
                plain = plain && root_.compute_into(root_.rows.self, block, here);
            });
            if (plain) return;
        }
        evaluate(root_.rows, loops(), part, here, env_.scratch, facts_.streaming);
    }

    void step(strip_range const& strip) override {
        env_.strip_lo = strip.lo;
        env_.strip_hi = strip.hi;
        if (facts_.accumulates) {
            if (strip.first) place_sums(strip.lo == 0);
            accumulate(strip);
            return;
        }
        box b = whole();
        b.lo[facts_.strip] = strip.lo;
        b.hi[facts_.strip] = strip.hi;
        evaluate(root_.rows, loops(), b, destination(), env_.scratch);
    }

    void finish() override {
        bool const stored = env_.at(facts_.root).data == facts_.data;
        if (!facts_.accumulates || stored) return;
        evaluate(root_.rows, loops(), whole(), destination(), env_.scratch);
    }

    void accumulate(strip_range const& strip) override { root_.accumulate(root_.rows.self, strip); }

private:
    loop_space const& loops() const { return env_.p.loop(facts_.space); }
    box whole() const { return planning::whole_box(facts_.extent, facts_.rank); }
    // A product of the destination's rank, and not a view of one, which has its functions too.
    bool is_product() const {
        node_facts const& f = env_.p.at(facts_.root);
        return f.what == kind::contract && f.rank == facts_.rank;
    }

    strided<T> destination() const {
        strided<T> to{static_cast<T*>(facts_.data), {}};
        std::copy(facts_.by_loop, facts_.by_loop + facts_.rank, to.stride);
        return to;
    }

    // The first part of a product grows where the result belongs, others beside it.
    void place_sums(bool directly) {
        if (!is_product()) return;
        root_.accumulate_into(root_.rows.self, directly ? destination() : strided<T>{nullptr, {}});
    }

    root_functions<T> root_;
    environment& env_;
    statement_facts const& facts_;
};

template <class S>
void bind_statement(void const* self, environment& env, statement_facts const& facts,
                    function_ref<void(running&)> use) {
    using N = decltype(S::expression);
    bound<N> root(static_cast<S const*>(self)->expression, env, facts.root);
    running_of<typename S::value_type> bound_here(root_of(root), env, facts);
    use(bound_here);
}

template <class T>
void copy_elements(target const& to, target const& from, box const& b) {
    copy_box(typed<T>(to), typed<T const>(from), b);
}

}  // namespace detail

template <class S>
erased_statement erase(S const& s) {
    return {&s, [](void const* self) { check_indices(static_cast<S const*>(self)->expression); },
            &detail::bind_statement<S>, &detail::copy_elements<typename S::value_type>};
}

}  // namespace felt::host
