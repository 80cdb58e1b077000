// SPDX-License-Identifier: BSD-3-Clause
//
// The study's network and softmax regression: answers that are known, plain loops, differences.
#include "tests/examples/by_hand/cnn.hpp"
#include <cnn/check.hpp>
#include <cnn/instances.hpp>
#include <doctest/doctest.h>
#include <vector>

namespace {

using by_hand::parts_of;
using felt::index_t;
using vector = felt::Tensor<double, 1>;
using net = cnn::net<double>;

cnn::study_shape const small{9, 3, 4, 2, 5};  // 6 x 6 features, pooled to 3 x 3

struct shown {
    felt::Tensor<double, 4> x;
    felt::Tensor<index_t, 1> y;

    explicit shown(index_t n, index_t side = 9, index_t classes = 5)
        : x({n, 1, side, side}), y({n}) {
        x = felt::uniform<double>(x.extents(), 3);
        for (index_t i = 0; i < n; ++i) y(i) = (i * 3) % classes;
    }
    cnn::batch<double> batch() const { return {felt::view(x), felt::view(y), 1}; }
};

double sigmoid(double v) { return 1 / (1 + std::exp(-v)); }

// The logits of image n as they are written down.
template <class Parts>
std::vector<double> plain_logits(cnn::study_shape const& s, Parts const& p, shown const& d,
                                 index_t n) {
    std::vector<double> z;
    for (index_t c = 0; c < s.classes; ++c) z.push_back(p.bd(c));
    index_t const k = s.pool;
    for (index_t f = 0; f < s.filters; ++f) {
        for (index_t i = 0; i < s.features(); ++i) {
            for (index_t j = 0; j < s.features(); ++j) {
                double sum = p.bc(f);
                for (index_t u = 0; u < s.filter; ++u) {
                    for (index_t v = 0; v < s.filter; ++v) {
                        sum += d.x(n, 0, i + u, j + v) * p.Wc(f, 0, u, v);
                    }
                }
                double const share = sigmoid(sum) / static_cast<double>(k * k);
                for (index_t c = 0; c < s.classes; ++c) {
                    z[static_cast<std::size_t>(c)] += share * p.Wd(c, f, i / k, j / k);
                }
            }
        }
    }
    return z;
}

double plain_cost(cnn::study_shape const& s, shown const& d, vector const& theta) {
    auto const p = parts_of(s, theta.data());
    double cost = 0;
    for (index_t n = 0; n < d.x.extent(0); ++n) {
        auto const z = plain_logits(s, p, d, n);
        double all = 0;
        for (double v : z) all += std::exp(v);
        cost -= z[static_cast<std::size_t>(d.y(n))] - std::log(all);
    }
    return cost / static_cast<double>(d.x.extent(0));
}

struct answer {
    double cost;
    vector gradient, theta;

    answer(felt::nn::mode how, cnn::study_shape const& s, shown const& d) {
        net n(s, d.x.extent(0));
        theta = n.layers().initial(5);
        gradient = vector(theta.extents());
        cost = n.cost_and_gradient(how, d.batch(), theta, gradient);
    }
};

}  // namespace

TEST_CASE("with weights of zero every class is as probable as the others") {
    shown const d(10);
    net n(small, 10);
    vector const theta({n.layers().parameters().size()});
    vector g(theta.extents());
    CHECK(n.cost_and_gradient(felt::fused, d.batch(), theta, g) == doctest::Approx(std::log(5.0)));
    // Labels 0 .. 4 come twice each, so biases have no gradient; nor has what zeros hide.
    auto const p = parts_of(small, g.data());
    CHECK(p.bd(3) == doctest::Approx(0));
    CHECK(p.bc(1) == 0);
    CHECK(p.Wc(2, 0, 3, 3) == 0);
    felt::Tensor<index_t, 1> y({10});
    n.classify(felt::fused, felt::view(d.x), theta, felt::view(y));
    CHECK(index_t(sum(y)) == 0);
}

TEST_CASE("the cost is the one of plain loops, and so are the answers") {
    shown const d(13);
    answer const a(felt::fused, small, d);
    CHECK(a.cost == doctest::Approx(plain_cost(small, d, a.theta)).epsilon(1e-12));
    auto const p = parts_of(small, a.theta.data());
    // By batches of 13, 12 and 1, and 5, 5 and 3.
    for (auto how : {felt::nn::mode(felt::fused), felt::nn::mode(felt::unfused)}) {
        for (index_t batch : {13, 12, 5, 20}) {
            net n(small, batch);
            felt::Tensor<index_t, 1> y({13});
            n.classify(how, felt::view(d.x), a.theta, felt::view(y));
            for (index_t k = 0; k < 13; ++k) {
                auto const z = plain_logits(small, p, d, k);
                CHECK(y(k) == std::max_element(z.begin(), z.end()) - z.begin());
            }
        }
    }
}

TEST_CASE("the gradient is that of the cost, to 1e-9 of central differences") {
    CHECK(cnn::gradient_error(felt::fused, cnn::study_shape{28, 2, 9, 5, 10}, 10, 1) < 1e-9);
    CHECK(cnn::gradient_error(felt::fused, small, 7, 2) < 1e-9);
}

TEST_CASE("fused and unfused agree") {
    shown const d(37);
    answer const a(felt::fused, small, d), b(felt::unfused, small, d);
    CHECK(a.cost == doctest::Approx(b.cost).epsilon(1e-12));
    for (index_t i = 0; i < a.gradient.size(); ++i) {
        CHECK(a.gradient(i) == doctest::Approx(b.gradient(i)).epsilon(1e-9));
    }
    CHECK(bool(felt::any(parts_of(small, a.gradient.data()).Wd != 0)));
}

TEST_CASE("parameters are named by their layers") {
    net const n(small, 1);
    std::string names;
    for (auto const& e : n.layers().parameters().entries()) names += e.name + " ";
    CHECK(names == "0.weight 0.bias 3.weight 3.bias ");
}

TEST_CASE("initial parameters are the study's") {
    cnn::study_shape const s;
    auto const theta = net(s, 1).layers().initial(1);
    CHECK(theta.size() == 21650);
    auto const p = parts_of(s, theta.data());
    CHECK(double(sum(square(p.Wc))) / 1620 == doctest::Approx(0.01).epsilon(0.1));
    double const r = std::sqrt(6.0 / 2011);
    CHECK(double(max(abs(p.Wd))) <= r);
    CHECK(double(max(abs(p.Wd))) > 0.99 * r);
    CHECK(double(max(abs(p.bc))) + double(max(abs(p.bd))) == 0);
}

TEST_CASE("softmax regression: a known cost, and its gradient to 1e-9 of differences") {
    cnn::softmax_shape const s{4, 3};
    shown const d(9, 4, 3);
    net regression(s, 9);
    auto theta = regression.layers().initial(1);
    vector g(theta.extents());
    CHECK(regression.cost_and_gradient(felt::fused, d.batch(), theta, g) ==
          doctest::Approx(std::log(3.0)));
    theta = felt::normal<double>(theta.extents(), 7);
    double const here = regression.cost_and_gradient(felt::fused, d.batch(), theta, g);
    double const slope = g(5), h = 1e-5;
    theta(5) += h;
    vector unused(theta.extents());
    double const there = regression.cost_and_gradient(felt::fused, d.batch(), theta, unused);
    CHECK(slope != 0);
    CHECK((there - here) / h == doctest::Approx(slope).epsilon(1e-3));
}
