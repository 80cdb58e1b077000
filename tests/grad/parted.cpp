// SPDX-License-Identifier: BSD-3-Clause
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>

using namespace felt;

namespace {

struct of_parts {
    Tensor<double, 2> w{{3, 4}}, x{{4, 6}}, z, dw{{3, 4}};

    of_parts() {
        w = normal<double>(w.extents(), 1);
        x = normal<double>(x.extents(), 2);
    }
    // The cost by the parts of z, whose derivative is written because its readers are two.
    template <class F>
    double distance(F const& f) {
        auto const v = keep<"z">(z, matmul(named<"w">(w), named<"x">(x)));
        auto step = gradient(program(v), f(v), wrt<"w">(), written<"z">());
        step(fused, dw);
        Tensor<double, 2> const by_parts = dw;
        step(unfused, dw);
        if (!all_close(dw, by_parts, 1e-12, 1e-13)) return INFINITY;
        return test::distance(w, by_parts, [&] { return double(step(fused, dw)); });
    }
    template <class F>
    std::size_t statements(F const& f) {
        auto const v = keep<"z">(z, matmul(named<"w">(w), named<"x">(x)));
        auto const step = gradient(program(v), f(v), wrt<"w">(), written<"z">());
        return step.with_statements([](auto const&... s) { return sizeof...(s); }, dw);
    }
};

}  // namespace

TEST_CASE("derivatives by parts are written part by part") {
    auto const all_parts = [](auto const& z) {
        auto const [a, b, c] = split<1, 3>(z);
        return sum(tanh(a) * b) + sum(square(c) * a);
    };
    CHECK(of_parts().distance(all_parts) < test::tolerance);
    CHECK(of_parts().statements(all_parts) == 2 + 3 + 1);
    auto const rows = [](auto const& z) {
        auto const [a, b, c] = split<0, 3>(z);
        return sum(tanh(a) * b) + sum(square(c) * a);
    };
    CHECK(of_parts().distance(rows) < test::tolerance);
}
TEST_CASE("a part that nobody reads has the derivative 0, wherever it is") {
    CHECK(of_parts().distance([](auto const& z) {
        auto const [a, b, c] = split<1, 3>(z);
        return sum(tanh(a) * c);
    }) < test::tolerance);
    CHECK(of_parts().distance([](auto const& z) {
        auto const [a, b, c] = split<1, 3>(z);
        return sum(tanh(b));
    }) < test::tolerance);
    CHECK(of_parts().distance([](auto const& z) {
        auto const [a, b, c] = split<1, 3>(z);
        return sum(c);
    }) < test::tolerance);
}
TEST_CASE("parts beside the whole, other parts and views of parts are one expression") {
    CHECK(of_parts().distance([](auto const& z) {
        auto const [a, b, c] = split<1, 3>(z);
        return sum(tanh(a) * c) + sum(square(z));
    }) < test::tolerance);
    CHECK(of_parts().distance([](auto const& z) {
        auto const [a, b, c] = split<1, 3>(z);
        auto const [d, e] = split<1, 2>(z);
        return sum(tanh(a) * c) + sum(square(d) * e);
    }) < test::tolerance);
    CHECK(of_parts().distance([](auto const& z) {
        auto const [a, b, c] = split<1, 3>(exp(z / 4));
        return sum(matmul(transpose(a), b)) + sum(transpose(c));
    }) < test::tolerance);
}
TEST_CASE("of a plain array, split has an array") {
    of_parts of;
    auto const parts = split<1, 3>(of.x);
    CHECK(parts.size() == 3);
    auto const [a, b, c] = split<1, 3>(named<"x">(of.x));
    CHECK(all_close(b + 0, parts[1] + 0, 0, 0));
    CHECK(all_close(c * 2, parts[2] * 2, 0, 0));
    CHECK(all_close(a, parts[0], 0, 0));
}
