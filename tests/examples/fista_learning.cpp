// SPDX-License-Identifier: BSD-3-Clause
#include "scratch.hpp"
#include <doctest/doctest.h>
#include <fista/coordinates.hpp>
#include <fista/patches.hpp>
#include <fista/run.hpp>
#include <fista/solve.hpp>

namespace {

using felt::index_t;
using matrix = felt::Tensor<double, 2>;

// A small run: 12 atoms of 9 numbers, 300 samples that are made of 2 atoms each.
struct small {
    matrix hidden = fista::random_dictionary<double>(9, 12, 77);
    matrix x{{9, 300}};
    fista::learning how{.lambda = 0.2, .steps = 60, .columns = 128, .seed = 7};

    small() {
        support::random_stream random{5};
        for (index_t j = 0; j < 300; ++j) {
            for (int n = 0; n < 2; ++n) {
                auto const k = static_cast<index_t>(random.below(12));
                double const by = random.uniform(-1.5, 1.5);
                for (index_t i = 0; i < 9; ++i) x(i, j) += by * hidden(i, k);
            }
        }
    }
    fista::learning_run<double> run() const {
        return {fista::learner<double>(how, fista::random_dictionary<double>(9, 12, how.seed)),
                support::fingerprint_of(x)};
    }
};

void rounds(fista::learning_run<double>& r, matrix const& x, int n) {
    for (int k = 0; k < n; ++k) {
        auto const m = r.learner.code(felt::fused, x, fista::host_solver{});
        r.learner.update(felt::fused, x, fista::host_solver{}, r.rounds());
        r.note(m, x.extent(1));
    }
}

std::string bytes(fista::learning_run<double> const& r, test::scratch_folder const& folder) {
    felt::save_npz((folder / "state.npz").string(), to_npz(r, "patches"));
    return test::read_bytes(folder / "state.npz");
}

double distance(matrix const& a, matrix const& b) {
    return double(norm2(a - b)) / double(norm2(b));
}

// W S in plain loops, less x: its squares.
double misfit(matrix const& W, matrix const& S, matrix const& x) {
    double sum = 0;
    for (index_t i = 0; i < x.extent(0); ++i) {
        for (index_t j = 0; j < x.extent(1); ++j) {
            double r = -x(i, j);
            for (index_t k = 0; k < W.extent(1); ++k) r += W(i, k) * S(k, j);
            sum += r * r;
        }
    }
    return sum;
}

}  // namespace

TEST_CASE("learning finds the atoms that the samples are made of") {
    small const p;
    auto r = p.run();
    rounds(r, p.x, 80);
    CHECK(r.rounds() == 80);
    CHECK(r.objective.back() < 0.6 * r.objective.front());
    int found = 0;
    for (index_t k = 0; k < 12; ++k) {
        double nearest = 0;
        for (index_t l = 0; l < 12; ++l) {
            double inner = 0;
            for (index_t i = 0; i < 9; ++i) inner += p.hidden(i, k) * r.learner.W()(i, l);
            nearest = std::max(nearest, std::abs(inner));
        }
        found += nearest > 0.95;
    }
    CHECK(found >= 9);
}

TEST_CASE("codes are those of coordinate descent, and what is said of them is true") {
    small const p;
    auto r = p.run();
    r.learner =
        fista::learner<double>({.lambda = 0.2, .steps = 3000, .columns = 100}, r.learner.W());
    auto const m = r.learner.code(felt::fused, p.x, fista::host_solver{});
    matrix const& W = r.learner.W();
    matrix const best = fista::coordinate_descent(W, p.x, 0.2, 2000);
    auto const objective = [&](matrix const& s) {
        return misfit(W, s, p.x) / 2 + 0.2 * double(sum(abs(s)));
    };
    CHECK(objective(r.learner.codes()) == doctest::Approx(objective(best)).epsilon(1e-6));
    CHECK(m.objective == doctest::Approx(objective(best)).epsilon(1e-6));
    CHECK(m.gap < 1e-6 * m.objective);
    CHECK(fista::kkt_violation(W, p.x, best, 0.2) < 1e-6);
}

TEST_CASE("backtracking comes to the same codes, and a state knows of it") {
    small p;
    p.how.steps = 2000;
    auto constant = p.run();
    p.how.step = "backtracking";
    auto backtracking = p.run();
    for (auto* r : {&constant, &backtracking}) {
        r->learner.code(felt::fused, p.x, fista::host_solver{});
    }
    CHECK(distance(backtracking.learner.codes(), constant.learner.codes()) < 1e-6);
    auto const saved = fista::saved_learning(to_npz(backtracking, "patches"));
    CHECK(saved.step == "backtracking");
    CHECK(saved.options().growth == 2);
    CHECK(saved.steps == 2000);
    CHECK(saved.columns == 128);
    CHECK(fista::saved_learning(to_npz(constant, "patches")).options().growth == 1);
}

TEST_CASE("the dictionary is that of least squares: no other fits better, and lengths are 1") {
    small const p;
    auto r = p.run();
    r.learner.code(felt::fused, p.x, fista::host_solver{});
    matrix const& S = r.learner.codes();
    matrix const A = matmul(p.x, transpose(S)), B = matmul(S, transpose(S));
    matrix W({9, 12});
    CHECK(fista::host_solver{}.dictionary(A, B, 0, W).empty());
    double const least = misfit(W, S, p.x);
    for (index_t k = 0; k < W.size(); k += 7) {
        for (double by : {-1e-3, 1e-3}) {
            matrix other = W;
            other.data()[k] += by;
            CHECK(misfit(other, S, p.x) > least);
        }
    }
    r.learner.update(felt::fused, p.x, fista::host_solver{}, 0);
    for (index_t k = 0; k < 12; ++k) {
        double length = 0, along = 0, size = 0;
        for (index_t i = 0; i < 9; ++i) {
            length += r.learner.W()(i, k) * r.learner.W()(i, k);
            along += r.learner.W()(i, k) * W(i, k);
            size += W(i, k) * W(i, k);
        }
        CHECK(length == doctest::Approx(1));
        CHECK(along == doctest::Approx(std::sqrt(size)));
    }
}

TEST_CASE("with a ridge the gradient of the weight cost vanishes at the closed form") {
    // UFLDL: |W s - x|^2 / m + gamma |W|^2 has the gradient 2 (W s - x) s' / m + 2 gamma W.
    small p;
    p.how.ridge = 1e-2;
    auto r = p.run();
    r.learner.code(felt::fused, p.x, fista::host_solver{});
    matrix const S = r.learner.codes();
    r.learner.update(felt::fused, p.x, fista::host_solver{}, 0);
    matrix const& W = r.learner.W();
    matrix const g = 2 * matmul(matmul(W, S) - p.x, transpose(S)) / 300 + 2 * 1e-2 * W;
    CHECK(double(norm2(g)) < 1e-12);
}

TEST_CASE("an atom that no code uses becomes a sample") {
    small p;
    p.how.lambda = 1e3;  // all codes are 0
    auto r = p.run();
    rounds(r, p.x, 1);
    CHECK(r.nonzeros.back() == 0);
    for (index_t k = 0; k < 12; ++k) {
        double nearest = 1;
        for (index_t j = 0; j < 300; ++j) {
            double size = 0, apart = 0;
            for (index_t i = 0; i < 9; ++i) size += p.x(i, j) * p.x(i, j);
            for (index_t i = 0; i < 9; ++i) {
                apart += std::abs(r.learner.W()(i, k) - p.x(i, j) / std::sqrt(size));
            }
            nearest = std::min(nearest, apart);
        }
        CHECK(nearest < 1e-9);
    }
}

TEST_CASE("the study's lambda doubles or halves after every step") {
    CHECK(fista::scheduled(1, 12.9, 121) == 0.5);  // counts are whole numbers there
    CHECK(fista::scheduled(1, 13, 121) == 2);
    CHECK(fista::scheduled(1, 60, 121) == 2);
    CHECK(fista::scheduled(1, 0, 121) == 0.5);
}

TEST_CASE("the study's codes are those of its loop, step by step") {
    small p;
    p.how = {.lambda = 1, .steps = 9, .study = true};
    auto r = p.run();
    matrix const W = r.learner.W();
    auto const m = r.learner.code(felt::fused, p.x, fista::host_solver{});
    // In Felt's operations, one after the other.
    matrix P({12, 9});
    fista::host_solver{}.pseudo_inverse(W, P);
    matrix const G = matmul(transpose(W), W), c = matmul(transpose(W), p.x);
    matrix s = matmul(P, p.x), before = s;
    CHECK(distance(matmul(W, s), p.x) < 1e-9);
    double const L = felt::largest_eigenvalue(G);
    double t = 1, t_before = 1, lambda = 1;
    for (int k = 1; k <= 9; ++k) {
        matrix const y = s + (t_before - 1) / t * (s - before);
        before = s;
        s = soft_threshold(y - (matmul(G, y) - c) / L, lambda / L);
        t_before = std::exchange(t, (1 + std::sqrt(1 + 4 * t * t)) / 2);
        double const nonzeros = double(index_t(sum(s != 0))) / 300;
        if (k < 9) lambda = fista::scheduled(lambda, nonzeros, 12);
    }
    CHECK(distance(r.learner.codes(), s) < 1e-10);
    CHECK(m.objective ==
          doctest::Approx(misfit(W, s, p.x) / 2 + lambda * double(sum(abs(s)))).epsilon(1e-9));
}

TEST_CASE("a run that was saved and resumed equals an unbroken one, byte for byte") {
    test::scratch_folder const folder;
    small const p;
    auto whole = p.run(), broken = p.run(), resumed = p.run();
    rounds(whole, p.x, 7);
    rounds(broken, p.x, 3);
    bytes(broken, folder);
    fista::from_npz(felt::load_npz((folder / "state.npz").string()), resumed);
    CHECK(resumed.rounds() == 3);
    rounds(resumed, p.x, 4);
    CHECK(bytes(resumed, folder) == bytes(whole, folder));
}

TEST_CASE("a state knows its setting and its data") {
    small const p;
    auto r = p.run(), other = p.run();
    rounds(r, p.x, 1);
    auto const file = to_npz(r, "ridge");
    CHECK(fista::setting_of(file) == "ridge");
    CHECK(file.scalar<double>("lambda") == 0.2);
    other.data += 1;
    CHECK(test::has(test::message_of([&] { fista::from_npz(file, other); }), "other data"));
    CHECK(test::has(test::message_of([&] { fista::setting_of(felt::npz{}); }), "no saved state"));
}

TEST_CASE("a batch is other columns each round, and follows from seed and round") {
    small const p;
    auto const a = fista::batch_of(p.x, 20, 1, 0), b = fista::batch_of(p.x, 20, 1, 1);
    CHECK(a.extents() == felt::extents<2>{{9, 20}});
    CHECK(bool(felt::all(a == fista::batch_of(p.x, 20, 1, 0))));
    CHECK(bool(felt::any(a != b)));
}

TEST_CASE("patches are normalised, around 0 unless they are the study's") {
    test::scratch_folder const nothing;
    setenv("FELT_DATA", nothing.path.c_str(), 1);
    fista::setting own = fista::settings[0], study = fista::settings[1];
    own.samples = study.samples = 400;
    auto const a = fista::load_patches<float>(own, "", 1);
    auto const b = fista::load_patches<float>(study, "", 1);
    unsetenv("FELT_DATA");
    CHECK(a.source == "generated pictures");
    CHECK(a.x.extents() == felt::extents<2>{{64, 400}});
    CHECK(float(max(abs(a.x))) == doctest::Approx(0.4));
    CHECK(double(max(abs(b.x - a.x - 0.5f))) < 1e-6);
    CHECK(a.picture.width == 256);
    CHECK(a.picture.pixels.size() == 256 * 256);
}
