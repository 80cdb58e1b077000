// SPDX-License-Identifier: BSD-3-Clause
//
// A round by its parts, fused; and a step by the study's operations, unfused.
#include <fista/operations.hpp>
#include <fista/profile.hpp>
#include <support/profile_report.hpp>
#include <iostream>

namespace fista {

namespace {

// The codes of a round, and its dictionary.
support::profile parts_of(learning_run<float> r, matrix_f const& x) {
    support::profile p;
    p.time("codes (FISTA)", [&] { code(r, x); });
    p.time("dictionary", [&] { update(r, x); });
    return p;
}

}  // namespace

void report_profile(profile_files const& to, learning_run<float>& r, matrix_f const& x,
                    std::ostream& out) {
    support::profile const parts = parts_of(r, x);
    support::profile unfused;
    felt::dictionary<float> const d(r.learner.W());
    operations<float> study(d, x);
    double const steps = support::repeated(
        unfused, [&](support::profile& p) { study.step(p, r.learner.how().lambda); });
    support::print_stages(parts, 1, out);
    out << "\n";
    support::print_operations(unfused, steps, out);
    out << "\n";
    auto const draw = [](auto const& file, auto const& chart) {
        support::write_file(file, support::to_svg(chart));
    };
    draw(to.parts, support::pie_of("Fused round, by part", parts, 1));
    draw(to.operations, support::pie_of("Unfused step of FISTA, by operation", unfused, steps));
}

}  // namespace fista
