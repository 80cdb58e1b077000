// SPDX-License-Identifier: BSD-3-Clause
//
// More statements as people write them: normalisations and the relatives of softmax, gates,
// distances, stencils, chains of products. See people.cpp.
#include "of_people.hpp"

namespace {

using namespace bench::people;

bool const normalisations[] = {
    enter("standardised rows",
          [](index_t s, auto compare) {
              auto const x = random({200 * s, 300});
              auto const mean = felt::mean<1>(x, keepdims);
              compare((x - mean) / sqrt(felt::var<1>(x, keepdims) + 1e-5f));
          }),
    enter("standardised columns",
          [](index_t s, auto compare) {
              auto const x = random({200 * s, 300});
              auto const mean = felt::mean<0>(x, keepdims);
              compare((x - mean) / sqrt(felt::var<0>(x, keepdims) + 1e-5f));
          }),
    enter("RMS norm",
          [](index_t s, auto compare) {
              auto const x = random({64 * s, 1024}), g = random({1, 1024});
              compare(x / sqrt(felt::mean<1>(x * x, keepdims) + 1e-5f) * g);
          }),
    enter("softmax of rows of 1000",
          [](index_t s, auto compare) { compare(felt::softmax<1>(random({64 * s, 1000}))); }),
    enter("softmax of columns",
          [](index_t s, auto compare) { compare(felt::softmax<0>(random({64 * s, 1000}))); }),
    enter("log_softmax",
          [](index_t s, auto compare) { compare(felt::log_softmax<1>(random({64 * s, 1000}))); }),
    enter("logsumexp of columns",
          [](index_t s, auto compare) { compare(felt::logsumexp<0>(random({64 * s, 1000}))); }),
    enter("var of rows",
          [](index_t s, auto compare) { compare(felt::var<1>(random({64 * s, 1000}))); }),
    enter("argmax of a product's rows",
          [](index_t s, auto compare) {
              auto const x = random({64 * s, 128}), w = random({128, 100});
              compare(felt::argmax<1>(matmul(x, w)));
          }),
    enter("x / norm(x)",
          [](index_t s, auto compare) {
              auto const x = random({64 * s, 512});
              compare(x / sqrt(felt::sum<1>(x * x, keepdims)));
          }),
};

bool const distances[] = {
    enter("squared distances by products",
          [](index_t s, auto compare) {
              auto const x = random({128 * s, 64}), c = random({100, 64});
              auto const xx = felt::sum<1>(x * x, keepdims);
              compare(xx - 2 * matmul(x, transpose(c)) + felt::sum<1>(c * c));
          }),
    enter("nearest of 100",
          [](index_t s, auto compare) {
              auto const x = random({128 * s, 64}), c = random({100, 64});
              compare(felt::argmin<1>(felt::sum<1>(c * c) - 2 * matmul(x, transpose(c))));
          }),
    enter("distances, written out",
          [](index_t s, auto compare) {
              auto const x = random({32 * s, 1, 32}), c = random({1, 100, 32});
              compare(felt::sum<2>(square(x - c)));
          }),
    enter("covariance",
          [](index_t s, auto compare) {
              auto const x = random({256 * s, 64});
              auto const centred = x - felt::mean<0>(x, keepdims);
              compare(matmul(transpose(centred), centred) / static_cast<float>(256 * s - 1));
          }),
    enter("A (B (C v))",
          [](index_t s, auto compare) {
              auto const a = random({100 * s, 100 * s}), b = random({100 * s, 100 * s}, 2);
              auto const c = random({100 * s, 100 * s}, 3);
              auto const v = random({100 * s}, 4);
              compare(matmul(a, matmul(b, matmul(c, v))));
          }),
    enter("x (y z) of matrices",
          [](index_t s, auto compare) {
              auto const x = random({32 * s, 128}), y = random({128, 64}), z = random({64, 200});
              compare(matmul(x, matmul(y, z)));
          }),
};

bool const networks[] = {
    enter("two layers",
          [](index_t s, auto compare) {
              auto const x = random({32 * s, 100}), w = random({100, 200}), v = random({200, 10});
              compare(matmul(tanh(matmul(x, w)), v));
          }),
    enter("GELU of a layer",
          [](index_t s, auto compare) {
              auto const x = random({32 * s, 100}), w = random({100, 200});
              auto const b = random({200});
              compare(felt::gelu(matmul(x, w) + b));
          }),
    enter("gated layer",
          [](index_t s, auto compare) {
              auto const x = random({32 * s, 100}), w = random({100, 200}), v = random({100, 200});
              compare(sigmoid(matmul(x, w)) * matmul(x, v));
          }),
    enter("gates of one product",
          [](index_t s, auto compare) {
              auto const x = random({32 * s, 128}), w = random({128, 256});
              auto const z = matmul(x, w);
              compare(sigmoid(slice(z, felt::all(), felt::range(0, 128))) *
                      tanh(slice(z, felt::all(), felt::range(128, 256))));
          }),
    enter("residual",
          [](index_t s, auto compare) {
              auto const x = random({32 * s, 128}), w = random({128, 128});
              compare(x + relu(matmul(x, w)));
          }),
    enter("mean squared error",
          [](index_t s, auto compare) {
              auto const x = random({64 * s, 100}), w = random({100, 50}), y = random({64 * s, 50});
              compare(felt::mean(square(matmul(x, w) - y)));
          }),
};

bool const stencils[] = {
    enter("heat by rolls",
          [](index_t s, auto compare) {
              auto const u = random({100 * s, 128});
              compare(u + 0.1f * (felt::roll<0>(u, 1) + felt::roll<0>(u, -1) + felt::roll<1>(u, 1) +
                                  felt::roll<1>(u, -1) - 4 * u));
          }),
    enter("heat by slices",
          [](index_t s, auto compare) {
              auto const u = random({100 * s, 128});
              index_t const m = 100 * s, n = 128;
              auto const at = [&](index_t i, index_t j) {
                  return slice(u, felt::range(i, m - 2 + i), felt::range(j, n - 2 + j));
              };
              compare(at(1, 1) + 0.1f * (at(0, 1) + at(2, 1) + at(1, 0) + at(1, 2) - 4 * at(1, 1)));
          }),
    enter("moving average by cumsum",
          [](index_t s, auto compare) {
              auto const c = felt::cumsum<1>(random({32 * s, 1000}));
              compare((slice(c, felt::all(), felt::range(16, 1000)) -
                       slice(c, felt::all(), felt::range(0, 984))) /
                      16);
          }),
    enter("normalised uint8 images",
          [](index_t s, auto compare) {
              felt::Tensor<std::uint8_t, 4> x({2 * s, 64, 64, 3});
              x = felt::cast<std::uint8_t>(255 * felt::uniform<float>(x.extents(), 1));
              auto const mean = random({3}), scale = random({3}, 2);
              compare((felt::cast<float>(x) / 255 - mean) * scale);
          }),
};

}  // namespace
