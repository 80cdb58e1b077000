// SPDX-License-Identifier: BSD-3-Clause
//
// ResNet-50 on images of 224 x 224, N H W C: logits, normalisations folded into the filters, and
// forward and backward passes. Nothing plain computes it in double in the time that there is: right
// is what the same network gives unfused, in float. PyTorch, with cuDNN, is in peers.py.
#include "timing.hpp"
#include <felt/nn.hpp>
#include <resnet/network.hpp>

template <>
inline constexpr auto felt::nn::further_way<felt::Device> = felt::tf32;

namespace {

using namespace bench;
using felt::Device;
namespace nn = felt::nn;
using vector = tensor<float, 1>;

struct network {
    nn::basic_net<float, Device> net;
    felt::Tensor<float, 4, Device, felt::ChannelsLast> x;
    tensor<index_t, 1> labels;
    vector theta, gradient;

    network(resnet::shape const& s, index_t images)
        : net(resnet::network<nn::basic_net<float, Device>>(s)),
          x({images, 3, s.side, s.side}),
          labels({images}) {
        net.prepare(x.extents());
        x = felt::normal<float>(x.extents(), 1);
        labels = felt::iota<index_t>({images});  // there are more classes
        theta = net.initial<Device>(2);
        gradient = vector(theta.extents());
    }
};

// The distance of y from `right`, by its size.
template <class Y>
double apart(Y const& y, Y const& right) {
    float const difference = felt::sum(square(y - right)), size = felt::sum(square(right));
    return std::sqrt(double(difference) / double(size));
}

struct inference : network {
    nn::folded<float, Device> deployed = net.fold(theta);
    tensor<float, 2> right;

    inference(resnet::shape const& s, index_t images) : network(s, images) {
        run(felt::unfused);
        right = net.out().as<2>();
    }
    void run(nn::mode how) { net.infer(how, x, deployed); }
    double error() const { return apart<tensor<float, 2>>(net.out().as<2>(), right); }
};

struct training : network {
    vector right;

    training(resnet::shape const& s, index_t images) : network(s, images) {
        run(felt::unfused);
        right = gradient;
    }
    void run(nn::mode how) {
        net.cost(how, x, nn::cross_entropy(felt::view(labels)), theta, gradient);
    }
    double error() const { return apart(gradient, right); }
};

template <class Network>
void measure(options const& o, std::string const& what, resnet::shape const& s, index_t images,
             double allowed, double in_tf32) {
    Network n(s, images);
    auto const error = [&] { return n.error(); };
    contest(o, what + std::to_string(images), {1e9 * static_cast<double>(images), "images/s"},
            {{"felt", [&] { n.run(felt::fused); }, error, allowed},
             {"felt-tf32", [&] { n.run(felt::tf32); }, error, in_tf32},
             {"unfused", [&] { n.run(felt::unfused); }, error, allowed}});
}

}  // namespace

int main(int argc, char** argv) {
    return bench::on_gpu(argc, argv, "resnet", [](options const& o) {
        resnet::shape const small = {.side = 32, .classes = 5, .width = 4, .blocks = {1, 1}};
        resnet::shape const s = o.small ? small : resnet::resnet50();
        for (index_t images : {o.small ? 3 : 1, o.small ? 4 : 32})
            measure<inference>(o, "inference-", s, images, 1e-4, 2e-2);
        // A relu of what is 0 to rounding may fall either way, with all that its gradient adds.
        measure<training>(o, "training-", s, o.small ? 3 : 32, 1e-2, 0.3);
    });
}
