// SPDX-License-Identifier: BSD-3-Clause
//
// The layers of a block as one expression, cut where a layer reads memory (a convolution, a
// product, a pool, the statistics of a normalisation): there the value before it is kept.
#pragma once
#include <felt/nn/boundary.hpp>
#include <felt/nn/layers.hpp>

namespace felt::inline FELT_ABI::nn {

namespace detail {

template <std::size_t I, class... L>
using layer_at = std::remove_cvref_t<decltype(felt::get<I>(std::declval<tuple<L...> const&>()))>;
template <class L>
inline constexpr bool is_norm = std::is_same_v<L, norm>;
template <class L>
inline constexpr bool is_dropout = std::is_same_v<L, dropout>;
template <class L>
inline constexpr bool reads_memory = is_norm<L>;
template <class L>
    requires requires { L::reads_memory; }
inline constexpr bool reads_memory<L> = L::reads_memory;
// Whether a normalisation behind it is folded into the layer's parameters.
template <class L>
inline constexpr bool folds_norm = requires { requires L::folds_norm; };
// Whether that is so with layer I of these, a normalisation.
template <std::size_t I, class... L>
inline constexpr bool is_folded = false;
template <std::size_t I, class... L>
    requires(I > 0)
inline constexpr bool is_folded<I, L...> = folds_norm<layer_at<I - 1, L...>>;
// How a layer's slope follows from its value.
template <class L>
inline constexpr curve curve_of = curve::linear;
template <class L>
    requires requires { L::by_value; }
inline constexpr curve curve_of<L> = L::by_value;

// Whether these are what a block may end in without its own derivative: f, relu and a dropout; a
// normalisation and a relu.
template <class... L>
inline constexpr bool is_activation = false;
template <class A>
inline constexpr bool is_activation<A> = curve_of<A> != curve::linear;
template <class A>
inline constexpr bool is_activation<A, dropout> = curve_of<A> == curve::rectified;
template <class... L>
inline constexpr bool begins_with_norm = false;
template <class A, class... More>
inline constexpr bool begins_with_norm<A, More...> = is_norm<A>;
template <class... L>
inline constexpr bool is_last_norm = false;
template <>
inline constexpr bool is_last_norm<norm> = true;
template <class A>
inline constexpr bool is_last_norm<norm, A> = curve_of<A> == curve::rectified;

}  // namespace detail

// How a block ends: in a value as it is, in one with an activation, in one to be normalised.
struct ends_plain {};
template <class F>
struct ends_activated {
    F f;
    activation act;
};
struct ends_normalised {
    std::size_t layer;
    batch_norm_options o;
    bool rectified;
};

template <class T, class Space, pass Pass, class... L>
struct chain {
    site<T, Space>& at;
    tuple<L...> const& layers;

    // f(parts, e, how it ends): parts of a program, and the expression of the last of them. v: what
    // the block reads, in memory or not.
    template <class Parts, class V, class F>
    auto operator()(Parts const& parts, V const& v, F const& f) const {
        at.begin_expression(Pass);
        return go(layers, parts, v, f, felt::derive::by<0>{});
    }

private:
    static constexpr bool Training = Pass == pass::training;
    template <class E>
    static constexpr bool is_in_memory =
        has_no_operands<node_of<E>> || derive::is_named<node_of<E>>;

    template <class A, class... More, class Parts, class E, class F, std::size_t I>
    auto go(tuple<A, More...> const& left, Parts const& parts, E const& e, F const& f,
            derive::by<I>) const {
        using namespace detail;
        if constexpr (Training && is_last_norm<A, More...> && rank_of<E> == 4) {
            return f(parts, e, ends_normalised{I, left.head.o, sizeof...(More) > 0});
        } else if constexpr (Training && is_activation<A, More...>) {
            auto const act = [&](auto const& z) { return last(left, z, derive::by<I>{}); };
            return f(parts, e, ends_activated<decltype(act)>{act, activation_of(left)});
        } else if constexpr (reads_memory<A> && (Training || !is_norm<A>) && I > 0 &&
                             !is_in_memory<E>) {
            constexpr auto name = fixed_string("k") + number<I>();
            auto const kept = keep<name>(slot(e), e);
            return apply_layer(left, derive::join(parts, felt::make_tuple(kept)), kept, f,
                               derive::by<I>{});
        } else {
            return apply_layer(left, parts, e, f, derive::by<I>{});
        }
    }
    // The first of these layers, and the rest.
    template <class A, class... More, class Parts, class E, class F, std::size_t I>
    auto apply_layer(tuple<A, More...> const& left, Parts const& parts, E const& e, F const& f,
                     derive::by<I>) const {
        if constexpr (detail::is_norm<A> && Pass == pass::folded) {
            return folded_norm(left, parts, e, f, derive::by<I>{});
        } else if constexpr (detail::is_norm<A>) {
            return normalised(left, parts, e, f, derive::by<I>{});
        } else {
            scope<T, Space, I, Training, detail::begins_with_norm<More...>> s{at};
            return rest(left, parts, left.head(s, e), f, derive::by<I + 1>{});
        }
    }
    template <class A, class... More, class Parts, class E, class F, std::size_t I>
    auto rest(tuple<A, More...> const& left, Parts const& parts, E const& e, F const& f,
              derive::by<I> i) const {
        if constexpr (sizeof...(More) == 0) return f(parts, e, ends_plain{});
        else return go(left.tail, parts, e, f, i);
    }
    template <class A, class... More, class Parts, class E, class F, std::size_t I>
    auto normalised(tuple<A, More...> const& left, Parts const& parts, E const& e, F const& f,
                    derive::by<I>) const {
        index_t const c = e.extents()[1];
        scope<T, Space, I, Training, false> s{at};
        auto const gamma = param<"weight">(s, {c}, constant(1));
        auto const beta = param<"bias">(s, {c}, zeros);
        auto const running = at.statistics(I, e.extents());
        auto const& o = left.head.o;
        if constexpr (Training) {
            constexpr auto name = fixed_string("n") + detail::number<I>();
            return rest(left, parts, batch_norm<name>(e, gamma, beta, running, o), f,
                        derive::by<I + 1>{});
        } else {
            constexpr auto scale = fixed_string("s") + detail::number<I>();
            constexpr auto shift = fixed_string("t") + detail::number<I>();
            auto const by = keep<scale>(vector_slot(c),
                                        gamma / sqrt(running.variance + static_cast<T>(o.epsilon)));
            auto const to = keep<shift>(vector_slot(c), beta - running.mean * by);
            return rest(left, derive::join(parts, felt::make_tuple(by, to)),
                        e * along<1>(by) + along<1>(to), f, derive::by<I + 1>{});
        }
    }
    // What fold_norm() has left of it: a bias, by the name that a layer's own has, so that blocks
    // with either are of one type; or both.
    template <class A, class... More, class Parts, class E, class F, std::size_t I>
    auto folded_norm(tuple<A, More...> const& left, Parts const& parts, E const& e, F const& f,
                     derive::by<I>) const {
        constexpr bool is_bias = detail::is_folded<I, L...>;
        index_t const c = e.extents()[1];
        scope<T, Space, I - is_bias, false, false> s{at};
        auto const by = along<1>(param<"weight">(s, {c}));
        auto const to = along<1>(param<"bias">(s, {c}));
        if constexpr (is_bias) return rest(left, parts, e + to, f, derive::by<I + 1>{});
        else return rest(left, parts, e * by + to, f, derive::by<I + 1>{});
    }

    // What the last layers do to z.
    template <class A, class Z, std::size_t I>
    auto last(tuple<A> const& left, Z const& z, derive::by<I>) const {
        return left.head(z);
    }
    template <class A, class Z, std::size_t I>
    auto last(tuple<A, dropout> const& left, Z const& z, derive::by<I>) const {
        scope<T, Space, I + 1, Training, false> s{at};
        return left.tail.head(s, left.head(z));
    }
    template <class A>
    static activation activation_of(tuple<A> const&) {
        return {detail::curve_of<A>};
    }
    template <class A>
    static activation activation_of(tuple<A, dropout> const& left) {
        return {detail::curve_of<A>, 1 / (1 - left.tail.head.p)};
    }

    template <class E>
    auto slot(E const& e) const {
        using layout = std::conditional_t<rank_of<E> == 4, ChannelsLast, RowMajor>;
        return view<layout, Space>(at.slot(e.extents().size()), e.extents());
    }
    View<T, 1, Space> vector_slot(index_t c) const { return {at.slot(c), {{c}}, {{1}}}; }
};

}  // namespace felt::inline FELT_ABI::nn
