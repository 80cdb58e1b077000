// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/by_host.hpp"
#include <doctest/doctest.h>
#include <felt/nn/conv_norm.hpp>
#include <felt/nn/initial.hpp>

using felt::index_t;

namespace {

using vector = felt::Tensor<double, 1>;
using images = felt::Tensor<double, 4, felt::Host, felt::ChannelsLast>;

// Two layers, the second of which strides: y2 = norm(conv(relu(norm(conv(x))))).
struct chain {
    felt::parameter_list trained, running;
    felt::conv_norm_layer<> a = felt::conv_norm_layer<>::add(trained, running, "conv1", "bn1",
                                                             {{5, 3, 3, 3}}, {.padding = {1, 1}});
    felt::conv_norm_layer<> b = felt::conv_norm_layer<>::add(
        trained, running, "conv2", "bn2", {{4, 5, 3, 3}}, {.stride = {2, 2}, .padding = {1, 1}});
    vector theta{{trained.size()}}, statistics{{running.size()}};
    images x{{2, 3, 6, 7}}, weight{{2, 4, 3, 4}};

    chain() {
        theta = felt::normal<double>(theta.extents(), 1) * 0.3;
        x = felt::normal<double>(x.extents(), 2);
        weight = felt::normal<double>(weight.extents(), 3);
    }

    // sum of weight * output, and its gradient.
    template <class How>
    double cost(How how, vector& gradient) {
        vector running_now = statistics;
        felt::conv_norm<double> one(a, x.extents(), running_now),
            two(b, one.y().extents(), running_now);
        one.forward(how, x, theta);
        two.forward(how, relu(one.output()), theta);
        double const J = felt::sum(two.output() * weight);
        images dz(weight.extents()), between(one.y().extents());
        two.take_gradient(how, felt::view(dz), weight, theta, gradient);
        two.through_norm(how, felt::view(dz));
        two.weight_gradient(how, relu(one.output()), gradient);
        one.take_gradient(how, felt::view(between),
                          where(one.output() > 0.0, two.input_gradient(theta), 0.0), theta,
                          gradient);
        one.through_norm(how, felt::view(between));
        one.weight_gradient(how, x, gradient);
        return J;
    }
};

}  // namespace

TEST_CASE("parameters are named as PyTorch names them") {
    chain const c;
    std::vector<std::string> names;
    for (auto const& e : c.trained.entries()) names.push_back(e.name);
    CHECK(names == std::vector<std::string>{"conv1.weight", "bn1.weight", "bn1.bias",
                                            "conv2.weight", "bn2.weight", "bn2.bias"});
    CHECK(c.running.entries()[1].name == "bn1.running_var");
    CHECK(c.b.results({{2, 5, 6, 7}}) == felt::extents<4>{{2, 4, 3, 4}});
}

TEST_CASE_TEMPLATE("all gradients are those of differences", How, felt::fused_t, felt::unfused_t) {
    chain c;
    vector gradient({c.trained.size()}), other({c.trained.size()});
    c.cost(How{}, gradient);
    for (index_t i = 0; i < gradient.size(); i += 7) {
        double const here = std::exchange(c.theta(i), c.theta(i) + 1e-5);
        double const above = c.cost(How{}, other);
        c.theta(i) = here - 1e-5;
        double const below = c.cost(How{}, other);
        c.theta(i) = here;
        CHECK(gradient(i) == doctest::Approx((above - below) / 2e-5).epsilon(1e-5).scale(1e-2));
    }
}

TEST_CASE("a layer is one pass, and writes nothing but its results") {
    chain c;
    felt::conv_norm<double> one(c.a, c.x.extents(), c.statistics);
    felt::conv_norm<double> two(c.b, one.y().extents(), c.statistics);
    one.forward(felt::fused, c.x, c.theta);
    two.forward(felt::fused, relu(one.output()), c.theta);
    auto const before = felt::allocations();
    two.forward(felt::fused, relu(one.output()), c.theta);
    if (test::by_host) CHECK(felt::allocations().tensors == before.tensors);
}
