// SPDX-License-Identifier: BSD-3-Clause
//
// What is computed before the loops, at whatever depth it is read, and that it is computed once.
#include "tests/plan/nowhere.hpp"
#include "tests/support/counted.hpp"
#include "tests/support/plain.hpp"
#include <cstring>
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;
using felt::keepdims;
using felt::planning::kind;
using felt::planning::plan;
using felt::planning::way;
using test::calls_for_each;
using test::counted;
using test::numbered;

namespace {

using matrix = felt::Tensor<float, 2>;

int hoisted(plan const& p, kind what) {
    int n = 0;
    for (felt::planning::node_id id : p.g.nodes.ids()) {
        bool const common = felt::planning::is_reused(p.s, id);
        n += p.g[id].what == what && p.s[id].by == way::hoisted && !common;
    }
    return n;
}

}  // namespace

TEST_CASE("a product below a reduction is computed once") {
    auto const a = numbered<matrix>({1024, 64});
    felt::Tensor<float, 1> y({64}), z({64});
    auto const gram = felt::map(counted{}, matmul(transpose(a), a)) / 1e6f;
    auto const e = felt::sum<0>(felt::softmax<1>(matmul(a / 1e3f, gram)));
    CHECK(calls_for_each(assign(y, e), 64 * 64) <= 4);
    run(felt::unfused, assign(z, e));
    CHECK(all_close(y, z, 1e-4));
}

TEST_CASE("a mean over the axes that a view repeats is computed once") {
    auto const x = numbered<felt::Tensor<float, 4>>({32, 4, 24, 24});
    felt::Tensor<float, 4> y({32, 4, 12, 12}), z({32, 4, 12, 12});
    auto const mean = felt::mean<0, 2, 3>(felt::map(counted{}, x), keepdims);
    auto const e = felt::max_pool2d(x - mean, {.window = {2, 2}, .stride = {2, 2}});
    CHECK(calls_for_each(assign(y, e), x.size()) <= 4);
    run(felt::unfused, assign(z, e));
    CHECK(all_close(y, z, 1e-5));
}

TEST_CASE("what gather and scatter_add pick from is computed once") {
    auto const x = numbered<matrix>({500, 300});
    felt::Tensor<int, 1> which({700}), where({500});
    for (int i = 0; i < 700; ++i) which(i) = (i * 77) % 500;
    for (int i = 0; i < 500; ++i) where(i) = (i * 7) % 40;
    matrix y({700, 300}), z({700, 300}), u({40, 300}), v({40, 300});
    auto const e = felt::gather<0>(felt::softmax<0>(felt::map(counted{}, x) / 1e5f), which);
    CHECK(calls_for_each(assign(y, e), x.size()) <= 3.1);  // max, exp and no more
    run(felt::unfused, assign(z, e));
    CHECK(all_close(y, z, 1e-4));
    auto const f = felt::scatter_add<0>(felt::extents<2>{{40, 300}}, where,
                                        felt::map(counted{}, x) - felt::mean<0>(x, keepdims));
    CHECK(calls_for_each(assign(u, f), x.size()) <= 4);
    run(felt::unfused, assign(v, f));
    CHECK(all_close(u, v, 1e-4, 1e-2));
}

TEST_CASE("equal values that are hoisted are one, whichever is asked for first") {
    auto const a = test::nowhere(1, {1280, 64}), b = test::nowhere(2, {64, 1280});
    auto const y = test::nowhere(3, {1280, 1280});
    auto const c = matmul(a, b) / 64;
    plan const p = felt::explain(assign(y, matmul(c, relu(c)) * 1));
    CHECK(hoisted(p, kind::contract) == 1);
    CHECK(p.intermediates().size() == 1);
}

TEST_CASE("hoisted values are the same on several threads") {
    auto const a = numbered<matrix>({300, 70}), b = numbered<matrix>({70, 300}, 3);
    matrix y({300, 300}), z({300, 300});
    auto const c = matmul(a, b) / 1e4f;
    auto const e = matmul(c, relu(c)) + felt::mean<0>(c, keepdims);
    y = e;
    felt::threads(3);
    z = e;
    felt::threads(1);
    CHECK(std::memcmp(y.data(), z.data(), sizeof(float) * 90000) == 0);
}

TEST_CASE("a gathered operand of a product is copied once, if blocks would copy it again") {
    auto const x = numbered<matrix>({900, 1500});
    felt::Tensor<int, 1> which({900});
    for (int i = 0; i < 900; ++i) which(i) = i * 77 % 900;
    auto const g = felt::gather<0>(x / 1e6f, which);
    matrix y({900, 900}), z({900, 900}), v({900, 40});
    auto const s = assign(y, matmul(g, transpose(g)));
    CHECK(hoisted(felt::explain(s), kind::gather) == 1);
    run(felt::fused, s);
    run(felt::unfused, assign(z, matmul(g, transpose(g))));
    CHECK(all_close(y, z, 1e-3));
    auto const w = numbered<matrix>({1500, 40});
    CHECK(hoisted(felt::explain(assign(v, matmul(g, w))), kind::gather) == 0);  // one block
}
