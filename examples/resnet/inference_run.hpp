// SPDX-License-Identifier: BSD-3-Clause
//
// The passes of a trained residual network (inference.hpp).
#pragma once
#include <resnet/inference.hpp>
#include <algorithm>

namespace resnet {

template <class T, class Space, class Layout>
classifier<T, Space, Layout>::classifier(shape const& s, layers<Layout> const& l, index_t count)
    : shape_(s), stem_(l.stem), w_(l.w.e), h_({count, s.features()}), b_(l.b.e), layers_(l) {
    felt::extents<4> e = l.stem.results({{count, 3, s.side, s.side}});
    index_t largest = e.size(), within = 0;
    if (s.large_images) e = {{e[0], e[1], (e[2] - 1) / 2 + 1, (e[3] - 1) / 2 + 1}};
    for (auto const& of : l.blocks) {
        block b{{}, {}, of.stride};
        for (auto const& u : of.units) {
            b.units.emplace_back(u);
            e = u.results(e);
            (&u == &of.units.back() ? largest : within) =
                std::max(&u == &of.units.back() ? largest : within, e.size());
        }
        for (auto const& u : of.projection) b.projection.emplace_back(u);
        blocks_.push_back(std::move(b));
    }
    for (int i = 0; i < 4; ++i) {
        memory_[i] = vector(felt::extents<1>{{i < 2 ? largest : within}}, felt::uninitialized);
    }
}

template <class T, class Space, class Layout>
template <class How>
void classifier<T, Space, Layout>::fold(How how, vector const& theta, vector const& running) {
    stem_.fold(how, theta, running);
    for (block& b : blocks_) {
        for (folded& u : b.units) u.fold(how, theta, running);
        for (folded& u : b.projection) u.fold(how, theta, running);
    }
    run(how, assign(w_, layers_.w.in(theta)), assign(b_, layers_.b.in(theta)));
}

// Into memory 0.
template <class T, class Space, class Layout>
template <class How>
felt::extents<4> classifier<T, Space, Layout>::stem(How how,
                                                    felt::View<T const, 4, Space> const& x) {
    felt::extents<4> e = stem_.layer->results(x.extents());
    auto const y = at(shape_.large_images ? 1 : 0, e);
    run(how, assign(y, relu(stem_(x) + stem_.b)));
    if (!shape_.large_images) return e;
    e = {{e[0], e[1], (e[2] - 1) / 2 + 1, (e[3] - 1) / 2 + 1}};
    run(how,
        assign(at(0, e), max_pool2d(y, {.window = {3, 3}, .stride = {2, 2}, .padding = {1, 1}})));
    return e;
}

// The last unit of a block, and what goes round.
template <class T, class Space, class Layout>
template <class How>
void classifier<T, Space, Layout>::pass(How how, block const& b, images_view const& x,
                                        images_view const& t, images_view const& out) {
    folded const& last = b.units.back();
    if (!b.projection.empty()) {
        folded const& p = b.projection[0];
        run(how, assign(out, relu(last(t) + p(x) + (last.b + p.b))));
    } else if (b.stride > 1) {
        run(how, assign(out, relu(last(t) + last.b + padded(x, b.stride, out.extent(1)))));
    } else {
        run(how, assign(out, relu(last(t) + last.b + x)));
    }
}

template <class T, class Space, class Layout>
template <class How>
felt::View<T const, 2, Space> classifier<T, Space, Layout>::pooled(
    How how, felt::View<T const, 4, Space> const& x) {
    felt::extents<4> e = stem(how, x);
    int in = 0;
    for (block const& b : blocks_) {
        images_view const first = at(in, e);
        felt::extents<4> inner = e;
        int from = in;
        for (std::size_t k = 0; k + 1 < b.units.size(); ++k) {
            folded const& u = b.units[k];
            images_view const t = at(from, inner);
            inner = u.layer->results(inner);
            from = 2 + static_cast<int>(k % 2);
            run(how, assign(at(from, inner), relu(u(t) + u.b)));
        }
        e = b.units.back().layer->results(inner);
        pass(how, b, first, at(from, inner), at(1 - in, e));
        in = 1 - in;
    }
    auto const h = slice(h_, felt::range(0, e[0]), felt::all());
    run(how, assign(h, felt::mean<2, 3>(at(in, e))));
    return felt::view<felt::RowMajor, Space>(static_cast<T const*>(h_.data()),
                                             {e[0], h_.extent(1)});
}

}  // namespace resnet
