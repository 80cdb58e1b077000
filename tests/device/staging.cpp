// SPDX-License-Identifier: BSD-3-Clause
//
// Launches that compute a node into memory.
#include "tests/device/same.hpp"

using namespace felt;
using device::form;

TEST_CASE("stages come before what reads them, the deepest first, with loops of their own") {
    Tensor<float, 3, Device> x({4, 5, 6}), y({4, 5, 6});
    auto const s = lower(assign(y, x - sum<0, 2>(x * max<0>(x), keepdims)));
    auto const p = device::make_plan(fused, s);
    REQUIRE(p.launch.size() == 3);
    auto const name = [&](device::launch_id i) { return std::string(p.g[p.launch[i].node].name); };
    CHECK(name(0) == "max");
    CHECK(name(1) == "sum");
    CHECK(!p.launch[2].node);
    auto const loops = [&](device::launch_id i) {
        auto const& w = p.launch[i].loops;
        return std::vector(w.extent, w.extent + w.rank);
    };
    CHECK(loops(0) == std::vector<index_t>{1, 30, 4});  // the maximum of 4, at each of 30
    CHECK(p.launch[0].loops.kept == 2);
    CHECK(loops(1) == std::vector<index_t>{5, 4, 6});
    CHECK(loops(2) == std::vector<index_t>{4, 5, 6});
    CHECK(p.launch[0].how == form::parts);
}

TEST_CASE("an unfused run has a launch for each function, in order") {
    Tensor<float, 2, Device> x({4, 5}), y({4, 5});
    auto const p = device::make_plan(unfused, lower(assign(y, exp(x) * exp(x) + flip<0>(y))));
    std::string names;
    for (auto const& l : p.launch) names += l.node ? std::string(p.g[l.node].name) + " " : "y ";
    CHECK(p.launch[0].how == form::transform);
    CHECK(names.find("exp * ") == 0);
}
