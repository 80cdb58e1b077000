// SPDX-License-Identifier: BSD-3-Clause
//
// A residual network that is trained. Normalisations are folded into the filters before them,
//
//   w' = w gamma / sqrt(variance + epsilon),  b' = beta - mean gamma / sqrt(variance + epsilon)
//
// and each convolution is one pass with its bias, its relu and, at the end of a block, the sum:
// a bottleneck is three passes, with a projection too.
#pragma once
#include <resnet/layers.hpp>

namespace resnet {

template <class T, class Space = felt::Host, class Layout = felt::ChannelsLast>
class classifier {
public:
    using vector = felt::Tensor<T, 1, Space>;
    using images_view = felt::View<T, 4, Space>;

    // For batches of up to `count` images.
    classifier(shape const& s, layers<Layout> const& l, index_t count);

    template <class How>
    void fold(How how, vector const& theta, vector const& running);

    // y (images, classes).
    template <class How>
    void logits(How how, felt::View<T const, 4, Space> const& x, felt::View<T, 2, Space> const& y) {
        run(how, assign(y, felt::einsum<"nc,kc->nk">(pooled(how, x), w_) + b_));
    }

    // What the last layer saw, of images that logits() was given last.
    felt::Tensor<T, 2, Space> const& features() const { return h_; }

private:
    struct folded {
        conv_norm_layer<Layout> const* layer;
        felt::Tensor<T, 4, Space, felt::ColMajor> w;  // results together, as products read them
        felt::Tensor<T, 4, Space> b;

        explicit folded(conv_norm_layer<Layout> const& l)
            : layer(&l), w(l.w.e), b({1, l.w.e[0], 1, 1}) {}

        template <class How>
        void fold(How how, vector const& theta, vector const& running) {
            auto const scale = layer->gamma.in(theta) / sqrt(layer->variance.in(running) +
                                                             T(felt::batch_norm_options{}.epsilon));
            run(how, assign(w, layer->w.in(theta)*permute<1, 0, 2, 3>(scale)),
                assign(b, layer->beta.in(theta)-layer->mean.in(running)*scale));
        }
        template <class X>
        auto operator()(X const& x) const {
            return conv2d(x, w, layer->options);
        }
    };
    struct block {
        std::vector<folded> units, projection;
        index_t stride;
    };

    // Tensors of the extents e in turn: the input of a block, its output, and two between.
    images_view at(int which, felt::extents<4> const& e) {
        return felt::view<Layout, Space>(memory_[which].data(), e);
    }
    template <class How>
    felt::extents<4> stem(How how, felt::View<T const, 4, Space> const& x);
    template <class How>
    felt::View<T const, 2, Space> pooled(How how, felt::View<T const, 4, Space> const& x);
    template <class How>
    void pass(How how, block const& b, images_view const& x, images_view const& t,
              images_view const& out);

    shape shape_;
    folded stem_;
    std::vector<block> blocks_;
    felt::Tensor<T, 2, Space> w_, h_;
    felt::Tensor<T, 1, Space> b_;
    layers<Layout> const& layers_;
    vector memory_[4];
};

}  // namespace resnet

#include <resnet/inference_run.hpp>
