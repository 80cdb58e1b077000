// SPDX-License-Identifier: BSD-3-Clause
//
// ResNet-50's logits, normalisations folded into the filters. PyTorch, with cuDNN, is in peers.py.
#include "resnet.hpp"
#include <resnet/inference.hpp>

namespace {

using namespace bench;

struct classified : network {
    resnet::classifier<float, Device> net;
    tensor<float, 2> y, right;

    classified(resnet::shape const& s, index_t n)
        : network(s, n), net(s, layers, n), y({n, s.classes}), right(y.extents()) {
        net.fold(felt::fused, theta, running);
        run(felt::unfused);
        right = y;
    }
    template <class How>
    void run(How how) {
        net.logits(how, felt::view(std::as_const(x)), felt::view(y));
    }
    double error() const { return apart(y, right); }
};

}  // namespace

int main(int argc, char** argv) {
    return bench::on_gpu(argc, argv, "resnet", [](options const& o) {
        if (o.small) return measure<classified>(o, "inference-", small_network(), 3, 1e-4, 2e-2);
        for (index_t images : {1, 32}) {
            measure<classified>(o, "inference-", resnet::resnet50(), images, 1e-4, 2e-2);
        }
    });
}
