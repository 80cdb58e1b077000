// SPDX-License-Identifier: BSD-3-Clause
//
// --profile: a training step by stage, fused, and by operation, unfused.
#include <lstm/instances.hpp>
#include <lstm/made_batch.hpp>
#include <lstm/operations.hpp>
#include <lstm/report.hpp>
#include <support/profile_report.hpp>

namespace lstm {

namespace {

double time_operations(support::profile& p, shape const& s, setting const& how, batch_f const& b,
                       vector_f const& theta) {
    vector_f g(theta.extents());
    operations<float> single(s, how.steps, how.batch);
    return support::repeated(p, [&](support::profile& to) { single.step(to, b, theta, g); });
}

}  // namespace

void report_stages(profile_files const& to, place const& at, shape const& s, setting const& how,
                   std::ostream& out) {
    support::profile stages;
    double const fused = at.time_stages(stages, s, how.steps, how.batch);
    support::print_stages(stages, fused, out);
    out << "\n";
    support::write_file(to.stages, support::to_svg(support::pie_of("Fused training step, by stage",
                                                                   stages, fused)));
}

void report_operations(profile_files const& to, shape const& s, setting const& how,
                       std::ostream& out) {
    made_batch const any(s, how.steps, how.batch);
    vector_f const theta = net::initial_parameters(s, 1);
    support::profile single;
    double const unfused = time_operations(single, s, how, any.view(), theta);
    support::print_operations(single, unfused, out);
    out << "\n";
    support::write_file(
        to.operations,
        support::to_svg(support::pie_of("Unfused training step, by operation", single, unfused)));
}

}  // namespace lstm
