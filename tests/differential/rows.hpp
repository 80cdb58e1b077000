// SPDX-License-Identifier: BSD-3-Clause
//
// The grammar of the differential test. A term is an expression of Felt's together with its
// value by plain loops. An inner row makes a term of two axes from operands in memory; an outer
// row makes a term from a term. Every pair of rows is a type of expression.
#pragma once
#include "tests/differential/pool.hpp"
#include "tests/differential/sums.hpp"
#include <felt/felt.hpp>
#include <tuple>

namespace test {

template <class N>
struct term {
    N node;
    plain::array value;
};
template <class N>
term(N, plain::array) -> term<N>;

// Operands of a type in a pool, and the extents of this case.
template <class T>
class operands {
public:
    using value_type = T;

    operands(pool& p, dice& d, index_t rows, index_t columns)
        : m(rows), n(columns), pool_(p), dice_(d), strange_(d.between(0, 7) == 0) {}

    index_t const m, n;

    // One in four repeats what it has along some axes, by strides of 0. In every eighth case each
    // has a NaN or an infinity.
    template <std::size_t R>
    auto tensor(index_t const (&e)[R]) {
        shape const all(e, e + R);
        shape stored = all;
        bool const repeats = dice_.between(0, 3) == 0;
        for (index_t& count : stored) count = repeats && dice_.between(0, 1) == 0 ? 1 : count;
        plain::array few = whole_numbers(stored, dice_, 6, std::is_integral_v<T> ? 1 : 0.25);
        if (std::is_floating_point_v<T> && strange_) put_strange(few);
        plain::array x = plain::broadcast(few, all);
        felt::View<T, R> const v = pool_.place<T, R>(x, stored);
        return term{felt::as_node(v), std::move(x)};
    }
    // A row says which of its operands it asks for: of some, the leaf goes by that.
    template <std::size_t R>
    auto second(index_t const (&e)[R]) {
        return tensor(e);
    }
    auto indices(index_t count, index_t limit) { return indices<1>({count}, limit); }
    template <std::size_t R>
    auto indices(index_t const (&e)[R], index_t limit) {
        plain::array x(shape(e, e + R));
        for (double& v : x.v) v = static_cast<double>(dice_.between(0, limit - 1));
        felt::View<int, R> const v = pool_.place<int, R>(x, x.e);
        return term{felt::as_node(v), std::move(x)};
    }
    index_t between(index_t lo, index_t hi) { return dice_.between(lo, hi); }

private:
    void put_strange(plain::array& x) {
        double const values[] = {NAN, INFINITY, -INFINITY};
        auto const last = static_cast<index_t>(x.v.size()) - 1;
        x.v[static_cast<std::size_t>(dice_.between(0, last))] = values[dice_.between(0, 2)];
    }

    pool& pool_;
    dice& dice_;
    bool const strange_;
};

inline plain::array number(double x) { return plain::array({}, x); }

inline plain::array exp(plain::array const& x) {
    auto const f = [](double v) { return std::exp(v); };
    return plain::map(f, x, f, 4);
}
inline plain::array sigmoid(plain::array const& x) {
    return plain::map([](double v) { return 1 / (1 + std::exp(-v)); }, x,
                      [](double) { return 0.25; }, 8);
}
inline plain::array atan(plain::array const& x) {
    return plain::map([](double v) { return std::atan(v); }, x,
                      [](double v) { return 1 / (1 + v * v); }, 4);
}
inline plain::array divide(plain::array const& a, plain::array const& b) {
    return plain::map2([](double x, double y) { return x / y; }, a, b,
                       [](double x, double y, double p, double q) {
                           return p / std::fabs(y) + std::fabs(x) * q / (y * y);
                       });
}
inline plain::array subtract(plain::array const& a, plain::array const& b) {
    return plain::add(a, plain::multiply(b, number(-1)));
}

namespace inner {

struct leaf {
    static constexpr char const* name = "x";
    static auto of(auto& o) { return o.tensor({o.m, o.n}); }
};
struct map {
    static constexpr char const* name = "x * y + row";
    static auto of(auto& o) {
        auto x = o.tensor({o.m, o.n}), y = o.tensor({o.m, index_t{1}});
        auto row = o.tensor({o.n});
        return term{x.node * y.node + row.node,
                    plain::add(plain::multiply(x.value, y.value), row.value)};
    }
};
struct choice {
    static constexpr char const* name = "where((x < y) ^ (y > 2), remainder(x, -3), y * 2)";
    static auto of(auto& o) {
        auto x = o.tensor({o.m, o.n}), y = o.second({o.m, o.n});
        plain::array z = x.value;
        for (std::size_t i = 0; i < z.v.size(); ++i) {
            double const a = x.value.v[i], b = y.value.v[i], rest = std::fmod(a, -3);
            bool const chosen = (a < b) != (b > 2);
            z.v[i] = chosen ? (rest > 0 ? rest - 3 : rest) : 2 * b;
        }
        auto const c = (x.node < y.node) ^ (y.node > 2);
        return term{where(c, remainder(x.node, -3), y.node * 2), std::move(z)};
    }
};
struct turned {
    static constexpr char const* name = "transpose(x * x)";
    static auto of(auto& o) {
        auto x = o.tensor({o.n, o.m});
        return term{transpose(x.node * x.node),
                    plain::transpose(plain::multiply(x.value, x.value))};
    }
};
struct flipped {
    static constexpr char const* name = "flip<1>(sigmoid(x))";
    static auto of(auto& o) {
        auto x = o.tensor({o.m, o.n});
        return term{felt::flip<1>(sigmoid(x.node)), plain::flip(test::sigmoid(x.value), {1})};
    }
};
struct sliced {
    static constexpr char const* name = "slice(x + y, every second)";
    static auto of(auto& o) {
        auto x = o.tensor({2 * o.m, o.n + 3}), y = o.second({2 * o.m, o.n + 3});
        auto part = slice(x.node + y.node, felt::range(1, 2 * o.m, 2), felt::range(2, o.n + 2));
        return term{part, plain::slice(plain::add(x.value, y.value), {1, 2}, {2, 1}, {o.m, o.n})};
    }
};
struct padded {
    static constexpr char const* name = "pad(x + x)";
    static auto of(auto& o) {
        using T = typename std::remove_reference_t<decltype(o)>::value_type;
        auto x = o.tensor({o.m, o.n});
        return term{pad(x.node + x.node, {{1, 2}, {0, 3}}, T(1)),
                    plain::pad(plain::add(x.value, x.value), {1, 0}, {2, 3}, 1)};
    }
};
struct upsampled {
    static constexpr char const* name = "upsample(x * 2)";
    static auto of(auto& o) {
        auto x = o.tensor({o.m, o.n});
        return term{upsample(x.node * 2, {2, 3}),
                    plain::upsample(plain::multiply(x.value, number(2)), 2, 3)};
    }
};
struct reshaped {
    static constexpr char const* name = "reshape(x + 1)";
    static auto of(auto& o) {
        auto x = o.tensor({2 * o.m, o.n});
        return term{reshape(x.node + 1, {o.m, 2 * o.n}),
                    plain::reshape(plain::add(x.value, number(1)), {o.m, 2 * o.n})};
    }
};
struct joined {
    static constexpr char const* name = "concat<1>(x, y * y)";
    static auto of(auto& o) {
        auto x = o.tensor({o.m, o.n}), y = o.second({o.m, index_t{5}});
        return term{felt::concat<1>(x.node, y.node * y.node),
                    plain::concat(x.value, plain::multiply(y.value, y.value), 1)};
    }
};
struct gathered {
    static constexpr char const* name = "gather<0>(x, indices)";
    static auto of(auto& o) {
        auto x = o.tensor({index_t{11}, o.n});
        auto i = o.indices(o.m, 11);
        return term{felt::gather<0>(x.node, i.node), plain::gather(x.value, 0, i.value)};
    }
};
struct summed {
    static constexpr char const* name = "sum<1>(x * 2) of three axes";
    static auto of(auto& o) {
        auto x = o.tensor({o.m, o.between(1, 5), o.n});
        return term{felt::sum<1>(x.node * 2), plain::sum(plain::multiply(x.value, number(2)), 2)};
    }
};
struct highest {
    static constexpr char const* name = "max<0>(x) of three axes";
    static auto of(auto& o) {
        auto x = o.tensor({o.between(1, 5), o.m, o.n});
        return term{felt::max<0>(x.node), plain::max(x.value, 1)};
    }
};
struct pooled {
    static constexpr char const* name = "sum<2,3>(windows(x, 2 by 2))";
    static auto of(auto& o) {
        auto x = o.tensor({o.m + 1, o.n + 1});
        return term{felt::sum<2, 3>(windows(x.node, {2, 2})),
                    plain::sum(plain::windows(x.value, {.k = {2, 2}}), 12)};
    }
};
struct product {
    static constexpr char const* name = "matmul(x, y)";
    static auto of(auto& o) {
        index_t const k = o.between(1, 40);
        auto x = o.tensor({o.m, k}), y = o.second({k, o.n});
        return term{matmul(x.node, y.node), plain::matmul(x.value, y.value)};
    }
};
struct contraction {
    static constexpr char const* name = "einsum<\"abk,kb->ab\">";
    static auto of(auto& o) {
        index_t const k = o.between(1, 9);
        auto x = o.tensor({o.m, o.n, k});
        auto y = o.second({k, o.n});
        return term{felt::einsum<"abk,kb->ab">(x.node, y.node),
                    plain::einsum("abk", "kb", "ab", x.value, y.value)};
    }
};
struct letters {
    static constexpr char const* name = "einsum<\"akm,klb->ab\">";
    static auto of(auto& o) {
        index_t const k = o.between(1, 9);
        auto x = o.tensor({o.m, k, o.between(1, 5)});
        auto y = o.second({k, o.between(1, 5), o.n});
        return term{felt::einsum<"akm,klb->ab">(x.node, y.node),
                    plain::matmul(plain::sum(x.value, 4), plain::sum(y.value, 2))};
    }
};
struct weights {
    static constexpr char const* name = "softmax<1>(x)";
    static auto of(auto& o) {
        auto x = o.tensor({o.m, o.n});
        plain::array const top = plain::keep_dims(plain::max(x.value, 2), x.value.e, 2);
        plain::array const t = test::exp(subtract(x.value, top));
        return term{felt::softmax<1>(x.node),
                    divide(t, plain::keep_dims(plain::sum(t, 2), t.e, 2))};
    }
};
struct counted {
    static constexpr char const* name = "x + iota";
    static auto of(auto& o) {
        using T = typename std::remove_reference_t<decltype(o)>::value_type;
        auto x = o.tensor({o.m, o.n});
        plain::array count(x.value.e);
        for (std::size_t i = 0; i < count.v.size(); ++i) count.v[i] = static_cast<double>(i);
        return term{x.node + felt::iota<T>({o.m, o.n}), plain::add(x.value, count)};
    }
};

using rows =
    std::tuple<leaf, map, choice, turned, flipped, sliced, padded, upsampled, reshaped, joined,
               gathered, summed, highest, pooled, product, contraction, letters, weights, counted>;

}  // namespace inner
}  // namespace test
