// SPDX-License-Identifier: BSD-3-Clause
//
// ResNet-50 on images of 224 x 224, N H W C: logits with normalisations folded into the filters,
// and a training step. Nothing else is a product of this depth: what is compared with is the same
// statements unfused, in float. PyTorch, with cuDNN, is in peers.py.
#include "timing.hpp"
#include <felt/nn/initial.hpp>
#include <felt/nn/sgd.hpp>
#include <resnet/inference.hpp>
#include <resnet/net.hpp>

namespace {

using namespace bench;
using felt::Device;
using vector = tensor<float, 1>;

resnet::shape small_network() { return {.side = 32, .classes = 5, .width = 4, .blocks = {1, 1}}; }

struct network {
    resnet::shape shape;
    resnet::layers<> layers{shape};
    felt::Tensor<float, 4, Device, felt::ChannelsLast> x;
    tensor<index_t, 1> labels;
    vector theta{felt::extents<1>{{layers.trained.size()}}};
    vector running{felt::extents<1>{{layers.running.size()}}};

    network(resnet::shape const& s, index_t images)
        : shape(s), x({images, 3, s.side, s.side}), labels({images}) {
        x = felt::normal<float>(x.extents(), 1);
        labels = felt::iota<index_t>({images});  // there are more classes
        start(layers.stem);
        for (auto const& b : layers.blocks) {
            for (auto const& l : b.units) start(l);
            for (auto const& l : b.projection) start(l);
        }
        auto w = layers.w.in(theta);
        w = felt::glorot_uniform<float>(w.extents(), w.extent(1), w.extent(0), 2);
    }
    void start(felt::conv_norm_layer<> const& l) {
        auto w = l.w.in(theta), gamma = l.gamma.in(theta), variance = l.variance.in(running);
        auto const seed = static_cast<std::uint64_t>(l.w.offset);
        w = felt::he_normal<float>(w.extents(), felt::fan_out(w.extents()), seed);
        gamma = 1.f;
        variance = 1.f;
    }
    double images() const { return static_cast<double>(labels.size()); }
};

// The distance of y from `right`, by its size.
template <class Y>
double apart(Y const& y, Y const& right) {
    float const most = felt::sum(square(y - right)), size = felt::sum(square(right));
    return std::sqrt(double(most) / double(size));
}

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

template <class Network>
void measure(options const& o, char const* what, resnet::shape const& s, index_t images,
             double allowed, double in_tf32) {
    Network n(s, images);
    auto const error = [&] { return n.error(); };
    contest(o, what + std::to_string(images), {1e9 * n.images(), "images/s"},
            {{"felt", [&] { n.run(felt::fused); }, error, allowed},
             {"felt-tf32", [&] { n.run(felt::tf32); }, error, in_tf32},
             {"unfused", [&] { n.run(felt::unfused); }, error, allowed}});
}

}  // namespace

int main(int argc, char** argv) {
    return bench::on_gpu(argc, argv, "resnet", [](options const& o) {
        auto const s = o.small ? small_network() : resnet::resnet50();
        for (index_t images : o.small ? std::vector<index_t>{3} : std::vector<index_t>{1, 32}) {
            measure<classified>(o, "inference-", s, images, 1e-4, 2e-2);
        }
        // A relu of what is 0 to rounding may fall either way, with all that its gradient adds.
        measure<trained>(o, "training-", s, o.small ? 3 : 32, 1e-2, 0.3);
    });
}
