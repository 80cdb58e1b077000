// SPDX-License-Identifier: BSD-3-Clause
//
// A training step of the study's network as the study wrote it: one operation after the other,
// each result a tensor of its own, timed by the study's names.
#pragma once
#include <cnn/batch.hpp>
#include <cnn/models.hpp>
#include <support/profile.hpp>

namespace cnn {

class study_operations {
public:
    using vector = felt::Tensor<float, 1>;

    study_operations(study_shape const& s, index_t batch)
        : shape_(s),
          a_({batch, s.filters, s.features(), s.features()}),
          up_(a_.extents()),
          dz_(a_.extents()),
          h_({batch, s.filters, s.pooled(), s.pooled()}),
          dh_(h_.extents()),
          p_({batch, s.classes}),
          d_(p_.extents()),
          cost_({1}) {}

    // The gradient at theta is written.
    void step(support::profile& times, batch<float> const& b, vector const& theta,
              vector& gradient);

private:
    using images = felt::Tensor<float, 4, felt::Host, felt::ChannelsLast>;

    study_shape shape_;
    images a_, up_, dz_, h_, dh_;
    felt::Tensor<float, 2> p_, d_;
    vector cost_;
};

}  // namespace cnn
