// SPDX-License-Identifier: BSD-3-Clause
//
// Built with a linker that folds equal functions into one: two expressions that differ by nothing
// but the type of a function are two all the same.
#include <felt/felt.hpp>
#include <cmath>
#include <cstdio>

namespace {

int failures = 0;

void check(float got, double want, char const* what) {
    if (std::abs(got - want) <= 1e-4 * std::abs(want)) return;
    std::printf("%s: %g instead of %g\n", what, static_cast<double>(got), want);
    ++failures;
}

}  // namespace

int main() {
    felt::Tensor<float, 1> x({100});
    x = felt::uniform<float>(x.extents(), 1) + 1.f;
    double exps = 0, logs = 0;
    for (felt::index_t i = 0; i < x.extent(0); ++i) {
        exps += std::exp(static_cast<double>(x(i)));
        logs += std::log(static_cast<double>(x(i)));
    }
    check(sum(exp(x)) + sum(log(x)), exps + logs, "two functions");
    felt::Tensor<float, 0> a, b;
    felt::fuse(assign(a, sum(exp(x))), assign(b, sum(log(x))));
    check(a() + b(), exps + logs, "two statements");
    run(felt::unfused, assign(a, sum(exp(x)) + sum(log(x))));
    check(a(), exps + logs, "two functions, unfused");
    check(sum(map([](auto v) { return v + 1; }, x)) - sum(map([](auto v) { return v - 1; }, x)),
          200, "two lambdas");
    return failures != 0;
}
