// SPDX-License-Identifier: BSD-3-Clause
//
// Loops that memory walks as one become one; neighbours are found on either index.
#include <doctest/doctest.h>
#include <felt/device.hpp>
#include <felt/device/tile/operand_order.hpp>

using namespace felt;
using device::loop_order;

namespace {

// The operand of x (rank R) with these rows and other loops, and its elements against x's.
template <class X>
auto checked(X const& x, loop_order const& row, loop_order const& other) {
    constexpr std::size_t R = rank_of<X>;
    device::forms<R> all{x.extents()};
    auto const n = as_node(x);
    auto const t = device::term(n, device::own_loops<R>(), all);
    REQUIRE(all.are_small());
    auto const op = device::make_operand<R, R>(t, all, {}, row, other);
    auto const extent = [&](loop_order const& o) {
        index_t e = 1;
        for (auto l : o) e *= x.extents()[l];
        return e;
    };
    auto const index = [&](loop_order const& o, index_t number, extents<R>& at) {
        for (std::size_t i = o.size(); i-- > 0; number /= x.extents()[o[i]]) {
            at[o[i]] = number % x.extents()[o[i]];
        }
    };
    for (index_t r = 0; r < extent(row); ++r) {
        for (index_t k = 0; k < extent(other); ++k) {
            extents<R> at{};
            index(row, r, at), index(other, k, at);
            auto const i = static_cast<int>(r), j = static_cast<int>(k);
            if (op.whole && op.term.whole && (op.along_rows ? i : j) % 4 != 0) continue;
            int const left = static_cast<int>(op.along_rows ? extent(row) - r : extent(other) - k);
            auto const p = op.load(0, op.start(0) + op.row.at(i), i, j, op.whole ? 1 : left);
            CHECK(p.v[0] == x.data()[device::along(device::own_loops<R>(), x.strides())(at)]);
        }
    }
    return op;
}

}  // namespace

TEST_CASE("axes that lie one in another are one digit") {
    Tensor<float, 3, Device> x({4, 6, 8});
    x = normal<float>(x.extents(), 1);
    auto const rows = checked(x, {0, 1}, {2});
    CHECK(rows.row.digits.extent[2].by == 24);
    CHECK_FALSE(rows.along_rows);
    CHECK(rows.whole);
    CHECK(rows.term.whole);
    auto const apart = checked(x, {0, 2}, {1});
    CHECK(apart.row.digits.extent[2].by == 8);
    CHECK(apart.row.digits.extent[1].by == 4);
    CHECK(apart.along_rows);
    CHECK(apart.term.whole);
}

TEST_CASE("neighbours that straddle digits, or lie on no packet") {
    Tensor<float, 3, Device> x({3, 4, 5});
    x = normal<float>(x.extents(), 1);
    auto const straddling = checked(x, {1, 2}, {0});
    CHECK(straddling.along_rows);
    CHECK_FALSE(checked(x, {0, 2}, {1}).whole);
    CHECK_FALSE(checked(x, {2}, {0, 1}).term.whole);
}

TEST_CASE("numbers beyond 31 bits are found") {
    leaf<float, 2, Device> const huge{nullptr, {{1 << 20, 1 << 12}}, {{1 << 12, 1}}};
    device::forms<2> all{huge.e};
    (void)device::term(huge, device::own_loops<2>(), all);
    CHECK_FALSE(all.are_small());
}
