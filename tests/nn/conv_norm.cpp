// SPDX-License-Identifier: BSD-3-Clause
#include "tests/nn/by_hand/conv_norm.hpp"
#include "tests/support/by_host.hpp"
#include <doctest/doctest.h>
#include <felt/distributed/shards.hpp>
#include <felt/distributed/threads.hpp>
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
        statistics = felt::uniform<double>(statistics.extents(), 4);
        x = felt::normal<double>(x.extents(), 2);
        weight = felt::normal<double>(weight.extents(), 3);
    }
};

// sum of weight * output of images x, and its gradient.
class derived {
public:
    derived(chain& of, felt::extents<4> const& x)
        : of_(of),
          one_(of.a, x, of.statistics, scratch_),
          two_(of.b, one_.y().extents(), of.statistics, scratch_) {}
    void share(index_t count, felt::conv_norm<double>::sum_over_parts const& sum) {
        one_.share(count, sum);
        two_.share(count, sum);
    }
    template <class How, class X, class W>
    double cost(How how, X const& x, W const& weight, vector& g) {
        using felt::cotangent;
        using felt::wrt;
        vector const& theta = of_.theta;
        auto const first = [&] {
            return gradient(one_.kept<"y">(x, theta), cotangent<"y">(one_.y()), wrt<"w">(),
                            one_.memory());
        };
        auto const second = [&] {
            return gradient(two_.kept<"z">(relu(one_.output(theta)), theta),
                            cotangent<"z">(two_.y()), wrt<"w", "gamma", "beta", "y">(),
                            two_.memory());
        };
        first().run_forward(how);
        second().run_forward(how);
        auto last = gradient(felt::program(), sum(two_.output(theta) * weight),
                             wrt<"gamma", "beta", "y">(), end_);
        double const J = last(how, two_.gamma(g), two_.beta(g), two_.y());
        second().run_backward(how, two_.w(g), one_.gamma(g), one_.beta(g), one_.y());
        first().run_backward(how, one_.w(g));
        return J;
    }

private:
    chain& of_;
    felt::workspace<> scratch_, end_ = felt::workspace<>::with(scratch_);
    felt::conv_norm<double> one_, two_;
};

double by_hand_cost(chain& c, vector& gradient) {
    by_hand::conv_norm<double> one(c.a, c.x.extents(), c.statistics),
        two(c.b, one.y().extents(), c.statistics);
    auto const how = felt::fused;
    one.forward(how, c.x, c.theta);
    two.forward(how, relu(one.output()), c.theta);
    double const J = felt::sum(two.output() * c.weight);
    images dz(c.weight.extents()), between(one.y().extents());
    two.take_gradient(how, felt::view(dz), c.weight, c.theta, gradient);
    two.through_norm(how, felt::view(dz));
    two.weight_gradient(how, relu(one.output()), gradient);
    one.take_gradient(how, felt::view(between),
                      where(one.output() > 0.0, two.input_gradient(c.theta), 0.0), c.theta,
                      gradient);
    one.through_norm(how, felt::view(between));
    one.weight_gradient(how, c.x, gradient);
    return J;
}

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

TEST_CASE_TEMPLATE("gradients are those by hand, and of differences", How, felt::fused_t,
                   felt::unfused_t) {
    chain c, same;
    derived d(c, c.x.extents());
    vector g({c.trained.size()}), other(g.extents());
    double const J = d.cost(How{}, c.x, c.weight, g);
    CHECK(J == doctest::Approx(by_hand_cost(same, other)).epsilon(1e-12));
    CHECK(felt::all_close(g, other, 1e-12, 1e-12));
    CHECK(felt::all_close(c.statistics, same.statistics, 1e-12, 1e-12));
    for (index_t i = 0; i < g.size(); i += 7) {
        double const here = std::exchange(c.theta(i), c.theta(i) + 1e-5);
        double const above = d.cost(How{}, c.x, c.weight, other);
        c.theta(i) = here - 1e-5;
        double const below = d.cost(How{}, c.x, c.weight, other);
        c.theta(i) = here;
        CHECK(g(i) == doctest::Approx((above - below) / 2e-5).epsilon(1e-5).scale(1e-2));
    }
}

TEST_CASE("after the first step nothing is allocated") {
    chain c;
    derived d(c, c.x.extents());
    vector g({c.trained.size()});
    d.cost(felt::fused, c.x, c.weight, g);
    auto const before = felt::allocations();
    d.cost(felt::fused, c.x, c.weight, g);
    if (test::by_host) CHECK(felt::allocations().tensors == before.tensors);
}

namespace {

struct found {
    vector gradient, statistics;
    double cost = 0;
};
found of_ranks(felt::communicator& ranks) {
    chain c;
    auto const rows = felt::shard_of(2, ranks);
    auto const own = [&](images const& all) -> images {
        return slice(all, felt::range(rows.begin, rows.end), felt::all(), felt::all(), felt::all());
    };
    images const x = own(c.x), weight = own(c.weight);
    derived d(c, x.extents());
    felt::conv_norm<double>::sum_over_parts const sum = [&](auto& v) { felt::sum(ranks, v); };
    if (ranks.size() > 1) d.share(2, sum);
    found f{vector({c.trained.size()}), {}, 0};
    f.cost = felt::sum(ranks, d.cost(felt::fused, x, weight, f.gradient));
    felt::sum(ranks, f.gradient);
    f.statistics = c.statistics;
    return f;
}

}  // namespace

TEST_CASE("ranks that share a batch find what one does with all of it") {
    auto const one = of_ranks(felt::alone);
    felt::run_ranks(2, [&](felt::communicator& ranks) {
        auto const own = of_ranks(ranks);
        CHECK(own.cost == doctest::Approx(one.cost).epsilon(1e-12));
        CHECK(felt::all_close(own.gradient, one.gradient, 1e-12, 1e-12));
        CHECK(felt::all_close(own.statistics, one.statistics, 1e-12, 1e-12));
    });
}
