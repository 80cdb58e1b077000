// SPDX-License-Identifier: BSD-3-Clause
//
// The one include for programs that use both libraries: what its head comment shows.
#include <felt/felt.hpp>
#include <felt/xtensor.hpp>
#include <doctest/doctest.h>

TEST_CASE("one include brings arrays in, tensors out, and files") {
    xt::xtensor<float, 2> a = {{1, 2}, {3, 4}};
    auto y = felt::Tensor<float, 2>::of({{1, 0}, {0, 1}});
    y = felt::matmul(a, y) + xt::view(a, xt::all(), xt::newaxis(), 0);
    CHECK(y(0, 1) == 3);
    felt::fuse(felt::assign(a, felt::exp(y - y)));
    CHECK(a == xt::ones<float>({2, 2}));
    y = felt::view<2>(xt::view(a, xt::all(), xt::all())) * 4.f;
    xt::xtensor<float, 2> const z = 2.f * felt::to_xtensor(y);
    CHECK(z(1, 1) == 8);
    auto const file = std::filesystem::temp_directory_path() /
                      ("felt_" + std::to_string(reinterpret_cast<std::uintptr_t>(&y)) + ".npy");
    felt::save_npy(file.string(), z);
    CHECK(felt::load_npy<float, 2>(file.string())(1, 1) == 8);
    std::filesystem::remove(file);
}
