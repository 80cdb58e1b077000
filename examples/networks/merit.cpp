// SPDX-License-Identifier: BSD-3-Clause
#include <networks/candle.hpp>
#include <networks/merit.hpp>
#include <support/compare.hpp>
#include <algorithm>
#include <barrier>
#include <cmath>
#include <exception>
#include <map>
#include <memory>
#include <thread>

namespace networks {

namespace {

// After one step that is not counted; at least two.
double mean_seconds(subject& s, felt::nn::mode how, bool only_gradient, job const& j) {
    times all;
    support::stopwatch const clock;
    for (int k = -1; k < j.steps && (k < 2 || clock.seconds() < j.seconds); ++k) {
        support::stopwatch const one;
        if (only_gradient) s.gradient(how);
        else s.step(how);
        if (k >= 0) all.seconds.push_back(one.seconds());
    }
    return all.mean();
}

}  // namespace

side_by_side measure_instances(entry const& e, bool only_gradient, job const& j) {
    index_t const batch = j.batch > 0 ? j.batch : e.batch;
    auto const n = static_cast<std::size_t>(j.instances);
    side_by_side all{&e, batch, std::vector<double>(n), std::vector<double>(n)};
    std::vector<std::exception_ptr> failed(n);
    std::barrier begin(static_cast<std::ptrdiff_t>(n));
    auto const run = [&](std::size_t k) {
        std::unique_ptr<subject> s;
        try {
            s = std::make_unique<subject>(e, batch);
        } catch (...) {
            failed[k] = std::current_exception();
        }
        // One that has failed waits too: the others count on it.
        for (auto* seconds : {&all.base, &all.optimised}) {
            begin.arrive_and_wait();
            auto const how =
                seconds == &all.base ? felt::nn::mode(felt::unfused) : felt::nn::mode(felt::fused);
            try {
                if (!failed[k]) (*seconds)[k] = mean_seconds(*s, how, only_gradient, j);
            } catch (...) {
                failed[k] = std::current_exception();
            }
        }
    };
    std::vector<std::thread> instances;
    for (std::size_t k = 0; k < n; ++k) instances.emplace_back(run, k);
    for (auto& one : instances) one.join();
    for (auto const& what : failed)
        if (what) std::rethrow_exception(what);
    return all;
}

double longest(std::vector<double> const& seconds) {
    return *std::max_element(seconds.begin(), seconds.end());
}

std::vector<benchmark> const& benchmarks() {
    // 100 epochs of 2700 profiles; 10 of 3900, 600 and 1200 reports; a batch; a sample; 90 epochs.
    static std::vector<benchmark> const all = {
        {"p1b1", "candle", false, 1886.4036, 100.0 * 2700},
        {"p3b1", "candle", false, 52.1051, 10.0 * (3900 + 600 + 1200)},
        {"alexnet", "convnet", true, .2116, 128},
        {"googlenet", "convnet", true, 1.1633, 128},
        {"overfeat", "convnet", true, .6434, 128},
        {"vgg-a", "convnet", true, 1.6375, 64},
        {"basic-lstm", "rnn", true, .001411, 1},
        {"resnet-50", "resnet", false, 1500, 90.0 * 1281167},
    };
    return all;
}

benchmark const* benchmark_of(std::string const& network) {
    auto const& all = benchmarks();
    auto const at = std::find_if(all.begin(), all.end(),
                                 [&](benchmark const& b) { return b.network == network; });
    return at == all.end() ? nullptr : &*at;
}

double figure_of_merit(benchmark const& b, double seconds_per_sample, index_t instances) {
    double const ratio = b.reference / (seconds_per_sample * b.samples);
    double const n = static_cast<double>(instances);
    return b.part == "resnet" ? 10 * ratio * n / 50 : ratio * n / 14000;
}

merits merits_of(std::vector<double> const& figures) {
    std::map<std::string, double> const weights = {
        {"candle", 5}, {"convnet", 1}, {"rnn", 2}, {"resnet", 5}};
    merits m{{}, 0};
    bool complete = true;
    double sum = 0, weight = 0;
    for (auto const& [part, w] : weights) {
        std::vector<double> some;
        for (std::size_t k = 0; k < figures.size(); ++k)
            if (benchmarks()[k].part == part) some.push_back(figures[k]);
        if (std::find(some.begin(), some.end(), 0.0) != some.end()) {
            complete = false;
            continue;
        }
        m.parts.emplace_back(part, geometric_mean(some));
        sum += w * m.parts.back().second, weight += w;
    }
    if (complete) m.overall = sum / weight;
    return m;
}

}  // namespace networks
