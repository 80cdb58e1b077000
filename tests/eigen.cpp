// SPDX-License-Identifier: BSD-3-Clause
//
// Eigen's matrices as operands and destinations, Felt's tensors as Eigen's maps: the same elements,
// never a copy.
#include <felt/eigen.hpp>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

namespace {

using felt::Tensor, felt::View;
using rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;

template <class M = Eigen::MatrixXf>
M numbers() {
    M m(2, 3);
    m << 1, 2, 3, 4, 5, 6;
    return m;
}

// v shows the elements of m: each is at one address.
template <class V, class M>
bool shows(V const& v, M const& m) {
    bool same = v.extent(0) == m.rows() && v.extent(1) == m.cols();
    for (Eigen::Index i = 0; i < m.rows(); ++i) {
        for (Eigen::Index j = 0; j < m.cols(); ++j) same = same && &v(i, j) == &m.coeffRef(i, j);
    }
    return same;
}

template <class X>
concept has_a_map = requires(X&& x) { felt::to_eigen(std::forward<X>(x)); };

}  // namespace

TEST_CASE("a view of an Eigen object is its elements, in both orders and by every stride") {
    auto m = numbers();
    auto r = numbers<rows>();
    Eigen::Array<float, 2, 3> fixed = numbers();
    CHECK(shows(felt::view(m), m));
    CHECK(shows(felt::view(r), r));
    CHECK(shows(felt::view(fixed), fixed));
    auto block = m.block(0, 1, 2, 2);
    auto turned = r.transpose();
    auto part = r.middleCols(1, 2).transpose();
    CHECK(shows(felt::view(block), block));
    CHECK(shows(felt::view(turned), turned));
    CHECK(shows(felt::view(part), part));
    std::vector<float> memory(24);
    Eigen::Map<Eigen::MatrixXf, 0, strides> map(memory.data(), 2, 3, strides(8, 2));
    Eigen::Map<rows, 0, strides> back(memory.data() + 23, 2, 3, strides(-8, -2));
    CHECK(shows(felt::view(map), map));
    CHECK(shows(felt::view(back), back));
    Eigen::Ref<Eigen::MatrixXf> ref = m;
    CHECK(shows(felt::view(ref), m));
    Eigen::MatrixXf empty(0, 3);
    CHECK(felt::view(empty).extents() == felt::extents<2>{{0, 3}});
}

TEST_CASE("a vector has one axis, and two if they are asked for") {
    auto m = numbers();
    Eigen::VectorXf v = m.row(1);
    CHECK(felt::view(v).extents() == felt::extents<1>{{3}});
    CHECK(felt::view<2>(v).extents() == felt::extents<2>{{3, 1}});
    auto row = m.row(1);
    CHECK(felt::view(row).strides() == felt::extents<1>{{2}});
    CHECK(felt::view<2>(row).extents() == felt::extents<2>{{1, 3}});
    auto diagonal = m.diagonal();
    CHECK(&felt::view(diagonal)(1) == &m(1, 1));
}

TEST_CASE("constant objects are constant views") {
    Eigen::MatrixXf const m = numbers();
    static_assert(std::same_as<decltype(felt::view(m)), View<float const, 2>>);
    auto const row = m.row(0);
    static_assert(std::same_as<decltype(felt::view(row)), View<float const, 1>>);
    float const memory[6] = {1, 2, 3, 4, 5, 6};
    Eigen::Map<rows const> map(memory, 2, 3);
    static_assert(std::same_as<decltype(felt::view(map)), View<float const, 2>>);
    static_assert(!felt::foreign_destination<decltype(map)&>);
    static_assert(!felt::foreign_destination<Eigen::MatrixXf const&>);
    static_assert(!felt::foreign_destination<Eigen::MatrixXf>);
    static_assert(felt::foreign_destination<Eigen::MatrixXf&>);
    static_assert(felt::foreign_destination<Eigen::Block<Eigen::MatrixXf>>);
}

TEST_CASE("what the page on other libraries shows") {
    //[eigen]
    Eigen::MatrixXf m = Eigen::MatrixXf::Constant(2, 3, 2.f);
    felt::Tensor<float, 2> y = felt::exp(m) - 1.f;             // m is read where it lies
    felt::fuse(felt::assign(m, y * m + 1.f));                  // and written
    felt::fuse(felt::assign(m.col(0), felt::sum<1>(y)));       // a column of it
    Eigen::MatrixXf z = felt::to_eigen(y) * m.transpose();     // y, as an Eigen::Map
    felt::to_eigen(felt::slice(y, 0, felt::all())).setZero();  // every view is one, by its strides
    //[eigen]
    CHECK(z(0, 0) > 0);
    CHECK(y(0, 2) == 0);
    CHECK(m(1, 0) == doctest::Approx(3 * (std::exp(2.) - 1)));
}

TEST_CASE("what has no elements in memory, or none of Felt's types, is no operand") {
    auto const m = numbers();
    static_assert(!felt::operand<decltype(m + m)>);
    static_assert(!felt::foreign_expression_is_evaluated_first<decltype(m + m)>);
    static_assert(!felt::operand<decltype(m.reverse())>);
    static_assert(!felt::operand<Eigen::Matrix<long double, 2, 2>&>);
    static_assert(!felt::eigen_expression<Tensor<float, 2>> && !felt::eigen_expression<int>);
}

TEST_CASE("tensors and Eigen objects meet in Felt's expressions, whichever comes first") {
    auto const m = numbers();
    Tensor<float, 2> y;
    y = m;
    CHECK(y(1, 0) == 4);
    auto const e = y + m;
    static_assert(std::same_as<decltype(e), decltype(y + y) const>);  // no Eigen type inside
    Tensor<float, 2> const z = e - m * y / 2.f;
    CHECK(z(0, 2) == 1.5f);
    Tensor<float, 2> const w = where(m > y - 1.f, felt::exp(y - m.array()), m);
    CHECK(w(1, 1) == 1);
    Tensor<float, 2> const c = felt::matmul(m, m.transpose());
    CHECK(c(0, 0) == 14);
    CHECK(c(1, 0) == 32);
    Eigen::RowVectorXf const bias = m.row(0);
    Tensor<float, 2> const biased = y + bias;
    CHECK(biased(1, 2) == 9);
    float const total = felt::sum(m);
    CHECK(total == 21);
    Eigen::ArrayXcf complex(2);
    complex << std::complex<float>(3, 4), std::complex<float>(0, 1);
    CHECK(felt::eval(felt::abs(complex))(0) == doctest::Approx(5));
}

TEST_CASE("assign writes into Eigen's objects, and never resizes them") {
    auto m = numbers();
    auto r = numbers<rows>();
    auto const x = Tensor<float, 2>::of({{1, 1, 1}, {2, 2, 2}});
    auto const before = felt::allocations();
    felt::fuse(felt::assign(m, x * r), felt::assign(r, m + x));
    CHECK(m == (Eigen::MatrixXf(2, 3) << 1, 2, 3, 8, 10, 12).finished());
    CHECK(r == (rows(2, 3) << 2, 3, 4, 10, 12, 14).finished());
    felt::fuse(felt::assign(m.col(1), -felt::sum<1>(x)), felt::assign(r.row(0).tail(2), 7.f));
    CHECK(m == (Eigen::MatrixXf(2, 3) << 1, -3, 3, 8, -6, 12).finished());
    CHECK(r.row(0) == Eigen::RowVector3f(2, 7, 7));
    felt::noalias(m) = x + 2.f;
    felt::view(m) += x;
    CHECK(m == (Eigen::MatrixXf(2, 3) << 4, 4, 4, 6, 6, 6).finished());
    felt::fuse(felt::assign(r, felt::view(m) * 0.f + 1.f));
    CHECK(r == rows::Constant(2, 3, 1.f));
    CHECK(felt::allocations().tensors == before.tensors);
    Eigen::MatrixXf small(1, 2);
    CHECK_THROWS_WITH_AS(felt::fuse(felt::assign(small, x)), "assign: (2, 3) does not fit (1, 2)",
                         felt::shape_error);
}

TEST_CASE("a destination that its expression reads transposed is written rightly") {
    Eigen::Matrix3f m;
    m << 1, 2, 3, 4, 5, 6, 7, 8, 9;
    Eigen::Matrix3f const expected = m.transpose() + m;
    felt::fuse(felt::assign(m, m.transpose() + felt::view(m)));
    CHECK(m == expected);
}

TEST_CASE("a temporary matrix lives in the expression, a temporary block of a named one is read") {
    auto m = numbers();
    auto const own = felt::abs(numbers());
    auto const row = felt::abs(m.row(1));
    m(1, 0) = -40;
    CHECK(felt::eval(own)(1, 0) == 4);
    CHECK(felt::eval(row)(0) == 40);
    Eigen::Ref<rows const> const copied = m;  // of another order: it holds a copy
    static_assert(!felt::foreign_array_borrows<Eigen::Ref<rows const>>);
    CHECK(felt::eval(felt::abs(copied))(1, 0) == 40);
}

TEST_CASE("tensors are Eigen's maps, in every layout and by every stride") {
    auto x = Tensor<float, 2>::of({{1, 2, 3}, {4, 5, 6}});
    auto a = felt::to_eigen(x);
    CHECK(a.data() == x.data());
    CHECK(a == numbers());
    static_assert(decltype(a)::IsRowMajor && decltype(a)::InnerStrideAtCompileTime == 1);
    a(1, 2) = 60;
    CHECK(x(1, 2) == 60);

    Tensor<float, 2, felt::Host, felt::ColMajor> const f = x;
    auto const c = felt::to_eigen(f);
    static_assert(!decltype(c)::IsRowMajor);
    CHECK(c.data() == f.data());
    CHECK(c == a);
    static_assert(std::is_const_v<std::remove_pointer_t<decltype(c.data())>>);

    auto part = felt::to_eigen(felt::slice(x, felt::all(), felt::range(0, 3, 2)));
    CHECK(part == (Eigen::MatrixXf(2, 2) << 1, 3, 4, 60).finished());
    part *= 2.f;
    CHECK(x(1, 0) == 8);
    CHECK(x(1, 1) == 5);
    auto const back = felt::to_eigen(felt::flip<1>(x));
    CHECK(back(0, 0) == 6);
    CHECK(Eigen::MatrixXf(felt::to_eigen(felt::transpose(x)) * a).rows() == 3);

    auto v = Tensor<double, 1>::of({1, 2, 3});
    CHECK(felt::to_eigen(v).dot(Eigen::Vector3d(1, 1, 1)) == 6);
    CHECK(felt::to_eigen(felt::slice(v, felt::range(0, 3, 2))).sum() == 4);
    Tensor<int, 2> const empty({0, 4});
    CHECK(felt::to_eigen(empty).cols() == 4);
}

TEST_CASE("what would die before its map, or is none of Eigen's, has no map") {
    static_assert(has_a_map<Tensor<float, 2>&> && has_a_map<View<float const, 1>>);
    static_assert(!has_a_map<Tensor<float, 2>>);
    static_assert(!has_a_map<Tensor<float, 3>&> && !has_a_map<Tensor<felt::bfloat16, 2>&>);
}

TEST_CASE("maps of a tensor come back as views of it") {
    Tensor<float, 2> x({2, 3});
    auto a = felt::to_eigen(x);
    CHECK(felt::view(a).data() == x.data());
    felt::fuse(felt::assign(a, felt::view(a) + 2.f));
    CHECK(x(1, 1) == 2);
}
