// SPDX-License-Identifier: BSD-3-Clause
//
// From a setting to its network on the host.
#include <cnn/instances.hpp>

namespace cnn {

namespace {

template <class Net>
struct host_learner : learner_of<Net> {
    using learner_of<Net>::learner_of;

    std::unique_ptr<stepper> train(course const& c, felt::Tensor<float, 4> const& x,
                                   felt::Tensor<index_t, 1> const& y, optimiser<> o) override {
        return std::make_unique<stepper_of<Net>>(this->net_, c, x, y, std::move(o));
    }
};

struct host_place : place {
    std::unique_ptr<learner> network(setting const& s) const override {
        bool const last = s.layout == "channels-last";
        if (s.network == "softmax") {
            return std::make_unique<host_learner<softmax_f>>(softmax_shape{}, s.batch);
        }
        if (s.network == "trial") {
            if (last) return std::make_unique<host_learner<trial_last>>(trial_shape{}, s.batch);
            return std::make_unique<host_learner<trial_rows>>(trial_shape{}, s.batch);
        }
        study_shape shape;
        shape.filters = s.filters;
        if (last) return std::make_unique<host_learner<study_last>>(shape, s.batch);
        return std::make_unique<host_learner<study_rows>>(shape, s.batch);
    }
};

}  // namespace

place const& host() {
    static host_place const h;
    return h;
}

}  // namespace cnn
