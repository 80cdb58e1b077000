// SPDX-License-Identifier: BSD-3-Clause
//
// Outer rows of the grammar: statistics, sums that leave something out, a reduction of one's own,
// convolutions and pools of one to three axes, products by other names.
#pragma once
#include "tests/differential/words.hpp"

namespace plain {

inline double terms_of(array const& x, unsigned mask) {
    index_t n = 1;
    for (std::size_t r = 0; r < x.e.size(); ++r) n *= (mask >> r & 1U) != 0 ? x.e[r] : 1;
    return static_cast<double>(n);
}
inline array scaled(array x, double c) {
    for (double& v : x.v) v *= c;
    for (double& p : x.error) p *= std::fabs(c);
    return x;
}

// sqrt(sum x^2): no further from that of others than they are from x.
inline array norm(array const& x, unsigned mask) {
    array const errors =
        fold(x, mask, 0, [](double& to, double&, double, double p) { to += p * p; });
    array out = fold(x, mask, 0, [](double& to, double&, double v, double) { to += v * v; });
    double const terms = terms_of(x, mask);
    for (std::size_t i = 0; i < out.v.size(); ++i) {
        out.v[i] = std::sqrt(out.v[i]);
        out.error[i] = std::sqrt(errors.v[i]) + (2 + terms) * out.v[i];
    }
    return out;
}
inline array stddev(array const& x, unsigned mask) {
    double const terms = terms_of(x, mask);
    array const mean = keep_dims(scaled(sum(x, mask), 1 / terms), x.e, mask);
    return scaled(norm(add(x, scaled(mean, -1)), mask), 1 / std::sqrt(terms));
}
inline array without_nan(array x) {
    for (std::size_t i = 0; i < x.v.size(); ++i) {
        if (std::isnan(x.v[i])) x.v[i] = x.error[i] = 0;
    }
    return x;
}
}  // namespace plain

namespace test::words {

struct plus {
    template <class T>
    static T identity() {
        return T(0);
    }
    auto operator()(auto x, auto y) const { return x + y; }
};

struct spread {
    static constexpr char const* name = "var<1>(x)";
    static auto of(auto&, auto const& x) {
        auto const s = plain::stddev(x.value, 2);
        return term{felt::var<1>(x.node), plain::multiply(s, s)};
    }
};
struct deviation {
    static constexpr char const* name = "x - stddev<0>(x)";
    static auto of(auto&, auto const& x) {
        return term{x.node - felt::stddev<0>(x.node), subtract(x.value, plain::stddev(x.value, 1))};
    }
};
struct length {
    static constexpr char const* name = "norm<1>(x)";
    static auto of(auto&, auto const& x) {
        return term{felt::norm<1>(x.node), plain::norm(x.value, 2)};
    }
};
struct exponents_of_all {
    static constexpr char const* name = "logsumexp<0>(x)";
    static auto of(auto&, auto const& x) {
        index_t const m = x.value.e[0], n = x.value.e[1];
        auto const all = plain::logcumsumexp(x.value, 0);
        return term{felt::logsumexp<0>(x.node),
                    plain::reshape(plain::slice(all, {m - 1, 0}, {1, 1}, {1, n}), {n})};
    }
};
struct numbers_only {
    static constexpr char const* name = "nansum<1>(x)";
    static auto of(auto&, auto const& x) {
        return term{felt::nansum<1>(x.node), plain::sum(plain::without_nan(x.value), 2)};
    }
};
struct own_sum {
    static constexpr char const* name = "reduce<0>(plus, x)";
    static auto of(auto&, auto const& x) {
        return term{felt::reduce<0>(plus{}, x.node), plain::sum(x.value, 1)};
    }
};
struct rows_of_pixels {
    static constexpr char const* name = "conv1d(x, w)";
    static auto of(auto& o, auto const& x) {
        index_t const m = x.value.e[0], n = x.value.e[1];
        auto w = o.tensor({index_t{3}, m, index_t{2}});
        auto image = plain::reshape(x.value, {1, m, 1, n});
        auto const seen =
            plain::windows(plain::pad(image, {0, 0, 0, 1}, {0, 0, 0, 1}, 0), {.k = {1, 2}});
        auto const filters = plain::reshape(w.value, {3, m, 1, 2});
        return term{
            felt::conv1d(reshape(x.node, {1, m, n}), w.node, {.padding = 1}),
            plain::reshape(plain::einsum("nchwij", "fcij", "nfhw", seen, filters), {1, 3, n + 1})};
    }
};
struct image {
    static constexpr char const* name = "conv2d(x, w)";
    static auto of(auto& o, auto const& x) {
        index_t const m = x.value.e[0], n = x.value.e[1];
        auto w = o.tensor({index_t{2}, index_t{1}, index_t{3}, index_t{3}});
        auto const seen =
            plain::windows(plain::reshape(x.value, {1, 1, m, n}), {.k = {3, 3}, .padding = {1, 1}});
        return term{felt::conv2d(reshape(x.node, {1, 1, m, n}), w.node, {.padding = {1, 1}}),
                    plain::einsum("nchwij", "fcij", "nfhw", seen, w.value)};
    }
};
struct volume {
    static constexpr char const* name = "conv3d(x, w)";
    static auto of(auto& o, auto const& x) {
        index_t const m = x.value.e[0], n = x.value.e[1];
        auto w = o.tensor({index_t{3}, index_t{1}, index_t{1}, index_t{2}, index_t{2}});
        auto const seen =
            plain::windows(plain::reshape(x.value, {1, 1, m, n}), {.k = {2, 2}, .padding = {1, 1}});
        auto const filters = plain::reshape(w.value, {3, 1, 2, 2});
        auto const y = plain::einsum("nchwij", "fcij", "nfhw", seen, filters);
        return term{felt::conv3d(reshape(x.node, {1, 1, 1, m, n}), w.node, {.padding = {0, 1, 1}}),
                    plain::reshape(y, {1, 3, 1, m + 1, n + 1})};
    }
};
struct highest_of_two {
    static constexpr char const* name = "max_pool1d(x)";
    static auto of(auto&, auto const& x) {
        index_t const m = x.value.e[0], n = x.value.e[1];
        auto const padded = plain::pad(x.value, {0, 1}, {0, 1}, -INFINITY);
        auto const all = plain::windows(padded, {.k = {1, 2}, .stride = {1, 2}});
        return term{felt::max_pool1d(reshape(x.node, {1, m, n}), {.padding = 1}),
                    plain::reshape(plain::max(all, 12), {1, m, n / 2 + 1})};
    }
};
struct mean_of_cubes {
    static constexpr char const* name = "avg_pool3d(x)";
    static auto of(auto&, auto const& x) {
        index_t const m = x.value.e[0], n = x.value.e[1];
        auto const all =
            plain::windows(x.value, {.k = {2, 2}, .stride = {2, 2}, .padding = {1, 1}});
        return term{felt::avg_pool3d(reshape(x.node, {1, 1, 1, m, n}),
                                     {.window = {1, 2, 2}, .padding = {0, 1, 1}}),
                    plain::reshape(plain::scaled(plain::sum(all, 12), 0.25),
                                   {1, 1, 1, m / 2 + 1, n / 2 + 1})};
    }
};
struct axes_together {
    static constexpr char const* name = "tensordot(x, w, axes<0>, axes<1>)";
    static auto of(auto& o, auto const& x) {
        auto w = o.tensor({o.between(1, 20), x.value.e[0]});
        return term{felt::tensordot(x.node, w.node, felt::axes<0>, felt::axes<1>),
                    plain::einsum("ki", "jk", "ij", x.value, w.value)};
    }
};
struct vectors {
    static constexpr char const* name = "vecdot(x, x)";
    static auto of(auto&, auto const& x) {
        return term{felt::vecdot(x.node, x.node), plain::sum(plain::multiply(x.value, x.value), 2)};
    }
};
struct crossed {
    static constexpr char const* name = "cross(matmul(x, w), u)";
    static auto of(auto& o, auto const& x) {
        auto w = o.tensor({x.value.e[1], index_t{3}});
        auto u = o.second({index_t{3}});
        auto const y = plain::matmul(x.value, w.value);
        auto const by = [&](index_t i, index_t j) {
            return plain::multiply(plain::roll(y, {0, i}), plain::roll(u.value, {j}));
        };
        return term{felt::cross(matmul(x.node, w.node), u.node), subtract(by(-1, -2), by(-2, -1))};
    }
};

}  // namespace test::words

// Inner rows: bits of integers, and complex numbers on the way.
namespace test::inner {

struct bits {
    static constexpr char const* name = "(x << 2) ^ (y & 6) | (~x >> 1)";
    static auto of(auto& o) {
        auto x = o.tensor({o.m, o.n}), y = o.tensor({o.m, o.n});
        plain::array z = x.value;
        for (std::size_t i = 0; i < z.v.size(); ++i) {
            int const a = static_cast<int>(x.value.v[i]), b = static_cast<int>(y.value.v[i]);
            z.v[i] = static_cast<double>(((a * 4) ^ (b & 6)) | (~a >> 1));
        }
        return term{((x.node << 2) ^ (y.node & 6)) | (~x.node >> 1), std::move(z)};
    }
};
struct imaginary {
    static constexpr char const* name = "imag(matmul(complex(x, y), complex(u, v)))";
    static auto of(auto& o) {
        index_t const k = o.between(1, 20);
        auto x = o.tensor({o.m, k}), y = o.tensor({o.m, k});
        auto u = o.tensor({k, o.n}), v = o.tensor({k, o.n});
        return term{imag(matmul(complex(x.node, y.node), complex(u.node, v.node))),
                    plain::add(plain::matmul(x.value, v.value), plain::matmul(y.value, u.value))};
    }
};
struct squared {
    static constexpr char const* name = "real(sum<1>(z * z)), z = complex(x, y)";
    static auto of(auto& o) {
        index_t const k = o.between(1, 9);
        auto x = o.tensor({o.m, k, o.n}), y = o.tensor({o.m, k, o.n});
        auto const z = complex(x.node, y.node);
        auto const both =
            subtract(plain::multiply(x.value, x.value), plain::multiply(y.value, y.value));
        return term{real(felt::sum<1>(z * z)), plain::sum(both, 2)};
    }
};

}  // namespace test::inner

// Rows by their number; the first `squares` of them keep two axes.
namespace test {

namespace words {
using rows = std::tuple<summed_up, multiplied_up, highest_yet, exponents, including, excluding,
                        rolled, wrapped, mirrored, edged, listed, tiled, repeated, quarter,
                        backwards, taken, stacked, deviation, axes_together, crossed, steps, spread,
                        length, exponents_of_all, numbers_only, own_sum, rows_of_pixels, image,
                        volume, highest_of_two, mean_of_cubes, vectors>;
inline constexpr std::size_t squares = 20;
}  // namespace words

template <std::size_t J>
using word_row = std::tuple_element_t<J, words::rows>;
inline constexpr std::size_t all_words = std::tuple_size_v<words::rows>;

}  // namespace test
