// SPDX-License-Identifier: BSD-3-Clause
//
// batch_norm in a program: statistics that are computed once and kept, and what comes back.
#pragma once
#include <felt/grad/batch_norm.hpp>
#include <felt/grad/keep.hpp>
#include <felt/grad/workspace.hpp>

namespace felt {
namespace derive {

// Vectors of C that a program has for a batch_norm.
template <class T, class Space>
struct norm_statistics {
    using vector = leaf<T, 1, Space>;
    vector mean, inverse, scale, shift;  // inverse: 1 / sqrt(variance + epsilon)
};

// A batch_norm whose statistics are in memory. It is a part of the program by its name, as what is
// named by let.
template <class Name, class Y, class G, class B, class Space>
struct FELT_LAZY known_norm {
    using name_of_part = Name;
    using value_type = typename Y::value_type;
    using space = typename Y::space;
    static constexpr node_kind what = node_kind::affine;
    static constexpr std::size_t rank = Y::rank;
    static constexpr char const* name = "batch_norm";
    static constexpr char const* label = Name::text;

    tuple<Y, G, B> x;
    norm_statistics<value_type, Space> at;

    FELT_HOST_DEVICE felt::extents<rank> extents() const { return x.head.extents(); }
    FELT_HOST_DEVICE tuple<Y, G, B> const& operands() const { return x; }
    template <class V, class W, class U>
    auto over(tuple<V, W, U> of) const {
        return known_norm<Name, V, W, U, Space>{std::move(of), at};
    }
    auto plain() const {
        return as_node(detail::plain(get<0>(x)) * along<1>(at.scale) + along<1>(at.shift));
    }
    known_norm const& expression() const { return *this; }
    known_norm const& value() const { return *this; }
};

template <class N>
inline constexpr bool is_known_norm = false;
template <class Name, class Y, class G, class B, class Space>
inline constexpr bool is_known_norm<known_norm<Name, Y, G, B, Space>> = true;
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

// Statements for the statistics of a norm, which are to be run after what y is kept by.
template <class Space>
struct norm_maker {
    program_memory<Space>& memory;

    template <class Name, class Y, class G, class B, class R>
    auto make(batch_norm_node<Name, Y, G, B, R> const& n) {
        using T = typename Y::value_type;
        auto const like = leaf<T, 1, Space>{nullptr, {{n.extents()[1]}}, {}};
        auto const vector = [&] { return memory.take(program_value::beside, Name::text, like); };
        auto const mean = vector(), inverse = vector(), scale = vector(), shift = vector();
        auto const y = detail::plain(get<0>(n.x));
        auto const m = static_cast<T>(1 / double(count_by_channel(n.extents())));
        auto const epsilon = static_cast<T>(n.o.epsilon);
        auto const g = detail::plain(get<1>(n.x)), b = detail::plain(get<2>(n.x));
        // `scale` and `shift` hold sums until they are known.
        auto const moments = [&] {
            if constexpr (std::is_same_v<R, no_running_statistics>) {
                auto const at = along<1>(read(mean));
                return felt::make_tuple(own_statement(mean, channel_sum(y) * m), run_boundary{},
                                        own_statement(scale, channel_sum(square(y - at)) * m),
                                        run_boundary{});
            } else {
                auto const near = along<1>(as_node(n.running.mean));
                auto const sum = read(shift) * m;
                return felt::make_tuple(
                    own_statement(shift, channel_sum(y - near)),
                    own_statement(scale, channel_sum(square(y - near))), run_boundary{},
                    own_statement(mean, sum + n.running.mean),
                    own_statement(scale, maximum(read(scale) * m - square(sum), T(0))));
            }
        }();
        auto const follow = followed(n, read(mean), read(scale));
        auto const finish =
            felt::make_tuple(own_statement(inverse, 1 / sqrt(read(scale) + epsilon)),
                             own_statement(scale, g * read(inverse)),
                             own_statement(shift, b - read(mean) * read(scale)), run_boundary{});
        norm_statistics<T, Space> const at{read(mean), read(inverse), read(scale), read(shift)};
        return made(known_norm<Name, Y, G, B, Space>{n.x, at}, join(join(moments, follow), finish));
    }

private:
    template <class N, class S>
    struct result {
        N norm;
        S statements;
    };
    template <class N, class S>
    static auto made(N n, S s) {
        return result<N, S>{std::move(n), std::move(s)};
    }
    template <class V>
    static auto read(V const& memory) {
        return own_leaf(memory);
    }
    // Running statistics; that variance is the unbiased one.
    template <class N, class V>
    static auto followed(N const& n, V const& mean, V const& variance) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(n.running)>,
                                     no_running_statistics>) {
            return tuple<>{};
        } else {
            using T = typename N::value_type;
            auto const count = double(count_by_channel(n.extents()));
            auto const take = static_cast<T>(n.o.momentum), keep = 1 - take;
            auto const of_all = static_cast<T>(count > 1 ? count / (count - 1) : 1);
            auto const &to = n.running.mean, &v = n.running.variance;
            return felt::make_tuple(
                detail::make_statement(to, as_node(keep * to + take * mean), false),
                detail::make_statement(v, as_node(keep * v + take * of_all * variance), false));
        }
    }
};

// By its name, as what is named by let.
template <class Name, class Y, class G, class B, class Space>
inline constexpr bool is_named<known_norm<Name, Y, G, B, Space>> = true;
template <class Name, class Y, class G, class B, class Space>
inline constexpr bool has_the_name<Name, known_norm<Name, Y, G, B, Space>> = true;
template <class Name, class Y, class G, class B, class Space>
struct let_lister<known_norm<Name, Y, G, B, Space>> {
    using N = known_norm<Name, Y, G, B, Space>;
    template <class... L>
    static auto add(N const& n, tuple<L...> found) {
        if constexpr (is_among<N, L...>) return found;
        else return append(n, found);
    }
};
template <class W, class Name, class Y, class G, class B, class Space, class V, class D>
auto pull_node(known_norm<Name, Y, G, B, Space> const&, V const&, D const& dy, rules) {
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
    auto const vector = [&] { return memory.take(program_value::derivative, N::label, n.at.mean); };
    auto const to_gamma = vector(), to_beta = vector(), to_p = vector(), to_q = vector(),
               to_r = vector();
    auto const dg = own_leaf(to_gamma), db = own_leaf(to_beta), p = own_leaf(to_p),
               q = own_leaf(to_q), r = own_leaf(to_r);
    auto const y = get<0>(n.x);
    auto const gamma = detail::plain(get<1>(n.x));
    auto const m = static_cast<T>(1 / double(count_by_channel(n.extents())));
    auto const statements = felt::make_tuple(
        own_statement(to_beta, channel_sum(dz)),
        own_statement(to_gamma, channel_sum(dz * (detail::plain(y) - along<1>(n.at.mean)))),
        run_boundary{}, own_statement(to_gamma, dg * n.at.inverse),
        own_statement(to_p, gamma * n.at.inverse), own_statement(to_q, -p * n.at.inverse * dg * m),
        own_statement(to_r, -p * db * m - q * n.at.mean), run_boundary{});
    auto const dy = as_node(dz * along<1>(p) + y * along<1>(q) + along<1>(r));
    using Link = norm_link<N, std::remove_const_t<decltype(dy)>, std::remove_const_t<decltype(dg)>>;
    return norm_backward<Link, std::remove_const_t<decltype(statements)>>{{n, dy, dg, db},
                                                                          statements};
}

}  // namespace derive
}  // namespace felt
