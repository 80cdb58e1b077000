// SPDX-License-Identifier: BSD-3-Clause
//
// A training run and its file: what a resumed run needs to go on as if it had never stopped.
#pragma once
#include <ae/setting.hpp>
#include <felt/nn/lbfgs.hpp>
#include <support/fingerprint.hpp>
#include <support/state.hpp>

namespace ae {

template <class T>
std::int64_t fingerprint(felt::Tensor<T, 2> const& x) {
    return support::fingerprint_of(x);
}

template <class T>
struct training {
    felt::lbfgs<T> optimiser;
    std::vector<double> costs;  // after 0, 1, 2, ... iterations
    std::uint64_t seed = 1;     // all random numbers follow from it
    std::int64_t data = 0;      // fingerprint

    // By what carries it out, as a trainer does.
    template <class Trainer>
    void start(Trainer& by) {
        by.start();
        if (costs.empty()) costs.push_back(by.cost());
    }
    template <class Trainer>
    bool step(Trainer& by) {
        if (!by.step()) return false;
        costs.push_back(by.cost());
        return true;
    }
};

template <class T>
felt::npz to_npz(training<T>& t, std::string const& setting) {
    felt::npz file;
    support::put_name(file, "setting", setting);
    file.put("seed", static_cast<std::int64_t>(t.seed));
    file.put("data", t.data);
    support::put_list(file, "costs", t.costs);
    support::put_parts(file, t.optimiser);
    return file;
}

// The name of the setting that was saved.
inline std::string setting_of(felt::npz const& file) { return support::setting_in(file, settings); }

// Goes on from `file`; t has been made for the same net and data.
template <class T>
void from_npz(felt::npz const& file, training<T>& t) {
    support::check_data(file, t.data, "training on other data");
    t.seed = static_cast<std::uint64_t>(file.scalar<std::int64_t>("seed"));
    support::get_parts(file, t.optimiser);
    auto const points = static_cast<std::size_t>(t.optimiser.iteration()) + 1;
    t.costs = support::list_in(file, "costs", points);
}

// The parts of theta by their names.
template <class T>
felt::npz parameters_npz(felt::Tensor<T, 1> const& theta, shape const& s) {
    auto const p = parts_of(theta.data(), s);
    felt::npz file;
    file.put("W1", p.W1), file.put("W2", p.W2), file.put("b1", p.b1), file.put("b2", p.b2);
    return file;
}

}  // namespace ae
