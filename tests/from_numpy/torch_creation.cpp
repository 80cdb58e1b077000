// SPDX-License-Identifier: BSD-3-Clause
//
// Creation and random numbers: the lines of docs/13_from_numpy.md on PyTorch's that are not the
// Array API's too. The numbers are PyTorch's.
#include "tests/from_numpy/same.hpp"
#include <felt/sorting.hpp>
#include <numbers>

using namespace felt;
using test::same, test::C;

namespace {

auto const x = Tensor<double, 2>::of({{0.5, -1.25, 2}, {3.75, 0, -2.5}});
auto const y = Tensor<double, 2>::of({{1.5, 2, -0.5}, {1, -3, 0.75}});
auto const v = Tensor<double, 1>::of({3, -1, 2});
auto const u = Tensor<double, 1>::of({0.25, 0.5, 0.75});
template <class E>
auto extents_of(E const& e) {
    return e.extents();
}

// 2000 numbers of this mean and variance, within four standard errors.
template <class E>
bool about(E const& e, double mean_of, double variance) {
    double const found = mean(e), spread = var(e);
    return std::abs(found - mean_of) < 4 * std::sqrt(variance / 2000) &&
           std::abs(spread - variance) < 0.2 * variance;
}

}  // namespace

TEST_CASE("creation operations") {
    CHECK(same(view(x.data(), {2, 2}, {1, 2}), {{0.5, 2}, {-1.25, 3.75}}));
    CHECK(same(arange(1, 4 + 1), {1, 2, 3, 4}));
    CHECK(same(pow(10, linspace<double>(0, 2, 5)), {1, 3.16227766, 10, 31.6227766, 100}));
    CHECK(same(Tensor<double, 2, Host, ColMajor>({2, 3}), {{0, 0, 0}, {0, 0, 0}}));
    CHECK(same(complex(x, y),
               {{C(0.5, 1.5), C(-1.25, 2), C(2, -0.5)}, {C(3.75, 1), C(0, -3), C(-2.5, 0.75)}}));
    CHECK(same(
        complex(abs(x) * cos(y), abs(x) * sin(y)),
        {{C(0.0353686008, 0.498747493), C(-0.520183546, 1.13662178), C(1.75516512, -0.958851077)},
         {C(2.02613365, 3.15551619), C(0, 0), C(1.82922217, 1.7040969)}}));
    CHECK(same(where(x == 0, y, cast<double>(x > 0)), {{1, 0, 1}, {1, -3, 0}}));
}

TEST_CASE("random sampling") {
    CHECK(about(cast<double>(bernoulli({40, 50}, 0.25, 1)), 0.25, 0.1875));
    CHECK(extents_of(bernoulli({40, 50}, 0.25, 1))[1] == 50);
    Tensor<double, 1> const chance = full({50}, 0.25);
    Tensor<bool, 2> const hits = uniform<double>({40, 50}, 1) < chance;
    CHECK(about(cast<double>(hits), 0.25, 0.1875));
    auto const drawn = searchsorted(cumsum(u) / sum(u), uniform<double>({2000}, 1), side::right);
    CHECK(about(cast<double>(drawn), 4.0 / 3, 5.0 / 9));
    CHECK(unique(choice(v, 2, 1, without_replacement)).size() == 2);
    CHECK(about(2 + 0.5 * normal<double>({40, 50}, 1), 2, 0.25));
    CHECK(about(uniform<double>({40, 50}, 1), 0.5, 1.0 / 12));
    CHECK(extents_of(uniform<double>(x.extents(), 1)) == x.extents());
    CHECK(about(cast<double>(randint({40, 50}, 0, 10, 1)), 4.5, 8.25));
    CHECK(extents_of(randint({40, 50}, 0, 10, 1))[0] == 40);
    CHECK(extents_of(randint(x.extents(), 0, 10, 1)) == x.extents());
    CHECK(about(normal<double>({40, 50}, 1), 0, 1));
    CHECK(extents_of(normal<double>(x.extents(), 1)) == x.extents());
    CHECK(unique(permutation(50, 1)).size() == 50);
    CHECK(about(cast<double>(abs(tan(std::numbers::pi * (uniform<double>({40, 50}, 1) - 0.5))) < 1),
                0.5, 0.25));
    CHECK(extents_of(tan(std::numbers::pi * (uniform<double>({40, 50}, 1) - 0.5)))[0] == 40);
    CHECK(about(-log1p(-uniform<double>({40, 50}, 1)), 1, 1));
    CHECK(about(floor(log1p(-uniform<double>({40, 50}, 1)) / std::log1p(-0.5)) + 1, 2, 2));
    CHECK(about(exp(0.5 * normal<double>({40, 50}, 1)), std::exp(0.125),
                std::exp(0.25) * (std::exp(0.25) - 1)));
}
