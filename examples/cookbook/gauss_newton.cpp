// SPDX-License-Identifier: BSD-3-Clause
//
// An autoencoder by Gauss-Newton: steps d solve (J'J + damping) d = -gradient by conjugate
// gradients. J'u and J v are derived from the network: J v is the derivative by u of (J'u) v.
#include "recipe.hpp"

using felt::index_t, felt::Tensor, felt::named;

int main(int argc, char** argv) {
    recipe const r(argc, argv, {.does = "Fits an autoencoder", .size = 400, .unit = "samples"});
    index_t const n = r.size(), visible = 32, hidden = 8;

    // Eight numbers in 32: what an autoencoder of eight units can find.
    Tensor<double, 2> const x = sigmoid(cast<double>(
        matmul(felt::normal<float>({visible, hidden}, 1), felt::normal<float>({hidden, n}, 2))));
    Tensor<double, 2> W1({hidden, visible}), W2({visible, hidden}), u({visible, n});
    auto const w1 = named<"w1">(W1);
    auto const w2 = named<"w2">(W2);
    auto const zero = named<"u">(u);
    auto const y = sigmoid(matmul(w2, sigmoid(matmul(w1, x))));

    using matrix = Tensor<double, 2>;
    struct pair {
        matrix a, b;  // of W1 and W2
    };
    auto const dot = [](pair const& p, pair const& q) {
        return double(sum(p.a * q.a)) + double(sum(p.b * q.b));
    };
    auto const pulled = [&](auto const& by) {  // J' by
        return pair{felt::grad<"w1">(y, by), felt::grad<"w2">(y, by)};
    };
    auto const pushed = [&](pair const& v) {  // J v
        auto const along =
            sum(felt::grad<"w1">(y, zero) * v.a) + sum(felt::grad<"w2">(y, zero) * v.b);
        return eval(felt::grad<"u">(along));
    };
    auto const solved = [&](pair residual, double damping) {
        pair d{matrix(W1.extents()), matrix(W2.extents())}, p = residual;
        double squares = dot(residual, residual);
        for (int k = 0; k < 20; ++k) {
            pair q = pulled(pushed(p));
            q.a += damping * p.a, q.b += damping * p.b;
            double const alpha = squares / dot(p, q);
            d.a += alpha * p.a, d.b += alpha * p.b;
            residual.a -= alpha * q.a, residual.b -= alpha * q.b;
            double const now = dot(residual, residual), beta = now / squares;
            p.a = residual.a + beta * p.a, p.b = residual.b + beta * p.b;
            squares = now;
        }
        return d;
    };
    auto const fit = [&] {
        W1 = 0.3 * cast<double>(felt::normal<float>(W1.extents(), 3));
        W2 = 0.3 * cast<double>(felt::normal<float>(W2.extents(), 4));
        for (int step = 0; step < 15; ++step) {
            pair const d = solved(pulled(x - y), 1.0);
            W1 += d.a, W2 += d.b;
        }
        return double(mean(square(y - x)));
    };
    double const before = double(mean(square(x - 0.5)));
    double const after = r.best_of(fit);
    std::cout << "loss of halves: " << before << '\n';
    std::cout << "loss after 15 steps: " << after << '\n';
}
