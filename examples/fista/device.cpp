// SPDX-License-Identifier: BSD-3-Clause
//
// Learning on the device. Samples go there once; in every round its two small matrices come back
// for the dense solves, and the dictionary goes over.
#include <felt/distributed/device_buckets.hpp>
#include <support/device.hpp>
#include <fista/trainer.hpp>

namespace fista {

namespace {

using felt::Device, felt::Host;
using matrix_d = felt::Tensor<float, 2, Device>;

struct remote_solves {
    std::vector<index_t> dictionary(matrix_d const& A, matrix_d const& B, double ridge,
                                    matrix_d& W) const {
        matrix_f here(W.extents());
        auto const unused = solves{}.dictionary(felt::to<Host>(A), felt::to<Host>(B), ridge, here);
        felt::copy(W, here);
        return unused;
    }
    void pseudo_inverse(matrix_d const& W, matrix_d& P) const {
        matrix_f here(P.extents());
        solves{}.pseudo_inverse(felt::to<Host>(W), here);
        felt::copy(P, here);
    }
};

class device_trainer : public trainer_in<Device, remote_solves> {
public:
    device_trainer(learning const& how, matrix_f const& W, matrix_f const& x)
        : trainer_in(how, felt::to<Device>(W)), x_(felt::to<Device>(x)) {}

private:
    matrix_d const& samples() const override { return x_; }

    matrix_d x_;
};

struct device_place : support::on_device<place> {
    std::unique_ptr<trainer> learn(learning const& how, matrix_f const& W,
                                   matrix_f const& x) const override {
        return std::make_unique<device_trainer>(how, W, x);
    }
};

}  // namespace

place const* device() {
    static device_place const d;
    return &d;
}

}  // namespace fista
