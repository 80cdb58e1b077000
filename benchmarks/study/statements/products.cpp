// SPDX-License-Identifier: BSD-3-Clause
//
// Matrix products and what follows them. The inner extent sets how many operations there are for
// each byte of the result: fusion pays where it is small.
#include "../../table_peers.hpp"
#include "../statement.hpp"

namespace {

using namespace bench;

study::statement const product{"product",
                               "matmul(a, b), in which there is nothing to fuse",
                               "n",
                               {64, 256, 1024},
                               [](study::trial& t, index_t n) {
                                   auto const a = random({n, n}), b = random({n, n}, 2);
                                   t.measure(matmul(a, b), multiplying(a, b));
                               }};

study::statement const layer{"layer",
                             "sigmoid(matmul(w, x) + b), 1024 x 1024",
                             "inner extent",
                             {1, 4, 16, 64, 256, 1024, 2048},
                             [](study::trial& t, index_t k) {
                                 auto const w = random({1024, k}), x = random({k, 1024}, 2);
                                 auto const b = random({1024}, 3);
                                 t.measure(sigmoid(matmul(w, x) + b), logistic_layer(w, x, b));
                             }};

study::statement const perceptron{
    "perceptron",
    "sigmoid(matmul(w2, sigmoid(matmul(w1, x) + b1)) + b2), 64-256-64",
    "samples",
    {64, 1000, 5000, 20000},
    [](study::trial& t, index_t n) {
        auto const w1 = random({256, 64}), w2 = random({64, 256}, 2), x = random({64, n}, 3);
        auto const b1 = random({256, 1}, 4), b2 = random({64, 1}, 5);
        t.measure(sigmoid(matmul(w2, sigmoid(matmul(w1, x) + b1)) + b2));
    }};

study::statement const attention{
    "attention",
    "matmul(softmax<1>(matmul(q, transpose(k)) / 8), v), 64 wide",
    "positions",
    {64, 256, 1024, 4096},
    [](study::trial& t, index_t n) {
        auto const q = random({n, 64}), k = random({n, 64}, 2), v = random({n, 64}, 3);
        t.measure(matmul(felt::softmax<1>(matmul(q, transpose(k)) / 8.f), v));
    }};

study::statement const shrinkage{
    "fista step",
    "soft_threshold(y - (matmul(G, y) - c) / 64, 0.01), 121 atoms",
    "samples",
    {64, 1000, 5000, 20000},
    [](study::trial& t, index_t n) {
        auto const G = random({121, 121}), y = random({121, n}, 2), c = random({121, n}, 3);
        t.measure(soft_threshold(y - (matmul(G, y) - c) * (1.f / 64), 0.01f));
    }};

study::statement const cell{
    "lstm cell",
    "sigmoid(z3) * tanh(sigmoid(z1) * c + sigmoid(z0) * tanh(z2)), z = matmul(x, w)",
    "samples",
    {4, 32, 128, 512},
    [](study::trial& t, index_t n) {
        index_t const h = 128;
        auto const x = random({n, h}), w = random({h, 4 * h}, 2), c = random({n, h}, 3);
        auto const z = matmul(x, w);
        auto const gate = [&](index_t k) {
            return slice(z, felt::all(), felt::range(k * h, k * h + h));
        };
        t.measure(sigmoid(gate(3)) * tanh(sigmoid(gate(1)) * c + sigmoid(gate(0)) * tanh(gate(2))));
    }};

}  // namespace
