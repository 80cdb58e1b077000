// SPDX-License-Identifier: BSD-3-Clause
//
// Training on the host.
#include <ae/instances.hpp>

namespace ae {

namespace {

struct host_place : place {
    std::unique_ptr<trainer> train(shape const& s, matrix_f x, felt::lbfgs<float> from,
                                   felt::communicator& ranks, index_t all_samples) const override {
        return std::make_unique<trainer_in<felt::Host>>(s, std::move(x), std::move(from), ranks,
                                                        all_samples);
    }
};

}  // namespace

place const& host() {
    static host_place const h;
    return h;
}

}  // namespace ae
