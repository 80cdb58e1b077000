// SPDX-License-Identifier: BSD-3-Clause
//
// --profile: fused by block, and the study's network unfused by operation.
#include <cnn/operations.hpp>
#include <cnn/report.hpp>
#include <support/profile_report.hpp>
#include <iostream>

namespace cnn {

namespace {

// Shares of a training step in the study's figures, in per cent.
std::vector<support::published_share> const published = {{"filter_convolve", 47.8, 25.8},
                                                         {"grad_convolve", 22, 32.5},
                                                         {"upsample", 6, 16.4},
                                                         {"pool", 12.2, 12.6},
                                                         {"other", 12, 12.8}};

double time_operations(support::profile& p, setting const& s, batch<float> const& b,
                       vector_f const& theta) {
    study_shape shape;
    shape.filters = s.filters;
    study_operations step(shape, s.batch);
    vector_f g(theta.extents());
    return support::repeated(p, [&](support::profile& to) { step.step(to, b, theta, g); });
}

}  // namespace

void report_blocks(profile_files const& to, learner& net, training const& t, batch<float> const& b,
                   std::ostream& out) {
    support::profile blocks;
    double const steps = net.time_blocks(blocks, b, t.theta());
    support::print_stages(blocks, steps, out);
    out << "\n";
    support::write_file(to.blocks, support::to_svg(support::pie_of("Fused training step, by block",
                                                                   blocks, steps)));
}

void report_operations(profile_files const& to, training const& t, batch<float> const& b,
                       std::ostream& out) {
    support::profile operations;
    double const each = time_operations(operations, t.how, b, t.theta());
    support::print_operations(operations, published, each, out);
    out << "(the study counts softmax as other)\n\n";
    support::write_file(
        to.bars, support::to_svg(support::operations_chart("Unfused training step, by operation",
                                                           operations, published)));
    support::write_file(
        to.operations,
        support::to_svg(support::pie_of("Unfused training step, by operation", operations, each)));
}

}  // namespace cnn
