// SPDX-License-Identifier: BSD-3-Clause
//
// Statements as people write them, in which something is read in several loops. Whoever fuses all
// of them without asking is up to thousands of times slower in some.
#include "of_people.hpp"

namespace {

using namespace bench::people;

auto normalised(auto const& x) {
    auto const mean = felt::mean<0, 2, 3>(x, keepdims);
    return (x - mean) / sqrt(felt::var<0, 2, 3>(x, keepdims) + 0.1f);
}

bool const products[] = {
    enter("sum0(softmax1(a (a' a)))",
          [](index_t s, auto compare) {
              auto const a = random({s * 256, 256});
              auto const p = matmul(a, matmul(transpose(a), a)) / 16;
              compare(felt::sum<0>(felt::softmax<1>(p)));
          }),
    enter("softmax1(matmul), rows of 3",
          [](index_t s, auto compare) {
              auto const b = random({5, 1024 * s, 8, 3}), c = random({5, 1024 * s, 3, 3});
              compare(felt::softmax<1>(matmul(b, c)));
          }),
    enter("attention",
          [](index_t s, auto compare) {
              auto const q = random({4 * s, 256, 64});
              auto const scores = felt::softmax<-1>(matmul(q, felt::permute<0, 2, 1>(q)) / 8.f);
              compare(matmul(scores, q));
          }),
    enter("attention of many keys",
          [](index_t s, auto compare) {
              auto const q = random({256 * s, 64});
              compare(matmul(felt::softmax<-1>(matmul(q, transpose(q)) / 8.f), q));
          }),
    enter("max1(attention)",
          [](index_t s, auto compare) {
              auto const q = random({8 * s, 128, 32});
              auto const scores = felt::softmax<-1>(matmul(q, felt::permute<0, 2, 1>(q)) / 6.f);
              compare(felt::max<1>(matmul(scores, q)));
          }),
    enter("matmul(x - mean0(x), w)",
          [](index_t s, auto compare) {
              auto const x = random({16 * s, 100, 64}), w = random({16 * s, 64, 8});
              compare(matmul(x - felt::mean<0>(x, keepdims), w));
          }),
    enter("matmul(p, expand(einsum))",
          [](index_t s, auto compare) {
              auto const p = random({64, 8 * s, 1});
              auto const f = random({64, 48, 40}), g = random({48, 100, 40});
              compare(matmul(p, felt::expand_dims<1>(felt::einsum<"aed,ebd->ab">(f, g))));
          }),
    enter("cross-entropy of a product",
          [](index_t s, auto compare) {
              auto const x = random({64 * s, 64}), w = random({64, 4000});
              compare(felt::sum(felt::logsumexp<1>(matmul(x, w))));
          }),
    enter("LSTM cell",
          [](index_t s, auto compare) {
              auto const x = random({32 * s, 128}), w = random({512, 128});
              auto const c = random({32 * s, 128});
              auto const z = matmul(x, transpose(w));
              auto const gate = [&](int n) {
                  return slice(z, felt::all(), felt::range(n * 128, n * 128 + 128));
              };
              compare(sigmoid(gate(3)) *
                      tanh(sigmoid(gate(1)) * c + sigmoid(gate(0)) * tanh(gate(2))));
          }),
};

bool const reductions[] = {
    enter("max1(mean01(logsumexp1))",
          [](index_t s, auto compare) {
              auto const x = random({7, 7, 16 * s + 1, 33, 7});
              compare(felt::max<1>(felt::mean<0, 1>(felt::logsumexp<1>(x))));
          }),
    enter("var0 of a normalisation",
          [](index_t s, auto compare) {
              auto const y = random({1024 * s, 3, 17, 2});
              auto const mean = felt::mean<0, 1>(y, keepdims);
              compare(felt::var<0>((y - mean) / sqrt(felt::var<0, 1>(y, keepdims) + .1f)));
          }),
    enter("x - mean1(x)",
          [](index_t s, auto compare) {
              auto const z = random({512 * s, 8192});
              compare(z - felt::mean<1>(z, keepdims));
          }),
    enter("layer norm",
          [](index_t s, auto compare) {
              auto const z = random({512 * s, 8192});
              auto const mean = felt::mean<1>(z, keepdims);
              compare((z - mean) / sqrt(felt::var<1>(z, keepdims) + 1e-5f));
          }),
    enter("x * tanh(exp(row) * erf(row))",
          [](index_t s, auto compare) {
              auto const x = random({256 * s, 1000});
              auto const row = random({1000});
              compare(x * tanh(exp(row) * erf(row)));
          }),
};

bool const views[] = {
    enter("gather0(softmax0)",
          [](index_t s, auto compare) {
              auto const x = random({512 * s, 256});
              felt::Tensor<int, 1> which({512 * s});
              for (index_t k = 0; k < 512 * s; ++k) which(k) = static_cast<int>(k * 77 % (512 * s));
              compare(felt::gather<0>(felt::softmax<0>(x), which));
          }),
    enter("scatter1(x - mean13(x))",
          [](index_t s, auto compare) {
              auto const y = random({8 * s, 64, 28, 28});
              felt::Tensor<int, 1> where({64});
              for (int k = 0; k < 64; ++k) where(k) = k * 7 % 32;
              felt::extents<4> const to{{8 * s, 32, 28, 28}};
              compare(felt::scatter_add<1>(to, where, y - felt::mean<1, 3>(y, keepdims)));
          }),
    enter("scatter1(max pool)",
          [](index_t s, auto compare) {
              auto const y = random({8 * s, 64, 28, 28});
              felt::Tensor<int, 1> where({64});
              for (int k = 0; k < 64; ++k) where(k) = k * 7 % 32;
              felt::extents<4> const to{{8 * s, 32, 14, 14}};
              auto const pool = felt::max_pool2d(y, {.window = {2, 2}, .stride = {2, 2}});
              compare(felt::scatter_add<1>(to, where, pool));
          }),
    enter("max pool of batch norm",
          [](index_t s, auto compare) {
              auto const z = random({16 * s, 16, 32, 32});
              compare(felt::max_pool2d(normalised(z), {.window = {2, 2}, .stride = {2, 2}}));
          }),
    enter("mean pool of batch norm",
          [](index_t s, auto compare) {
              auto const z = random({16 * s, 16, 32, 32});
              compare(felt::avg_pool2d(normalised(z), {.window = {3, 3}, .stride = {2, 2}}));
          }),
    enter("sum(windows(u) * k)",
          [](index_t s, auto compare) {
              auto const u = random({256 * s, 512}), k = random({3, 3});
              compare(felt::sum<-2, -1>(felt::windows(u, {3, 3}) * k));
          }),
};

bool const filters[] = {
    enter("blur and Sobel",
          [](index_t s, auto compare) {
              auto const x = random({2 * s, 1, 512, 512}), k = random({1, 1, 5, 5});
              auto const h = random({1, 1, 3, 3}, 2), v = random({1, 1, 3, 3}, 3);
              auto const blurred = felt::conv2d(x, k, {.padding = {2, 2}});
              auto const dx = felt::conv2d(blurred, h, {.padding = {1, 1}});
              auto const dy = felt::conv2d(blurred, v, {.padding = {1, 1}});
              compare(sqrt(dx * dx + dy * dy));
          }),
    enter("max pool of relu of conv2d",
          [](index_t s, auto compare) {
              auto const x = random({4 * s, 16, 32, 32}), k = random({32, 16, 3, 3});
              auto const c = felt::conv2d(x, k, {.padding = {1, 1}});
              compare(felt::max_pool2d(relu(c), {.window = {2, 2}, .stride = {2, 2}}));
          }),
    enter("mean pool of sigmoid of conv2d",
          [](index_t s, auto compare) {
              auto const x = random({32 * s, 1, 28, 28}), k = random({8, 1, 9, 9});
              auto const c = sigmoid(felt::conv2d(x, k, {}));
              compare(felt::avg_pool2d(c, {.window = {2, 2}, .stride = {2, 2}}));
          }),
    enter("conv2d of relu of batch norm",
          [](index_t s, auto compare) {
              auto const z = random({4 * s, 32, 28, 28}), k = random({32, 32, 3, 3});
              compare(felt::conv2d(relu(normalised(z)), k, {.padding = {1, 1}}));
          }),
};

}  // namespace
