// SPDX-License-Identifier: BSD-3-Clause
//
// A round by its parts, fused; and a step by the study's operations, unfused.
#include <fista/operations.hpp>
#include <fista/profile.hpp>
#include <support/profile_report.hpp>
#include <iostream>

namespace fista {

namespace {

template <class Chart>
void draw(support::fs::path const& file, Chart const& chart) {
    support::write_file(file, support::to_svg(chart));
}

}  // namespace

void report_parts(profile_files const& to, trainer const& by, std::ostream& out) {
    support::profile const parts = by.parts();
    support::print_stages(parts, 1, out);
    out << "\n";
    draw(to.parts, support::pie_of("Fused round, by part", parts, 1));
}

void report_operations(profile_files const& to, learning_run<float> const& r, matrix_f const& x,
                       std::ostream& out) {
    support::profile unfused;
    felt::dictionary<float> const d(r.learner.W());
    operations<float> study(d, x);
    double const steps = support::repeated(
        unfused, [&](support::profile& p) { study.step(p, r.learner.how().lambda); });
    support::print_operations(unfused, steps, out);
    out << "\n";
    draw(to.operations, support::pie_of("Unfused step of FISTA, by operation", unfused, steps));
}

}  // namespace fista
