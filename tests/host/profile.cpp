// SPDX-License-Identifier: BSD-3-Clause
//
// A profile runs its statements, and its stages are parts of the time that they take.
#include "tests/plan/nowhere.hpp"
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using test::named;
using test::numbered;
using matrix = felt::Tensor<float, 2>;

TEST_CASE("a profile carries its statements out, as a run does") {
    auto const x = numbered<matrix>({60, 70}), w = numbered<matrix>({70, 50}, 3);
    matrix y({60, 50}), z({60, 50});
    felt::Tensor<float, 1> r({60}), q({60});
    run(felt::fused, assign(z, sigmoid(matmul(x, w))), assign(q, felt::sum<1>(z)));
    auto const p = profile(assign(y, sigmoid(matmul(x, w))), assign(r, felt::sum<1>(y)));
    CHECK(all_close(y, z, 0, 0));
    CHECK(all_close(r, q, 0, 0));
    CHECK(p.plan().g.statements.size() == 2);
}

TEST_CASE("stages take no more than all, and the expensive one takes most") {
    auto const x = numbered<matrix>({200, 300}), w = numbered<matrix>({300, 200}, 3);
    matrix y({200, 200});
    auto const p = profile(assign(y, matmul(x, w) - felt::max<1>(matmul(x, w), felt::keepdims)));
    double sum = 0;
    for (auto const id : p.plan().g.nodes.ids()) {
        CHECK(p.seconds().of(id) >= 0);
        sum += p.seconds().of(id);
    }
    CHECK(p.seconds().all > 0);
    CHECK(sum <= 1.01 * p.seconds().all);
    double const product = p.seconds().of(named(p.plan(), "matmul"));
    CHECK(product > p.seconds().of(named(p.plan(), "max")));
    CHECK(product > 0.3 * p.seconds().all);
}

TEST_CASE("the number of threads is what it was, also if a statement throws") {
    int const before = felt::threads();
    felt::threads(2);
    matrix const x({4, 4});
    felt::Tensor<int, 1> which({4});
    which = 9;
    matrix y({4, 4});
    CHECK_THROWS_AS((void)profile(assign(y, felt::gather<0>(x, which))), felt::error);
    CHECK(felt::threads() == 2);
    felt::threads(before);
}
