// SPDX-License-Identifier: BSD-3-Clause
//
// A statement behind functions. Who carries out statements does not know their expressions:
// what is compiled for each of them is here, and it is little. Bound, it is one object, which the
// executor asks to store or to add, and which asks the rows of its root.
#pragma once
#include <felt/host/contract.hpp>
#include <felt/host/once.hpp>
#include <felt/host/concat_gather.hpp>
#include <felt/host/reduce.hpp>
#include <felt/host/reshape.hpp>
#include <felt/host/scan.hpp>
#include <felt/host/scatter.hpp>
#include <felt/host/view.hpp>

namespace felt::inline FELT_ABI::host {

// Memory that values go to, of whatever type: element 0, 0, ... and the strides of the loops.
using target = strided<void>;

// A statement that is bound to its loops and to memory.
class bound_statement {
public:
    // The values over a part of the loops to memory.
    virtual void store(box const& part, target const& to) = 0;
    // Sums grow by a strip: a product at the root from accumulate_into() on in memory `to`, if its
    // columns are contiguous there, and not any more if that is no memory.
    virtual void accumulate(strip_range const& strip) = 0;
    virtual void accumulate_into(target const& to) = 0;
    virtual void copy(target const& to, target const& from, box const& b) const = 0;
    virtual void destroy() = 0;  // but for its memory

protected:
    ~bound_statement() = default;
};

struct erased_statement {
    void const* self;
    void (*check)(void const*);  // throws if an index is out of range
    index_t bytes;               // that it takes when it is bound, in `room`
    bound_statement* (*bind)(void const*, environment&, statement_id, void* room);
};

namespace detail {

template <class N>
inline constexpr bool is_contraction = false;
template <class A, class B, std::size_t R, std::size_t S>
inline constexpr bool is_contraction<contract_node<A, B, R, S>> = true;

template <class T>
strided<T> typed(target const& to) {
    strided<T> typed{static_cast<T*>(to.data), {}};
    std::copy(to.stride, to.stride + max_axes, typed.stride);
    return typed;
}

// What is compiled for each type of values; what is compiled for each expression is behind
// pointers.
template <class T>
class bound_values final : public bound_statement {
public:
    [[gnu::noinline]] bound_values(environment& env, statement_id k)
        : loops_(env.loops(env.p.g[k].space)),
          scratch_(env.scratch),
          next_(env, env.p.g[k].space),
          streaming_(env.p.s[k].streaming) {
        bool const grows = env.p.s[env.p.g[k].root].strip >= 0;
        at_once_ = !grows && env.p.s[k].strip < 0;
    }

    void store(box const& part, target const& to) override {
        strided<T> const here = typed<T>(to);
        if (at_once_ && product != nullptr) {
            bool plain = true;
            for_each_block(loops_, part, [&](box const& block) {
                plain = plain && compute_into(rows.self, block, here);
            });
            if (plain) return;
        }
        if (next_) rows.next = &next_;
        evaluate(rows, loops_, part, here, scratch_, streaming_);
    }
    void accumulate(strip_range const& strip) override { add_strip(rows.self, strip); }
    void accumulate_into(target const& to) override {
        if (product != nullptr) product->accumulate_into(typed<T>(to));
    }
    void copy(target const& to, target const& from, box const& b) const override {
        copy_box(typed<T>(to), typed<T const>(from), b);
    }
    void destroy() override {
        if (end != nullptr) end(rows.self);
    }

    row_source<T> rows;  // of the root
    void (*add_strip)(void* root, strip_range const&);
    product_of<T>* product = nullptr;  // the root, if it is one
    bool (*compute_into)(void* root, box const&, strided<T> const&);
    void (*end)(void* root) = nullptr;  // if it has a destructor

private:
    loop_view loops_;
    arena& scratch_;
    next_block next_;
    bool streaming_;
    bool at_once_;  // and not strip by strip, so that no other statement reads the box of a product
};

// A statement and the root of its expression.
template <class N>
struct bound_expression {
    using T = typename N::value_type;
    bound_values<T> values;
    bound<N> root;

    bound_expression(N const& n, environment& env, statement_id k)
        : values(env, k), root(n, env, env.p.g[k].root) {
        values.rows = statement_rows_of(root);
        values.add_strip = &add_strip;
        if constexpr (!std::is_trivially_destructible_v<bound<N>>) values.end = &end;
        if constexpr (is_contraction<N>) {
            values.product = &root;
            values.compute_into = &compute_into;
        }
    }

    static void end(void* root) { static_cast<bound<N>*>(root)->~bound(); }
    static void add_strip(void* root, strip_range const& strip) {
        static_cast<bound<N>*>(root)->accumulate(strip);
    }
    static bool compute_into(void* root, box const& b, strided<T> const& to) {
        return static_cast<bound<N>*>(root)->compute_into(b, to);
    }
};

template <class S>
using bound_expression_of = bound_expression<std::remove_cv_t<decltype(S::expression)>>;

template <class S>
bound_statement* bind_statement(void const* self, environment& env, statement_id k, void* room) {
    S const& s = *static_cast<S const*>(self);
    return &(new (room) bound_expression_of<S>(s.expression, env, k))->values;
}

}  // namespace detail

template <class S>
erased_statement erase(S const& s) {
    return {&s, [](void const* self) { check_indices(static_cast<S const*>(self)->expression); },
            sizeof(detail::bound_expression_of<S>), &detail::bind_statement<S>};
}

}  // namespace felt::inline FELT_ABI::host
