// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::extents;
using felt::index_t;
using felt::host::memory_order;
using felt::host::value_strides;
using felt::host::detail::strides_like;

TEST_CASE("dense strides in the order of others") {
    extents<3> const e{{4, 5, 6}}, of{{8, 9, 10}}, step{{1, 80, 8}}, gaps{{100, 5, 1}};
    CHECK(strides_like(e, {3, of.value, step.value}) == extents<3>{{1, 24, 4}});
    CHECK(strides_like(e, {3, of.value, gaps.value}) == extents<3>{{30, 6, 1}});
    extents<3> const one{{8, 1, 10}}, repeated{{0, 1, 10}};
    CHECK(strides_like(e, {3, one.value, step.value}) == extents<3>{{1, 24, 4}});
    CHECK(strides_like(e, {3, of.value, repeated.value})[0] == 30);
    CHECK(strides_like(extents<0>{}, {0, nullptr, nullptr}) == extents<0>{});
}

namespace {
template <class E, std::size_t R>
extents<R> order_of(E const& node, extents<R> const& e, memory_order const& to) {
    felt::planning::graph g;
    felt::planning::describe(node, g);
    return value_strides(g, 0, e, to);
}
}  // namespace

TEST_CASE("values lie as operands of their extents do, else as results, else as what is largest") {
    felt::Tensor<float, 4, felt::Host, felt::ChannelsLast> x({2, 3, 4, 5});
    felt::Tensor<float, 4> y({2, 3, 4, 5}), w({7, 3, 1, 1}), b({1, 3, 1, 1});
    auto const images = felt::ChannelsLast::strides(x.extents());
    auto const rows_e = y.extents(), rows_step = y.strides();
    memory_order const rows{4, rows_e.value, rows_step.value};
    auto const map = felt::as_node(x * b + b);
    CHECK(order_of(map, x.extents(), rows) == images);
    auto const conv = felt::as_node(conv2d(x, w));
    extents<4> const results{{2, 7, 4, 5}};
    felt::Tensor<float, 4, felt::Host, felt::ChannelsLast> z(results);
    auto const step = z.strides();
    memory_order const to{4, results.value, step.value};
    CHECK(order_of(conv, results, to) == z.strides());
    memory_order const none{};
    CHECK(order_of(felt::as_node(x * 2), felt::extents<4>{{1, 3, 4, 5}}, none)[1] == 1);
    auto const numbers = felt::as_node(felt::iota<float>({6}) + 1);
    CHECK(order_of(numbers, extents<1>{{6}}, none) == extents<1>{{1}});
}

TEST_CASE("an unfused run gives what the fused one gives, in any order of memory") {
    felt::Tensor<float, 4, felt::Host, felt::ChannelsLast> x({2, 3, 6, 5}), y(x.extents());
    felt::Tensor<float, 4> b({1, 3, 1, 1}), z(x.extents());
    x = felt::uniform<float>(x.extents(), 1);
    b = felt::uniform<float>(b.extents(), 2);
    auto const e = relu(x * b - 0.5f) + permute<0, 1, 3, 2>(reshape(x, {2, 3, 5, 6}));
    run(felt::unfused, assign(y, e));
    run(felt::fused, assign(z, e));
    CHECK(felt::all_close(y, z, 1e-6, 1e-6));
}
