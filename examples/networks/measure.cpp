// SPDX-License-Identifier: BSD-3-Clause
#include <networks/measure.hpp>
#include <support/compare.hpp>
#include <cmath>
#include <numeric>

namespace networks {

using felt::nn::mode;

double times::mean() const {
    return std::accumulate(seconds.begin(), seconds.end(), 0.0) /
           static_cast<double>(seconds.size());
}
double times::deviation() const {
    double sum = 0;
    for (double t : seconds) sum += (t - mean()) * (t - mean());
    return std::sqrt(sum / static_cast<double>(seconds.size()));
}
double times::best() const { return *std::min_element(seconds.begin(), seconds.end()); }

namespace {

// Fused and unfused in turn, after one of each; at least two of each.
template <class F>
void measure_both(F const& f, times& a, times& b, job const& j) {
    f(mode(felt::fused)), f(mode(felt::unfused));
    support::stopwatch const all;
    auto const timed = [&](mode how, times& to) {
        support::stopwatch const one;
        f(how);
        to.seconds.push_back(one.seconds());
    };
    for (int k = 0; k < j.steps && (k < 2 || all.seconds() < j.seconds); ++k) {
        timed(felt::fused, a);
        timed(felt::unfused, b);
    }
}

// In float a relu of what is near 0 is 0 in one run and not in the other: in a network of 50 layers
// gradients are apart by some per cent, while costs agree.
double gradients_apart(subject& s) {
    double const j = s.gradient(felt::fused);
    subject::vector const fused = s.last_gradient();
    double const k = s.gradient(felt::unfused);
    if (!(std::abs(j - k) <= 1e-4 * std::abs(k))) return 1;
    double const size = std::sqrt(felt::sum(felt::square(felt::cast<double>(fused))));
    double const apart =
        std::sqrt(felt::sum(felt::square(felt::cast<double>(fused - s.last_gradient()))));
    return apart / std::max(size, 1e-30);
}

std::vector<layer_times> measure_layers(subject& s, int steps) {
    std::vector<layer_times> best;
    for (auto const& text : s.net().texts()) best.push_back({text});
    for (int k = 0; k < steps; ++k) {
        std::vector<layer_times> now(best.size());
        support::stopwatch const clock;
        double last = 0;
        s.net().watch([&](char const* pass, std::size_t at) {
            double const until = clock.seconds();
            (pass[0] == 'f' ? now[at].forward : now[at].backward) = until - last;
            last = until;
        });
        s.gradient(felt::fused);
        for (std::size_t i = 0; i < best.size(); ++i) {
            auto const least = [&](double& to, double t) { to = k == 0 ? t : std::min(to, t); };
            least(best[i].forward, now[i].forward);
            least(best[i].backward, now[i].backward);
        }
    }
    s.net().watch({});
    return best;
}

}  // namespace

measured measure(entry const& e, job const& j) {
    index_t const batch = j.batch > 0 ? j.batch : e.batch;
    subject s(e, batch);
    measured m{&e, batch, s.net().parameters().size(), {{"fused"}, {"unfused"}}};
    figures &a = m.ways[0], &b = m.ways[1];
    s.step(felt::fused);  // what is kept between steps is there, and nothing of an unfused run
    a.peak = support::peak_memory_of([&] { s.step(felt::fused); });
    m.apart = gradients_apart(s);
    if (!(m.apart < 0.05))
        throw felt::error(e.name + ": gradients of the fused and the unfused run are apart by " +
                          std::to_string(m.apart));
    measure_both([&](mode how) { s.infer(how); }, a.infer, b.infer, j);
    measure_both([&](mode how) { s.forward(how); }, a.forward, b.forward, j);
    measure_both([&](mode how) { s.gradient(how); }, a.gradient, b.gradient, j);
    measure_both([&](mode how) { s.step(how); }, a.step, b.step, j);
    b.peak = support::peak_memory_of([&] { s.step(felt::unfused); });
    if (j.layers) m.layers = measure_layers(s, std::min(j.steps, 5));
    return m;
}

measured measure_some(entry const& e, index_t batch, bool steps, job const& j) {
    subject s(e, batch);
    measured m{&e, batch, s.net().parameters().size(), {{"fused"}, {"unfused"}}};
    figures &a = m.ways[0], &b = m.ways[1];
    measure_both([&](mode how) { s.infer(how); }, a.infer, b.infer, j);
    if (steps) measure_both([&](mode how) { s.step(how); }, a.step, b.step, j);
    return m;
}

std::vector<entry const*> networks_of(job const& j) {
    std::vector<entry const*> asked;
    for (auto const& name : j.names) asked.push_back(&find(name));
    if (asked.empty())
        for (entry const& e : catalogue()) asked.push_back(&e);
    return asked;
}

}  // namespace networks
