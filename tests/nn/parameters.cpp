// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/nn/parameters.hpp>

using felt::index_t;

namespace {
struct network {
    felt::parameter_list list;
    felt::parameter<4, felt::ChannelsLast> w = list.add<felt::ChannelsLast>("w", {2, 3, 2, 2});
    felt::parameter<1> b = list.add("b", {2});
};
}  // namespace

TEST_CASE("parameters lie one behind another, each in its layout") {
    network const n;
    CHECK(n.list.size() == 26);
    CHECK(n.b.offset == 24);
    CHECK(n.list.entries().size() == 2);
    CHECK(n.list.entries()[1].name == "b");
    felt::Tensor<float, 1> theta({26});
    auto w = n.w.in(theta);
    w(1, 2, 0, 1) = 5;
    CHECK(theta(12 + 3 + 2) == 5);
    CHECK(w.strides() == felt::extents<4>{{12, 1, 6, 3}});
    CHECK(n.b.in(std::as_const(theta)).data() == theta.data() + 24);
}

TEST_CASE("an npz has them by name, row by row, and gives them back") {
    network const n;
    felt::Tensor<float, 1> theta({26}), back({26});
    theta = felt::iota<float>({26});
    felt::npz file;
    n.list.put(file, theta);
    CHECK(file.array("w").extents == std::vector<index_t>{2, 3, 2, 2});
    CHECK(file.values<float>("w")[1] == theta(3));  // element (0, 0, 0, 1)
    n.list.get(file, back);
    CHECK(felt::all_close(back, theta, 0, 0));
}

TEST_CASE("filters may lie in a file as rows, as those of PyTorch's Linear do") {
    network const n;
    felt::npz file;
    std::vector<float> w(24);
    for (std::size_t k = 0; k < w.size(); ++k) w[k] = static_cast<float>(k);
    file.put("w", {2, 12}, w);
    file.put("b", {2}, std::vector<float>{30, 31});
    felt::Tensor<float, 1> theta({26});
    n.list.get(file, theta);
    CHECK(n.w.in(std::as_const(theta))(1, 2, 0, 1) == 12 + 8 + 1);
    CHECK(theta(25) == 31);
    file.put("w", {3, 8}, w);
    CHECK_THROWS_AS(n.list.get(file, theta), felt::io_error);
}

TEST_CASE("what a file lacks, or has otherwise, is named, and nothing is read") {
    network const n;
    felt::Tensor<float, 1> theta({26}), small({25});
    felt::npz file;
    file.file = "some.npz";
    CHECK_THROWS_WITH_AS(n.list.get(file, theta), doctest::Contains("no array 'w'"),
                         felt::io_error);
    n.list.put(file, theta);
    file.put("b", {3}, std::vector<float>{1, 2, 3});
    theta = 7.f;
    CHECK_THROWS_WITH_AS(n.list.get(file, theta),
                         doctest::Contains("some.npz: array 'b' is (3), not (2)"), felt::io_error);
    CHECK(felt::all_close(theta, felt::full({26}, 7.f), 0, 0));
    file.put("b", {2}, std::vector<double>{1, 2});
    CHECK_THROWS_AS(n.list.get(file, theta), felt::io_error);
    CHECK_THROWS_AS(n.list.put(file, small), felt::shape_error);
}
