// SPDX-License-Identifier: BSD-3-Clause
//
// y = relu(w x + b) with a program that knows nothing but <felt/felt.hpp>.
#include <felt/core/version.hpp>
#include <felt/felt.hpp>
#include <iostream>
#include <string_view>

static_assert(std::string_view(FELT_VERSION) == EXPECTED_VERSION, "the package and its headers");
static_assert(FELT_VERSION_MAJOR == EXPECTED_MAJOR && FELT_VERSION_MINOR == EXPECTED_MINOR &&
              FELT_VERSION_PATCH == EXPECTED_PATCH);

int main() {
    auto const w = felt::Tensor<float, 2>::of({{1, 2}, {3, -4}});
    auto const x = felt::Tensor<float, 2>::of({{1, 2}, {1, 2}});
    auto const b = felt::Tensor<float, 2>::of({{0.5F}, {0.5F}});
    felt::Tensor<float, 2> y({2, 2});
    y = relu(matmul(w, x) + b);
    std::cout << y(0, 0) << ' ' << y(0, 1) << ' ' << y(1, 0) << ' ' << y(1, 1) << '\n';
    bool const right = y(0, 0) == 3.5F && y(0, 1) == 6.5F && y(1, 0) == 0.0F && y(1, 1) == 0.0F;
    return right ? 0 : 1;
}
