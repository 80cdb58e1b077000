// SPDX-License-Identifier: BSD-3-Clause
//
// How a product is cut, and what does not fit.
#include "tests/device/tile/emulated.hpp"

using namespace felt;

TEST_CASE("sums are split where there are few tiles, in parts that are long enough") {
    using way = device::simt<float, 128, 128, 8, 8, 8>;
    auto const large = device::grid_of<way>(1, 4096, 4096, 4096);
    CHECK(large.splits == 1);
    CHECK(large.blocks() == 32 * 32);
    auto const deep = device::grid_of<way>(1, 100, 100, 100000);
    CHECK(deep.splits > 100);
    CHECK(deep.terms_each % way::depth == 0);
    CHECK(deep.splits * deep.terms_each >= 100000);
    CHECK((deep.splits - 1) * deep.terms_each < 100000);
    CHECK(device::grid_of<way>(1, 100, 100, 100).splits == 1);
}

TEST_CASE("every tile of a grid is somebody's task, once") {
    device::tile_grid const g{3, 1000, 300, 64, 2, 32, 16, 5};
    std::vector<int> seen(16 * 5 * 3 * 2);
    for (int b = 0; b < g.blocks(); ++b) {
        auto const t = device::tile_task::of(g, b, 64, 64);
        int const tile = t.row / 64 * 5 + t.column / 64;
        ++seen[static_cast<std::size_t>((tile * 3 + t.batch) * 2 + t.split)];
    }
    CHECK(std::count(seen.begin(), seen.end(), 1) == g.blocks());
}

TEST_CASE("a border along three axes is not for this program, and too much is an error") {
    Tensor<float, 3, Device> x({2, 3, 4}), w({2, 4, 5}), y({4, 5, 5});
    Tensor<float, 3, Device> const v({4, 6, 5});
    auto const s = lower(assign(y, matmul(pad(x, {{1, 1}, {1, 1}, {1, 1}}), v)));
    auto const never = [](auto const&...) { FAIL("it ran"); };
    device::for_each_product(s.expression, device::own_loops<3>(), [&](auto& p, auto& m) {
        CHECK_FALSE(device::multiply(never, test::target_of(s), test::product_at(p, m)));
    });
    auto const huge = view<RowMajor, Device>(x.data(), {1 << 20, 1 << 12});
    auto const out = view<RowMajor, Device>(x.data(), {1 << 20, 2});
    Tensor<float, 2, Device> b({1 << 12, 2});
    auto const t = lower(assign(out, matmul(huge, b)));
    device::for_each_product(t.expression, device::own_loops<2>(), [&](auto& p, auto& m) {
        CHECK_THROWS_AS(device::multiply(never, test::target_of(t), test::product_at(p, m)),
                        device_error);
    });  // Nor pictures of which a border finds only some elements, which lie further apart than
         // that.
    auto const picture = view<RowMajor, Device>(x.data(), {1, 1, 1 << 16, 1 << 16});
    Tensor<float, 4, Device> const filter({1, 1, 3, 3});
    auto const border = conv2d(picture, filter, {.stride = {1 << 15, 1 << 15}, .padding = {1, 1}});
    auto const few = view<RowMajor, Device>(x.data(), {1, 1, 2, 2});
    auto const c = lower(assign(few, border));
    device::for_each_product(c.expression, device::own_loops<4>(), [&](auto& p, auto& m) {
        CHECK_THROWS_AS(device::multiply(never, test::target_of(c), test::product_at(p, m)),
                        device_error);
    });
}
