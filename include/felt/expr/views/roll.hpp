// SPDX-License-Identifier: BSD-3-Clause
//
// roll<A...>(x, shift..)[.., i, ..] = x[.., i - shift, ..], counted around along each axis A.
// tile(x, {..}): as many copies of x side by side along each axis.
// repeat<A>(x, n)[.., i, ..] = x[.., i / n, ..]: each element n times.
#pragma once
#include <felt/expr/notation.hpp>
#include <felt/expr/reduce.hpp>
#include <felt/expr/views/reshape.hpp>
#include <algorithm>

namespace felt::inline FELT_ABI {

namespace detail {

template <std::size_t R>
struct roll_rule {
    extents<R> shift;

    auto make(auto x) const {
        auto m = identity_map(shape_of(x));
        for (std::size_t r = 0; r != R; ++r) {
            if (shift[r] == 0) continue;
            m.rule[r].offset = -shift[r];
            m.rule[r].mode = pad_mode::wrap;
        }
        return make_folded_view(std::move(x), m, "roll");
    }
    template <std::size_t>
    auto pull(auto const& dy, auto const&, auto const&) const {
        roll_rule back;
        for (std::size_t r = 0; r != R; ++r) back.shift[r] = -shift[r];
        return back.make(dy);
    }
};

template <std::size_t R>
struct tile_rule {
    extents<R> count;

    auto make(auto x) const {
        auto m = identity_map(shape_of(x));
        for (std::size_t r = 0; r != R; ++r) {
            m.e[r] *= count[r];
            m.rule[r].mode = pad_mode::wrap;
        }
        return make_folded_view(std::move(x), m, "tile");
    }
    // The sum over copies.
    template <std::size_t, class X>
    auto pull(auto const& dy, auto const&, X const& x) const {
        static_assert(2 * R <= max_rank, "tile: a derivative of more than four axes");
        constexpr unsigned copies = 0x55U & ((1U << (2 * R)) - 1);
        extents<2 * R> apart;
        for (std::size_t r = 0; r != R; ++r)
            apart[2 * r] = count[r], apart[2 * r + 1] = shape_of(x)[r];
        auto n = reshape(dy, apart);
        return reduce_node<monoid::sum, copies, decltype(n)>{{std::move(n)}};
    }
};

template <std::size_t Axis>
struct repeat_rule {
    index_t count;

    auto make(auto x) const {
        auto m = identity_map(shape_of(x));
        m.e[Axis] *= count;
        m.rule[Axis].divide = std::max<index_t>(count, 1);
        return make_general_view(std::move(x), m, {}, "repeat");
    }
    template <std::size_t, class X>
    auto pull(auto const& dy, auto const&, X const& x) const {
        static_assert(X::rank < max_rank, "repeat: a derivative of more than seven axes");
        extents<X::rank + 1> apart;
        for (std::size_t r = 0; r != X::rank; ++r) apart[r + (r > Axis ? 1 : 0)] = shape_of(x)[r];
        apart[Axis + 1] = count;
        auto n = reshape(dy, apart);
        return reduce_node<monoid::sum, (2U << Axis), decltype(n)>{{std::move(n)}};
    }
};

}  // namespace detail

template <std::size_t Axes, std::size_t Shifts>
concept one_shift_for_every_axis = Axes > 0 && Axes == Shifts;

template <int... Axes, array_operand X, std::convertible_to<extent_arg>... Shift>
    requires one_shift_for_every_axis<sizeof...(Axes), sizeof...(Shift)> &&
             (axis_is_in_range<Axes, rank_of<X>> && ...)
auto roll(X&& x, Shift... shift) {
    detail::roll_rule<rank_of<X>> rule{};
    ((rule.shift[axis_v<Axes, rank_of<X>>] += extent_arg(shift).value), ...);
    return compose(rule, std::forward<X>(x));
}

template <class X, std::size_t R>
concept one_count_for_every_axis = R == rank_of<X>;

template <array_operand X, std::size_t R>
    requires one_count_for_every_axis<X, R>
auto tile(X&& x, extent_arg const (&count)[R]) {
    return compose(detail::tile_rule<R>{checked_extents("tile", make_extents(count))},
                   std::forward<X>(x));
}

template <int A, array_operand X>
    requires axis_is_in_range<A, rank_of<X>>
auto repeat(X&& x, extent_arg n) {
    index_t const count = checked_extents("repeat", extents<1>{{n.value}})[0];
    return compose(detail::repeat_rule<axis_v<A, rank_of<X>>>{count}, std::forward<X>(x));
}

}  // namespace felt::inline FELT_ABI
