// SPDX-License-Identifier: BSD-3-Clause
//
// What deep networks are trained by: the passes of a convolution and its batch normalisation, the
// layer before it in their operands. ptxas is to find no spill in them.
#include <felt/device.hpp>
#include <felt/nn/conv_norm.hpp>

using namespace felt;

using unit = conv_norm<float, Device>;
using vector_there = Tensor<float, 1, Device>;

void forward(unit& a, unit& b, unit::images const& x, vector_there const& theta) {
    b.forward(fused, relu(a.output() + x), theta);
}
void backward(unit& a, unit& b, unit::images_view dz, vector_there const& theta,
              vector_there& gradient) {
    b.weight_gradient(fused, relu(a.output()), gradient);
    auto const dx = b.input_gradient(theta);
    a.take_gradient(fused, dz, where(a.output() > 0.F, dx, 0.F), theta, gradient);
    a.through_norm(fused, dz);
}
