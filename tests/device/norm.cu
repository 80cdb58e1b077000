// SPDX-License-Identifier: BSD-3-Clause
//
// What deep networks are trained by: the passes of a convolution and its batch normalisation, the
// layer before it in their operands. ptxas is to find no spill in them.
#include <felt/device.hpp>
#include <felt/nn/conv_norm.hpp>

using namespace felt;

using unit = conv_norm<float, Device>;
using vector_there = Tensor<float, 1, Device>;

template <class F>
void program_of_both(unit& a, unit& b, unit::images const& x, vector_there const& theta,
                     F const& f) {
    f(gradient(b.kept<"z">(relu(a.output(theta) + x), theta), cotangent<"z">(b.y()),
               wrt<"w", "gamma", "beta", "y">(), b.memory()));
}
void forward(unit& a, unit& b, unit::images const& x, vector_there const& theta) {
    program_of_both(a, b, x, theta, [](auto const& p) { p.run_forward(fused); });
}
void backward(unit& a, unit& b, unit::images const& x, vector_there const& theta, vector_there& g) {
    program_of_both(a, b, x, theta, [&](auto const& p) {
        p.run_backward(fused, b.w(g), a.gamma(g), a.beta(g), a.y());
    });
}
