// SPDX-License-Identifier: BSD-3-Clause
//
// The dictionary as a file, and with --reference the problem that it poses, and how Felt solves it.
#include <fista/report.hpp>

namespace fista {

felt::npz dictionary_npz(learning_run<float> const& r) {
    felt::npz file;
    file.put("W", r.learner.W());
    file.put("lambda", r.learner.how().lambda);
    return file;
}

void write_reference(path const& file, learning_run<float> const& r, matrix_f const& x) {
    constexpr int steps = 100;
    double const lambda = r.learner.how().lambda;
    felt::dictionary<float> const d(r.learner.W());
    matrix_f codes({atoms, x.extent(1)});
    felt::npz out = dictionary_npz(r);
    auto const time = [&](char const* name, auto&& f) {
        double best = 1e30;
        for (int i = 0; i < 3; ++i) {
            support::stopwatch const watch;
            f();
            best = std::min(best, watch.seconds());
        }
        out.put(name, best);
    };
    felt::fista<float> whole(d, felt::view(x), {.lambda = lambda});
    codes = 0.f;
    time("seconds", [&] {
        whole.start(codes);
        for (int k = 0; k < steps; ++k) whole.step();
    });
    felt::code_measures m;
    time("seconds_by_columns",
         [&] { m = felt::solve_by_columns(d, x, codes, {.lambda = lambda}, steps); });
    out.put("x", x), out.put("lipschitz", d.largest), out.put("steps", std::int64_t{steps});
    out.put("objective", m.objective), out.put("nonzeros", m.nonzeros);
    felt::save_npz(file.string(), out);
}

}  // namespace fista
