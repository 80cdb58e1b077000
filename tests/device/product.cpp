// SPDX-License-Identifier: BSD-3-Clause
//
// Statements with products: by the host's loops, or by the tile program in an emulated block, which
// computes what a product becomes with it.
#include <doctest/doctest.h>
#include <felt/device.hpp>
#include <sstream>

using namespace felt;
using matrix = Tensor<float, 2, Device>;

namespace {

// y = e has the values of f() for tensors of the host, however it is run.
template <class E, class F>
void same(E const& e, F const& f, double relative = 1e-5) {
    auto const want = eval(f());
    Tensor<float, rank_of<E>, Device> y(want.extents());
    run(fused, assign(y, e));
    CHECK(all_close(to<Host>(y), want, relative, 30 * relative));
    y = 7;
    run(unfused, assign(y, e));
    CHECK(all_close(to<Host>(y), want, relative, 30 * relative));
    y = 7;
    run(tf32, assign(y, e));
    CHECK(all_close(to<Host>(y), want, 2e-3, 5e-2));
}

struct operands {
    Tensor<float, 2> a = normal<float>({19, 13}, 1), b = normal<float>({13, 22}, 2);
    Tensor<float, 2> c = normal<float>({19, 22}, 3), w = normal<float>({22, 9}, 4);
    Tensor<float, 1> v = normal<float>({22}, 5);
    matrix da = to<Device>(a), db = to<Device>(b), dc = to<Device>(c), dw = to<Device>(w);
    Tensor<float, 1, Device> dv = to<Device>(v);
};

// The launches of y = e, where there are any of its own.
template <class E>
std::size_t launches(E const& e) {
    Tensor<float, rank_of<E>, Device> y(e.extents());
    auto const s = assign(y, e);
    return explain(s).launch.size();
}

}  // namespace

TEST_CASE("alone, with what it becomes, with what it is made of") {
    operands const o;
    same(matmul(o.da, o.db), [&] { return matmul(o.a, o.b); });
    same(sigmoid(matmul(o.da, o.db) + o.dv) * o.dc,
         [&] { return sigmoid(matmul(o.a, o.b) + o.v) * o.c; });
    same(transpose(matmul(tanh(o.da), o.db)), [&] { return transpose(matmul(tanh(o.a), o.b)); });
    if (!device::has_tiles) return;
    CHECK(launches(sigmoid(matmul(o.da, o.db) + o.dv) * o.dc) == 1);
}

TEST_CASE("several products: one stays, equal ones are one") {
    operands const o;
    auto const p = matmul(o.da, o.db);
    auto const h = [&] { return matmul(o.a, o.b); };
    same(p * sigmoid(p), [&] { return h() * sigmoid(h()); });
    same(
        p + matmul(o.dc, matmul(transpose(o.dc), o.dc)) / 20,
        [&] { return h() + matmul(o.c, matmul(transpose(o.c), o.c)) / 20; }, 1e-4);
    same(matmul(sigmoid(p), o.dw), [&] { return matmul(sigmoid(h()), o.w); });
    if (!device::has_tiles) return;
    CHECK(launches(p * sigmoid(p)) == 1);
    CHECK(launches(matmul(sigmoid(p), o.dw)) == 2);
    std::ostringstream text;
    matrix y({19, 9});
    auto const s = assign(y, matmul(sigmoid(p), o.dw));
    text << explain(s);
    CHECK(text.str().find("tile program") != std::string::npos);
    CHECK(text.str().find("intermediate: matmul") != std::string::npos);
}

TEST_CASE("a product that is reduced is in memory, and read from there") {
    operands const o;
    auto const p = matmul(o.da, o.db);
    auto const h = [&] { return matmul(o.a, o.b); };
    same(softmax<1>(p / 4 + o.dv), [&] { return softmax<1>(h() / 4 + o.v); });
    same(p - mean<0>(p), [&] { return h() - mean<0>(h()); });
    same(sum<1>(square(p)), [&] { return sum<1>(square(h())); });
    if (!device::has_tiles) return;
    CHECK(launches(p - mean<0>(p)) == 3);
}

TEST_CASE("slices of one product are one pass") {
    operands const o;
    auto const part = [](auto const& z, index_t g) {
        return slice(z, all(), range(g * 5, g * 5 + 5));
    };
    auto const gates = [&](auto const& z) {
        return sigmoid(part(z, 0)) * tanh(part(z, 1)) + part(z, 3);
    };
    same(gates(matmul(o.da, o.db)), [&] { return gates(matmul(o.a, o.b)); });
    auto const skewed = [&](auto const& z) { return part(z, 0) + slice(z, all(), range(7, 12)); };
    same(skewed(matmul(o.da, o.db)), [&] { return skewed(matmul(o.a, o.b)); });
    if (device::has_tiles) CHECK(launches(gates(matmul(o.da, o.db))) == 1);
}

TEST_CASE("a destination that its product reads") {
    Tensor<float, 2> x = normal<float>({17, 17}, 1);
    auto y = to<Device>(x);
    y = sigmoid(matmul(y, transpose(y)) / 9);
    x = sigmoid(matmul(x, transpose(x)) / 9);
    CHECK(all_close(to<Host>(y), x, 1e-5, 1e-5));
}

TEST_CASE("convolution with bias, activation and pool") {
    Tensor<float, 4> const x = normal<float>({2, 3, 8, 8}, 1), w = normal<float>({4, 3, 3, 3}, 2);
    Tensor<float, 4, Device> const dx = to<Device>(x), dw = to<Device>(w);
    same(avg_pool2d(sigmoid(conv2d(dx, dw) + 1)),
         [&] { return avg_pool2d(sigmoid(conv2d(x, w) + 1)); });
    same(max_pool2d(relu(conv2d(dx, dw)), {{3, 3}, {1, 1}}),
         [&] { return max_pool2d(relu(conv2d(x, w)), {{3, 3}, {1, 1}}); });
    if (!device::has_tiles) return;
    CHECK(launches(avg_pool2d(sigmoid(conv2d(dx, dw) + 1))) == 1);
    CHECK(launches(max_pool2d(relu(conv2d(dx, dw)), {{3, 3}, {1, 1}})) == 2);
}

TEST_CASE("results of nothing, and sums of nothing") {
    matrix a({0, 3}), b({3, 4}), y({0, 4}), c({5, 0}), d({0, 4}), z({5, 4});
    y = matmul(a, b);
    z = 7;
    z = matmul(c, d) + 1;
    CHECK(float(sum(z)) == 20);
}
