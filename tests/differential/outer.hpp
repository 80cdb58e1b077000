// SPDX-License-Identifier: BSD-3-Clause
//
// Outer rows of the grammar: a term of two axes becomes another. Those of `squares` keep two
// axes, so that they can stand inside of others.
#pragma once
#include "tests/differential/rows.hpp"

namespace test::outer {

struct epilogue {
    static constexpr char const* name = "relu(x * 2 + row)";
    static auto of(auto& o, auto const& x) {
        auto row = o.tensor({x.value.e[1]});
        auto const value = plain::add(plain::multiply(x.value, number(2)), row.value);
        return term{relu(x.node * 2 + row.node), plain::maximum(value, number(0))};
    }
};
struct turned {
    static constexpr char const* name = "transpose(x)";
    static auto of(auto&, auto const& x) {
        return term{transpose(x.node), plain::transpose(x.value)};
    }
};
struct left {
    static constexpr char const* name = "matmul(x, w)";
    static auto of(auto& o, auto const& x) {
        auto w = o.tensor({x.value.e[1], o.between(1, 40)});
        return term{matmul(x.node, w.node), plain::matmul(x.value, w.value)};
    }
};
struct right {
    static constexpr char const* name = "matmul(w, x)";
    static auto of(auto& o, auto const& x) {
        auto w = o.tensor({o.between(1, 40), x.value.e[0]});
        return term{matmul(w.node, x.node), plain::matmul(w.value, x.value)};
    }
};
struct gram {
    static constexpr char const* name = "matmul(x, transpose(x))";
    static auto of(auto&, auto const& x) {
        return term{matmul(x.node, transpose(x.node)),
                    plain::matmul(x.value, plain::transpose(x.value))};
    }
};
struct centred {
    static constexpr char const* name = "x * 3 - sum<0>(x)";
    static auto of(auto&, auto const& x) {
        auto const three = plain::multiply(x.value, number(3));
        return term{x.node * 3 - felt::sum<0>(x.node), subtract(three, plain::sum(x.value, 1))};
    }
};
struct scaled {
    static constexpr char const* name = "x * max<1>(x)";
    static auto of(auto&, auto const& x) {
        auto const top = plain::keep_dims(plain::max(x.value, 2), x.value.e, 2);
        return term{x.node * felt::max<1>(x.node, felt::keepdims), plain::multiply(x.value, top)};
    }
};
struct padded {
    static constexpr char const* name = "pad(x)";
    static auto of(auto&, auto const& x) {
        using T = typename decltype(x.node)::value_type;
        return term{pad(x.node, {{0, 1}, {2, 0}}, T(-1)), plain::pad(x.value, {0, 2}, {1, 0}, -1)};
    }
};
struct flipped {
    static constexpr char const* name = "rot180(x)";
    static auto of(auto&, auto const& x) {
        return term{rot180(x.node), plain::flip(x.value, {0, 1})};
    }
};
struct sliced {
    static constexpr char const* name = "slice(x, all, every second)";
    static auto of(auto&, auto const& x) {
        index_t const n = x.value.e[1];
        return term{slice(x.node, felt::all(), felt::range(0, n, 2)),
                    plain::slice(x.value, {0, 0}, {1, 2}, {x.value.e[0], (n + 1) / 2})};
    }
};
struct joined {
    static constexpr char const* name = "concat<0>(w, x)";
    static auto of(auto& o, auto const& x) {
        auto w = o.tensor({index_t{3}, x.value.e[1]});
        return term{felt::concat<0>(w.node, x.node), plain::concat(w.value, x.value, 0)};
    }
};
struct gathered {
    static constexpr char const* name = "gather<1>(x, indices)";
    static auto of(auto& o, auto const& x) {
        auto i = o.indices(o.between(1, 40), x.value.e[1]);
        return term{felt::gather<1>(x.node, i.node), plain::gather(x.value, 1, i.value)};
    }
};
struct pooled {
    static constexpr char const* name = "max<2,3>(windows(x) with edges)";
    static auto of(auto&, auto const& x) {
        auto w = windows(x.node, {2, 3}, {.stride = {1, 2}, .padding = {1, 1}});
        plain::window const same{.k = {2, 3}, .stride = {1, 2}, .padding = {1, 1}};
        return term{felt::max<2, 3>(w), plain::max(plain::windows(x.value, same), 12)};
    }
};
struct upsampled {
    static constexpr char const* name = "upsample(atan(x)) * 2";
    static auto of(auto&, auto const& x) {
        return term{upsample(atan(x.node), {2, 1}) * 2,
                    plain::multiply(plain::upsample(test::atan(x.value), 2, 1), number(2))};
    }
};
struct columns {
    static constexpr char const* name = "sum<0>(x)";
    static auto of(auto&, auto const& x) {
        return term{felt::sum<0>(x.node), plain::sum(x.value, 1)};
    }
};
struct tops {
    static constexpr char const* name = "max<1>(x) * 2";
    static auto of(auto&, auto const& x) {
        return term{felt::max<1>(x.node) * 2, plain::multiply(plain::max(x.value, 2), number(2))};
    }
};
struct total {
    static constexpr char const* name = "sum(x)";
    static auto of(auto&, auto const& x) { return term{felt::sum(x.node), plain::sum(x.value, 3)}; }
};
struct line {
    static constexpr char const* name = "reshape(x, one axis)";
    static auto of(auto&, auto const& x) {
        return term{reshape(x.node, {-1}), plain::reshape(x.value, {plain::size(x.value.e)})};
    }
};

using rows = std::tuple<epilogue, turned, left, right, gram, centred, scaled, padded, flipped,
                        sliced, joined, gathered, pooled, upsampled, columns, tops, total, line>;
inline constexpr std::size_t squares = 14;  // the first so many rows keep two axes

}  // namespace test::outer

// A row by its number, and how many there are.
namespace test {

template <std::size_t I>
using inner_row = std::tuple_element_t<I, inner::rows>;
template <std::size_t J>
using outer_row = std::tuple_element_t<J, outer::rows>;
inline constexpr std::size_t inners = std::tuple_size_v<inner::rows>;
inline constexpr std::size_t outers = std::tuple_size_v<outer::rows>;

}  // namespace test
