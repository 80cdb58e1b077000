// SPDX-License-Identifier: BSD-3-Clause
//
// A convolution and its batch normalisation, as deep networks are trained. Forward it is one pass:
// what the layer before it is made of comes in as an expression (its normalisation, its relu), and
// the sums of its own batch go with its results, y, the only tensor that is written:
//
//   a.forward(how, x, theta);                    // y = conv2d(x, w), its mean and variance
//   b.forward(how, relu(a.output()), theta);     // output(): z = norm(y)
//
// Backward, from the derivative dz by z to dy, which takes the place of y, and to those by w and x:
//
//   b.take_gradient(how, dz, e, theta, gradient);          // dz = e, dgamma, dbeta
//   b.through_norm(how, dz);                               // dy
//   b.weight_gradient(how, relu(a.output()), gradient);    // dw
//   a.take_gradient(how, da, where(a.output() > 0, b.input_gradient(theta), 0), ..);
//
// dy could be an expression too. It has two readers, who both sum it many times: writing it once
// took less time for every layer of ResNet-50 (Design decisions).
#pragma once
#include "tests/examples/by_hand/batch_norm.hpp"
#include <resnet/layers.hpp>

namespace by_hand {

template <class T, class Space = Host, class Layout = ChannelsLast>
class conv_norm {
public:
    using layer = resnet::conv_norm_layer<Layout>;
    using images = Tensor<T, 4, Space, Layout>;
    using images_view = View<T, 4, Space>;
    using vector = Tensor<T, 1, Space>;

    // For images x; `running` outlives this.
    conv_norm(layer const& l, extents<4> const& x, vector& running,
              batch_norm_options const& o = {})
        : layer_(l),
          x_(x),
          y_(l.results(x), uninitialized),
          norm_(l.w.e[0], y_.size() / l.w.e[0], l.mean.in(running), l.variance.in(running), o) {}

    // Statistics are those of so many images, of which x has some: batch_normalization::share.
    using sum_over_parts = typename batch_normalization<T, Space>::sum_over_parts;
    void share(index_t image_count, sum_over_parts const& sum) {
        norm_.share(y_.size() / y_.extent(0) / y_.extent(1) * image_count, sum);
    }

    extents<4> extents_of_y() const { return y_.extents(); }
    images const& y() const { return y_; }
    auto output() const { return norm_(y_); }

    // `before` are statements that make what x is.
    template <class How, class X, class... Before>
    void forward(How how, X const& x, vector const& theta, Before const&... before) {
        run(how, before..., assign(y_, conv2d(x, layer_.w.in(theta), layer_.options)),
            norm_.sum(y_), norm_.sum_squares(y_));
        norm_.finish(how, layer_.gamma.in(theta), layer_.beta.in(theta));
    }

    // dz = e, the derivative by output(); dgamma and dbeta are written.
    template <class How, class E>
    void take_gradient(How how, images_view dz, E const& e, vector const& theta, vector& gradient) {
        run(how, assign(dz, e), norm_.sum_gradient(dz), norm_.sum_product(dz, y_));
        finish_gradients(how, theta, gradient);
    }
    // The same of a dz that is there.
    template <class How>
    void take_gradient(How how, images_view dz, vector const& theta, vector& gradient) {
        run(how, norm_.sum_gradient(dz), norm_.sum_product(dz, y_));
        finish_gradients(how, theta, gradient);
    }

    // From now on y is dy, and output() is nothing.
    template <class How>
    void through_norm(How how, images_view const& dz) {
        run(how, assign(y_, norm_.gradient(dz, y_)));
    }

    // dw, after that; x is what forward() was given.
    template <class How, class X>
    void weight_gradient(How how, X const& x, vector& gradient) const {
        auto const dw = layer_.w.in(gradient);
        run(how, assign(dw, conv2d_weight_grad(x, y_, dw.extents(), layer_.options)));
    }

    // The derivative by x, an expression, after that.
    auto input_gradient(vector const& theta) const {
        return conv2d_input_grad(y_, layer_.w.in(theta), x_, layer_.options);
    }

private:
    template <class How>
    void finish_gradients(How how, vector const& theta, vector& gradient) {
        norm_.finish_gradients(how, layer_.gamma.in(theta), layer_.gamma.in(gradient),
                               layer_.beta.in(gradient));
    }

    layer layer_;
    extents<4> x_;
    images y_;
    batch_normalization<T, Space> norm_;
};

}  // namespace by_hand
