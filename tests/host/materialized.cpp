// SPDX-License-Identifier: BSD-3-Clause
//
// What is not streamed is computed once for every box, also where several readers want it.
#include <atomic>
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;

namespace {

std::atomic<long> calls = 0;  // statements may have threads

struct counted {
    float operator()(float x) const {
        ++calls;
        return x + 1;
    }
};

// How often counted is called while `run` runs.
template <class F>
long calls_of(F&& run) {
    calls = 0;
    run();
    return calls;
}

// How many elements of products are computed when s runs.
template <class S>
double products_of(S const& s) {
    auto const p = felt::explain(s);
    felt::host::watch const w;  // of this thread
    int const before = felt::threads();
    felt::threads(1);
    run(felt::fused, s);
    felt::threads(before);
    double n = 0;
    for (auto id : p.g.nodes.ids()) {
        if (p.g[id].what == felt::planning::kind::contract) n += w.elements(id);
    }
    return n;
}

}  // namespace

TEST_CASE("a product that is read twice is computed once") {
    felt::Tensor<float, 2> a({32, 64}), b({64, 48}), y({32, 48});
    a = 1.f;
    b = 2.f;
    auto const once = matmul(felt::map(counted{}, a), b);
    CHECK(calls_of([&] { y = once * 2; }) == 32 * 64);
    CHECK(calls_of([&] { y = once * sigmoid(once) + once; }) == 32 * 64);
    CHECK(calls_of([&] { y = once - felt::mean<0>(once); }) == 32 * 64);
    CHECK(y(31, 47) == 0);
}

TEST_CASE("a full sum that every block needs is computed once") {
    felt::Tensor<float, 2> x({640, 512}), y({512, 640});
    x = 0.f;
    long const n = 640 * 512;
    CHECK(calls_of([&] { y = transpose(x) + felt::sum(felt::map(counted{}, x)); }) == n);
    CHECK(y(511, 639) == static_cast<float>(n));
}

TEST_CASE("the column sums of a matrix are computed once for all rows") {
    felt::Tensor<float, 2> x({3000, 64}), y({3000, 64});
    x = 0.f;
    CHECK(calls_of([&] { y = x + felt::sum<0>(felt::map(counted{}, x)); }) == 3000 * 64);
    CHECK(y(2999, 63) == 3000);
}

TEST_CASE("halo rows of a window are computed at most one and a half times") {
    felt::Tensor<float, 2> x({400, 320});
    x = 1.f;
    felt::Tensor<float, 2> y({398, 320});
    auto const w = windows(felt::map(counted{}, x), {3, 1});
    long const n = calls_of([&] { y = felt::sum<2, 3>(w); });
    CHECK(n >= 400 * 320);
    CHECK(n <= 400 * 320 * 3 / 2);
    CHECK(y(397, 319) == 6);
}

TEST_CASE("what is hoisted is an intermediate only where it is large") {
    felt::Tensor<float, 2> const a({3000, 3000}), b({3000, 3000}), c({3000, 3000});
    felt::Tensor<float, 2> y({3000, 3000});
    auto const nested = felt::explain(assign(y, matmul(matmul(a, b), matmul(b, c))));
    CHECK_FALSE(nested.intermediates().empty());
    auto const bias = felt::explain(assign(y, matmul(a, b) + felt::mean(c)));
    CHECK(bias.intermediates().empty());
}

TEST_CASE("so is one that is read beside a view of it that shows less, or turns it around") {
    felt::Tensor<float, 2> a({33, 64}), b({64, 40}), y({33, 40}), wide({35, 43});
    a = felt::iota<float>({33, 64}) / 1e3f;
    b = 2.f;
    auto const product = matmul(a, b);
    felt::Tensor<float, 2> const p = product;
    auto const part = [](auto const& x) {
        return slice(pad(x, {{1, 0}, {0, 2}}), felt::range(0, 33), felt::range(2, 42));
    };
    CHECK(products_of(assign(y, part(product) + product)) == 33 * 40);
    CHECK(felt::all_close(y, part(p) + p));
    CHECK(products_of(assign(y, felt::roll<0, 1>(product, 2, -1) + product)) == 33 * 40);
    CHECK(felt::all_close(y, felt::roll<0, 1>(p, 2, -1) + p));
    CHECK(products_of(assign(y, product + felt::roll<0>(product, 5))) == 33 * 40);
    for (auto mode : {felt::pad_mode::wrap, felt::pad_mode::reflect, felt::pad_mode::edge}) {
        CHECK(products_of(assign(wide, pad(product, {{2, 0}, {1, 2}}, mode))) == 33 * 40);
        CHECK(felt::all_close(wide, pad(p, {{2, 0}, {1, 2}}, mode)));
    }
}

TEST_CASE("what is read part by part is computed part by part") {
    felt::Tensor<float, 3> const a({152, 482, 7});
    felt::Tensor<float, 2> const b({7, 482});
    felt::Tensor<float, 1> y({152});
    CHECK(products_of(assign(y, felt::max<1>(felt::einsum<"abk,kb->ab">(a, b)) * 2)) == 152 * 482);
}

TEST_CASE("a product in a list is computed once, beside itself and moved") {
    felt::Tensor<float, 2> a({30, 64}), b({64, 40}), y({33, 40});
    a = felt::iota<float>({30, 64}) / 1e3f;
    b = 2.f;
    felt::Tensor<float, 2> const three({3, 40});
    auto const product = matmul(a, b);
    felt::Tensor<float, 2> const p = product;
    auto const below = [&](auto const& x) { return felt::concat<0>(three, x); };
    auto const above = [&](auto const& x) { return pad(x, {{0, 3}, {0, 0}}); };
    CHECK(products_of(assign(y, below(product) + above(product))) == 30 * 40);
    CHECK(felt::all_close(y, below(p) + above(p)));
    CHECK(products_of(assign(y, above(product) - below(product))) == 30 * 40);
    CHECK(felt::all_close(y, above(p) - below(p)));
}

TEST_CASE("what a sum takes piece by piece is not there any more for the next one") {
    felt::Tensor<float, 2> x({106, 341});
    felt::Tensor<float, 1> y({341});
    x = felt::uniform<float>(x.extents(), 3);
    auto const expensive = felt::detail::once(felt::map(counted{}, felt::flip<1>(x)));
    auto const turned = felt::flip<1>(expensive);
    CHECK(calls_of([&] {
              y = felt::max<0>(turned) +
                  felt::sum<0>(turned - felt::max<0>(turned, felt::keepdims));
          }) <= 106 * 341 * 11 / 10);  // with whole batches at the ends of rows
}

TEST_CASE("a reshape computes its source once, whichever way it is gone through") {
    felt::Tensor<float, 2> x({238, 363}), y({119, 726});
    x = felt::uniform<float>(x.extents(), 3);
    auto const rows = reshape(felt::map(counted{}, x), {119, 726});
    long const n = 238 * 363, most = n * 3 / 2;
    CHECK(calls_of([&] { y = felt::rot180(rows); }) <= most);
    CHECK(y(118, 725) == x(0, 0) + 1);
    CHECK(calls_of([&] { y = felt::flip<0>(rows); }) <= most);
    CHECK(calls_of([&] { y = felt::cumsum<0>(rows); }) <= most);
    felt::Tensor<float, 2, felt::Host, felt::ColMajor> z({119, 726});
    CHECK(calls_of([&] { z = felt::cummax<0>(rows); }) <= most);
    CHECK(calls_of([&] { z = rows; }) <= most);
}
