// SPDX-License-Identifier: BSD-3-Clause
//
// What is done to a value between two passes is done to its derivative.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>
#include <string>

using namespace felt;

namespace {

std::string calls;

// As a sum over two ranks that have the same does.
struct doubled {
    char const* name;
    void operator()(auto, auto& x) const {
        calls += name;
        x *= 2.0;
    }
};

struct layers {
    Tensor<double, 2> w{{3, 4}}, x{{4, 5}}, h, y, dw{{3, 4}};
    Tensor<double, 1> r;

    layers() {
        w = normal<double>(w.extents(), 1);
        x = normal<double>(x.extents(), 2);
    }
    // The penalty reads r; `late`: so does the last layer.
    template <bool Late>
    auto step() {
        auto const v = keep<"h">(h, sigmoid(matmul(named<"w">(w), x)));
        auto const mean_of = keep<"r">(r, mean<1>(v), doubled{"r"});
        auto const last = [&] {
            if constexpr (Late) return square(v) * expand_dims<1>(mean_of);
            else return square(v);
        };
        auto const out = keep<"y">(y, last());
        return gradient(program(v, mean_of, out), sum(square(out)) + kl(0.1, mean_of / 2),
                        wrt<"w">());
    }
};

template <bool Late>
void check() {
    layers of;
    auto step = of.step<Late>();
    calls = "";
    step(fused, of.dw);
    CHECK(calls == "rr");
    Tensor<double, 2> const dw = of.dw;
    auto const again = [&] { return static_cast<double>(step(fused, of.dw)); };
    CHECK(test::distance(of.w, dw, again) < test::tolerance);
    step(unfused, of.dw);
    CHECK(all_close(of.dw, dw, 1e-13, 1e-14));
}

}  // namespace

TEST_CASE("what depends on the value alone is derived next to it") { check<false>(); }
TEST_CASE("what depends on later values is derived after them") { check<true>(); }

TEST_CASE("a derivative that is known early costs no pass of its own") {
    layers of;
    auto const step = of.step<false>();
    std::string order;
    apply(
        [&](auto const&... item) {
            ((order += derive::runs_by_itself<std::remove_cvref_t<decltype(item)>> ? 'f' : 's'),
             ...);
        },
        step.forward());
    CHECK(order == "ssfsfss");  // h, r; dr; y, the cost
}

TEST_CASE("a rule reads its result as it was before that") {
    Tensor<double, 1> x({5}), h({5}), dx({5});
    x = normal<double>(x.extents(), 3);
    auto const z = keep<"h">(h, sigmoid(named<"x">(x)), doubled{"h"});
    auto step = gradient(program(z), sum(square(z)), wrt<"x">());
    step(fused, dx);
    auto const y = sigmoid(x);
    CHECK(all_close(dx, 2 * (2 * y) * 2 * y * (1 - y), 1e-13, 1e-14));
}
