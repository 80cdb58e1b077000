// SPDX-License-Identifier: BSD-3-Clause
//
// bound<Node>: a node tied to its loops and to memory, ready to run. All share one protocol:
//
//     prepare(b)        once per block: whatever the box b of the loops will read is ready
//     row(at)           once per row: a small state (pointers)
//     run<N>(s, j, part)  once per N elements along the lanes: lanes<value_type, N>
//     continues_row(l, n)     whether row at + e_l is what follows n lanes of row `at`
//     accumulate(strip)   sums over the strip's axis grow
//
// prepare is where nodes that are not streamed do their work; see materialized.hpp.
#pragma once
#include <felt/expr/fill.hpp>
#include <felt/host/apply.hpp>
#include <felt/host/invariant.hpp>

namespace felt::inline FELT_ABI::host {

template <class N>
class bound;

namespace detail {
// The reader of leaf id. Not inlined: statements have many of them.
template <class T>
[[gnu::noinline]] leaf_loader<T> leaf_loader_of(environment const& env, node_id id, T const* data) {
    planning::graph const& g = env.p.g;
    planning::schedule const& s = env.p.s;
    space_id const sp = g[id].space;
    return {env.loops(sp), data + planning::offset_of(g, s, id), planning::by_loop_of(g, s, id),
            s[sp].summed_rows};
}
}  // namespace detail

template <class T, std::size_t R, class S>
class bound<leaf<T, R, S>> {
public:
    using value_type = T;
    static constexpr int lanes_wanted = batch_size<T>;

    bound(leaf<T, R, S> const& n, environment& env, node_id id)
        : scratch_(env.scratch), read_(detail::leaf_loader_of<T>(env, id, n.data)) {}

    void prepare(box const& b) { read_.prepare(b, scratch_); }
    void accumulate(strip_range const&) {}
    T const* direct(index_t const** by_loop) const { return read_.direct(by_loop); }
    strided<T const> const& elements() const { return read_.elements(); }
    bool continues_row(int l, index_t n) const { return read_.continues_row(l, n); }
    FELT_INLINE auto row(index_t const* at) const { return read_.row(at); }
    template <int N, class Part>
    FELT_INLINE auto run(cursor<T> const& s, index_t j, Part part) const {
        return s.template run<N>(j, part);
    }

private:
    arena& scratch_;
    leaf_loader<T> read_;
};

// A copy that was made for the plan; its address is there alone.
template <class T, std::size_t R, class S>
class bound<packed_node<T, R, S>> : public bound<leaf<T, R, S>> {
public:
    bound(packed_node<T, R, S> const&, environment& env, node_id id)
        : bound<leaf<T, R, S>>({static_cast<T const*>(env.placed(id).data), {}, {}}, env, id) {}
};

template <class T, std::size_t R, class S>
class bound<owned<T, R, S>> : public bound<leaf<T, R, S>> {
public:
    bound(owned<T, R, S> const& n, environment& env, node_id id)
        : bound<leaf<T, R, S>>(n.view, env, id) {}
};

template <class T>
class bound<scalar<T>> {
public:
    using value_type = T;
    static constexpr int lanes_wanted = batch_size<T>;

    bound(scalar<T> const& n, environment&, node_id) : value_(n.value) {}

    void prepare(box const&) {}
    void accumulate(strip_range const&) {}
    bool continues_row(int, index_t) const { return true; }
    FELT_INLINE T row(index_t const*) const { return value_; }
    template <int N, class Part>
    FELT_INLINE auto run(T s, index_t, Part) const {
        return lanes<T, N>::broadcast(s);
    }

private:
    T value_;
};

template <class G, class T, std::size_t R>
class bound<generator_node<G, T, R>> {
public:
    using value_type = T;
    static constexpr int lanes_wanted = batch_size<T>;

    bound(generator_node<G, T, R> const& n, environment& env, node_id id)
        : g_(n.g),
          loops_(env.loops(env.described(id).space)),
          described_(&env.described(id)),
          step_(loops_.lane < 0 ? 0 : described_->by_loop[loops_.lane]) {}

    void prepare(box const&) {}
    void accumulate(strip_range const&) {}
    bool continues_row(int l, index_t n) const { return described_->by_loop[l] == n * step_; }
    FELT_INLINE index_t row(index_t const* at) const {
        index_t i = described_->offset;
        for (int l = 0; l < loops_.rank; ++l) {
            if (l != loops_.lane) i += described_->by_loop[l] * at[l];
        }
        return i;
    }
    template <int N, class Part>
    FELT_INLINE auto run(index_t s, index_t j, Part) const {
        alignas(64) T t[N];
        g_.template lanes<N>(s + j * step_, step_, t);
        return lanes<T, N>::load(t, full{});
    }

private:
    G g_;
    loop_view loops_;
    planning::node const* described_;
    index_t step_;
};

namespace detail {

// Operands of a node, bound in order: each starts where the one before ends.
template <class... X>
struct operand_binder;
template <class A>
struct operand_binder<A> {
    static tuple<bound<A>> bind(tuple<A> const& x, environment& env, node_id id) {
        return {bound<A>(x.head, env, id)};
    }
};
template <class A, class B, class... X>
struct operand_binder<A, B, X...> {
    static tuple<bound<A>, bound<B>, bound<X>...> bind(tuple<A, B, X...> const& x, environment& env,
                                                       node_id id) {
        return {bound<A>(x.head, env, id),
                operand_binder<B, X...>::bind(x.tail, env, env.described(id).end)};
    }
};
template <class... X>
auto bind_operands(tuple<X...> const& x, environment& env, node_id first) {
    return operand_binder<X...>::bind(x, env, first);
}

// The longest chain of functions below, in vector instructions, each of which waits for the one
// before.
template <class B>
inline constexpr int chain_of = 0;
template <class B>
    requires requires { B::chain; }
inline constexpr int chain_of<B> = B::chain;

constexpr int widest() { return 1; }
template <class... I>
constexpr int widest(int a, I... rest) {
    int const b = widest(rest...);
    return a > b ? a : b;
}

}  // namespace detail

template <class F, class... X>
class bound<map_node<F, X...>> {
public:
    using value_type = typename map_node<F, X...>::value_type;
    static constexpr int lanes_wanted =
        detail::widest(batch_size<value_type>, bound<X>::lanes_wanted...);
    static constexpr int chain =
        felt::detail::function_cost<F>() + std::max({detail::chain_of<bound<X>>...});

    bound(map_node<F, X...> const& n, environment& env, node_id id)
        : f_(n.f()), x_(detail::bind_operands(n.x, env, id + 1)), kept_(env, id) {}

    void prepare(box const& b) {
        apply([&](auto&... x) { (x.prepare(b), ...); }, x_);
        if constexpr (may_keep) {
            if (kept_.is_kept()) kept_.prepare(b, rows_of(*this));
        }
    }
    void accumulate(strip_range const& strip) {
        apply([&](auto&... x) { (x.accumulate(strip), ...); }, x_);
    }
    bool continues_row(int l, index_t n) const {
        if constexpr (may_keep) {
            if (kept_.are_here()) return kept_.continues_row(l, n);
        }
        return apply([&](auto const&... x) { return (x.continues_row(l, n) && ...); }, x_);
    }
    FELT_INLINE auto row(index_t const* at) const {
        if constexpr (may_keep) {
            using operand_rows = decltype(operand_row(at));
            if (kept_.are_here()) {
                return kept_or<value_type, operand_rows>{kept_.row(at), {}};
            }
            return kept_or<value_type, operand_rows>{{nullptr, false}, operand_row(at)};
        } else {
            return operand_row(at);
        }
    }
    template <std::size_t I>
    auto& operand() {
        return get<I>(x_);
    }
    template <int N, class S, class Part>
    FELT_INLINE auto run(S const& s, index_t j, Part part) const {
        if constexpr (may_keep) {
            if (s.kept.p != nullptr) return s.kept.template run<N>(j, part);
            return run_operands<N>(s.others, j, part, std::index_sequence_for<X...>{});
        } else {
            return run_operands<N>(s, j, part, std::index_sequence_for<X...>{});
        }
    }

private:
    static constexpr bool may_keep = felt::detail::worth_keeping<F, value_type>;
    struct nothing_kept {
        nothing_kept(environment&, node_id) {}
    };
    using kept_values = std::conditional_t<may_keep, invariant_values<value_type>, nothing_kept>;

    FELT_INLINE auto operand_row(index_t const* at) const {
        return apply([&](auto const&... x) { return felt::make_tuple(x.row(at)...); }, x_);
    }
    template <int N, class S, class Part, std::size_t... I>
    FELT_INLINE auto run_operands(S const& s, index_t j, Part part,
                                  std::index_sequence<I...>) const {
        return apply_function<value_type, N>(f_, get<I>(x_).template run<N>(get<I>(s), j, part)...);
    }

    F f_;
    tuple<bound<X>...> x_;
    kept_values kept_;
};

// Affine views are other strides, which the plan has worked into the operand's own.
template <class X, std::size_t R>
class bound<view_node<view_kind::affine, X, R>> : public bound<X> {
public:
    bound(view_node<view_kind::affine, X, R> const& n, environment& env, node_id id)
        : bound<X>(n.x.head, env, id + 1) {}
};

}  // namespace felt::inline FELT_ABI::host
