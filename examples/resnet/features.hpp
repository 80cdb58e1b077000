// SPDX-License-Identifier: BSD-3-Clause
//
// A network that stays as it is, as a way to see pictures: what goes into its last layer, and a
// softmax that is trained on this alone.
#pragma once
#include <resnet/learner.hpp>

namespace resnet {

// (pictures, features): a network whose last layer is the identity gives them as logits.
matrix_f features_of(place const& at, shape const& s, vector_f const& theta,
                     vector_f const& running, pictures const& p);

// Softmax regression on rows of features less their mean, by their deviation.
class linear_classifier {
public:
    // The steepest descents of its cost, with momentum, over all rows.
    linear_classifier(matrix_f const& x, felt::Tensor<index_t, 1> const& y, index_t classes,
                      index_t steps = 300);

    matrix_f logits(matrix_f const& x) const;

private:
    matrix_f mean_, inverse_;  // (1, features)
    matrix_f w_;               // (classes, features + 1): the last column is the bias
};

}  // namespace resnet
