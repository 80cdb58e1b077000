// SPDX-License-Identifier: BSD-3-Clause
//
// What --save writes: read as a run does that goes on from it.
#include <ae/training.hpp>
#include <tests/fuzz/target.hpp>

namespace {

constexpr ae::shape net{2, 1, 0.05, 1e-4, 3};
using vector = felt::Tensor<double, 1>;

ae::training<double> begun() {
    vector start({net.parameters()});
    start = 1.0;
    return {felt::lbfgs<double>(start), {}, 7, 12345};
}

std::string saved() {
    auto t = begun();
    auto const cost = [](vector const& x, vector& g) {
        g = felt::exp(x) - 1.0;
        return double(felt::sum(felt::exp(x) - x));
    };
    t.optimiser.start(cost), t.costs = {t.optimiser.cost()};
    for (int i = 0; i < 2; ++i) t.optimiser.step(cost), t.costs.push_back(t.optimiser.cost());
    return fuzz::written(
        [&](std::string const& file) { felt::save_npz(file, to_npz(t, "mnist")); });
}

fuzz::target const ae_state(
    "state", [] { return fuzz::files{saved()}; }, fuzz::file([](std::string const& file) {
        auto const state = felt::load_npz(file);
        auto t = begun();
        (void)ae::setting_of(state);
        ae::from_npz(state, t);
        (void)t.costs.front();
    }));

}  // namespace
