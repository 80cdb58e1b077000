// SPDX-License-Identifier: BSD-3-Clause
//
// A training step of ResNet-50. PyTorch, with cuDNN, is in peers.py.
#include "resnet.hpp"
#include <felt/nn/sgd.hpp>
#include <resnet/net.hpp>

namespace {

using namespace bench;

// At rate 0 all steps are the same.
struct trained : network {
    resnet::net<float, Device> net;
    felt::sgd<float, Device> optimiser;
    vector right;

    trained(resnet::shape const& s, index_t n)
        : network(s, n),
          net(s, layers, n, running),
          optimiser(std::move(theta), {.rate = 0, .momentum = 0.9, .weight_decay = 1e-4}) {
        run(felt::unfused);
        right = optimiser.gradient();
    }
    template <class How>
    void run(How how) {
        resnet::batch<float, Device> const all{felt::view(std::as_const(x)),
                                               felt::view(std::as_const(labels))};
        optimiser.step([&](vector const& at, vector& gradient) {
            return net.cost_and_gradient(how, all, at, gradient);
        });
    }
    double error() const { return apart(optimiser.gradient(), right); }
};

}  // namespace

int main(int argc, char** argv) {
    return bench::on_gpu(argc, argv, "resnet", [](options const& o) {
        // A relu of what is 0 to rounding may fall either way, with all that its gradient adds.
        if (o.small) return measure<trained>(o, "training-", small_network(), 3, 1e-2, 0.3);
        measure<trained>(o, "training-", resnet::resnet50(), 32, 1e-2, 0.3);
    });
}
