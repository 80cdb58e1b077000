// SPDX-License-Identifier: BSD-3-Clause
//
// Creation. Each line of docs/13_from_numpy.md on them; the numbers are NumPy's.
#include "tests/from_numpy/same.hpp"
#include <vector>

using namespace felt;
using test::same, test::C, test::NaN;

namespace {

auto const x = Tensor<double, 2>::of({{0.5, -1.25, 2}, {3.75, 0, -2.5}});
auto const a = Tensor<double, 2>::of({{2, 1, 0}, {-1, 3, 1}, {0.5, 0, 4}});
auto const v = Tensor<double, 1>::of({3, -1, 2});
auto const w = Tensor<double, 1>::of({0.5, 4, -2});
template <class E>
auto extents_of(E const& e) {
    return e.extents();
}

}  // namespace

TEST_CASE("creation") {
    CHECK(same(arange(5), {0, 1, 2, 3, 4}));
    CHECK(same(arange(1, 2, 0.25), {1, 1.25, 1.5, 1.75}));
    CHECK(same(arange<double>(5), {0, 1, 2, 3, 4}));
    CHECK(same(Tensor<double, 2>::of({{1, 2}, {3, 4}}), {{1, 2}, {3, 4}}));
    std::vector<double> memory{1, 2, 3, 4};
    CHECK(same(view(memory.data(), {2, 2}), {{1, 2}, {3, 4}}));
    CHECK(same(Tensor<double, 2>(x), {{0.5, -1.25, 2}, {3.75, 0, -2.5}}));
    CHECK(extents_of(Tensor<double, 2>({2, 3}, uninitialized)) == x.extents());
    CHECK(extents_of(Tensor<double, 2>(x.extents(), uninitialized)) == x.extents());
    CHECK(same(eye<double>(2), {{1, 0}, {0, 1}}));
    CHECK(same(eye<double>(2, 3, 1), {{0, 1, 0}, {0, 0, 1}}));
    double* const pointer = memory.data();
    CHECK(same(view(pointer, {2, 2}, {1, 2}), {{1, 3}, {2, 4}}));
    CHECK(same(full({2, 3}, 7), {{7, 7, 7}, {7, 7, 7}}));
    CHECK(same(full_like(x, 7), {{7, 7, 7}, {7, 7, 7}}));
    CHECK(same(linspace<double>(0, 1, 5), {0, 0.25, 0.5, 0.75, 1}));
    CHECK(same(slice(linspace<double>(0, 1, 5), until(4)), {0, 0.25, 0.5, 0.75}));
    auto const [x2, y2] = meshgrid(v, w);
    CHECK(same(x2, {{3, -1, 2}, {3, -1, 2}, {3, -1, 2}}));
    CHECK(same(y2, {{0.5, 0.5, 0.5}, {4, 4, 4}, {-2, -2, -2}}));
    auto const [xi, yi] = meshgrid<indexing::ij>(v, w);
    CHECK(same(xi, {{3, 3, 3}, {-1, -1, -1}, {2, 2, 2}}));
    CHECK(same(yi, {{0.5, 4, -2}, {0.5, 4, -2}, {0.5, 4, -2}}));
    CHECK(same(ones<double>({2, 3}), {{1, 1, 1}, {1, 1, 1}}));
    CHECK(same(ones_like(x), {{1, 1, 1}, {1, 1, 1}}));
    CHECK(same(tril(a), {{2, 0, 0}, {-1, 3, 0}, {0.5, 0, 4}}));
    CHECK(same(triu(a, 1), {{0, 1, 0}, {0, 0, 1}, {0, 0, 0}}));
    CHECK(same(zeros<double>({2, 3}), {{0, 0, 0}, {0, 0, 0}}));
    CHECK(same(zeros_like(x), {{0, 0, 0}, {0, 0, 0}}));
}
