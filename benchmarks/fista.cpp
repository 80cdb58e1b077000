// SPDX-License-Identifier: BSD-3-Clause
//
// 100 steps of FISTA, y = s + m (s - s_prev), s = soft_threshold(y - (G y - c) / L, lambda / L), of
// 121 codes for 20,000 samples. Multiply-adds and bytes share the time: 2 * 121 * 121 * 20,000 =
// 0.6 G a step, and four tensors of 9.7 MB; unfused six more are written and read. Contestants:
// Felt fused, unfused, and by blocks of columns that stay in the second-level cache for all steps,
// which leaves the multiply-adds. (examples/fista/numpy_reference.py: the same in NumPy.)
#include "arrays.hpp"
#include "program.hpp"
#include "roofs.hpp"
#include <felt/nn/fista.hpp>

namespace {

using namespace bench;
using matrix_f = felt::Tensor<float, 2>;

constexpr index_t pixels = 64, atoms = 121, samples = 20'000;
constexpr int steps = 100;

struct arrays {
    matrix_f x = numbers<float>(felt::extents<2>{{pixels, samples}}, 2);
    felt::dictionary<float> d{
        matrix_f(0.25f * numbers<float>(felt::extents<2>{{pixels, atoms}}, 1))};
    felt::fista_options o{.lambda = felt::default_lambda(d.W, x), .lipschitz = d.largest};
    matrix_f start{{atoms, samples}}, codes{{atoms, samples}};
    felt::fista<float> solver{d, felt::view(x), o};
};
arrays& shared() {
    static arrays instance;
    return instance;
}

// Column j after n steps, in double.
std::vector<double> exact(index_t j, int n) {
    arrays const& a = shared();
    std::vector<double> s(atoms), y = s;
    double const L = a.d.largest, t_first = 1;
    for (double t = t_first; n > 0; --n) {
        std::vector<double> const before = s;
        std::vector<double> r(pixels);
        for (index_t i = 0; i < pixels; ++i) {
            double& v = r[static_cast<std::size_t>(i)];
            v = -static_cast<double>(a.x(i, j));
            for (index_t k = 0; k < atoms; ++k)
                v += static_cast<double>(a.d.W(i, k)) * y[static_cast<std::size_t>(k)];
        }
        double const next = (1 + std::sqrt(1 + 4 * t * t)) / 2, m = (t - 1) / next;
        for (std::size_t k = 0; k < s.size(); ++k) {
            double v = y[k];
            for (index_t i = 0; i < pixels; ++i)
                v -= static_cast<double>(a.d.W(i, static_cast<index_t>(k))) *
                     r[static_cast<std::size_t>(i)] / L;
            s[k] = std::copysign(std::max(std::abs(v) - a.o.lambda / L, 0.0), v);
        }
        for (std::size_t k = 0; k < s.size(); ++k) y[k] = s[k] + m * (s[k] - before[k]);
        t = next;
    }
    return s;
}

bool right(matrix_f const& codes, int n) {
    for (index_t j : {0, 511, 512, 7919, 19'999}) {
        auto const want = exact(j, n);
        for (index_t k = 0; k < atoms; ++k) {
            if (!near(codes(k, j), want[static_cast<std::size_t>(k)], 1)) return false;
        }
    }
    return true;
}

template <class How>
void solve(How how, int n) {
    arrays& a = shared();
    a.solver.start(a.start);
    for (int k = 0; k < n; ++k) a.solver.step(how);
}

void solve_by_columns(int n) {
    arrays& a = shared();
    felt::solve_by_columns(a.d, a.x, a.codes, a.o, n);
}

roof products() { return arithmetic<float>(2. * atoms * atoms * samples * steps); }

template <class How>
void enter_whole(char const* name, How how) {
    enter(name, [=] {
        contestant c;
        c.run = [=] { solve(how, steps); };
        c.of = products();
        c.right = [=] { return solve(how, 4), right(shared().solver.codes(), 4); };
        return c;
    });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        enter_whole("fista/64x121x20000/felt", felt::fused);
        enter_whole("fista/64x121x20000/unfused", felt::unfused);
        enter("fista/64x121x20000/columns", [] {
            contestant c;
            c.run = [] { solve_by_columns(steps); };
            c.of = products();
            c.right = [] { return solve_by_columns(4), right(shared().codes, 4); };
            return c;
        });
    });
}
