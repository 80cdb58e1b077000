// SPDX-License-Identifier: BSD-3-Clause
//
// The trial network as integers says what it says in float, but for one image in a hundred.
#include <cnn/instances.hpp>
#include <cnn/net.hpp>
#include <cnn/options.hpp>
#include <cnn/quantised.hpp>
#include <doctest/doctest.h>

using felt::index_t;

namespace {

// Trained for a few steps on generated digits.
struct trained {
    cnn::setting how{"trial", 50, 32, 1, 0};
    cnn::digits d = cnn::load_digits("", "train", 1500, 1);
    cnn::net<float> model{cnn::trial_shape{}, 50};
    cnn::training t{how, model.layers().initial(7), d, 7};

    trained() {
        t.optimiser = felt::adam<float>(felt::Tensor<float, 1>(t.theta()), {.rate = 1e-3});
        cnn::batches next(t, d.x, d.y);
        for (int i = 0; i < 60; ++i) {
            auto const b = next.next(t.iteration());
            make_step(t, t.optimiser, [&](auto const& theta, auto& g) {
                return model.cost_and_gradient(felt::fused, b, theta, g);
            });
        }
    }
};

double share(felt::Tensor<index_t, 1> const& a, felt::Tensor<index_t, 1> const& b) {
    return double(felt::mean(felt::cast<double>(a == b)));
}

}  // namespace

TEST_CASE("accuracy of weights of 8 bits is within one per cent") {
    trained run;
    auto const test = cnn::load_digits("", "t10k", 1000, 1);
    felt::npz parameters;
    run.model.layers().parameters().put(parameters, run.t.theta());
    cnn::quantised_trial const q(parameters, run.d.images(0, 500));
    CHECK(q.bytes() == 5 * 5 * 32 + 5 * 5 * 32 * 64 + 3136 * 1024 + 1024 * 10);
    felt::Tensor<index_t, 1> exact({1000}), integer({1000});
    run.model.classify(felt::fused, test.images(0, 1000), run.t.theta(), felt::view(exact));
    q.classify(test.images(0, 1000), felt::view(integer));
    double const before = share(exact, test.y), after = share(integer, test.y);
    CHECK(before > 0.8);
    CHECK(after >= before - 0.01);
    CHECK(share(exact, integer) > 0.98);
    felt::Tensor<index_t, 1> few({3});
    q.classify(test.images(0, 3), felt::view(few));
    CHECK(bool(felt::all(few == felt::slice(integer, felt::range(0, 3)))));
}
