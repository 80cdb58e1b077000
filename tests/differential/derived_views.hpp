// SPDX-License-Identifier: BSD-3-Clause
//
// Outer rows for derivatives alone: views, products and reductions; and which rows of the grammar
// have derivatives.
#pragma once
#include "tests/differential/derived_layers.hpp"
#include "tests/differential/outer.hpp"

namespace test::derived {

struct lowest {
    static constexpr char const* name = "x - min<1>(x * x, keepdims)";
    static auto of(auto&, auto const& x) {
        auto const squares = plain::scaled(plain::multiply(x.value, x.value), -1);
        auto const top = plain::keep_dims(plain::max(squares, 2), x.value.e, 2);
        return term{x.node - felt::min<1>(x.node * x.node, felt::keepdims),
                    plain::add(x.value, top)};
    }
};
struct rest {
    static constexpr char const* name = "slice(x, all but the first, all but the last)";
    static auto of(auto&, auto const& x) {
        index_t const m = x.value.e[0], n = x.value.e[1];
        index_t const from = m > 1 ? 1 : 0, to = n > 1 ? n - 1 : n;
        return term{slice(x.node, felt::range(from, m), felt::range(0, to)),
                    plain::slice(x.value, {from, 0}, {1, 1}, {m - from, to})};
    }
};
struct row {
    static constexpr char const* name = "slice(x, the last, all) * w";
    static auto of(auto& o, auto const& x) {
        index_t const m = x.value.e[0], n = x.value.e[1];
        auto w = o.tensor({n});
        auto const last = plain::slice(x.value, {m - 1, 0}, {1, 1}, {1, n});
        return term{slice(x.node, -1, felt::all()) * w.node,
                    plain::multiply(plain::reshape(last, {n}), w.value)};
    }
};
struct diagonal_row {
    static constexpr char const* name = "diagonal(x)";
    static auto of(auto&, auto const& x) {
        index_t const k = std::min(x.value.e[0], x.value.e[1]);
        return term{felt::diagonal(x.node), plain::pick(x.value, {k}, [](plain::shape const& i) {
                        return plain::shape{i[0], i[0]};
                    })};
    }
};
struct scattered {
    static constexpr char const* name = "scatter_add<0>(indices, x)";
    static auto of(auto& o, auto const& x) {
        index_t const m = x.value.e[0], n = x.value.e[1], k = o.between(1, 9);
        auto i = o.indices(m, k);
        plain::array hit({k, m});
        for (std::size_t j = 0; j < i.value.v.size(); ++j) {
            hit.v[static_cast<std::size_t>(i.value.v[j]) * i.value.v.size() + j] = 1;
        }
        return term{felt::scatter_add<0>({k, n}, i.node, x.node), plain::matmul(hit, x.value)};
    }
};
struct repeats {
    static constexpr char const* name = "expand_dims<0>(x) * w";
    static auto of(auto& o, auto const& x) {
        index_t const m = x.value.e[0], n = x.value.e[1];
        auto w = o.tensor({index_t{3}, m, n});
        return term{felt::expand_dims<0>(x.node) * w.node,
                    plain::multiply(plain::broadcast(x.value, {1, m, n}), w.value)};
    }
};
struct outer_product {
    static constexpr char const* name = "einsum<\"ij,k->kij\">(x, w)";
    static auto of(auto& o, auto const& x) {
        auto w = o.tensor({o.between(1, 5)});
        return term{felt::einsum<"ij,k->kij">(x.node, w.node),
                    plain::einsum("ij", "k", "kij", x.value, w.value)};
    }
};
struct by_columns {
    static constexpr char const* name = "einsum<\"ij,ij->j\">(x, w)";
    static auto of(auto& o, auto const& x) {
        auto w = o.tensor({x.value.e[0], x.value.e[1]});
        return term{felt::einsum<"ij,ij->j">(x.node, w.node),
                    plain::sum(plain::multiply(x.value, w.value), 1)};
    }
};
struct factors {
    static constexpr char const* name = "prod<1>(x / 2 + 1)";
    static auto of(auto&, auto const& x) {
        auto const y = plain::add(plain::scaled(x.value, 0.5), number(1));
        double const terms = plain::terms_of(y, 2);
        auto const times = [&](double& to, double& error, double v, double p) {
            error = error * std::fabs(v) + (p + terms) * std::fabs(to);
            to *= v;
        };
        return term{felt::prod<1>(x.node / 2 + 1), plain::fold(y, 2, 1, times)};
    }
};

}  // namespace test::derived

// Rows by their number; the first `squares` outer ones keep two axes. Left out is what has no
// derivative (folds and scans by functions of one's own), or none somewhere (the deviation of one),
// and what is stretched although its type does not say so.
namespace test::derived {

namespace w = words;
using inner_rows =
    std::tuple<inner::leaf, inner::choice, inner::turned, inner::flipped, inner::sliced,
               inner::padded, inner::upsampled, inner::reshaped, inner::joined, inner::gathered,
               inner::summed, inner::highest, inner::pooled, inner::product, inner::contraction,
               inner::letters, inner::weights, inner::counted, inner::waves, inner::roots,
               inner::stretched, inner::crosswise, inner::held>;
using outer_rows =
    std::tuple<outer::epilogue, outer::turned, outer::left, outer::right, outer::gram,
               outer::centred, outer::scaled, outer::padded, outer::flipped, outer::sliced,
               outer::joined, outer::gathered, outer::pooled, outer::upsampled, w::summed_up,
               w::rolled, w::listed, w::tiled, w::repeated, w::quarter, w::backwards, w::taken,
               w::stacked, w::axes_together, w::crossed, w::steps, layer, attention, logarithms,
               normalised, gated, lowest, rest, scattered, w::multiplied_up, w::highest_yet,
               w::exponents, w::wrapped, w::mirrored, w::edged, scaled_by_one, outer::columns,
               outer::tops, outer::total, outer::line, w::spread, w::exponents_of_all, w::length,
               w::rows_of_pixels, w::image, w::volume, w::highest_of_two, w::mean_of_cubes,
               w::vectors, scores, channels, tops_of_squares, means_of_squares, row, diagonal_row,
               repeats, outer_product, by_columns, factors, w::numbers_only>;
inline constexpr std::size_t squares = 41;

}  // namespace test::derived
