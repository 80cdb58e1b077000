// SPDX-License-Identifier: BSD-3-Clause
//
// A network, from its cost to what it has learned: which of two rings points of the plane lie on.
#include "check.hpp"
#include <felt/felt.hpp>
#include <felt/nn/adam.hpp>
#include <felt/nn/parameters.hpp>

namespace {

using felt::index_t;
using felt::Tensor;
using vector = Tensor<float, 1>;

constexpr index_t points = 400, hidden = 16;

// Points (x, y) at 1 or 2 from the middle, and which.
struct rings {
    Tensor<float, 2> x{{points, 2}};
    Tensor<index_t, 1> ring{{points}};

    rings() {
        for (index_t i = 0; i < points; ++i) ring(i) = i % 2;
        vector const angle = 6.2832f * felt::uniform<float>({points}, 1);
        vector const radius =
            felt::cast<float>(ring) + 1.f + 0.15f * felt::normal<float>({points}, 2);
        slice(x, felt::all(), 0) = radius * cos(angle);
        slice(x, felt::all(), 1) = radius * sin(angle);
    }
};

//[network]
// Parameters lie in one vector, as an optimiser wants them, and so do derivatives by them.
struct network {
    felt::parameter_list list;
    felt::parameter<2> w1 = list.add("w1", {2, hidden}), w2 = list.add("w2", {hidden, 2});
    felt::parameter<1> b1 = list.add("b1", {hidden}), b2 = list.add("b2", {2});
    Tensor<float, 2> H, Z;  // what the backward pass reads

    double cost(rings const& r, vector const& theta, vector& g) {
        auto const weights = felt::named<"w1">(w1.in(theta));
        auto const bias = felt::named<"b1">(b1.in(theta));
        auto const h = felt::keep<"h">(H, tanh(matmul(r.x, weights) + felt::expand_dims<0>(bias)));
        auto const z =
            felt::keep<"z">(Z, matmul(h, felt::named<"w2">(w2.in(theta))) +
                                   felt::expand_dims<0>(felt::named<"b2">(b2.in(theta))));
        auto step =
            gradient(program(h, z), cross_entropy(z, r.ring), felt::wrt<"w1", "b1", "w2", "b2">());
        return step(felt::fused, w1.in(g), b1.in(g), w2.in(g), b2.in(g));
    }
};
//[network]

}  // namespace

int main() {
    rings const r;
    network net;
    vector theta({net.list.size()});
    theta = 0.5f * felt::normal<float>(theta.extents(), 3);
    //[training]
    felt::adam<float> optimiser(std::move(theta), {.rate = 0.02});
    for (int k = 0; k < 300; ++k) {
        optimiser.step([&](vector const& at, vector& g) { return net.cost(r, at, g); });
    }
    float const right = mean(felt::cast<float>(argmax<1>(net.Z) == r.ring));
    //[training]
    std::cout << "# learned\ncost " << optimiser.cost() << ", right " << 100 * right << " %\n";
    check(right > 0.95f, "the rings are told from each other");

    // A derivative beside a central difference.
    vector at = optimiser.x(), g(at.extents()), unused(at.extents());
    net.cost(r, at, g);
    at(3) += 0.01f;
    double const above = net.cost(r, at, unused);
    at(3) -= 0.02f;
    double const below = net.cost(r, at, unused);
    check(std::abs((above - below) / 0.02 - g(3)) < 1e-3, "its derivatives are those of the cost");
    return failures;
}
