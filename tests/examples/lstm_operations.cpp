// SPDX-License-Identifier: BSD-3-Clause
//
// The language model by single operations, as --profile times them, is the model.
#include <doctest/doctest.h>
#include <lstm/operations.hpp>

using felt::index_t;

TEST_CASE("a step by single operations has the cost and the gradient of the model") {
    lstm::shape s;
    s.vocabulary = 13, s.hidden = 6;
    for (char const* order : {"ijfo", "ofij"}) {
        s.cell = {.order = order, .forget_bias = 0.5};
        felt::Tensor<int, 2> words({5, 4}), next({5, 4});
        words = felt::cast<int>(13 * felt::uniform<double>({5, 4}, 3));
        next = felt::cast<int>(13 * felt::uniform<double>({5, 4}, 4));
        lstm::batch<> const b{felt::view(std::as_const(words)), felt::view(std::as_const(next))};
        auto theta = lstm::model<double>::initial_parameters(s, 5);
        theta = 5. * theta;
        felt::Tensor<double, 1> g(theta.extents()), h(theta.extents());
        lstm::model<double> whole(s, 5, 4);
        whole.reset();
        double const cost = whole.cost_and_gradient(felt::unfused, b, theta, g);
        support::profile p;
        lstm::operations<double> single(s, 5, 4);
        for (int again = 0; again < 2; ++again) {
            h = 7.;
            CHECK(single.step(p, b, theta, h) == doctest::Approx(cost).epsilon(1e-12));
            CHECK(double(norm2(g - h)) < 1e-12 * double(norm2(g)));
        }
        CHECK(p.percent("products of gates") > 0);
        CHECK(p.shares().size() == 13);
    }
}
