// SPDX-License-Identifier: BSD-3-Clause
//
// Outer rows for derivatives alone: what networks are made of.
#pragma once
#include "tests/differential/derived_inner.hpp"
#include "tests/differential/words_sums.hpp"

namespace plain {

inline array log_sum(array const& x) {  // of the last axis of two
    array const top = keep_dims(max(x, 2), x.e, 2);
    array const all = keep_dims(sum(test::exp(test::subtract(x, top)), 2), x.e, 2);
    return add(top,
               map([](double v) { return std::log(v); }, all, [](double v) { return 1 / v; }, 4));
}
inline array softmax(array const& x) { return test::exp(test::subtract(x, log_sum(x))); }

}  // namespace plain

namespace test::derived {

struct layer {
    static constexpr char const* name = "sigmoid(matmul(w, x) + expand_dims<1>(b))";
    static auto of(auto& o, auto const& x) {
        index_t const k = o.between(1, 20);
        auto w = o.tensor({k, x.value.e[0]}), b = o.second({k});
        auto const z = plain::add(plain::matmul(w.value, x.value), plain::column(b.value));
        return term{sigmoid(matmul(w.node, x.node) + felt::expand_dims<1>(b.node)),
                    test::sigmoid(z)};
    }
};
struct scaled_by_one {
    static constexpr char const* name = "x * (sum<0>(w * u) + sum<0>(w)), columns w and u";
    static auto of(auto& o, auto const& x) {
        index_t const k = o.between(1, 9);
        auto w = o.tensor({k}), u = o.second({k});
        auto const one = plain::sum(plain::multiply(w.value, plain::add(u.value, number(1))), 1);
        auto const column = felt::expand_dims<1>(w.node);
        auto const both = column * felt::expand_dims<1>(u.node);
        return term{x.node * (felt::sum<0>(both) + felt::sum<0>(column)),
                    plain::multiply(x.value, one)};
    }
};
struct attention {
    static constexpr char const* name = "matmul(softmax<1>(matmul(x, transpose(w))), w)";
    static auto of(auto& o, auto const& x) {
        auto w = o.tensor({o.between(1, 9), x.value.e[1]});
        auto const scores = plain::matmul(x.value, plain::transpose(w.value));
        return term{matmul(felt::softmax<1>(matmul(x.node, transpose(w.node))), w.node),
                    plain::matmul(plain::softmax(scores), w.value)};
    }
};
struct logarithms {
    static constexpr char const* name = "log_softmax<1>(x)";
    static auto of(auto&, auto const& x) {
        return term{felt::log_softmax<1>(x.node), subtract(x.value, plain::log_sum(x.value))};
    }
};
struct normalised {
    static constexpr char const* name = "(x - mean<0>(x)) * rsqrt(var<0>(x) + 1)";
    static auto of(auto&, auto const& x) {
        double const terms = plain::terms_of(x.value, 1);
        auto const c = subtract(x.value, plain::scaled(plain::sum(x.value, 1), 1 / terms));
        auto const v = plain::scaled(plain::sum(plain::multiply(c, c), 1), 1 / terms);
        return term{(x.node - felt::mean<0>(x.node)) * rsqrt(felt::var<0>(x.node) + 1),
                    plain::map2([](double d, double s) { return d / std::sqrt(s + 1); }, c, v,
                                [](double d, double, double p, double q) {
                                    return p + (q + 4) * std::fabs(d);
                                })};
    }
};
struct gated {
    static constexpr char const* name = "a * sigmoid(b), a and b = split<1, 2>(concat(x, x * w))";
    static auto of(auto& o, auto const& x) {
        auto w = o.tensor({x.value.e[1]});
        auto const both = felt::concat<1>(x.node, x.node * w.node);
        auto const [a, b] = felt::split<1, 2>(both);
        return term{a * sigmoid(b),
                    plain::multiply(x.value, test::sigmoid(plain::multiply(x.value, w.value)))};
    }
};
struct scores {
    static constexpr char const* name = "cross_entropy(x, labels)";
    static auto of(auto& o, auto const& x) {
        index_t const m = x.value.e[0], n = x.value.e[1];
        auto labels = o.indices(m, n);
        auto const at = plain::reshape(labels.value, {m, 1});
        auto const right = plain::take_along(x.value, 1, at);
        auto const all = plain::sum(subtract(plain::log_sum(x.value), right), 3);
        return term{felt::cross_entropy(x.node, labels.node),
                    plain::scaled(all, 1 / static_cast<double>(m))};
    }
};
struct channels {
    static constexpr char const* name = "tanh(conv2d(x, w, stride 2) + along<1>(b))";
    static auto of(auto& o, auto const& x) {
        index_t const m = x.value.e[0], n = x.value.e[1];
        auto w = o.tensor({index_t{3}, index_t{1}, index_t{2}, index_t{3}});
        auto b = o.second({index_t{3}});
        auto const seen = plain::windows(plain::reshape(x.value, {1, 1, m, n}),
                                         {.k = {2, 3}, .stride = {2, 1}, .padding = {1, 1}});
        auto const y = plain::add(plain::einsum("nchwij", "fcij", "nfhw", seen, w.value),
                                  plain::reshape(b.value, {3, 1, 1}));
        auto const z = felt::conv2d(reshape(x.node, {1, 1, m, n}), w.node,
                                    {.stride = {2, 1}, .padding = {1, 1}});
        return term{
            tanh(z + felt::along<1>(b.node)),
            plain::map([](double v) { return std::tanh(v); }, y, [](double) { return 1; }, 8)};
    }
};
struct tops_of_squares {
    static constexpr char const* name = "max_pool2d(x)";
    static auto of(auto&, auto const& x) {
        index_t const m = x.value.e[0], n = x.value.e[1];
        auto const padded = plain::pad(x.value, {1, 1}, {1, 1}, -INFINITY);
        auto const all = plain::windows(padded, {.k = {2, 2}, .stride = {2, 2}});
        return term{felt::max_pool2d(reshape(x.node, {1, 1, m, n}), {.padding = {1, 1}}),
                    plain::reshape(plain::max(all, 12), {1, 1, m / 2 + 1, n / 2 + 1})};
    }
};
struct means_of_squares {
    static constexpr char const* name = "avg_pool2d(x, overlapping)";
    static auto of(auto&, auto const& x) {
        index_t const m = x.value.e[0], n = x.value.e[1];
        plain::window const w{.k = {3, 2}, .stride = {2, 1}, .padding = {1, 1}};
        auto const all = plain::windows(plain::reshape(x.value, {1, 1, m, n}), w);
        return term{felt::avg_pool2d(reshape(x.node, {1, 1, m, n}),
                                     {.window = {3, 2}, .stride = {2, 1}, .padding = {1, 1}}),
                    plain::scaled(plain::sum(all, 48), 1 / 6.0)};
    }
};

}  // namespace test::derived
