// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/nn/activation.hpp>
#include <limits>

using felt::index_t;
namespace nn = felt::nn;

namespace {

using vector = felt::Tensor<double, 1>;

vector slopes(nn::curve of, vector const& y) {
    return map(nn::slope<double>{of, 1}, felt::ones<double>(y.extents()), y);
}

}  // namespace

TEST_CASE("the slope of an activation follows from its value") {
    vector const z = felt::linspace<double>(-3., 3., 37), h = vector(z * 0 + 1e-6);
    auto const near = [&](nn::curve of, auto f) {
        vector const by_difference = (f(z + h) - f(z - h)) / (2 * h);
        CHECK(felt::all_close(slopes(of, vector(f(z))), by_difference, 1e-8, 1e-8));
    };
    near(nn::curve::logistic, [](auto const& x) { return felt::sigmoid(x); });
    near(nn::curve::tangent, [](auto const& x) { return felt::tanh(x); });
    near(nn::curve::linear, [](auto const& x) { return x * 1.; });
    vector const away = where(abs(z) < 1e-3, 1., z);
    CHECK(felt::all_close(slopes(nn::curve::rectified, vector(relu(away))),
                          vector(felt::cast<double>(away > 0.))));
}

TEST_CASE("what a dropout multiplied has a steeper slope, what it dropped none") {
    vector const y = vector::of({0, 2, 0, 4});
    vector const dy = vector::of({1, 1, 1, 3});
    vector const dz = map(nn::slope<double>{nn::curve::rectified, 2}, dy, y);
    CHECK(felt::all_close(dz, vector::of({0, 2, 0, 6})));
}

TEST_CASE("a floor is a relu, or nothing") {
    vector z = vector::of({-2, -0.5, 0.5, 3});
    auto const read = [&](double floor) {
        return compose(nn::from_floor<double>{floor}, felt::named<"z">(z));
    };
    vector const as_relu = read(0), whole = read(-std::numeric_limits<double>::infinity());
    CHECK(felt::all_close(as_relu, vector(relu(z))));
    CHECK(felt::all_close(whole, z));
    vector const d = felt::grad<"z">(sum(read(0))), all = felt::grad<"z">(sum(read(-1e300)));
    CHECK(felt::all_close(d, vector::of({0, 0, 1, 1})));
    CHECK(felt::all_close(all, vector::of({1, 1, 1, 1})));
}
