// SPDX-License-Identifier: BSD-3-Clause
//
// ResNet-50 at inference, 8 images of 224 x 224, N H W C: the whole network, normalisations folded.
// Bound by multiply-adds. Contestants: Felt, fused and unfused; oneDNN, the sum of its primitives
// for the convolutions, each with bias and relu ("onednn": images in the same order; "blocked": in
// one of its own). What stands between them (pools, sums of shortcuts, the last layer) is free for
// oneDNN.
#include "peers/onednn_convolution.hpp"
#include "program.hpp"
#include "roofs.hpp"
#include <resnet/layers.hpp>
#include <resnet/network.hpp>
#include <functional>
#include <vector>

namespace {

using namespace bench;
using onednn::order;

constexpr index_t images = 8;

struct network {
    using scores = felt::Tensor<float, 2>;
    resnet::shape shape = resnet::resnet50();
    felt::nn::net net = resnet::network(shape);
    felt::nn::folded<float> deployed;
    felt::Tensor<float, 4, felt::Host, felt::ChannelsLast> x{{images, 3, 224, 224}};

    network() {
        x = felt::normal<float>(x.extents(), 2);
        net.prepare(x.extents());
        deployed = net.fold(net.initial(1));
    }
    scores run(felt::nn::mode how) {
        net.infer(how, x, deployed);
        return net.out().as<2>();
    }
};

// The convolutions, each as often as the network has it.
struct counted {
    convolution of;
    int times = 1;
};
std::vector<counted> convolutions_of(network const& n) {
    std::vector<counted> all;
    auto const add = [&](resnet::conv_norm_layer<> const& l, felt::extents<4> const& x) {
        convolution const c{"",
                            x[0],
                            x[1],
                            x[2],
                            l.w.e[0],
                            l.w.e[2],
                            l.options.stride[0].value,
                            l.options.padding[0].value};
        for (counted& k : all) {
            bool const same = k.of.images() == c.images() && k.of.filters() == c.filters() &&
                              k.of.stride == c.stride;
            if (same) return void(++k.times);
        }
        all.push_back({c});
    };
    felt::extents<4> e = n.x.extents();
    resnet::layers<> const layers(n.shape);
    add(layers.stem, e);
    e = {{images, n.shape.width, 56, 56}};
    for (auto const& b : layers.blocks) {
        for (auto const& l : b.projection) add(l, e);
        for (auto const& l : b.units) {
            add(l, e);
            e = l.results(e);
        }
    }
    return all;
}

double flops(std::vector<counted> const& all) {
    double n = 0;
    for (counted const& k : all) n += k.times * k.of.flops();
    return n;
}

template <class How>
void enter_felt(std::string const& name, How how, std::function<std::shared_ptr<network>()> made) {
    enter("resnet50/inference/" + name, [=] {
        auto const n = made();
        contestant c;
        c.run = [=] { n->net.infer(how, n->x, n->deployed); };
        c.of = arithmetic<float>(flops(convolutions_of(*n)));
        c.right = [=] {
            auto const y = n->run(how), z = n->run(felt::unfused);
            return felt::all_close(y, z, 1e-4f, 1e-4f * felt::max(abs(z)));
        };
        return c;
    });
}

void enter_onednn(std::string const& name, order inside,
                  std::function<std::shared_ptr<network>()> made) {
    enter("resnet50/inference/" + name, [=] {
        auto const all = convolutions_of(*made());
        struct part {
            std::shared_ptr<conv_arrays<felt::ChannelsLast>> arrays;
            onednn::conv_answer answer;
            int times;
        };
        auto const parts = std::make_shared<std::vector<part>>();
        for (counted const& k : all) {
            auto const a = std::make_shared<conv_arrays<felt::ChannelsLast>>(k.of, true);
            a->y = felt::full(k.of.results(), 0.f);
            parts->push_back({a,
                              onednn::forward({k.of, order::nhwc, a->x.data(), a->w.data(),
                                               a->b.data(), a->y.data()},
                                              inside, onednn::after::relu),
                              k.times});
        }
        contestant c;
        if (!parts->front().answer.run) return c;
        c.run = [=] {
            for (part const& p : *parts) {
                for (int i = 0; i < p.times; ++i) p.answer.run();
            }
        };
        c.of = arithmetic<float>(flops(all));
        c.right = [=] {
            for (part const& p : *parts) {
                p.answer.finish();
                auto const& a = *p.arrays;
                double const scale = std::sqrt(static_cast<double>(a.of.terms()));
                bool const right = at_places(a.y, [&](index_t n, index_t o, index_t i, index_t j) {
                    return near(a.y(n, o, i, j), std::max(a.exact(n, o, i, j), 0.), scale);
                });
                if (!right) return false;
            }
            return true;
        };
        return c;
    });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        auto const made = [n = std::shared_ptr<network>()]() mutable {
            if (!n) n = std::make_shared<network>();
            return n;
        };
        enter_felt("felt", felt::fused, made);
        enter_felt("unfused", felt::unfused, made);
        enter_onednn("onednn", order::nhwc, made);
        enter_onednn("blocked", order::any, made);
    });
}
