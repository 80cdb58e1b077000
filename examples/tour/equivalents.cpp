// SPDX-License-Identifier: BSD-3-Clause
//
// The lines of docs/18_equivalents.md, which stands beside those of four other libraries.
#include "check.hpp"
#include <felt/felt.hpp>
#include <felt/sorting.hpp>
#include <cmath>
#include <vector>

using namespace felt;

namespace {

bool close(float a, float b) { return std::abs(a - b) < 1e-5F; }

void making() {
    Tensor<float, 2> x({3, 4});
    x = 2;
    Tensor<float, 1> v = arange<float>(4);
    check(x(2, 3) == 2 && v(3) == 3, "tensors are filled");
    x = uniform<float>({3, 4}, 1);
    check(x(0, 0) >= 0 && x(0, 0) < 1 && x(0, 0) != x(0, 1), "random numbers lie in [0, 1)");
    std::vector<float> memory(12, 1.F);
    float* const p = memory.data();
    auto m = view(p, {3, 4});
    m = m + 1;
    check(memory[11] == 2, "a view writes to memory of others");
}

void parts(Tensor<float, 2> const& x, Tensor<float, 2> const& y) {
    check(x(1, 2) == 6, "an element");
    check(sum(slice(x, 1, all())) == 4 + 5 + 6 + 7, "a row");
    check(sum(slice(x, range(0, 2), range(1, 3))) == 1 + 2 + 5 + 6, "a block");
    check(eval(flip<1>(x))(0, 0) == 3, "columns in reverse");
    check(eval(transpose(x))(2, 1) == 6, "the transpose");
    check(eval(reshape(x, {2, 6}))(1, 0) == 6, "rows of six");
    check(eval(concat<0>(x, y))(3, 0) == y(0, 0), "one below the other");
    auto const k = Tensor<index_t, 1>::of({3, 0});
    check(eval(gather<1>(x, k))(2, 0) == 11, "columns by indices");
}

void elementwise(Tensor<float, 2> const& x, Tensor<float, 2> const& y, Tensor<float, 1> const& v) {
    check(close(eval(exp(x) * y + 1)(0, 1), std::exp(1.F) * y(0, 1) + 1), "a chain");
    check(eval(x + v)(2, 3) == 14, "a vector along each row");
    check(eval(where(x > 4, x, 0.5f * x))(0, 2) == 1, "a choice");
    check(eval(clip(x, 1, 2))(2, 0) == 2, "within bounds");
    check(eval(map([](float a) { return a * a; }, x))(0, 3) == 9, "a function of one's own");
}

void reductions(Tensor<float, 2> const& x) {
    check(sum(x) == 66, "all elements");
    check(eval(sum<1>(x))(1) == 22, "rows");
    check(eval(x - mean<1>(x, keepdims))(0, 0) == -1.5F, "rows about their mean");
    check(eval(argmax<1>(x))(2) == 3, "where the largest are");
    check(close(sum(softmax<1>(x)), 3), "each row adds up to 1");
    check(eval(cumsum<1>(x))(0, 3) == 6, "running sums");
    check(sort<1>(-x)(0, 0) == -3, "rows in order");
}

void products(Tensor<float, 2> const& x, Tensor<float, 2> const& y, Tensor<float, 1> const& v) {
    Tensor<float, 2> const c = transpose(y);
    Tensor<float, 2> const a = matmul(x, c);
    Tensor<float, 2> const b = einsum<"ij,kj->ik">(x, y);
    check(all_close(a, b), "two ways to write a product");
    check(eval(matmul(x, v))(0) == 14 && eval(outer(v, v))(2, 3) == 6 && dot(v, v) == 14,
          "vectors");
}

void running(Tensor<float, 2> const& x) {
    Tensor<float, 2> y({3, 4});
    Tensor<float, 1> s({3});
    y = exp(x) + 1;
    y += x;
    check(close(y(0, 1), std::exp(1.F) + 2), "into memory that is there");
    fuse(assign(y, sqrt(x)), assign(s, sum<1>(x)));
    check(y(1, 0) == 2 && s(0) == 6, "two results");
}

}  // namespace

int main() {
    Tensor<float, 2> const x = reshape(arange<float>(12), {3, 4});
    Tensor<float, 2> const y = x / 8 + 1;
    Tensor<float, 1> const v = arange<float>(4);
    making();
    parts(x, y);
    elementwise(x, y, v);
    reductions(x);
    products(x, y, v);
    running(x);
    return failures != 0;
}
