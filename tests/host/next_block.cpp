// SPDX-License-Identifier: BSD-3-Clause
//
// What is brought early of a block that follows: its rows, a block behind those of this one.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::keepdims;
using felt::host::next_block;

namespace {

// How many rows lie between a row and what is fetched with it; 0: nothing is.
template <class S>
index_t rows_ahead(S const& s, float const* x, index_t row_length) {
    auto const p = felt::explain(s);
    felt::host::arena arena;
    felt::host::environment env(p, arena);
    next_block const next(env, p.g.statements[0].space);
    if (!next) return 0;
    CHECK(next.value_bytes() == 4);
    index_t const at[felt::planning::max_axes] = {3};
    auto const bytes = next.row(at, 5) - reinterpret_cast<char const*>(x + 3 * row_length + 5);
    CHECK(bytes % (4 * row_length) == 0);
    return bytes / (4 * row_length);
}

}  // namespace

TEST_CASE("rows that were reduced are followed by those of the next block") {
    auto const x = test::nowhere(1, {4096, 1000}), y = test::nowhere(2, {4096, 1000});
    auto const centred = assign(y, x - felt::mean<1>(x, keepdims));
    auto const p = felt::explain(centred);
    CHECK(rows_ahead(centred, x.data(), 1000) == p.s[p.g.statements[0].space].block[0]);
}

TEST_CASE("nothing is fetched where memory is read once, or by columns that are computed first") {
    auto const x = test::nowhere(1, {4096, 1000}), y = test::nowhere(2, {4096, 1000});
    CHECK(rows_ahead(assign(y, x * 2), x.data(), 1000) == 0);
    CHECK(rows_ahead(assign(y, x - felt::sum<0>(x)), x.data(), 1000) == 0);
}

TEST_CASE("rows of tensors that end where the last block does are the same") {
    for (index_t m : {1, 31, 32, 33, 100, 129}) {
        felt::Tensor<float, 2> x({m, 1000}), y({m, 1000}), z({m, 1000});
        x = felt::uniform<float>(x.extents(), 7);
        felt::run(felt::fused, assign(y, x - felt::mean<1>(x, keepdims)));
        felt::run(felt::unfused, assign(z, x - felt::mean<1>(x, keepdims)));
        INFO("rows: " << m);
        CHECK(felt::all_close(y, z, 1e-6, 1e-6));
    }
}
