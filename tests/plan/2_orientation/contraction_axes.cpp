// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

using felt::index_t;
using felt::planning::contract_roles;
using felt::planning::plan;

namespace {

template <class Layout>
using images = felt::Tensor<float, 4, felt::Host, Layout>;

std::vector<int> list(int const* label, int count) { return {label, label + count}; }

// The plan of relu(conv2d(x, w)), and the product's roles in it.
struct planned {
    plan p;
    felt::planning::node_id id;
    contract_roles roles;
};
template <class Layout, class F>
planned of_convolution(index_t padding, F check) {
    images<Layout> const x({2, 32, 12, 12}), w({48, 32, 3, 3});
    index_t const n = 10 + 2 * padding;
    images<Layout> y({2, 48, n, n});
    auto const s = assign(y, relu(conv2d(x, w, {.padding = {padding, padding}})));
    planned r{felt::explain(s), 1, {}};
    r.roles = felt::planning::roles_of(r.p.g, r.p.s, 1);
    check(r);
    return r;
}

}  // namespace

TEST_CASE("labels of a matrix product are rows, columns and shared") {
    felt::Tensor<float, 2> const a({40, 50}), b({50, 60});
    felt::Tensor<float, 2> y({40, 60});
    auto const s = assign(y, matmul(a, b) + 1);
    auto const p = felt::explain(s);
    auto const r = felt::planning::roles_of(p.g, p.s, 1);
    CHECK(list(r.row, r.rows) == std::vector<int>{0});
    CHECK(list(r.column, r.columns) == std::vector<int>{1});
    CHECK(list(r.shared, r.shareds) == std::vector<int>{2});
    CHECK(r.batches == 0);
    CHECK(felt::planning::detail::lies_in_place(p.g, p.s, 1, r, 0));
    CHECK(felt::planning::detail::lies_in_place(p.g, p.s, 1, r, 1));
    CHECK(felt::planning::detail::memory_below(p.g, 2) == felt::planning::node_id(2));
}

// Labels of conv2d: n o p q | g c r s.
TEST_CASE("channels that lie together are the last shared terms, pixels the rows") {
    of_convolution<felt::ChannelsLast>(0, [](planned const& r) {
        CHECK(list(r.roles.column, r.roles.columns) == std::vector<int>{1});
        CHECK(list(r.roles.row, r.roles.rows) == std::vector<int>{0, 2, 3});
        CHECK(list(r.roles.shared, r.roles.shareds) == std::vector<int>{4, 6, 7, 5});
        CHECK(felt::planning::detail::lies_in_place(r.p.g, r.p.s, r.id, r.roles, 0));
        CHECK(!r.p.s[r.id].left_boxed);
    });
    of_convolution<felt::RowMajor>(0, [](planned const& r) {
        CHECK(list(r.roles.shared, r.roles.shareds).back() == 7);
        CHECK(felt::planning::detail::lies_in_place(r.p.g, r.p.s, r.id, r.roles, 0));
    });
}

TEST_CASE("padded images are read from a box, which is made ready for all of a filter") {
    of_convolution<felt::ChannelsLast>(1, [](planned const& r) {
        auto const& f = r.p.s[r.id];
        CHECK(f.left_boxed);
        CHECK((f.boxed_whole & (1U << 6 | 1U << 7)) == (1U << 6 | 1U << 7));
        CHECK((f.boxed_whole & 1U << 5) == 0);
        CHECK(felt::planning::detail::lies_in_box(r.p.g, r.p.g.operand(r.id, 0)));
        CHECK(!felt::planning::detail::lies_in_box(r.p.g, r.p.g.operand(r.id, 1)));
    });
}
