// SPDX-License-Identifier: BSD-3-Clause
//
// A convolution and its batch normalisation, as deep networks are trained: y = conv2d(x, w) is in
// memory, its normalised value is an expression of y, which what is behind it reads. Of two of
// them, the second one's program and its derivatives, that by y1 in the place of y1:
//
//   auto step = gradient(b.kept<"y2">(relu(a.output(theta)), theta), cotangent<"y2">(b.y()),
//                        wrt<"w", "gamma", "beta", "y">(), b.memory());
//   step.run_forward(how);
//   step.run_backward(how, b.w(g), a.gamma(g), a.beta(g), a.y());
//
// What its statistics need is summed as y is written.
#pragma once
#include <felt/felt.hpp>
#include <felt/nn/parameters.hpp>
#include <functional>

namespace felt {

// Where the parameters lie: filters (o, c, k, k), gamma and beta in the vector of what is trained,
// the running mean and variance in that of what is not.
template <class Layout = ChannelsLast>
struct conv_norm_layer {
    parameter<4, Layout> w;
    parameter<4> gamma, beta, mean, variance;  // (1, o, 1, 1)
    conv_options options;

    // Named as PyTorch's modules are: conv + ".weight", norm + ".weight", ".bias", ..
    static conv_norm_layer add(parameter_list& trained, parameter_list& running,
                               std::string const& conv, std::string const& norm,
                               extents<4> const& e, conv_options const& o) {
        auto const w = trained.add<Layout>(conv + ".weight", {e[0], e[1], e[2], e[3]});
        auto const of_channels = [&](parameter_list& list, char const* name) {
            return parameter<4>{list.add(norm + name, {e[0]}).offset, {{1, e[0], 1, 1}}};
        };
        auto const gamma = of_channels(trained, ".weight"), beta = of_channels(trained, ".bias");
        auto const mean = of_channels(running, ".running_mean");
        return {w, gamma, beta, mean, of_channels(running, ".running_var"), o};
    }

    extents<4> results(extents<4> const& x) const {
        extents<4> y{{x[0], w.e[0]}};
        for (std::size_t a = 2; a < 4; ++a) {
            index_t const reach = options.dilation[a - 2].value * (w.e[a] - 1) + 1;
            y[a] = (x[a] + 2 * options.padding[a - 2].value - reach) / options.stride[a - 2].value;
            ++y[a];
        }
        return y;
    }

    // gamma and so on as a vector of o.
    template <class Vector>
    static auto by_channel(parameter<4> const& p, Vector& all) {
        return parameter<1>{p.offset, {{p.e[1]}}}.in(all);
    }
};

template <class T, class Space = Host, class Layout = ChannelsLast>
class conv_norm {
public:
    using layer = conv_norm_layer<Layout>;
    using images = Tensor<T, 4, Space, Layout>;
    using vector = Tensor<T, 1, Space>;

    // Makes v the sum of it over all parts of a batch.
    using sum_over_parts = std::function<void(View<T, 1, Space>& v)>;

    // For images of the extents x; `running` and `scratch`, which layers share, outlive this.
    conv_norm(layer const& l, extents<4> const& x, vector& running, workspace<Space>& scratch,
              batch_norm_options const& o = {})
        : layer_(l),
          y_(l.results(x), uninitialized),
          sums_(extents<1>{{2 * l.w.e[0]}}, uninitialized),
          memory_(workspace<Space>::with(scratch)),
          statistics_{{{layer::by_channel(l.mean, running), layer::by_channel(l.variance, running)},
                       y_.size() / l.w.e[0],
                       {nullptr}},
                      view(sums_)},
          o_(o) {}

    conv_norm(conv_norm&&) = default;
    conv_norm& operator=(conv_norm&&) = delete;

    // Statistics are those of so many images, of which x has some; derivatives stay those of x.
    // `sum` outlives this.
    void share(index_t image_count, sum_over_parts const& sum) {
        statistics_.count = y_.size() / y_.extent(0) / y_.extent(1) * image_count;
        statistics_.sum.sum = &sum;
    }

    images& y() { return y_; }
    workspace<Space>& memory() { return memory_; }

    // The parts of a vector of all parameters, or of their derivatives.
    template <class Vector>
    auto w(Vector& all) const {
        return layer_.w.in(all);
    }
    template <class Vector>
    auto gamma(Vector& all) const {
        return layer::by_channel(layer_.gamma, all);
    }
    template <class Vector>
    auto beta(Vector& all) const {
        return layer::by_channel(layer_.beta, all);
    }

    // y of x under these names, and its sums, which output() needs.
    template <fixed_string Y, fixed_string W = "w", class X>
    auto kept(X const& x, vector const& theta) {
        auto const y = keep<Y>(y_, conv2d(x, named<W>(w(theta)), layer_.options));
        auto const apart = y - along<1>(statistics_.mean);
        return program(
            y, keep<Y + fixed_string(": sum")>(statistics_.first(), derive::channel_sum(apart)),
            keep<Y + fixed_string(": squares")>(statistics_.second(),
                                                derive::channel_sum(square(apart))));
    }
    // y, normalised.
    template <fixed_string N = "norm", fixed_string Y = "y", fixed_string G = "gamma",
              fixed_string B = "beta">
    auto output(vector const& theta) {
        return batch_norm<N>(named<Y>(y_), named<G>(gamma(theta)), named<B>(beta(theta)),
                             statistics_, o_);
    }

private:
    // Lists of statements have copies of it.
    struct summed {
        sum_over_parts const* sum;
        template <class How>
        void operator()(How, View<T, 1, Space>& v) const {
            if (sum != nullptr) (*sum)(v);
        }
    };

    layer layer_;
    images y_;
    vector sums_;
    workspace<Space> memory_;
    summed_statistics<T, Space, summed> statistics_;
    batch_norm_options o_;
};

}  // namespace felt
