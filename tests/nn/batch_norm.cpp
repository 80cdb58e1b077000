// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/distributed/shards.hpp>
#include <felt/distributed/threads.hpp>
#include <felt/nn/batch_norm.hpp>
#include <cmath>

using felt::index_t;

namespace {

using tensor = felt::Tensor<double, 4>;

// y of 3 x 4 x 2 x 5 with other means and deviations in each channel; gamma, beta, running.
struct problem {
    felt::Tensor<double, 4, felt::Host, felt::ChannelsLast> y{{3, 4, 2, 5}};
    tensor gamma{{1, 4, 1, 1}}, beta{{1, 4, 1, 1}}, mean{{1, 4, 1, 1}}, variance{{1, 4, 1, 1}};

    problem() {
        tensor channel({1, 4, 1, 1});
        channel = reshape(felt::iota<double>({4}), {1, 4, 1, 1});
        y = felt::normal<double>(y.extents(), 1) * (channel + 1) + 10 * channel;
        gamma = felt::uniform<double>(gamma.extents(), 2) + 0.5;
        beta = felt::normal<double>(beta.extents(), 3);
        mean = 0.5, variance = 2.0;
    }
    felt::batch_normalization<double> norm(felt::batch_norm_options const& o = {}) {
        return {4, 30, felt::view(mean), felt::view(variance), o};
    }
    template <class How>
    void forward(How how, felt::batch_normalization<double>& n) {
        run(how, n.sum(y), n.sum_squares(y));
        n.finish(how, felt::view(std::as_const(gamma)), felt::view(std::as_const(beta)));
    }
};

struct moments {
    double mean = 0, variance = 0;
};
moments of_channel(problem const& p, index_t c) {
    moments m;
    for (int turn : {0, 1}) {
        for (index_t i = 0; i < 30; ++i) {
            double const v = p.y(i / 10, c, i / 5 % 2, i % 5);
            (turn == 0 ? m.mean : m.variance) += (turn == 0 ? v : (v - m.mean) * (v - m.mean)) / 30;
        }
    }
    return m;
}

}  // namespace

TEST_CASE_TEMPLATE("each channel has its own mean and variance", How, felt::fused_t,
                   felt::unfused_t) {
    problem p;
    auto n = p.norm({.epsilon = 1e-3, .momentum = 0.2});
    p.forward(How{}, n);
    tensor z(p.y.extents());
    z = n(p.y);
    for (index_t c = 0; c < 4; ++c) {
        auto const m = of_channel(p, c);
        double const scale = p.gamma(0, c, 0, 0) / std::sqrt(m.variance + 1e-3);
        double const want = (p.y(2, c, 1, 3) - m.mean) * scale + p.beta(0, c, 0, 0);
        CHECK(z(2, c, 1, 3) == doctest::Approx(want).epsilon(1e-10));
        CHECK(p.mean(0, c, 0, 0) == doctest::Approx(0.8 * 0.5 + 0.2 * m.mean));
        CHECK(p.variance(0, c, 0, 0) ==
              doctest::Approx(0.8 * 2 + 0.2 * m.variance * 30 / 29));  // PyTorch's
    }
}

TEST_CASE("at inference the running mean and variance count") {
    problem p;
    auto n = p.norm({.epsilon = 0.25});
    n.infer(felt::fused, felt::view(std::as_const(p.gamma)), felt::view(std::as_const(p.beta)));
    tensor z(p.y.extents());
    z = n(p.y);
    double const want = (p.y(1, 2, 1, 4) - 0.5) / 1.5 * p.gamma(0, 2, 0, 0) + p.beta(0, 2, 0, 0);
    CHECK(z(1, 2, 1, 4) == doctest::Approx(want).epsilon(1e-14));
}

TEST_CASE("constant channels and a batch of one value are finite") {
    problem p;
    p.y = 3.0;
    auto n = p.norm();
    p.forward(felt::fused, n);
    tensor z(p.y.extents());
    z = n(p.y) - p.beta;
    CHECK(felt::all_close(z, felt::full(z.extents(), 0.0), 0, 1e-9));
    felt::batch_normalization<double> one(4, 1, felt::view(p.mean), felt::view(p.variance));
    felt::Tensor<double, 4> y({1, 4, 1, 1});
    run(felt::fused, one.sum(y), one.sum_squares(y));
    one.finish(felt::fused, felt::view(std::as_const(p.gamma)), felt::view(std::as_const(p.beta)));
    CHECK(std::isfinite(p.variance(0, 0, 0, 0)));
}

TEST_CASE("gradients are those of differences") {
    problem p;
    tensor weight(p.y.extents()), dy(p.y.extents()), dgamma({1, 4, 1, 1}), dbeta({1, 4, 1, 1});
    weight = felt::normal<double>(weight.extents(), 9);
    auto const cost = [&] {
        problem q = p;
        auto n = q.norm();
        q.forward(felt::fused, n);
        return double(felt::sum(n(q.y) * weight));
    };
    problem q = p;
    auto n = q.norm();
    q.forward(felt::fused, n);
    run(felt::fused, n.sum_gradient(weight), n.sum_product(weight, q.y));
    n.finish_gradients(felt::fused, felt::view(std::as_const(q.gamma)), felt::view(dgamma),
                       felt::view(dbeta));
    dy = n.gradient(weight, q.y);
    auto const difference = [&](double& x) {
        double const here = std::exchange(x, x + 1e-5), above = cost();
        x = here - 1e-5;
        double const below = cost();
        x = here;
        return (above - below) / 2e-5;
    };
    for (index_t c = 0; c < 4; ++c) {
        CHECK(dgamma(0, c, 0, 0) == doctest::Approx(difference(p.gamma(0, c, 0, 0))).epsilon(1e-6));
        CHECK(dbeta(0, c, 0, 0) == doctest::Approx(difference(p.beta(0, c, 0, 0))).epsilon(1e-6));
        for (index_t i : {0, 11, 29}) {
            double& y = p.y(i / 10, c, i / 5 % 2, i % 5);
            CHECK(dy(i / 10, c, i / 5 % 2, i % 5) ==
                  doctest::Approx(difference(y)).epsilon(1e-5).scale(1e-3));
        }
    }
}

namespace {

// What a rank finds of its images: z and dy of images 0, .. of p, gradients, what is running.
struct found {
    tensor z{{3, 4, 2, 5}}, dy = z, dgamma{{1, 4, 1, 1}}, dbeta = dgamma, mean, variance;
};
found of_ranks(felt::communicator& ranks) {
    problem p;
    auto const rows = felt::shard_of(3, ranks);
    auto const own = [&](auto&& x) {
        return slice(x, felt::range(rows.begin, rows.end), felt::all(), felt::all(), felt::all());
    };
    tensor const weight = felt::normal<double>(p.y.extents(), 9), y = own(p.y), dz = own(weight);
    felt::batch_normalization<double> n(4, 10 * rows.size(), felt::view(p.mean),
                                        felt::view(p.variance));
    if (ranks.size() > 1) n.share(30, [&](auto& x) { felt::sum(ranks, x); });
    auto const gamma = felt::view(std::as_const(p.gamma)), beta = felt::view(std::as_const(p.beta));
    run(felt::fused, n.sum(y), n.sum_squares(y));
    n.finish(felt::fused, gamma, beta);
    found f;
    own(f.z) = n(y);
    run(felt::fused, n.sum_gradient(dz), n.sum_product(dz, y));
    n.finish_gradients(felt::fused, gamma, felt::view(f.dgamma), felt::view(f.dbeta));
    own(f.dy) = n.gradient(dz, y);
    for (tensor* x : {&f.z, &f.dy, &f.dgamma, &f.dbeta}) felt::sum(ranks, *x);
    f.mean = p.mean, f.variance = p.variance;
    return f;
}

}  // namespace

TEST_CASE("ranks that share a batch, evenly or not, find what one does with all of it") {
    auto const one = of_ranks(felt::alone);
    for (int size : {2, 3}) {
        felt::run_ranks(size, [&](felt::communicator& ranks) {
            auto const own = of_ranks(ranks);
            for (auto part : {&found::z, &found::dy, &found::dgamma, &found::dbeta, &found::mean,
                              &found::variance}) {
                CHECK(felt::all_close(own.*part, one.*part, 1e-12, 1e-12));
            }
        });
    }
}
