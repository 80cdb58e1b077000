// SPDX-License-Identifier: BSD-3-Clause
//
// The bytes that a plan says it moves, against a model of a cache that sees which pages are touched
// when it runs, and knows nothing of plans. Rows here are pages or longer: of shorter pieces, as
// transposes read them, the model would count all of their page.
#include "tests/support/page_cache.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <felt/plan/7_lowering/traffic.hpp>

using felt::index_t;
using felt::keepdims;
using felt::planning::make_plan;

namespace {

// A cache as large as plans believe, and tensors that it watches.
class watched {
public:
    explicit watched(std::size_t megabytes)
        : cache_(megabytes << 20, felt::planning::caches().last) {
        felt::threads(1);
    }
    ~watched() { felt::threads(threads_); }

    template <std::size_t R>
    felt::View<float, R> operand(felt::extent_arg const (&e)[R]) {
        felt::View<float, R> x = place(false, e);
        x = felt::uniform<float>(x.extents(), 1);
        return x;
    }
    template <std::size_t R>
    felt::View<float, R> result(felt::extent_arg const (&e)[R]) {
        return place(true, e);
    }

    // Megabytes of which what plans say and what is seen differ by less than a tenth. Buffers are
    // not watched.
    template <class... S>
    double moved(S const&... s) {
        auto const p = make_plan(s...);
        double said = static_cast<double>(p.bytes());
        for (auto const& i : p.intermediates()) said -= 2 * static_cast<double>(i.bytes);
        double const seen = cache_.bytes_of([&] { felt::run(felt::fused, s...); });
        INFO("said ", said / 1e6, " MB, seen ", seen / 1e6, " MB\n", felt::explain(s...));
        CHECK(seen / said == doctest::Approx(1).epsilon(0.1));
        return said / (1 << 20);
    }

private:
    template <std::size_t R>
    felt::View<float, R> place(bool results, felt::extent_arg const (&e)[R]) {
        index_t const n = felt::make_extents(e).size();
        return felt::view(cache_.take<float>(n, results), e);
    }

    test::page_cache cache_;
    int threads_ = felt::threads();
};

auto standardised(auto const& x, auto mean, auto var) { return (x - mean) / sqrt(var + 1); }

}  // namespace

TEST_CASE("rows that a cache holds are read once") {
    watched w(40);
    auto const x = w.operand({1024, 4096}), y = w.result({1024, 4096});
    auto const row = w.operand({4096}), rows = w.result({1024}), columns = w.result({4096});
    CHECK(w.moved(assign(y, x * 2 + row)) == doctest::Approx(32).epsilon(.01));
    CHECK(w.moved(assign(y, x - felt::mean<1>(x, keepdims))) == doctest::Approx(32).epsilon(.01));
    CHECK(w.moved(assign(y, felt::softmax<1>(x))) == doctest::Approx(32).epsilon(.01));
    CHECK(w.moved(assign(rows, felt::var<1>(x))) <= 2.01 * 16);  // all means come first
    CHECK(w.moved(assign(columns, felt::sum<0>(x))) == doctest::Approx(16).epsilon(.01));
    CHECK(w.moved(assign(columns, felt::max<0>(x * x))) == doctest::Approx(16).epsilon(.01));
}

TEST_CASE("rows that no cache holds are read again by each pass over them") {
    watched w(68);
    auto const x = w.operand({2, 4 << 20}), y = w.result({2, 4 << 20});
    CHECK(w.moved(assign(y, x - felt::mean<1>(x, keepdims))) == doctest::Approx(3 * 32));
    auto const mean = felt::mean<1>(x, keepdims);
    auto const var = felt::var<1>(x, keepdims);
    CHECK(w.moved(assign(y, standardised(x, mean, var))) == doctest::Approx(4 * 32));
    // x twice, and y is written with values of exp, read by their sum, and read and written.
    if (make_plan(assign(y, felt::softmax<1>(x))).fused())
        CHECK(w.moved(assign(y, felt::softmax<1>(x))) >= 4 * 32);
}

TEST_CASE("columns of more than a cache holds are read again by each pass over them") {
    watched w(68);
    auto const x = w.operand({1024, 8192}), y = w.result({1024, 8192});
    CHECK(w.moved(assign(y, x - felt::mean<0>(x))) == doctest::Approx(3 * 32).epsilon(.01));
    auto const mean = felt::mean<0>(x);
    auto const var = felt::var<0>(x);
    CHECK(w.moved(assign(y, standardised(x, mean, var))) == doctest::Approx(4 * 32).epsilon(.01));
    CHECK(w.moved(assign(y, felt::softmax<0>(x))) >= 4 * 32);
}

TEST_CASE("what every row repeats is read for each, if a row is more than a cache holds") {
    watched w(300);
    index_t const n = 4 << 20;
    auto const x = w.operand({4, n}), y = w.result({4, n});
    auto const row = w.operand({n});
    CHECK(w.moved(assign(y, x + row)) == doctest::Approx(12 * 16));
    CHECK(w.moved(assign(y, felt::broadcast_to(row, {4, n}))) == doctest::Approx(8 * 16));
    auto const half = slice(x, felt::range(0, 2), felt::all());
    CHECK(w.moved(assign(y, concat<0>(half, half * 2))) == doctest::Approx(8 * 16));
}

TEST_CASE(
    "what the first statement wrote comes from a cache in a pass that it shares, else again") {
    watched w(80);
    auto const x = w.operand({4096, 1024}), y = w.result({4096, 1024});
    auto const rows = w.result({4096}), others = w.result({512});
    auto const first = assign(y, exp(x));
    auto const next = assign(rows, felt::sum<1>(y));
    CHECK(w.moved(first, next) == doctest::Approx(2 * 16).epsilon(.01));
    auto const reshaped = assign(others, felt::sum<1>(felt::reshape(y, {512, 8192})));
    CHECK(w.moved(first, reshaped) == doctest::Approx(3 * 16).epsilon(.01));
}

TEST_CASE(
    "a product's results come back for each piece of its terms, its operands for each block") {
    watched w(180);
    auto const a = transpose(w.operand({512, 16384})), b = w.operand({512, 768});
    auto const y = w.result({16384, 768});
    CHECK(w.moved(assign(y, matmul(a, b))) > 3 * 48);
    auto const few = w.operand({64, 8192}), c = w.operand({8192, 768}), z = w.result({64, 768});
    CHECK(w.moved(assign(z, matmul(few, c))) == doctest::Approx(2 + 24).epsilon(.05));
    CHECK(w.moved(assign(z, relu(matmul(few, c)))) == doctest::Approx(2 + 24).epsilon(.05));
    auto const left = w.operand({8192, 1024}), d = w.operand({1024, 256}),
               u = w.result({8192, 256});
    CHECK(w.moved(assign(u, sigmoid(matmul(left, d)))) >= 32 + 1 + 8);
}
