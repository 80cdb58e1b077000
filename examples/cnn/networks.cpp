// SPDX-License-Identifier: BSD-3-Clause
//
// From a setting to its network.
#include <cnn/instances.hpp>

namespace cnn {

std::unique_ptr<learner> make_learner(setting const& s) {
    bool const last = s.layout == "channels-last";
    if (s.network == "softmax") {
        return std::make_unique<learner_of<softmax_f>>(softmax_shape{}, s.batch);
    }
    if (s.network == "trial") {
        if (last) return std::make_unique<learner_of<trial_last>>(trial_shape{}, s.batch);
        return std::make_unique<learner_of<trial_rows>>(trial_shape{}, s.batch);
    }
    study_shape shape;
    shape.filters = s.filters;
    if (last) return std::make_unique<learner_of<study_last>>(shape, s.batch);
    return std::make_unique<learner_of<study_rows>>(shape, s.batch);
}

}  // namespace cnn
