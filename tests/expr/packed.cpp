// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <sstream>

using felt::index_t;
using felt::packed;
using felt::Tensor;

namespace {

// Numbers -8 .. 8 and few of them: sums are exact in every type and order.
template <class T, class Layout = felt::RowMajor, std::size_t R>
Tensor<T, R, felt::Host, Layout> numbers(felt::extents<R> const& e, std::uint64_t seed) {
    Tensor<T, R, felt::Host, Layout> x(e);
    x = felt::cast<T>(felt::floor(felt::uniform<float>(e, seed) * 17 - 8));
    return x;
}

template <class A, class B>
bool same(A const& a, B const& b) {
    return felt::all(a == b);
}

template <class S>
std::string text(S const& s) {
    std::ostringstream out;
    out << felt::explain(s);
    return out.str();
}

template <class T, class Layout>
void check_products() {
    auto const w = numbers<T, Layout>(felt::extents<2>{{65, 130}}, 1);
    auto const v = numbers<T, Layout>(felt::extents<2>{{130, 65}}, 2);
    auto const x = numbers<T>(felt::extents<2>{{130, 33}}, 3);
    auto const u = numbers<T>(felt::extents<2>{{33, 130}}, 4);
    auto const p = packed(w), q = packed(v);
    CHECK(same(felt::eval(matmul(p, x)), felt::eval(matmul(w, x))));
    CHECK(same(felt::eval(matmul(u, q)), felt::eval(matmul(u, v))));
    CHECK(same(felt::eval(matmul(p, q)), felt::eval(matmul(w, v))));
    CHECK(same(felt::eval(matmul(transpose(q), x)), felt::eval(matmul(transpose(v), x))));
    auto const part = [](auto const& a) { return felt::slice(a, felt::range(3, 40), felt::all()); };
    CHECK(same(felt::eval(matmul(part(p), x)), felt::eval(matmul(part(w), x))));
    CHECK(same(felt::eval(matmul(felt::flip<1>(p), x)), felt::eval(matmul(felt::flip<1>(w), x))));
    CHECK(same(felt::eval(felt::einsum<"ij,kj->ki">(p, u)),
               felt::eval(felt::einsum<"ij,kj->ki">(w, u))));
    Tensor<T, 2, felt::Host, felt::ColMajor> y({65, 33}), z({65, 33});
    y = matmul(p, x) + T(1);
    z = matmul(w, x) + T(1);
    CHECK(same(y, z));
    felt::run(felt::unfused, assign(y, matmul(p, x) * matmul(p, x)));
    z = matmul(w, x) * matmul(w, x);
    CHECK(same(y, z));
}

}  // namespace

TEST_CASE("products of what is packed are those of what it was made of, on both sides") {
    check_products<float, felt::RowMajor>();
    check_products<double, felt::ColMajor>();
    check_products<std::int8_t, felt::RowMajor>();
}

TEST_CASE("batches, rows of whole pages, one row and one column") {
    auto const w = numbers<float>(felt::extents<3>{{3, 17, 64}}, 1);
    auto const x = numbers<float>(felt::extents<3>{{3, 64, 20}}, 2);
    CHECK(same(felt::eval(matmul(packed(w), x)), felt::eval(matmul(w, x))));
    CHECK(same(felt::eval(matmul(w, packed(x))), felt::eval(matmul(w, x))));
    auto const pages = numbers<float, felt::ColMajor>(felt::extents<2>{{1024, 1024}}, 3);
    auto const wide = numbers<float>(felt::extents<2>{{1024, 40}}, 4);
    auto const p = packed(pages);
    CHECK(same(felt::eval(matmul(p, wide)), felt::eval(matmul(pages, wide))));
    auto const column = numbers<float>(felt::extents<2>{{1024, 1}}, 5);
    auto const row = numbers<float>(felt::extents<2>{{1, 1024}}, 6);
    CHECK(same(felt::eval(matmul(p, column)), felt::eval(matmul(pages, column))));
    CHECK(same(felt::eval(matmul(row, p)), felt::eval(matmul(row, pages))));
}

TEST_CASE("what is packed is an operand of everything else too") {
    auto const w = numbers<float, felt::ColMajor>(felt::extents<2>{{20, 70}}, 1);
    auto const p = packed(w);
    CHECK(same(felt::eval(p), w));
    CHECK(same(felt::eval(p * 2 + transpose(transpose(p))), felt::eval(w * 2 + w)));
    CHECK(same(felt::eval(felt::sum<1>(p)), felt::eval(felt::sum<1>(w))));
    CHECK(same(felt::eval(felt::reshape(p, {70, 20})), felt::eval(felt::reshape(w, {70, 20}))));
    auto const rows = Tensor<index_t, 1>::of({4, 0, 19});
    CHECK(same(felt::eval(felt::gather<0>(p, rows)), felt::eval(felt::gather<0>(w, rows))));
    float const total = felt::sum(p), expected = felt::sum(w);
    CHECK(total == expected);
    auto const of_expression = packed(w * 3);
    CHECK(same(felt::eval(of_expression), felt::eval(w * 3)));
    CHECK(same(felt::eval(packed(Tensor<float, 1>::of({1, 2}))), Tensor<float, 1>::of({1, 2})));
}

TEST_CASE("it is a snapshot, taken at the first use, until it is built again") {
    auto w = Tensor<double, 2>::of({{1, 2}, {3, 4}});
    auto const one = Tensor<double, 2>::of({{1}, {1}});
    auto const p = packed(w);
    auto const copy = p;
    w(0, 0) = 5;
    Tensor<double, 2> y = matmul(p, one);
    CHECK(y(0, 0) == 7);
    w(0, 0) = 100;
    y = matmul(p, one);
    CHECK(y(0, 0) == 7);
    y = matmul(transpose(p), one);  // of another orientation, of the same time
    CHECK(y(0, 0) == 8);
    w = matmul(p, p);
    CHECK(w(0, 0) == 31);  // reads the snapshot while w is written
    p.rebuild();
    y = matmul(copy, one);
    CHECK(y(0, 0) == 31 + w(0, 1));
    y = matmul(transpose(copy), one);
    CHECK(y(0, 0) == 31 + w(1, 0));
}

TEST_CASE("a plan makes no copy; the first use makes one, and others none") {
    auto const w = numbers<float, felt::ColMajor>(felt::extents<2>{{100, 200}}, 1);
    auto const x = numbers<float>(felt::extents<2>{{200, 50}}, 2);
    Tensor<float, 2> y({100, 50});
    auto const p = packed(w);
    auto const s = assign(y, matmul(p, x));
    auto const start = felt::allocations();
    CHECK(text(s).find("leaf (100, 200)  [packed, 78.1 KiB, contiguous along axis 1]") !=
          std::string::npos);
    CHECK(felt::allocations().tensors == start.tensors);
    felt::run(felt::fused, s);
    auto const first = felt::allocations();
    CHECK(first.tensors == start.tensors + 1);
    CHECK(first.bytes - start.bytes >= w.size() * 4);
    CHECK(first.bytes - start.bytes < w.size() * 6);
    auto const copy = p;
    y = matmul(copy, x);
    felt::fuse(s, assign(y, y + 1));
    CHECK(felt::allocations().tensors == first.tensors);
    p.rebuild();
    CHECK(felt::allocations().tensors == first.tensors);
}

TEST_CASE("equal nodes are one: two products of one snapshot, not of two") {
    auto const w = numbers<float>(felt::extents<2>{{10, 20}}, 1);
    auto const x = numbers<float>(felt::extents<2>{{20, 30}}, 2);
    auto const p = packed(w);
    Tensor<float, 2> y({10, 30});
    CHECK(text(assign(y, exp(matmul(p, x)) + matmul(p, x))).find("common sub-expression") !=
          std::string::npos);
    CHECK(text(assign(y, exp(matmul(p, x)) + matmul(packed(w), x))).find("common sub-expression") ==
          std::string::npos);
}

TEST_CASE("the lowered form is a view of the snapshot") {
    auto w = numbers<float>(felt::extents<2>{{10, 20}}, 1);
    auto const p = packed(w);
    auto const l = felt::lower(exp(p));
    static_assert(std::is_trivially_copyable_v<decltype(l)>);
    auto const before = felt::eval(exp(w));
    w = 0.f;
    CHECK(same(felt::eval(l), before));
}

TEST_CASE("the first use may be in several threads") {
    auto const w = numbers<float, felt::ColMajor>(felt::extents<2>{{300, 200}}, 1);
    auto const x = numbers<float>(felt::extents<2>{{200, 3000}}, 2);
    auto const expected = felt::eval(sigmoid(matmul(w, x)));
    felt::threads(4);
    auto const got = felt::eval(sigmoid(matmul(packed(w), x)));
    felt::threads(1);
    CHECK(felt::all_close(got, expected, 1e-6));
}
