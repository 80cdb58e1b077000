// SPDX-License-Identifier: BSD-3-Clause
//
// Which products are convolutions by 3 x 3 filters that Winograd's algorithm F(m x m, 3 x 3)
// computes in less time (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks",
// 2015): m x m results of a channel take (m + 2) (m + 2) multiplications of transformed images and
// filters instead of 9 m m.
//
// Rows y, x of the left operand and terms r, s of 3 meet in the same element of memory wherever
// y + r and x + s are the same: that is what makes a product a convolution, whatever it was
// written as. The terms left, channels, are contiguous.
//
// Transformed values are sums and differences of up to 36 elements: rounding is relative to the
// largest of them, not to each result. run(exact, ..) does without.
#pragma once
#include <felt/plan/2_orientation/bordered_operand.hpp>
#include <cmath>
#include <string_view>

namespace felt::planning::detail {

struct winograd_operand {
    index_t stride[max_axes] = {};  // of the left operand in memory, by label
    zero_axes borders;
};

inline bool is_float(node const& f) { return std::string_view(f.type) == "float"; }

// What lies in memory, perhaps with zeros around it, and stays as it is while statements run.
inline bool find_winograd_operand(graph const& g, schedule const& s, node_id id,
                                  winograd_operand& to) {
    int const left = s[g[id].product].rows_from;
    node_id const x = memory_below(g, g.operand(id, left));
    if (!x) return false;
    if (g[x].what == kind::leaf) {
        copy_axes(to.stride, by_loop_of(g, s, x), g[g[id].inner].rank);
        return g[x].lie_along == nullptr;
    }
    if (!lies_bordered(g, s, id, to.borders)) return false;
    node_id const leaf = leaf_of_source(g, x);
    axis_map const m = axes_of_source(g, x);
    for (loop_id l : m.all_loops()) to.stride[l] = step_in_leaf(m, g[leaf], g[x + 1].rank, l);
    return true;
}

// Axis `to` of images: the row that term `t` of 3 meets, and where the images have elements. What
// no row is a window along has an extent of 1.
inline bool find_image_axis(winograd_axis& to, winograd_operand const& x, label_id t,
                            contraction_axes const& axes, index_t const* extent) {
    for (label_id y : axes.m) {
        index_t const step = x.stride[y];
        if (step == 0 || std::abs(x.stride[t]) != std::abs(step)) continue;
        to = {y, t, 0, extent[y] + extent[t] - 1, x.stride[t] != step};
        for (zero_axis const& b : x.borders) {
            if (b.row != y && b.term != t) continue;
            bool const fits = b.row == y && b.term == t && b.by_row == 1 && b.apart == 1 &&
                              b.by_term == (to.reversed ? -1 : 1);
            if (!fits) return false;
            to.offset = b.offset - (to.reversed ? extent[t] - 1 : 0);
            to.extent = b.extent;
        }
        return true;
    }
    return false;
}

// The loops of product id as those of a convolution; false if it is none.
inline bool find_convolution(graph const& g, schedule const& s, node_id id, winograd_schedule& to) {
    contraction_axes const& axes = s[g[id].product].axes;
    index_t const* const extent = g[g[id].inner].extent;
    winograd_operand x;
    if (!find_winograd_operand(g, s, id, x)) return false;
    int found = 0;
    for (label_id t : axes.k) {
        bool const taps = extent[t] == winograd_taps && found < 2 && x.stride[t] != 1;
        if (taps && find_image_axis(to.along[found], x, t, axes, extent)) {
            ++found;
        } else if (extent[t] > 1) {
            if (x.stride[t] != 1 || to.channel >= 0) return false;
            to.channel = t;
        }
    }
    return found == 2 && to.channel >= 0 && to.along[0].row != to.along[1].row;
}

// The loops of the filters are all of theirs, and nothing that is read there is written.
inline bool has_fixed_filters(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    product_schedule const& p = s[f.product];
    if (g[f.product].diagonal.any() || p.axes.batch.points(f.extent) != 1) return false;
    for (node_id x : g.subtree(g.operand(id, 1 - p.rows_from))) {
        if (g[x].what == kind::leaf && is_written(g, x)) return false;
    }
    return true;
}

struct convolution_size {
    double images, rows, across, channels, columns;

    double pixels() const { return images * rows * across; }
    double products() const { return pixels() * channels * columns; }
};

// Nanoseconds by tiles of m x m results.
inline double winograd_time(double m, convolution_size const& n) {
    double const points = (m + 2) * (m + 2), pairs = n.channels * n.columns;
    double const tiles = n.images * std::ceil(n.rows / m) * std::ceil(n.across / m);
    auto const price_of = [](double each, double more, double elements) {
        return elements * sizeof(float) > last_cache ? each + more : each;
    };
    double const filter = price_of(price_of_filter, price_of_far_filter, points * pairs);
    double const image =
        price_of(price_of_image, price_of_far_image, n.pixels() * n.channels) * n.channels;
    double const result =
        price_of(price_of_image, price_of_far_image, n.pixels() * n.columns) * n.columns;
    double const product = (pairs + terms_per_result * n.columns) * price.terms;
    return points * (pairs * filter + tiles * (product + image + result));
}

// How product id is computed by Winograd's algorithm; m is 0 if it is not.
FELT_PLANNING inline winograd_schedule choose_winograd(graph const& g, schedule const& s,
                                                       node_id id) {
    winograd_schedule none, to;
    node const& f = g[id];
    contraction_axes const& axes = s[f.product].axes;
    if (g.exact || !is_float(f) || f.carries_softmax || axes.k.count < 3) return none;
    if (!has_fixed_filters(g, s, id) || !find_convolution(g, s, id, to)) return none;
    index_t const* const extent = g[f.inner].extent;
    index_t const channels = extent[to.channel], columns = axes.n.points(extent);
    if (std::min(channels, columns) < least_winograd_channels) return none;
    index_t const rows = extent[to.along[0].row], across = extent[to.along[1].row];
    auto const real = [](index_t n) { return static_cast<double>(n); };
    convolution_size const n{real(axes.m.points(extent)) / real(rows * across), real(rows),
                             real(across), real(channels), real(columns)};
    double least = winograd_margin * 9 * n.products() * price.terms;
    for (int m : {2, 4}) {
        double const time = winograd_time(m, n);
        if (time < least) least = time, to.m = m;
    }
    if (to.m == 0) return none;
    index_t const tile =
        (to.m + 2) * (to.m + 2) * f.value_bytes * (channels + columns + 2 * row_padding);
    to.tiles = std::clamp<index_t>(winograd_bytes / tile, 1, most_winograd_tiles);
    return to;
}

// What of views is read where it lies, and which products are computed by Winograd's algorithm.
FELT_PLANNING inline void read_in_place(graph const& g, schedule& s) {
    for (node_id id : g.nodes.ids()) {
        if (g[id].what != kind::contract) {
            if (reads_rows_in_place(g, s, id)) s[id].by = way::streamed;
            continue;
        }
        winograd_schedule const fast = choose_winograd(g, s, id);
        bool const in_view =
            fast.m > 0 && lies_in_box(g, s, g.operand(id, s[g[id].product].rows_from));
        s[g[id].product].winograd = fast;
        if (in_view || may_read_bordered(g, s, id)) read_bordered(g, s, id);
    }
}

}  // namespace felt::planning::detail
