// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/nn/scope.hpp>

namespace nn = felt::nn;
using felt::index_t;
using vector = felt::Tensor<double, 1>;

TEST_CASE("parameters have names of their layers and are found again at every step") {
    felt::parameter_list trained, running;
    std::vector<nn::init> begin;
    nn::memory<double, felt::Host> kept;
    nn::site<double, felt::Host> site;
    site.prepare("2.", 3, {{0, 0, 0, 0}}, trained, begin, running, kept);
    nn::scope<double, felt::Host, 1, true, false> s{site};
    auto const ask = [&] {
        site.begin_expression();
        auto const w = nn::param<"weight">(s, {3, 2}, nn::he);
        auto const b = nn::param<"bias">(s, {3});
        return std::pair(w.x.data, b.x.data);
    };
    CHECK(ask().first == nullptr);
    REQUIRE(trained.entries().size() == 2);
    CHECK(trained.entries()[0].name == "2.4.weight");
    CHECK(trained.entries()[1].name == "2.4.bias");
    CHECK(begin[0].kind == nn::init::he);

    vector theta({trained.size()}), none({0}), g({trained.size()});
    site.begin_step(theta, none, 0);
    auto const at = ask();
    CHECK(at.first == theta.data());
    CHECK(at.second == theta.data() + 6);
    CHECK(trained.entries().size() == 2);
    CHECK(site.derivative<1>("1.bias", g).data() == g.data() + 6);
    CHECK_THROWS_AS((void)site.derivative<1>("1.other", g), felt::error);
}

TEST_CASE("weights of images that are read as rows are filters in a file") {
    felt::parameter_list trained, running;
    std::vector<nn::init> begin;
    nn::memory<float, felt::Host> kept;
    nn::site<float, felt::Host> site;
    site.prepare("", 0, {{7, 2, 3, 4}}, trained, begin, running, kept);
    nn::scope<float, felt::Host, 0, true, false> s{site};
    site.begin_expression();
    auto const w = nn::param<"weight">(s, {5, 24});
    CHECK(w.extents() == felt::extents<2>{{5, 24}});
    CHECK(trained.entries()[0].extents == std::vector<index_t>{5, 2, 3, 4});
    CHECK(trained.entries()[0].strides == std::vector<index_t>{24, 1, 8, 2});
}

TEST_CASE("memory that is shared is as large as the largest that was asked for") {
    nn::memory<float, felt::Host> m;
    auto const &a = m.share(0, 5), &b = m.share(1, 3);
    CHECK(&m.share(0, 9) == &a);
    (void)m.take(4);
    m.allocate_shared();
    CHECK(a.size() == 9);
    CHECK(b.size() == 3);
    CHECK(m.taken() == 16);
}
