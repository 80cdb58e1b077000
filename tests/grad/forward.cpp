// SPDX-License-Identifier: BSD-3-Clause
//
// What a rule reads beside the value of a part is kept in the pass that writes it.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>
#include <sstream>

using namespace felt;

namespace {
struct pooled {
    Tensor<double, 4> x{{2, 3, 6, 6}}, k{{4, 3, 3, 3}}, a, p, dk{{4, 3, 3, 3}};

    pooled() {
        x = normal<double>(x.extents(), 1);
        k = normal<double>(k.extents(), 2);
    }
    auto step() {
        auto const va = keep<"a">(a, conv2d(x, named<"k">(k)));
        auto const vp = keep<"p">(p, max_pool2d(va));
        return gradient(program(va, vp), sum(square(vp)), wrt<"k">());
    }
};
}  // namespace

TEST_CASE("where the maxima of a pool lie is written beside them") {
    pooled of;
    auto step = of.step();
    std::size_t forward = 0;
    apply([&](auto const&... s) { forward = sizeof...(s); }, step.forward());
    CHECK(forward == 4);  // a, p, where p lies, the cost
    step(fused, of.dk);
    Tensor<double, 4> const dk = of.dk;
    auto const again = [&] { return static_cast<double>(step(fused, of.dk)); };
    CHECK(test::distance(of.k, dk, again) < test::tolerance);
    std::ostringstream out;
    out << explain(step);
    CAPTURE(out.str());
    CHECK(out.str().find("intermediates: none") != std::string::npos);
    std::string const text = out.str();
    auto const first = text.find("argmax");
    CHECK(first != std::string::npos);
    CHECK(text.find("argmax", first + 1) == std::string::npos);  // not again, backward
}

TEST_CASE("what is kept beside a value, and its derivative, lie as the value does") {
    Tensor<float, 4, Host, ChannelsLast> x{{2, 16, 8, 8}}, p;
    x = normal<float>(x.extents(), 3);
    auto const vp = keep<"p">(p, max_pool2d(named<"x">(x)));
    auto const cost = sum(square(sigmoid(vp)));
    auto step = gradient(program(vp), cost, wrt<"x">());
    Tensor<float, 4, Host, ChannelsLast> dx{x.extents()};
    step(fused, dx);
    int seen = 0;
    apply(
        [&](auto const&... s) {
            auto const look = [&](auto const& statement) {
                if constexpr (requires { statement.stride; }) {
                    if constexpr (std::remove_cvref_t<decltype(statement.e)>::rank == 4) {
                        CHECK(statement.stride == p.strides());
                        ++seen;
                    }
                }
            };
            (look(s), ...);
        },
        step.forward());
    CHECK(seen == 2);
}
