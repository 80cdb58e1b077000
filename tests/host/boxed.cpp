// SPDX-License-Identifier: BSD-3-Clause
//
// What is not streamed is computed once for every box, also where several readers want it.
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;

namespace {

long calls = 0;

struct counted {
    float operator()(float x) const {
        ++calls;
        return x + 1;
    }
};

// How often counted is called while `run` runs.
template <class F>
long calls_of(F&& run) {
    calls = 0;
    run();
    return calls;
}

}  // namespace

TEST_CASE("a product that is read twice is computed once") {
    felt::Tensor<float, 2> a({32, 64}), b({64, 48}), y({32, 48});
    a = 1.f;
    b = 2.f;
    auto const once = matmul(felt::map(counted{}, a), b);
    CHECK(calls_of([&] { y = once * 2; }) == 32 * 64);
    CHECK(calls_of([&] { y = once * sigmoid(once) + once; }) == 32 * 64);
    CHECK(calls_of([&] { y = once - felt::mean<0>(once); }) == 32 * 64);
    CHECK(y(31, 47) == 0);
}

TEST_CASE("a full sum that every block needs is computed once") {
    felt::Tensor<float, 2> x({640, 512}), y({512, 640});
    x = 0.f;
    long const n = 640 * 512;
    CHECK(calls_of([&] { y = transpose(x) + felt::sum(felt::map(counted{}, x)); }) == n);
    CHECK(y(511, 639) == static_cast<float>(n));
}

TEST_CASE("the column sums of a matrix are computed once for all rows") {
    felt::Tensor<float, 2> x({3000, 64}), y({3000, 64});
    x = 0.f;
    CHECK(calls_of([&] { y = x + felt::sum<0>(felt::map(counted{}, x)); }) == 3000 * 64);
    CHECK(y(2999, 63) == 3000);
}

TEST_CASE("halo rows of a window are computed at most one and a half times") {
    felt::Tensor<float, 2> x({400, 320});
    x = 1.f;
    felt::Tensor<float, 2> y({398, 320});
    auto const w = windows(felt::map(counted{}, x), {3, 1});
    long const n = calls_of([&] { y = felt::sum<2, 3>(w); });
    CHECK(n >= 400 * 320);
    CHECK(n <= 400 * 320 * 3 / 2);
    CHECK(y(397, 319) == 6);
}

TEST_CASE("what is hoisted is an intermediate only where it is large") {
    felt::Tensor<float, 2> const a({3000, 3000}), b({3000, 3000}), c({3000, 3000});
    felt::Tensor<float, 2> y({3000, 3000});
    auto const nested = felt::explain(assign(y, matmul(matmul(a, b), matmul(b, c))));
    CHECK_FALSE(nested.intermediates().empty());
    auto const bias = felt::explain(assign(y, matmul(a, b) + felt::mean(c)));
    CHECK(bias.intermediates().empty());
}
