// SPDX-License-Identifier: BSD-3-Clause
//
// Normalisations folded into what stands before them, for inference. y(w), linear in w whose rows
// belong to channels, and normalised by running statistics, is
//
//   y(w) by + to = y(w by) + to,    by = gamma / sqrt(variance + epsilon),  to = beta - mean by
//
// so a convolution and its normalisation are one convolution with a bias. Its filters lie with
// all outputs of one weight side by side, as products read them; in training they lie as their
// derivatives are written.
#pragma once
#include <felt/nn/scope.hpp>

namespace felt::inline FELT_ABI::nn {

// Parameters for inference alone, of which basic_net::fold() makes a copy: what is trained after it
// changes nothing here. They lie where the network's own do, w by in the place of w, and `by` and
// `to` in those of gamma and beta.
template <class T, class Space = Host>
struct folded {
    Tensor<T, 1, Space> parameters;
};

namespace detail {

// The normalisation that is that layer of a block, in parameters of which nothing of it is folded
// yet; those of the layer before it are multiplied, or are left as they are.
template <class T, class Space>
void fold_norm(site<T, Space>& at, std::size_t layer, double epsilon, bool into_layer_before,
               Tensor<T, 1, Space>& parameters) {
    auto const gamma = at.first_place(layer), beta = gamma + 1;
    auto const vector = [&](auto p) {
        return View<T, 1, Space>(parameters.data() + p->offset, {{p->e[0]}}, {{1}});
    };
    auto by = vector(gamma), to = vector(beta);
    auto const running = at.statistics(layer, extents<2>{{1, gamma->e[0]}});
    by = by / sqrt(running.variance + static_cast<T>(epsilon));
    to = to - running.mean * by;
    if (!into_layer_before) return;
    for (auto p = at.first_place(layer - 1); p != gamma; ++p) {
        index_t const in_row = p->stride[0];  // all that is not in the first axis
        View<T, 2, Space> w(parameters.data() + p->offset, {{p->e[0], in_row}}, {{in_row, 1}});
        w = w * expand_dims<1>(by);
    }
}

// Rows side by side, where layers read them so.
template <class T, class Space>
void put_columns(site<T, Space> const& at, Tensor<T, 1, Space>& parameters) {
    for (auto const& p : at.places()) {
        if (!p.by_columns) continue;
        index_t const rows = p.e[0], in_row = p.stride[0];
        T* const w = parameters.data() + p.offset;
        Tensor<T, 2, Space> const before = View<T, 2, Space>(w, {{rows, in_row}}, {{in_row, 1}});
        View<T, 2, Space> after(w, {{rows, in_row}}, {{1, rows}});
        after = before;
    }
}

}  // namespace detail

}  // namespace felt::inline FELT_ABI::nn
