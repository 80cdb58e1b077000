// SPDX-License-Identifier: BSD-3-Clause
//
// An expression of the cell of a scan as one of all steps, by which derivatives of what all steps
// share are one product and not a sum over steps: what depends on the step gets an axis 0 of steps,
// matmul(x, w) of (batch, inputs) becomes einsum<"tni,ik->tnk">(x, w).
#pragma once
#include <felt/expr/contract.hpp>
#include <felt/expr/views/concat.hpp>
#include <felt/expr/views/gather.hpp>
#include <felt/expr/views/reshape.hpp>
#include <felt/expr/views/split.hpp>
#include <felt/grad/derivative.hpp>
#include <felt/grad/steps.hpp>

namespace felt::inline FELT_ABI::derive {

template <class States, class N>
constexpr bool depends_on_the_step();
template <class States, class N>
inline constexpr bool varies = depends_on_the_step<States, N>();
template <class States, class Operands>
inline constexpr bool any_varies = false;
template <class States, class... X>
inline constexpr bool any_varies<States, tuple<X...>> = (varies<States, X> || ...);
template <class States, class N>
constexpr bool depends_on_the_step() {
    if constexpr (is_step<N> || States::template has<N>) return true;
    else return any_varies<States, operands_of<N>>;
}

[[noreturn]] FELT_PLANNING inline void no_form() {
    throw shape_error("scan: gather along another axis than 0 has no form over all steps");
}

template <class States>
struct over_steps {
    States const& states;
    index_t count;

    template <node N>
    auto operator()(N const& n) const {
        if constexpr (!varies<States, N>) return n;
        else if constexpr (States::template has<N> && !is_step<N>) return before(n);
        else return of(n);
    }

private:
    template <class T, std::size_t R, class Space>
    auto of(step_node<T, R, Space> const& n) const {
        return n.series(count);
    }
    template <class Name, class X>
    auto of(named_node<Name, X> const& n) const {
        auto s = n.x.series(count);
        return named_node<Name, decltype(s)>{s};
    }
    // The first state, and after it those that the steps leave to the next.
    template <class N>
    auto before(N const& n) const {
        auto const after = states.after(n).series(count - 1);
        auto const first = with_axes<1>(detail::plain(n));
        auto const one = detail::plain(first);
        using A = std::remove_const_t<decltype(one)>;
        using B = std::remove_const_t<decltype(after)>;
        return concat_node<A, B>{{one, {after}}, 0};
    }

    // What is the same at all steps stretches along them.
    template <std::size_t R, class X>
    auto in_map_of(X const& x) const {
        auto y = (*this)(x);
        constexpr std::size_t lacks = varies<States, X> ? R - X::rank : 0;
        if constexpr (lacks == 0) return y;
        else return with_axes<((1U << lacks) - 1) << 1>(std::move(y));
    }
    template <class F, class... X>
    auto of(map_node<F, X...> const& n) const {
        constexpr std::size_t R = map_node<F, X...>::rank;
        return apply([&](auto const&... x) { return n.over(felt::make_tuple(in_map_of<R>(x)...)); },
                     n.x);
    }

    template <class A, class B, std::size_t R, std::size_t S>
    auto of(contract_node<A, B, R, S> const& n) const {
        auto const a = (*this)(n.x.head);
        auto const b = (*this)(n.x.tail.head);
        int la[A::rank + 1] = {}, lb[B::rank + 1] = {};
        labels<varies<States, A>>(n.a_label, A::rank, la);
        labels<varies<States, B>>(n.b_label, B::rank, lb);
        return detail::make_contract<R + 1, S>(a, b, la, lb, n.name);
    }
    template <bool Varies>
    static void labels(int const* from, std::size_t rank, int* to) {
        if constexpr (Varies) *to++ = 0;
        for (std::size_t r = 0; r != rank; ++r) to[r] = from[r] + 1;
    }

    template <class M, unsigned Mask, class X>
    auto of(reduce_node<M, Mask, X> const& n) const {
        auto x = (*this)(n.x.head);
        return reduce_node<M, (Mask << 1), decltype(x)>{{std::move(x)}};
    }
    template <unsigned Mask, class X>
    auto of(inserted_node<Mask, X> const& n) const {
        auto x = (*this)(n.x.head);
        return inserted_node<(Mask << 1), decltype(x)>{{std::move(x)}, n.name};
    }
    template <int A, int N, int I, class X>
    auto of(part_node<A, N, I, X> const& n) const {
        auto x = (*this)(n.x.head);
        return part_node<A + 1, N, I, decltype(x)>{{std::move(x)}, n.place};
    }
    template <int A, class X>
    auto of(along_node<A, X> const& n) const {
        return (*this)(
            static_cast<inserted_node<detail::axes_beside<A, std::size_t(A) + 1>, X> const&>(n));
    }

    template <view_kind K, class X, std::size_t R>
    auto of(view_node<K, X, R> const& n) const {
        auto x = (*this)(n.x.head);
        view_map<X::rank + 1, R + 1> m{};
        m.e[0] = count;
        m.rule[0] = {0, -1, 1};
        for (std::size_t r = 0; r != R; ++r) m.e[r + 1] = n.map.e[r];
        for (std::size_t s = 0; s != X::rank; ++s) {
            m.rule[s + 1] = n.map.rule[s];
            if (m.rule[s + 1].out1 >= 0) ++m.rule[s + 1].out1;
            if (m.rule[s + 1].out2 >= 0) ++m.rule[s + 1].out2;
        }
        return detail::folded_view(
            view_node<K, decltype(x), R + 1>{{std::move(x)}, m, n.fill, n.name});
    }
    template <class X, std::size_t R>
    auto of(reshape_node<X, R> const& n) const {
        return reshape((*this)(n.x.head), with_steps(n.e));
    }
    template <class A, class B>
    auto of(concat_node<A, B> const& n) const {
        auto a = at_all(n.x.head);
        auto b = at_all(n.x.tail.head);
        return concat_node<decltype(a), decltype(b)>{{std::move(a), {std::move(b)}}, n.axis + 1};
    }
    // Rows of a table that all steps share, by the indices of each step.
    template <class X, class I>
        requires(!varies<States, X>)
    auto of(gather_node<X, I> const& n) const {
        if (n.axis != 0) apart<&no_form>::call();
        auto const indices = (*this)(n.x.tail.head);
        auto all = reshape(indices, extents<1>{{indices.extents().size()}});
        return reshape(gather_node<X, decltype(all)>{{n.x.head, {std::move(all)}}, 0},
                       with_steps(n.extents()));
    }
    // A node that stands for another keeps what derivatives know of it.
    template <class N>
    auto of(N const& n) const {
        if constexpr (is_named<N> || is_stop<N> || N::what == node_kind::once) {
            auto x = (*this)(n.x.head);
            return n.over(felt::make_tuple(std::move(x)));
        } else {
            static_assert(
                detail::stands_for_another<N>,
                "scan: this function has no form over all steps, which a derivative needs");
            return (*this)(apply([&](auto const&... x) { return n.rule.make(x...); }, n.x));
        }
    }

    template <class X>
    auto at_all(X const& x) const {
        auto y = (*this)(x);
        if constexpr (varies<States, X>) return y;
        else return broadcast_view(y, with_steps(x.extents()));
    }
    template <std::size_t R>
    extents<R + 1> with_steps(extents<R> const& e) const {
        extents<R + 1> to;
        to[0] = count;
        for (std::size_t r = 0; r != R; ++r) to[r + 1] = e[r];
        return to;
    }
};

}  // namespace felt::inline FELT_ABI::derive
