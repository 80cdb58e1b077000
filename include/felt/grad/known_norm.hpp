// SPDX-License-Identifier: BSD-3-Clause
//
// batch_norm in a program: statistics that are computed once and kept, and what comes back.
#pragma once
#include <felt/grad/keep.hpp>
#include <felt/grad/norm_statistics.hpp>

namespace felt::inline FELT_ABI {
namespace derive {

// A batch_norm whose statistics are in memory. It is a part of the program by its name, as what is
// named by let.
template <class Name, class Y, class G, class B, class At>
struct FELT_LAZY known_norm {
    using name_of_part = Name;
    using value_type = typename Y::value_type;
    using space = typename Y::space;
    static constexpr node_kind what = node_kind::affine;
    static constexpr std::size_t rank = Y::rank;
    static constexpr char const* name = "batch_norm";
    static constexpr char const* label = Name::text;

    tuple<Y, G, B> x;
    At at;  // norm_statistics

    FELT_HOST_DEVICE felt::extents<rank> extents() const { return x.head.extents(); }
    FELT_HOST_DEVICE tuple<Y, G, B> const& operands() const { return x; }
    template <class V, class W, class U>
    auto over(tuple<V, W, U> of) const {
        return known_norm<Name, V, W, U, At>{std::move(of), at};
    }
    auto plain() const {
        return as_node(detail::plain(get<0>(x)) * along<1>(at.scale) + along<1>(at.shift));
    }
    known_norm const& expression() const { return *this; }
    known_norm const& value() const { return *this; }
};

template <class N>
inline constexpr bool is_known_norm = false;
template <class Name, class Y, class G, class B, class At>
inline constexpr bool is_known_norm<known_norm<Name, Y, G, B, At>> = true;
template <class N>
inline constexpr bool is_norm = false;
template <class Name, class Y, class G, class B, class R>
inline constexpr bool is_norm<batch_norm_node<Name, Y, G, B, R>> = true;
template <class N>
inline constexpr bool has_norm = false;
template <class Operands>
inline constexpr bool any_has_norm = false;
template <class... X>
inline constexpr bool any_has_norm<tuple<X...>> = (has_norm<X> || ...);
template <node N>
inline constexpr bool has_norm<N> = is_norm<N> || any_has_norm<operands_of<N>>;

template <class... I>
constexpr bool has_known_norms(tuple<I...> const*) {
    return (is_known_norm<I> || ...);
}

// Those that are known, by name.
template <class Name, class... K>
inline constexpr bool is_known = (std::is_same_v<Name, typename K::name_of_part> || ...);
template <class Name, class K, class... More>
auto const& known_by_name(tuple<K, More...> const& all) {
    if constexpr (std::is_same_v<Name, typename K::name_of_part>) return all.head;
    else return known_by_name<Name>(all.tail);
}

// n with known norms, all of which are among these.
template <node N, class... K>
auto with_known(N const& n, tuple<K...> const& known) {
    if constexpr (!has_norm<N>) {
        return n;
    } else if constexpr (is_norm<N>) {
        return known_by_name<typename N::name_of_part>(known);
    } else {
        return apply(
            [&](auto const&... x) { return n.over(felt::make_tuple(with_known(x, known)...)); },
            n.operands());
    }
}

// The statements of a norm's statistics, and the norm that knows them.
template <class Space>
struct norm_maker {
    program_memory<Space>& memory;

    template <class Name, class Y, class G, class B, class R>
    auto make(batch_norm_node<Name, Y, G, B, R> const& n) {
        auto const made = statistics_maker<Space>{memory}.make(n);
        using At = std::remove_cvref_t<decltype(made.at)>;
        using N = known_norm<Name, Y, G, B, At>;
        return norm_made<N, std::remove_cvref_t<decltype(made.statements)>>{N{n.x, made.at},
                                                                            made.statements};
    }

private:
    template <class N, class S>
    struct norm_made {
        N norm;
        S statements;
    };
};

// It reads y and, for derivatives, gamma; beta is in `shift`.
template <class Name, class Y, class G, class B, class At>
void read_all(memory_order& order, known_norm<Name, Y, G, B, At> const& n) {
    read_all(order, get<0>(n.x));
    read_all(order, get<1>(n.x));
}

// By its name, as what is named by let.
template <class Name, class Y, class G, class B, class At>
inline constexpr bool is_named<known_norm<Name, Y, G, B, At>> = true;
template <class Name, class Y, class G, class B, class At>
inline constexpr bool has_the_name<Name, known_norm<Name, Y, G, B, At>> = true;
template <class Name, class Y, class G, class B, class At>
struct let_lister<known_norm<Name, Y, G, B, At>> {
    using N = known_norm<Name, Y, G, B, At>;
    template <class... L>
    static auto add(N const& n, tuple<L...> found) {
        if constexpr (is_among<N, L...>) return found;
        else return append(n, found);
    }
};
template <class W, class Name, class Y, class G, class B, class At, class V, class D>
auto pull_node(known_norm<Name, Y, G, B, At> const&, V const&, D const& dy, rules) {
    return dy;
}

// What comes to a norm goes on to y, gamma and beta. Dy, Dv: the derivatives by y and the vectors.
template <class N, class Dy, class Dv>
struct norm_link {
    N n;
    Dy dy;
    Dv dg, db;
};
template <class W, class N, class Dy, class Dv>
auto from_link(norm_link<N, Dy, Dv> const& l) {
    return plus(pull_into<W>(get<0>(l.n.x), l.dy), pull_into<W>(get<1>(l.n.x), l.dg),
                pull_into<W>(get<2>(l.n.x), l.db));
}

// The derivatives of norm n from dz, which is in memory: statements and a link.
template <class Link, class S>
struct norm_backward {
    Link link;
    S statements;
};
template <class N, class DZ, class Space>
auto through_norm(N const& n, DZ const& dz, program_memory<Space>& memory) {
    using T = typename N::value_type;
    auto const role = program_value::derivative;
    index_t const c = n.extents()[1];
    auto const sums = take_vectors<2, T>(memory, role, N::label, c);
    auto const own = take_vectors<2, T>(memory, role, N::label, c);
    auto const factors = take_vectors<3, T>(memory, role, N::label, c);
    auto const sum = own_leaf(sums[0]), product = own_leaf(sums[1]);
    auto const dg = own_leaf(own[0]), db = own_leaf(own[1]);  // of this part
    auto const p = own_leaf(factors[0]), q = own_leaf(factors[1]), r = own_leaf(factors[2]);
    auto const y = get<0>(n.x);
    auto const gamma = detail::plain(get<1>(n.x));
    auto const m = n.at.share();
    using Name = typename N::name_of_part;
    auto const of_part = felt::make_tuple(
        own_statement(sums[0], channel_sum(dz)),
        own_statement(sums[1], channel_sum(dz * (detail::plain(y) - along<1>(n.at.mean)))),
        run_boundary{}, own_statement(own[0], product * n.at.inverse), own_statement(own[1], sum));
    auto const of_all =
        felt::make_tuple(own_statement(factors[0], gamma * n.at.inverse),
                         own_statement(factors[1], -p * square(n.at.inverse) * product * m),
                         own_statement(factors[2], -p * sum * m - q * n.at.mean), run_boundary{});
    auto const statements = join(join(of_part, over_parts<Name>(n.at.sum, sums.all)), of_all);
    auto const dy = as_node(dz * along<1>(p) + y * along<1>(q) + along<1>(r));
    using Link = norm_link<N, std::remove_const_t<decltype(dy)>, std::remove_const_t<decltype(dg)>>;
    return norm_backward<Link, std::remove_const_t<decltype(statements)>>{{n, dy, dg, db},
                                                                          statements};
}

}  // namespace derive
}  // namespace felt::inline FELT_ABI
