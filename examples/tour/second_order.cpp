// SPDX-License-Identifier: BSD-3-Clause
//
// Second order: a derivative is an expression that has derivatives. A Hessian times a vector; and
// Gauss-Newton for an autoencoder, y = sigmoid(W2 sigmoid(W1 x + b1) + b2) that should be x.
#include "check.hpp"
#include <felt/felt.hpp>
#include <felt/nn/parameters.hpp>
#include <iomanip>

namespace {

using felt::grad;
using felt::named;
using felt::Tensor;
using vector = Tensor<double, 1>;

void hessian() {
    vector W({5}), V({5}), HV({5});
    W = felt::normal<double>({5}, 1), V = felt::normal<double>({5}, 2);
    //[hessian]
    auto const w = named<"w">(W);
    auto const cost = sum(exp(w)) + 0.5 * square(sum(w));
    HV = grad<"w">(sum(grad<"w">(cost) * V));  // H V, without H
    //[hessian]
    vector const known = exp(W) * V + double(sum(V));
    check(felt::all_close(HV, known), "H is diag(exp(w)) + 1 1'");
}

// Its parameters lie in one vector, and so do derivatives by them.
struct autoencoder {
    felt::parameter_list list;
    felt::parameter<2> w1, w2;
    felt::parameter<1> b1, b2;
    Tensor<double, 2> x, H, Y, JV, U;

    autoencoder(felt::index_t visible, felt::index_t hidden, felt::index_t samples)
        : w1(list.add("w1", {hidden, visible})),
          w2(list.add("w2", {visible, hidden})),
          b1(list.add("b1", {hidden})),
          b2(list.add("b2", {visible})),
          x({visible, samples}),
          JV(x.extents()),
          U(x.extents()) {
        // Patterns of few degrees of freedom, so that there is something to learn.
        Tensor<double, 2> const mixed = felt::normal<double>({visible, 4}, 1);
        Tensor<double, 2> const source = felt::normal<double>({4, samples}, 2);
        x = sigmoid(matmul(mixed, source));
    }

    //[model]
    auto hidden(vector const& theta) const {
        return sigmoid(matmul(named<"w1">(w1.in(theta)), x) +
                       felt::expand_dims<1>(named<"b1">(b1.in(theta))));
    }
    template <class Hidden>
    auto output(Hidden const& h, vector const& theta) const {
        return sigmoid(matmul(named<"w2">(w2.in(theta)), h) +
                       felt::expand_dims<1>(named<"b2">(b2.in(theta))));
    }
    //[model]
    // 1/2 mean of |y - x|^2, and its gradient.
    double cost(vector const& theta, vector& g) {
        auto const h = felt::keep<"h">(H, hidden(theta));
        auto const y = felt::keep<"y">(Y, output(h, theta));
        auto const J = sum(square(y - x)) * (0.5 / static_cast<double>(x.extent(1)));
        auto step = gradient(program(h, y), J, felt::wrt<"w1", "b1", "w2", "b2">());
        return step(felt::fused, w1.in(g), b1.in(g), w2.in(g), b2.in(g));
    }
    //[gauss_newton]
    // J' (J v) / m, J being the derivative of y at the theta that cost() was given last.
    void product(vector const& theta, vector const& v, vector& to) {
        auto const y = output(felt::let<"h">(hidden(theta)), theta);
        // What comes back of u is linear in u: its derivative by u goes forward.
        auto const u = named<"u">(U);
        JV = grad<"u">(sum(grad<"w1">(y, u) * w1.in(v)) + sum(grad<"b1">(y, u) * b1.in(v)) +
                       sum(grad<"w2">(y, u) * w2.in(v)) + sum(grad<"b2">(y, u) * b2.in(v)));
        auto const h = felt::keep<"h">(H, hidden(theta));
        auto const back = gradient(program(h, felt::keep<"y">(Y, output(h, theta))),
                                   felt::cotangent<"y">(JV), felt::wrt<"w1", "b1", "w2", "b2">());
        back.run_backward(felt::fused, w1.in(to), b1.in(to), w2.in(to), b2.in(to));
        to *= 1 / static_cast<double>(x.extent(1));
    }
    //[gauss_newton]
};

// p with (B + damping) p = g, by conjugate gradients.
vector solve(autoencoder& net, vector const& theta, vector const& g, double damping) {
    vector p(g.extents()), r = g, d = g, Bd(g.extents());
    double size = felt::sum(r * r);
    for (int k = 0; k < 20; ++k) {
        net.product(theta, d, Bd);
        Bd += damping * d;
        double const a = size / double(felt::sum(d * Bd));
        p += a * d;
        r -= a * Bd;
        double const next = felt::sum(r * r);
        d = r + (next / size) * d;
        size = next;
    }
    return p;
}

void gauss_newton() {
    autoencoder net(20, 6, 100);
    vector theta({net.list.size()}), g(theta.extents()), other(theta.extents());
    theta = 0.3 * felt::normal<double>(theta.extents(), 3);
    double const first = net.cost(theta, g);

    // Down the slope, as many steps as there are products below.
    vector slow = theta;
    double by_slope = first;
    for (int k = 0; k < 200; ++k) slow -= 0.5 * g, by_slope = net.cost(slow, g);

    double J = net.cost(theta, g), damping = 0.01;
    for (int k = 0; k < 10; ++k) {
        vector const near = theta - solve(net, theta, g, damping);
        double const there = net.cost(near, other);
        damping *= there < J ? 0.3 : 10;
        if (there < J) theta = near, J = there;
        J = net.cost(theta, g);
    }
    std::cout << std::setprecision(1) << "# costs\n1/2 mean |y - x|^2: " << first << " at first, "
              << by_slope << " after 200 steps down the slope,\n"
              << J << " after 10 of Gauss-Newton\n";
    check(J < 0.5 * by_slope, "Gauss-Newton goes down faster");

    vector v = felt::normal<double>(theta.extents(), 5), Bv(v.extents()), w = v, Bw(v.extents());
    w = felt::normal<double>(theta.extents(), 6);
    net.cost(theta, g);
    net.product(theta, v, Bv), net.product(theta, w, Bw);
    double const one = felt::sum(w * Bv), two = felt::sum(v * Bw);
    check(std::abs(one - two) < 1e-10 * std::abs(one), "the product is symmetric");
    check(double(felt::sum(v * Bv)) > 0, "and positive");
}

}  // namespace

int main() {
    hessian();
    gauss_newton();
    return failures;
}
