// SPDX-License-Identifier: BSD-3-Clause
//
// What a watch counts, against the number of times that a functor was called.
#include "tests/support/counted.hpp"
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::host::watch;
using test::counted;
using test::numbered;

namespace {

using matrix = felt::Tensor<float, 2>;

}  // namespace

TEST_CASE("a watch counts the elements of every box that a node computes") {
    auto const a = numbered<matrix>({40, 7}), b = numbered<matrix>({7, 50}, 3);
    matrix y({40, 50});
    auto const s = assign(y, matmul(a, b) * 2);  // node 0 is *, node 1 the product
    watch const w;
    run(felt::fused, s);
    CHECK(w.elements(0) == 0);
    CHECK(w.elements(1) == 40 * 50);
    run(felt::fused, s);
    CHECK(w.elements(1) == 2 * 40 * 50);
}

TEST_CASE("the source of a view is counted where it is evaluated into a box") {
    auto const x = numbered<matrix>({30, 20});
    felt::Tensor<int, 1> which({30});
    for (int i = 0; i < 30; ++i) which(i) = 29 - i;
    matrix y({30, 20});
    counted::seen = 0;
    watch const w;
    run(felt::fused, assign(y, felt::gather<0>(felt::map(counted{}, x), which)));
    CHECK(w.elements(1) == 600);
    CHECK(counted::seen >= 600);
}

TEST_CASE("watches may be nested, and nothing is counted without one") {
    watch::count(3, 10);
    watch const outer;
    {
        watch const inner;
        watch::count(3, 4);
        CHECK(inner.elements(3) == 4);
        CHECK(inner.elements(99) == 0);
    }
    watch::count(0, 5);
    CHECK(outer.elements(3) == 0);
    CHECK(outer.elements(0) == 5);
}
