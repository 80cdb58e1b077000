// SPDX-License-Identifier: BSD-3-Clause
//
// A plan has for each node what its type says.
#include "tests/device/same.hpp"

using namespace felt;

namespace {

// Every node of n is computed first in the plan if it is so by its type.
template <class How, class N>
void compare(device::plan const& p, N const& n, planning::node_id id) {
    CAPTURE(p.g[id].name);
    CHECK(device::is_stage(p, id) == device::is_computed_first<How, N>);
    CHECK(device::stands_alone(p, id) == device::never_streams<N>);
    CHECK(p[id].may_run_in_order == device::may_run_on<N, N::rank, How>());
    planning::node_id x = id + 1;
    auto const below = [&](auto const& y) {
        compare<How>(p, y, x);
        x = p.g[x].end;
    };
    apply([&](auto const&... y) { (below(y), ...); }, n.operands());
}

template <class D, class E>
void compare_rules(D& y, E const& e) {
    auto const s = lower(assign(y, e));
    compare<fused_t>(device::make_plan(fused, s), s.expression, 0);
    compare<unfused_t>(device::make_plan(unfused, s), s.expression, 0);
}

}  // namespace

TEST_CASE("what is computed first, and what may be walked in order, by its type") {
    Tensor<float, 4, Device> p({2, 3, 8, 8}), q({2, 3, 4, 4});
    Tensor<float, 2, Device> x({6, 8}), y({6, 8});
    Tensor<int, 1, Device> at({6});
    compare_rules(q, max_pool2d(sigmoid(p)) + 1);
    compare_rules(y, softmax<1>(x) * 2 + flip<0>(x));
    compare_rules(y, gather<0>(concat<0>(x, x + 1), at) + reshape(x, {6, 8}));
    compare_rules(
        y, scatter_add<0>({6, 8}, at, x) + pad(slice(x, range(1, 6), all()), {{0, 1}, {0, 0}}));
    compare_rules(y, uniform<float>({6, 8}, 1) + clip(x, 0, 1) + full({6, 8}, 2.f));
    compare_rules(y, detail::once(exp(x)) + transpose(transpose(x)));
}
