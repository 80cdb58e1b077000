// SPDX-License-Identifier: BSD-3-Clause
//
// What a plan answers where its statements' types are no longer known.
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <felt/plan/print.hpp>
#include <sstream>

using felt::index_t;
using felt::Tensor;

namespace {

constexpr index_t m = 7, n = 37, value = 4;

Tensor<float, 2> x({m, n}), y({m, n}), z({m, n});
Tensor<float, 1> v({n}), r({m});

std::string text(felt::planning::plan const& p) {
    std::ostringstream out;
    out << p;
    return out.str();
}

}  // namespace

TEST_CASE("a map reads its operands, writes its result and keeps nothing") {
    auto const p = explain(assign(y, x * 2 + v));
    CHECK(p.intermediates().empty());
    CHECK(p.flops() == 2 * m * n);
    CHECK(p.bytes() == (2 * m * n + n) * value);
    CHECK(p.bytes_unfused() == (4 * m * n + n) * value);
}

TEST_CASE("statements of one pass read once what they share") {
    auto const s = assign(y, x + 1);
    auto const t = assign(z, x * 3);
    auto const p = explain(s, t);
    CHECK(p.flops() == 2 * m * n);
    CHECK(p.bytes() == 3 * m * n * value);
    CHECK(p.bytes_unfused() == 4 * m * n * value);
}

TEST_CASE("an intermediate has a name, its bytes and a reason, and is printed") {
    Tensor<float, 2> square({n, n});
    auto const s = assign(square, matmul(square, square));
    auto const p = explain(s);
    REQUIRE(p.intermediates().size() == 1);
    auto const kept = p.intermediates()[0];
    CHECK(kept.name == "the result");
    CHECK(kept.bytes == n * n * value);
    CHECK(kept.why == "reads what it writes, by other indices");
    CHECK(text(p).find(kept.name + ", ") != std::string::npos);
    CHECK(text(p).find(kept.why) != std::string::npos);
}

TEST_CASE("a plan is printed as it is asked, and of nothing, too") {
    auto const s = assign(r, felt::sum<1>(x));
    auto const p = explain(s);
    CHECK(text(p) == text(explain(assign(r, felt::sum<1>(x)))));
    CHECK(text(p).find("sum") != std::string::npos);
    Tensor<float, 2> const nothing({0, n});
    Tensor<float, 1> none({0});
    auto const t = assign(none, felt::sum<1>(nothing));
    auto const empty = explain(t);
    CHECK(empty.flops() == 0);
    CHECK(empty.bytes() == 0);
    CHECK(!text(empty).empty());
}
