// SPDX-License-Identifier: BSD-3-Clause
#include <felt/nn/lbfgs.hpp>
#include <doctest/doctest.h>
#include <map>

namespace {

using felt::index_t;
using vector = felt::Tensor<double, 1>;
using optimiser = felt::lbfgs<double>;

// sum_i i (x_i - i)^2 / 2 for i = 1 .. n: condition number n, minimum 0 at x_i = i.
double quadratic(vector const& x, vector& g) {
    double cost = 0;
    for (index_t i = 0; i < x.size(); ++i) {
        auto const k = static_cast<double>(i + 1);
        g(i) = k * (x(i) - k);
        cost += 0.5 * k * (x(i) - k) * (x(i) - k);
    }
    return cost;
}

// Rosenbrock's valley in n dimensions: minimum 0 where all x are 1.
double valley(vector const& x, vector& g) {
    double cost = 0;
    for (index_t i = 0; i < x.size(); ++i) g(i) = 0;
    for (index_t i = 0; i + 1 < x.size(); ++i) {
        double const a = 1 - x(i), b = x(i + 1) - x(i) * x(i);
        cost += a * a + 100 * b * b;
        g(i) -= 2 * a + 400 * x(i) * b;
        g(i + 1) += 200 * b;
    }
    return cost;
}

vector valley_start(index_t n) {
    vector x({n});
    for (index_t i = 0; i < n; ++i) x(i) = i % 2 == 0 ? -1.2 : 1;
    return x;
}

felt::lbfgs_options exact() {
    felt::lbfgs_options o;
    o.gradient_tolerance = 1e-8;
    o.progress_tolerance = 1e-18;
    return o;
}

template <class Cost>
void run_to_end(optimiser& o, Cost&& cost, index_t most = 1000) {
    while (o.iteration() < most && o.step(cost)) {
    }
}

// The state as a file would hold it.
struct saved {
    std::map<std::string, std::vector<double>> vectors;
    std::map<std::string, double> reals;
    std::map<std::string, index_t> integers;

    void part(std::string const& name, vector const& v) {
        vectors[name].assign(v.data(), v.data() + v.size());
    }
    void part(std::string const& name, double v) { reals[name] = v; }
    void part(std::string const& name, index_t v) { integers[name] = v; }

    void read(std::string const& name, vector& v) const {
        auto const& from = vectors.at(name);
        REQUIRE(static_cast<index_t>(from.size()) == v.size());
        std::copy(from.begin(), from.end(), v.data());
    }
    void read(std::string const& name, double& v) const { v = reals.at(name); }
    void read(std::string const& name, index_t& v) const { v = integers.at(name); }

    bool operator==(saved const&) const = default;
};

saved state_of(optimiser& o) {
    saved s;
    o.each_part([&](std::string const& name, auto& part) { s.part(name, part); });
    return s;
}

}  // namespace

TEST_CASE("the first step goes down the gradient by one over its sum of magnitudes") {
    vector x({2});
    optimiser o(std::move(x));
    CHECK(o.step(quadratic));
    // g = (-1, -4): t = 1/5 meets both conditions.
    CHECK(o.x()(0) == doctest::Approx(0.2));
    CHECK(o.x()(1) == doctest::Approx(0.8));
    CHECK(o.iteration() == 1);
    CHECK(o.evaluations() == 2);
    CHECK(o.cost() == doctest::Approx(0.5 * 0.64 + 1.44));
    CHECK(o.gradient()(1) == doctest::Approx(-2.4));
    CHECK(o.gradient_norm() == doctest::Approx(std::sqrt(0.64 + 2.4 * 2.4)));
}

TEST_CASE("a start at the minimum is the end") {
    vector x({3});
    for (index_t i = 0; i < 3; ++i) x(i) = static_cast<double>(i + 1);
    optimiser o(std::move(x));
    CHECK_FALSE(o.step(quadratic));
    CHECK(o.end() == felt::lbfgs_end::gradient);
    CHECK(o.evaluations() == 1);
    CHECK(o.iteration() == 0);
}

TEST_CASE("quadratics are solved, with few and with many corrections") {
    for (index_t n : {1, 2, 7, 40}) {
        for (index_t corrections : {0, 1, 5, 100}) {
            auto options = exact();
            options.corrections = corrections;
            optimiser o(vector({n}), options);
            run_to_end(o, quadratic);
            CAPTURE(n);
            CAPTURE(corrections);
            for (index_t i = 0; i < n; ++i) {
                CHECK(o.x()(i) == doctest::Approx(static_cast<double>(i + 1)).epsilon(1e-7));
            }
            CHECK(o.end() != felt::lbfgs_end::none);
        }
    }
}

TEST_CASE("curved valleys are followed to their end") {
    for (index_t n : {2, 10}) {
        optimiser o(valley_start(n), exact());
        run_to_end(o, valley);
        CAPTURE(n);
        CHECK(o.cost() < 1e-14);
        for (index_t i = 0; i < n; ++i) CHECK(o.x()(i) == doctest::Approx(1).epsilon(1e-6));
        CHECK(o.iteration() < 60 * n / 2);
    }
}

TEST_CASE("the cost falls with every step, and a state that has ended stays ended") {
    optimiser o(valley_start(6));
    o.start(valley);
    double last = o.cost();
    while (o.step(valley)) {
        CHECK(o.cost() < last);
        last = o.cost();
    }
    index_t const evaluations = o.evaluations();
    CHECK_FALSE(o.step(valley));
    CHECK(o.evaluations() == evaluations);
    CHECK(o.cost() == last);
}

TEST_CASE("cost and gradient belong to x") {
    optimiser o(valley_start(5));
    for (int i = 0; i < 9; ++i) o.step(valley);
    vector g({5});
    CHECK(valley(o.x(), g) == doctest::Approx(o.cost()).epsilon(1e-14));
    for (index_t i = 0; i < 5; ++i) CHECK(g(i) == doctest::Approx(o.gradient()(i)).epsilon(1e-9));
}

TEST_CASE("a restored state goes on bit for bit") {
    for (index_t corrections : {3, 100}) {
        felt::lbfgs_options options;
        options.corrections = corrections;
        for (int before : {0, 1, 8}) {
            optimiser whole(valley_start(8), options), first(valley_start(8), options);
            for (int i = 0; i < before; ++i) first.step(valley);
            saved const kept = state_of(first);
            optimiser second(vector({8}), options);
            second.each_part([&](std::string const& name, auto& part) { kept.read(name, part); });
            CHECK(state_of(second) == kept);
            for (int i = 0; i < 20; ++i) whole.step(valley);
            while (second.iteration() < 20) REQUIRE(second.step(valley));
            CAPTURE(corrections);
            CAPTURE(before);
            CHECK(state_of(second) == state_of(whole));
        }
    }
}

TEST_CASE("the last pairs are kept, oldest first, and no more than asked for") {
    felt::lbfgs_options options;
    options.corrections = 4;
    optimiser o(valley_start(8), options);
    std::vector<vector> x;
    for (int i = 0; i < 12; ++i) {
        o.step(valley);
        x.push_back(o.x());
    }
    saved const kept = state_of(o);
    CHECK(kept.integers.at("pairs") == 4);
    for (std::size_t k = 0; k < 4; ++k) {
        auto const& s = kept.vectors.at("s" + std::to_string(k));
        for (index_t i = 0; i < 8; ++i) {
            double const moved = x[8 + k](i) - x[7 + k](i);
            CHECK(s[static_cast<std::size_t>(i)] == doctest::Approx(moved).epsilon(1e-6));
        }
    }
}
