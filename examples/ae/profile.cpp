// SPDX-License-Identifier: BSD-3-Clause
//
// A cost and gradient by stage, fused, and by operation, unfused.
#include <ae/operations.hpp>
#include <ae/profile.hpp>
#include <support/profile_report.hpp>
#include <iostream>

namespace ae {

namespace {

// Shares in the study's figures, in per cent.
std::vector<support::published_share> const published = {
    {"soft_threshold", 55.5, 11.8},    {"filter_multiply", 18.6, 19.5},
    {"mat_mat_trans_mult", 6.3, 38.4}, {"mat_trans_mat_mult", 4.6, 10},
    {"sigmoid_gradient", 6.7, 4.3},    {"other", 8.3, 16}};

template <class Chart>
void draw(support::fs::path const& file, Chart const& chart) {
    support::write_file(file, support::to_svg(chart));
}

}  // namespace

void report_stages(profile_files const& to, trainer& by, vector_f const& theta, std::ostream& out) {
    support::profile fused;
    double const steps = by.time_stages(fused, theta);
    support::print_stages(fused, steps, out);
    out << "\n";
    draw(to.stages, support::pie_of("Fused cost and gradient, by stage", fused, steps));
}

void report_operations(profile_files const& to, shape const& s, matrix_f const& x,
                       vector_f const& theta, std::ostream& out) {
    vector_f g(theta.extents());
    support::profile unfused;
    operations<float> study(s, x.extent(1));
    double const each =
        support::repeated(unfused, [&](support::profile& p) { study.step(p, x, theta, g); });
    support::print_operations(unfused, published, each, out);
    out << "\n";
    draw(to.operations, support::pie_of("Unfused cost and gradient, by operation", unfused, each));
    draw(to.bars,
         support::operations_chart("Unfused cost and gradient, by operation", unfused, published));
}

}  // namespace ae
