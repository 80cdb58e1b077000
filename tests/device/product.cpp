// SPDX-License-Identifier: BSD-3-Clause
//
// Statements with products: by the host's loops, or by the tile program in an emulated block.
#include "tests/device/products.hpp"
#include <sstream>

using namespace felt;
using test::launches_of;
using test::matrix;
using test::operands;
using test::same_product;

TEST_CASE("alone, with what it becomes, with what it is made of") {
    operands const o;
    same_product(matmul(o.da, o.db), [&] { return matmul(o.a, o.b); });
    same_product(sigmoid(matmul(o.da, o.db) + o.dv) * o.dc,
                 [&] { return sigmoid(matmul(o.a, o.b) + o.v) * o.c; });
    same_product(transpose(matmul(tanh(o.da), o.db)),
                 [&] { return transpose(matmul(tanh(o.a), o.b)); });
    if (!device::has_tiles) return;
    CHECK(launches_of(sigmoid(matmul(o.da, o.db) + o.dv) * o.dc) == 1);
}

TEST_CASE("several products: one stays, equal ones are one") {
    operands const o;
    auto const p = matmul(o.da, o.db);
    auto const h = [&] { return matmul(o.a, o.b); };
    same_product(p * sigmoid(p), [&] { return h() * sigmoid(h()); });
    same_product(
        p + matmul(o.dc, matmul(transpose(o.dc), o.dc)) / 20,
        [&] { return h() + matmul(o.c, matmul(transpose(o.c), o.c)) / 20; }, 1e-4);
    same_product(matmul(sigmoid(p), o.dw), [&] { return matmul(sigmoid(h()), o.w); });
    if (!device::has_tiles) return;
    CHECK(launches_of(p * sigmoid(p)) == 1);
    CHECK(launches_of(matmul(sigmoid(p), o.dw)) == 2);
}

TEST_CASE("explain says why a product is in memory") {
    if (!device::has_tiles) return;
    operands const o;
    auto const p = matmul(o.da, o.db);
    auto const says = [](auto const& e, char const* words) {
        Tensor<float, rank_of<decltype(e)>, Device> y(e.extents());
        std::ostringstream text;
        text << explain(assign(y, e));
        CAPTURE(text.str());
        CHECK(text.str().find("tile program") != std::string::npos);
        CHECK(text.str().find(words) != std::string::npos);
    };
    says(matmul(sigmoid(p), o.dw), "B: it is in an operand of another product");
    says(p + matmul(o.dc, matmul(transpose(o.dc), o.dc)), "B: it comes with another product");
    says(sum<1>(square(p)), "B: it is read by sum");
    says(p - mean<0>(p), "B: its statement reads it otherwise, too");
    says(gather<0>(p, Tensor<int, 1, Device>({3})), "B: it is read by gather");
}

TEST_CASE("a destination that its product reads") {
    Tensor<float, 2> x = normal<float>({17, 17}, 1);
    auto y = to<Device>(x);
    y = sigmoid(matmul(y, transpose(y)) / 9);
    x = sigmoid(matmul(x, transpose(x)) / 9);
    CHECK(all_close(to<Host>(y), x, 1e-5, 1e-5));
}

TEST_CASE("results of nothing, and sums of nothing") {
    matrix a({0, 3}), b({3, 4}), y({0, 4}), c({5, 0}), d({0, 4}), z({5, 4});
    y = matmul(a, b);
    z = 7;
    z = matmul(c, d) + 1;
    CHECK(float(sum(z)) == 20);
    Tensor<float, 4, Device> results({2, 0, 3, 3}), filters({0, 2, 3, 3}), images({2, 2, 5, 5});
    images = conv2d_input_grad(results, filters, images.extents()) + 1;
    CHECK(float(sum(images)) == 100);
}
