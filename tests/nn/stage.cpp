// SPDX-License-Identifier: BSD-3-Clause
#include "tests/nn/differences.hpp"

namespace nn = felt::nn;
using differences::net;

namespace {

// A stage of one's own: twice what it reads.
class twice final : public nn::stage<double, felt::Host> {
public:
    std::size_t layer_count() const override { return 1; }
    std::string text() const override { return "twice"; }
    void prepare(value const& in, nn::preparation<double, felt::Host>&) override {
        out_ = in;
        out_.act = {}, out_.data = nullptr;
        out_.lie_whole();
    }
    void share(felt::index_t, nn::sum_over_parts<double, felt::Host> const&) override {}
    void forward(value const& in, step const& s) override { infer(in, s); }
    void fold(vector&, vector&) override {}
    void infer(value const& in, step const& s) override {
        auto to = out_.as<2>();
        nn::in_mode(s.how, [&](auto how) { run(how, assign(to, in.as<2>() * 2.)); });
    }
    void backward(value const& in, step const&, value const& dy,
                  nn::read_derivative<double, felt::Host> const& dx) override {
        nn::slope<double> const by{in.act.of, in.act.scale};
        if (dx.to.data != nullptr) {
            auto to = dx.to.as<2>();
            to = map(by, dy.as<2>() * 2., in.as<2>());
        }
    }
};

}  // namespace

TEST_CASE("a stage of one's own stands among blocks") {
    auto n = net{} << (nn::dense{4} | nn::tanh);
    n.append(std::make_unique<twice>());
    n << nn::dense{2};
    differences::check(n, felt::extents<2>{{3, 5}});
    CHECK(n.text() == "dense 4 | tanh << twice << dense 2");
    CHECK(n.parameters().entries()[2].name == "3.weight");
}

TEST_CASE("a way to run that networks were not compiled for is an error") {
    struct elsewhere {};
    auto n = net{} << nn::dense{2};
    n.prepare({3, 5});
    auto const x = differences::some(felt::extents<2>{{3, 5}});
    CHECK_THROWS_WITH_AS(n.infer(elsewhere{}, x, n.initial(1)),
                         "nn: networks are not compiled for this way to run, see nn::further_way",
                         felt::error);
}

TEST_CASE("the bytes that a step would move are asked for, and nothing is computed") {
    auto n = net{} << (nn::conv{4, 3} | nn::relu) << nn::max_pool{} << nn::dense{3};
    n.prepare({5, 2, 8, 8});
    auto const x = differences::some(felt::extents<4>{{5, 2, 8, 8}});
    auto const theta = n.initial(1);
    differences::vector g(theta.extents());
    g = 7;
    double fused = 0, unfused = 0;
    n.cost(felt::count_bytes{&fused, &unfused}, x, differences::weighted{}, theta, g);
    CHECK(bool(felt::all(g == 7)));
    CHECK(fused > 8. * static_cast<double>(x.size() + 2 * theta.size()));
    CHECK(unfused > 1.5 * fused);
}
