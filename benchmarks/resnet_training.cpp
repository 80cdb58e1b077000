// SPDX-License-Identifier: BSD-3-Clause
//
// A training step of ResNet-20 on 128 images of 32 x 32 and of ResNet-50 on 8 of 224 x 224, N H W
// C: forward, backward, and the update with momentum and decay. The label says how much more memory
// the process holds at most once steps run: results, derivatives, gradient, velocity.
// (PyTorch's are from peers/resnet.py.)
#include "program.hpp"
#include "roofs.hpp"
#include <resnet/training.hpp>
#include <support/compare.hpp>
#include <optional>

namespace {

using namespace bench;
using resnet::index_t;

struct training {
    resnet::shape shape;
    resnet::layers<> layers{shape};
    felt::Tensor<float, 4, felt::Host, felt::ChannelsLast> x;
    felt::Tensor<index_t, 1> y;
    felt::Tensor<float, 1> theta = resnet::initial_parameters<float>(shape, layers, 1);
    struct run {
        felt::sgd<float> optimiser;
        resnet::net<float> net;
    };
    std::optional<run> of;

    training(resnet::shape const& s, index_t images)
        : shape(s), x({images, 3, s.side, s.side}), y({images}) {
        x = felt::normal<float>(x.extents(), 2);
        for (index_t i = 0; i < images; ++i) y(i) = i % s.classes;
    }
    void start() {
        felt::sgd_options const o{.rate = 0.01, .momentum = 0.9, .weight_decay = 1e-4};
        of.emplace(felt::sgd<float>(std::move(theta), o), resnet::net<float>(shape, y.size()));
    }

    template <class How>
    double cost(How how, felt::Tensor<float, 1> const& at, felt::Tensor<float, 1>& gradient) {
        return of->net.cost_and_gradient(how, {felt::view(x), felt::view(y)}, at, gradient);
    }
    template <class How>
    void step(How how) {
        of->optimiser.step([&](auto const& at, auto& gradient) { return cost(how, at, gradient); });
    }
    // Where an argument of relu is 0 to rounding, either way is right: gradients of a ResNet-50
    // that has learned nothing are 4 % of their size from those in double, fused and unfused.
    bool right() {
        auto fused = of->optimiser.gradient(), unfused = fused;
        double const own = cost(felt::fused, of->optimiser.x(), fused);
        double const other = cost(felt::unfused, of->optimiser.x(), unfused);
        return std::abs(own - other) < 1e-4 * std::abs(other) &&
               float(norm2(fused - unfused)) < 0.1f * float(norm2(unfused));
    }
};

template <class How>
void enter_step(std::string const& name, How how, resnet::shape const& s, index_t images) {
    enter(name, [=] {
        auto const t = std::make_shared<training>(s, images);
        double const before = support::peak_memory_of([] {});
        double const most = support::peak_memory_of([&] { t->start(), t->step(how); });
        contestant c;
        c.run = [=] { t->step(how); };
        c.right = [=] { return t->right(); };
        c.label = std::to_string(static_cast<index_t>((most - before) / 1048576)) + " MiB more";
        return c;
    });
}

void enter_network(std::string const& name, resnet::shape const& s, index_t images) {
    enter_step(name + "/step/" + std::to_string(images) + "/felt", felt::fused, s, images);
    enter_step(name + "/step/" + std::to_string(images) + "/unfused", felt::unfused, s, images);
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        enter_network("resnet20", resnet::cifar(20), 128);
        enter_network("resnet50", resnet::resnet50(), 8);
    });
}
