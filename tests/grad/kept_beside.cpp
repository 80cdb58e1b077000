// SPDX-License-Identifier: BSD-3-Clause
//
// What the rules of a cost keep beside it: of scores in memory the largest and the logarithm of the
// sum, so that the derivative reads two numbers of a row and has no sums.
#include "tests/grad/numeric.hpp"
#include <doctest/doctest.h>
#include <sstream>

using namespace felt;

namespace {

template <class T>
struct scores {
    index_t n, classes;
    Tensor<T, 2> z{{n, classes}}, dz{{n, classes}};
    Tensor<int, 1> labels{{n}};

    scores(index_t n_, index_t classes_, T shift = 0) : n(n_), classes(classes_) {
        z = normal<T>(z.extents(), 1) + shift;
        labels = remainder(iota<int>({n}) * 7, static_cast<int>(classes));
    }
    // (softmax(z) - one_hot(labels)) / n by plain loops in double, and the cost.
    double plain(Tensor<double, 2>& d) const {
        d = Tensor<double, 2>(z.extents());
        double cost = 0;
        for (index_t i = 0; i < n; ++i) {
            double most = -INFINITY, sum = 0;
            for (index_t k = 0; k < classes; ++k) most = std::max(most, double(z(i, k)));
            for (index_t k = 0; k < classes; ++k) sum += std::exp(double(z(i, k)) - most);
            for (index_t k = 0; k < classes; ++k) {
                double const p = std::exp(double(z(i, k)) - most) / sum;
                d(i, k) = (p - (labels(i) == k ? 1 : 0)) / double(n);
            }
            cost += (most + std::log(sum) - double(z(i, labels(i)))) / double(n);
        }
        return cost;
    }
};

template <class G>
std::size_t count_forward(G const& g) {
    std::size_t n = 0;
    apply([&](auto const&... s) { n = sizeof...(s); }, g.forward());
    return n;
}

}  // namespace

TEST_CASE("cross_entropy keeps two numbers of a row, and its derivative has no sums") {
    scores<double> of(37, 10);
    Tensor<double, 2> known;
    double const cost = of.plain(known);
    auto const h = let<"h">(named<"z">(of.z) * 1.);
    auto g = gradient(program(h), cross_entropy(h, of.labels), wrt<"z">());
    CHECK(count_forward(g) == 3);
    CHECK(g.values().size() == 2);
    for (auto const& v : g.values()) {
        CHECK(v.role == program_value::beside);
        CHECK(v.bytes == 37 * 8);
    }
    for (int k = 0; k < 2; ++k) {
        of.dz = 7.;
        double const j = k == 0 ? g(fused, of.dz) : g(unfused, of.dz);
        CHECK(j == doctest::Approx(cost).epsilon(1e-13));
        CHECK(all_close(of.dz, known, 1e-13, 1e-15));
    }
    std::ostringstream out;
    out << explain(assign(of.dz, get<0>(g.derivatives())));
    CAPTURE(out.str());
    CHECK(out.str().find("exp") != std::string::npos);
    CHECK(out.str().find("sum") == std::string::npos);
    CHECK(out.str().find("max") == std::string::npos);
}

TEST_CASE("scores that are large are no less exact") {
    scores<float> of(19, 33, 30000.F);
    Tensor<double, 2> known;
    double const cost = of.plain(known);
    auto g = gradient(program(), cross_entropy(named<"z">(of.z), of.labels), wrt<"z">());
    CHECK(double(g(fused, of.dz)) == doctest::Approx(cost).epsilon(1e-3));  // beside 30000
    CHECK(all_close(cast<double>(of.dz), known, 2e-6, 1e-8));
}

TEST_CASE("every head of a cost keeps its own") {
    scores<double> a(8, 3), b(11, 5);
    Tensor<double, 2> da, db;
    double const ja = a.plain(da), jb = b.plain(db);
    auto const j = 2 * cross_entropy(named<"a">(a.z), a.labels) +
                   (cross_entropy(named<"b">(b.z), b.labels) + 0.5 * sum(square(named<"b">(b.z))));
    auto g = gradient(program(), j, wrt<"a", "b">());
    CHECK(g.values().size() == 4);
    double const cost = g(fused, a.dz, b.dz);
    CHECK(cost == doctest::Approx(2 * ja + jb + 0.5 * double(sum(square(b.z)))).epsilon(1e-13));
    CHECK(all_close(a.dz, 2 * da, 1e-13, 1e-15));
    CHECK(all_close(b.dz, db + b.z, 1e-13, 1e-15));
}

TEST_CASE("scores that are a product on the way are not computed for it once more") {
    scores<double> of(8, 3);
    Tensor<double, 2> x({8, 4}), w({4, 3}), dw({4, 3});
    x = normal<double>(x.extents(), 2), w = normal<double>(w.extents(), 3);
    auto g = gradient(program(), cross_entropy(matmul(x, named<"w">(w)), of.labels), wrt<"w">());
    CHECK(g.values().empty());
    of.z = matmul(x, w);
    Tensor<double, 2> dz;
    (void)of.plain(dz);
    g(fused, dw);
    CHECK(all_close(dw, matmul(transpose(x), dz), 1e-13, 1e-15));
}

TEST_CASE("one that is itself kept has them beside it") {
    scores<double> of(8, 3);
    Tensor<double, 2> known;
    double const cost = of.plain(known);
    Tensor<double, 0> at;
    auto const v = keep<"j">(at, cross_entropy(named<"z">(of.z), of.labels));
    auto g = gradient(program(v), square(v), wrt<"z">());
    CHECK(count_forward(g) == 4);
    g(fused, of.dz);
    CHECK(all_close(of.dz, 2 * cost * known, 1e-13, 1e-15));
}

TEST_CASE("rows of one class, no rows, and a row that is not a number") {
    for (auto [n, classes] : {std::pair<index_t, index_t>{5, 1}, {0, 4}, {1, 1}, {17, 31}}) {
        scores<double> of(n, classes);
        Tensor<double, 2> known;
        (void)of.plain(known);
        auto g = gradient(program(), cross_entropy(named<"z">(of.z), of.labels), wrt<"z">());
        g(fused, of.dz);
        CHECK(all_close(of.dz, known, 1e-13, 1e-15));
    }
    scores<double> of(4, 3);
    Tensor<double, 2> known;
    (void)of.plain(known);
    of.z(2, 1) = std::nan("");
    auto g = gradient(program(), cross_entropy(named<"z">(of.z), of.labels), wrt<"z">());
    CHECK(std::isnan(double(g(fused, of.dz))));
    for (index_t i = 0; i < 4; ++i) {
        for (index_t k = 0; k < 3; ++k) {
            if (i == 2) CHECK(std::isnan(of.dz(i, k)));
            else CHECK(of.dz(i, k) == doctest::Approx(known(i, k)).epsilon(1e-13));
        }
    }
}

TEST_CASE("nothing is kept beside a cost whose derivative is written next to a value") {
    scores<double> of(8, 3);
    Tensor<double, 2> z, known;
    auto const twice = [](auto how, auto const& v) { run(how, assign(v, v * 2)); };
    auto const v = keep<"v">(z, named<"z">(of.z) * 1., twice);
    auto g = gradient(program(v), cross_entropy(v, of.labels), wrt<"z">());
    g(fused, of.dz);
    scores<double> doubled(8, 3);
    doubled.z = 2 * of.z;
    (void)doubled.plain(known);
    CHECK(all_close(of.dz, 2 * known, 1e-13, 1e-15));
}
