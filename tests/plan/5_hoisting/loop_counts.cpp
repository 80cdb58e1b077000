// SPDX-License-Identifier: BSD-3-Clause
//
// How often the plan says that elements are computed, against what a watch counts when it runs.
#include "tests/plan/asked.hpp"
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <string>

using felt::index_t;
using felt::keepdims;
using felt::planning::node_id;
using felt::planning::plan;
using felt::planning::way;
using test::numbered;

namespace {

using matrix = felt::Tensor<float, 2>;
using images = felt::Tensor<float, 4>;

// Every node with loops of its own computes its elements as often as stated, to a tenth.
template <class E>
void check_counts(E const& e) {
    felt::Tensor<felt::value_of<E>, felt::rank_of<E>> y(e.extents());
    auto const s = assign(y, e);
    plan const p = felt::explain(s);
    felt::host::watch const w;
    run(felt::fused, s);
    auto const& to = p.g.statements[0];
    felt::planning::detail::loop_nests const around(p.g, p.s, to.root, to.space);
    for (node_id id : p.g.nodes.ids()) {
        auto const& f = p.g[id];
        bool const direct =
            f.what == felt::planning::kind::contract && test::product_of(p, id).direct;
        if (!f.inner || direct) continue;
        INFO("node ", id.number(), ": ", std::string(f.name));
        double const real = w.elements(id) / felt::planning::detail::elements(f);
        if (real == 0 && around.of(id).times == 1) continue;  // a sum that grows in parts
        CHECK(around.of(id).times == doctest::Approx(real).epsilon(0.1));
    }
}

}  // namespace

TEST_CASE("values below reductions, in blocks of rows") {
    auto const x = numbered<matrix>({700, 900});
    check_counts((x - felt::mean<1>(x, keepdims)) / sqrt(felt::var<1>(x, keepdims) + 1));
    check_counts(felt::sum<0>(felt::softmax<1>(x / 1e5f)));
    check_counts(felt::max<1>(felt::logsumexp<0>(x / 1e5f, keepdims) + x));
}

TEST_CASE("values below products: pieces of the shared axis, chunks of rows and columns") {
    auto const a = numbered<matrix>({300, 700}), b = numbered<matrix>({700, 1000}, 3);
    check_counts(matmul(a - felt::mean<0>(a, keepdims), b) * 2);
    check_counts(matmul(a, b - felt::mean<1>(b, keepdims)) * 2);
    check_counts(matmul(relu(matmul(a, b)), transpose(b)) * 2);
}

TEST_CASE("values below windows, whose boxes overlap") {
    auto const x = numbered<images>({6, 5, 40, 40});
    auto const k = numbered<images>({4, 5, 3, 3}, 3);
    check_counts(felt::avg_pool2d(felt::relu(felt::conv2d(x, k)), {.window = {2, 2}}));
    check_counts(felt::max_pool2d(x - felt::mean<0, 2, 3>(x, keepdims), {.window = {3, 3}}));
}

TEST_CASE("a mean below a pool is not computed for each of its blocks") {
    auto const x = numbered<images>({64, 6, 20, 20});
    auto const mean = felt::mean<0, 2, 3>(x, keepdims);
    auto const e =
        felt::max_pool2d((x - mean) / sqrt(felt::mean<0, 2, 3>(square(x - mean), keepdims)),
                         {.window = {2, 2}, .stride = {2, 2}});
    images y(e.extents());
    auto const s = assign(y, e);
    plan const p = felt::explain(s);
    for (node_id id : p.g.nodes.ids()) {
        if (p.g[id].inner) CHECK(test::times_of(p, id) <= 4);
    }
}

TEST_CASE(
    "boxes of a reshape that follow each other begin where a piece was left, and lose nothing") {
    auto const x = numbered<matrix>({600, 600});
    for (index_t columns : {1, 450, 1200}) {
        INFO(columns << " columns");
        auto const e = felt::reshape(felt::softmax<1>(x), {600 * 600 / columns, columns}) * 2;
        check_counts(e);
        matrix y(e.extents());
        CHECK(felt::explain(assign(y, e)).intermediates().empty());
    }
}
