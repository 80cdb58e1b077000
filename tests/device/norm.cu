// SPDX-License-Identifier: BSD-3-Clause
//
// What deep networks are trained by: the passes of a convolution and its batch normalisation, the
// layer before it in their operands. ptxas is to find no spill in them.
#include <felt/device.hpp>
#include <felt/grad.hpp>

using namespace felt;

using batch = Tensor<float, 4, Device, ChannelsLast>;
using of_channels = Tensor<float, 1, Device>;

struct layer {
    batch y, w;
    of_channels gamma, beta;
    running_statistics<float, Device> running;
    View<float, 1, Device> sums;
};

struct none {
    template <class How>
    void operator()(How, View<float, 1, Device>&) const {}
};

auto statistics_of(layer& l) {
    return summed_statistics<float, Device, none>{{l.running, l.y.size() / l.w.extent(0), {}},
                                                  l.sums};
}

// z = conv2d(relu(norm(y) + x), w), and its sums by channel.
template <class F>
void program_of_both(layer& a, layer& b, batch const& x, workspace<Device>& scratch, F const& f) {
    auto const n = batch_norm<"n">(named<"y">(a.y), named<"gamma">(a.gamma), named<"beta">(a.beta),
                                   statistics_of(a));
    auto const z = keep<"z">(b.y, conv2d(relu(n + x), named<"w">(b.w), {.padding = {1, 1}}));
    auto const s = statistics_of(b);
    auto const apart = z - along<1>(s.mean);
    auto const p = program(z, keep<"z: sum">(s.first(), derive::channel_sum(apart)),
                           keep<"z: squares">(s.second(), derive::channel_sum(square(apart))));
    f(gradient(p, cotangent<"z">(b.y), wrt<"w", "gamma", "beta", "y">(), scratch));
}
void forward(layer& a, layer& b, batch const& x, workspace<Device>& scratch) {
    program_of_both(a, b, x, scratch, [](auto const& g) { g.run_forward(fused); });
}
void backward(layer& a, layer& b, batch const& x, workspace<Device>& scratch, batch& dw,
              of_channels& dgamma, of_channels& dbeta) {
    program_of_both(a, b, x, scratch,
                    [&](auto const& g) { g.run_backward(fused, dw, dgamma, dbeta, a.y); });
}
