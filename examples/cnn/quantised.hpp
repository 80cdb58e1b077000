// SPDX-License-Identifier: BSD-3-Clause
//
// The trial network as integers, after training. Weights become int8, with a scale for each output:
// w = s q with q in [-127, 127]. What goes from layer to layer is uint8 with one scale: ReLU has
// cut off what is below 0, and the largest value that some images give is 255. Sums are int32.
// (Jacob et al., "Quantization and Training of Neural Networks for Efficient
// Integer-Arithmetic-Only Inference", 2018.)
#pragma once
#include <cnn/report.hpp>
#include <cstdint>

namespace cnn {

// Weights q as they are read: (terms, outputs), or (rows, columns, channels, outputs). A sum of
// products becomes z = scale * sum + bias, in the units of what it is stored as.
template <std::size_t R>
struct integer_layer {
    felt::Tensor<std::int8_t, R> q;
    felt::Tensor<float, 1> scale, bias;
};

class quantised_trial {
public:
    // `parameters` by their names in the network; `images` show how large values get.
    quantised_trial(felt::npz const& parameters, images_view const& images);

    // The most probable class of each image.
    void classify(images_view const& x, labels_view y) const;

    index_t bytes() const;  // of all weights

private:
    integer_layer<4> first_, second_;
    integer_layer<2> hidden_, scores_;
};

// Accuracies and times of the network in float and as integers, on images it has not seen.
void report_quantised(learner& net, training const& t, digits const& train, digits const& test,
                      std::ostream& out);

}  // namespace cnn
