// SPDX-License-Identifier: BSD-3-Clause
//
// Equal nodes share what is held where they are asked for the same elements, and only there.
#include "tests/plan/asked.hpp"
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::planning::kind;
using felt::planning::node_id;
using test::nowhere;

namespace {

constexpr index_t m = 5000, n = 3000, k = 20;

auto product() { return matmul(nowhere(1, {m, k}), nowhere(2, {k, n})); }

// How many products of y = e hold a box of their own.
template <class E>
int held(E const& e) {
    auto const extents = e.extents();
    felt::View<float, E::rank> const y(reinterpret_cast<float*>(std::uintptr_t{9} << 40), extents,
                                       felt::RowMajor::strides(extents));
    auto const s = assign(y, e);
    auto const p = felt::explain(s);
    int boxes = 0;
    for (node_id id : p.g.nodes.ids()) {
        boxes += p.g[id].what == kind::contract && test::scratch_of(p, id) > 0;
    }
    return boxes;
}

}  // namespace

TEST_CASE("the same elements in the same loops are held once") {
    CHECK(held(product() * sigmoid(product())) == 1);
    CHECK(held(transpose(product()) + sqrt(transpose(product()))) == 1);
    CHECK(held(felt::sum<1>(product() * product())) == 1);
    CHECK(held(felt::detail::once(product() + 1) * product()) == 1);
}

TEST_CASE("neighbours, and what is summed beside what is not, are held apart") {
    auto const part = [](index_t i, index_t j) {
        return slice(product(), felt::range(i, m - 1 + i), felt::range(j, n - 1 + j));
    };
    CHECK(held(part(0, 0) + part(0, 0)) == 1);
    CHECK(held(part(0, 0) + part(0, 1)) == 0);  // twice is too often: it is computed first
    CHECK(held(part(0, 0) + part(1, 0)) == 0);
    CHECK(held(felt::sum<0>(product()) + product()) != 1);  // or it is computed first
}

TEST_CASE("under a sum of sums the inner node is read in loops that both share") {
    auto const s = assign(nowhere(9, {1}), felt::sum(felt::logsumexp<1>(product())));
    auto const p = felt::explain(s);
    int maxima = 0;
    for (node_id id : p.g.nodes.ids()) {
        maxima += p.g[id].name == std::string_view("max") && test::scratch_of(p, id) > 0;
    }
    CHECK(maxima == 1);
}
