// SPDX-License-Identifier: BSD-3-Clause
//
// Derivatives through views. A view takes source index out1 stride + out2 dilation + offset for an
// axis; what it took from an element comes back to it: the view by the rules solved for out1, with
// zeros where there is none, summed along what windows take elements for several times.
#pragma once
#include <felt/expr/fill.hpp>
#include <felt/grad/pull.hpp>

namespace felt::inline FELT_ABI::derive {

[[noreturn]] FELT_PLANNING inline void view_fails(char const* name, char const* why) {
    throw shape_error(std::string("grad: ") + name + " " + why);
}

// The source axis that axis `out` of a view is as it is, or -1.
template <std::size_t S, std::size_t R>
int axis_as_it_is(view_map<S, R> const& m, int out) {
    for (std::size_t s = 0; s != S; ++s) {
        if (m.rule[s] == axis_rule{out, -1, 1}) return static_cast<int>(s);
    }
    return -1;
}

// The rules of a view of the derivative that has the source's S axes first and then one for each
// axis along which it is summed: `out2` of a window, or one that the source lacks.
template <std::size_t S, std::size_t R>
auto inverse_map(view_map<S, R> const& m, extents<S> const& source, char const* name) {
    constexpr std::size_t extra = R > S ? R - S : 0;
    view_map<R, S + extra> to{};
    bool known[felt::extents<R>::stored] = {};
    for (std::size_t s = 0; s != S; ++s) to.e[s] = source[s];
    std::size_t window = S;
    for (std::size_t s = 0; s != S; ++s) {
        axis_rule const& r = m.rule[s];
        bool const fits =
            r.mode == pad_mode::constant && (r.divide == 1 || (r.exact && r.stride == 1));
        if (!fits) apart<&view_fails>::call(name, "has no derivative");
        if (r.out1 < 0)
            apart<&view_fails>::call(name, "drops an axis: use slice with range(i, i + 1)");
        bool const back = r.stride < 0;
        // Where there is one element, or none, nothing is repeated, whatever the step.
        auto const out = static_cast<std::size_t>(r.out1);
        bool const one = source[s] == 0 || (source[s] == 1 && m.e[out] == 1);
        index_t const step = one ? 1 : back ? -r.stride : r.stride;
        if (step == 0) apart<&view_fails>::call(name, "repeats an axis: use expand_dims");
        axis_rule& d = to.rule[out];
        if (known[r.out1])
            apart<&view_fails>::call(name, "takes a diagonal, which has no derivative");
        known[r.out1] = true;
        // out1 = (source divide - offset - out2 dilation) / stride
        d.out1 = static_cast<int>(s);
        d.stride = (back ? -1 : 1) * r.divide;
        d.offset = back ? r.offset : -r.offset;
        d.divide = step;
        d.exact = step != 1;
        if (r.out2 >= 0) {
            auto const w = static_cast<std::size_t>(r.out2);
            d.out2 = axis_as_it_is(m, r.out2);
            d.dilation = back ? r.dilation : -r.dilation;
            if (d.out2 < 0) {
                if (known[w] || window >= S + extra)
                    apart<&view_fails>::call(name, "has no derivative");
                known[w] = true;
                to.e[window] = m.e[w];
                d.out2 = static_cast<int>(window);
                to.rule[w] = {static_cast<int>(window++), -1, 1};
            }
        }
    }
    for (std::size_t r = 0; r != R; ++r) {
        if (known[r]) continue;
        if (window >= S + extra)
            apart<&view_fails>::call(name, "repeats its source: use expand_dims");
        to.e[window] = m.e[r];
        to.rule[r] = {static_cast<int>(window++), -1, 1};
    }
    return to;
}

template <class W, view_kind K, class X, std::size_t R, class Y, class D>
    requires(R >= X::rank)
auto pull_node(view_node<K, X, R> const& n, Y const&, D const& dy, rules) {
    constexpr std::size_t S = X::rank;
    auto const m = inverse_map(n.map, n.x.head.extents(), n.name);
    auto const back = make_general_view(whole(dy), m, typename X::value_type{}, n.name);
    if constexpr (R == S) {
        return pull_into<W>(n.x.head, back);
    } else {
        constexpr unsigned windows = ((1U << R) - 1) & ~((1U << S) - 1);
        using N = std::remove_cvref_t<decltype(back)>;
        return pull_into<W>(n.x.head, reduce_node<monoid::sum, windows, N>{{back}});
    }
}

// A view that goes on with the source's own elements: what it took along an axis is added up where
// it took it from, axis after axis.
template <std::size_t A, class D, std::size_t S>
auto unfolded(D const& d, view_map<S, S> const& m, extents<S> const& source, char const* name) {
    if constexpr (A == S) {
        return d;
    } else {
        axis_rule const& r = m.rule[A];
        if (r.out1 != static_cast<int>(A) || r.out2 >= 0 || r.stride != 1 || r.divide != 1)
            apart<&view_fails>::call(name, "has no derivative");
        auto of_axis = identity_map(extents<1>{{m.e[A]}});
        of_axis.rule[0].offset = r.offset, of_axis.rule[0].mode = r.mode;
        auto const from = make_folded_view(iota(source[A]), of_axis, name);
        auto e = d.extents();
        e[A] = source[A];
        return unfolded<A + 1>(scatter_add<static_cast<int>(A)>(e, from, d), m, source, name);
    }
}
template <class W, class X, std::size_t R, class Y, class D>
auto pull_node(view_node<view_kind::folded, X, R> const& n, Y const&, D const& dy, rules) {
    X const& x = n.x.head;
    return pull_into<W>(x, unfolded<0>(whole(dy), n.map, x.extents(), n.name));
}

// A slice that drops axes: of the same with these axes, of extent 1, behind the others.
template <class W, view_kind K, class X, std::size_t R, class Y, class D>
    requires(R < X::rank)
auto pull_node(view_node<K, X, R> const& n, Y const&, D const& dy, rules) {
    constexpr std::size_t S = X::rank;
    auto const d = with_axes < ((1U << S) - 1) & ~((1U << R) - 1) > (whole(dy));
    view_map<S, S> m{};
    m.e = d.extents();
    std::size_t next = R;
    for (std::size_t s = 0; s != S; ++s) {
        m.rule[s] = n.map.rule[s];
        if (m.rule[s].out1 >= 0) continue;
        if (next == S) apart<&view_fails>::call(n.name, "drops an axis and makes windows of one");
        m.rule[s].out1 = static_cast<int>(next++);
        m.rule[s].stride = 1;
    }
    auto const to = inverse_map(m, n.x.head.extents(), n.name);
    return pull_into<W>(n.x.head, make_general_view(d, to, typename X::value_type{}, n.name));
}

}  // namespace felt::inline FELT_ABI::derive
