// SPDX-License-Identifier: BSD-3-Clause
//
// A statement behind functions. Who carries out statements does not know their expressions:
// what is compiled for each of them is here, and it is little.
#pragma once
#include <felt/core/function_ref.hpp>
#include <felt/host/contract.hpp>
#include <felt/host/once.hpp>
#include <felt/host/concat_gather.hpp>
#include <felt/host/reduce.hpp>
#include <felt/host/reshape.hpp>
#include <felt/host/scan.hpp>
#include <felt/host/scatter.hpp>
#include <felt/host/view.hpp>

namespace felt::host {

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
    void (*bind)(void const*, environment&, statement_id, function_ref<void(running&)>);
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
    running_of(root_functions<T> const& root, environment& env, statement_id k)
        : root_(root), env_(env), to_(env.p.g[k]), how_(env.p.s[k]) {}

    void prepare(box const& b) override { root_.rows.prepare(b); }

    void store(box const& part, target const& to) override {
        strided<T> const here = typed<T>(to);
        if (is_product() && env_.placed(to_.root).part == 0) {
            bool plain = true;
            for_each_block(loops(), part, [&](box const& block) {
                plain = plain && root_.compute_into(root_.rows.self, block, here);
            });
            if (plain) return;
        }
        evaluate(root_.rows, loops(), part, here, env_.scratch, how_.streaming);
    }

    void step(strip_range const& strip) override {
        env_.strip_lo = strip.lo;
        env_.strip_hi = strip.hi;
        if (how_.accumulates) {
            if (strip.first) place_sums(strip.lo == 0);
            accumulate(strip);
            return;
        }
        box b = whole();
        b.lo[how_.strip] = strip.lo;
        b.hi[how_.strip] = strip.hi;
        evaluate(root_.rows, loops(), b, destination(), env_.scratch);
    }

    void finish() override {
        bool const stored = env_.at(to_.root).data == to_.data;
        if (!how_.accumulates || stored) return;
        evaluate(root_.rows, loops(), whole(), destination(), env_.scratch);
    }

    void accumulate(strip_range const& strip) override { root_.accumulate(root_.rows.self, strip); }

private:
    loop_view loops() const { return env_.loops(to_.space); }
    box whole() const { return planning::whole_box(to_.extent, to_.rank); }
    // A product of the destination's rank, and not a view of one, which has its functions too.
    bool is_product() const {
        planning::node const& f = env_.described(to_.root);
        return f.what == kind::contract && f.rank == to_.rank;
    }

    strided<T> destination() const {
        strided<T> to{static_cast<T*>(to_.data), {}};
        std::copy(to_.by_loop, to_.by_loop + to_.rank, to.stride);
        return to;
    }

    // The first part of a product grows where the result belongs, others beside it.
    void place_sums(bool directly) {
        if (!is_product()) return;
        root_.accumulate_into(root_.rows.self, directly ? destination() : strided<T>{nullptr, {}});
    }

    root_functions<T> root_;
    environment& env_;
    planning::destination const& to_;
    planning::statement_schedule const& how_;
};

template <class S>
void bind_statement(void const* self, environment& env, statement_id k,
                    function_ref<void(running&)> use) {
    using N = decltype(S::expression);
    bound<N> root(static_cast<S const*>(self)->expression, env, env.p.g[k].root);
    running_of<typename S::value_type> bound_here(root_of(root), env, k);
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
