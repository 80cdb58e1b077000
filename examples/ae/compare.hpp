// SPDX-License-Identifier: BSD-3-Clause
//
// What fusion is worth here: the same cost and gradient, run fused and unfused in turn.
#pragma once
#include <ae/model.hpp>
#include <support/machine.hpp>
#include <support/table.hpp>
#include <malloc.h>
#include <algorithm>
#include <fstream>

namespace ae {

// A way to "run" statements: their plans are asked how many bytes they move.
struct count_bytes {
    double* fused;
    double* unfused;
};
template <class... S>
void run(count_bytes to, S const&... s) {
    auto const plan = felt::explain(s...);
    *to.fused += static_cast<double>(plan.bytes());
    *to.unfused += static_cast<double>(plan.bytes_unfused());
}

// The most memory that the process holds while f runs.
template <class F>
double peak_memory_of(F&& f) {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;  // the peak begins anew
    f();
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        double kib = 0;
        if (word == "VmHWM:" && status >> kib) return 1024 * kib;
    }
    return static_cast<double>(support::peak_memory());
}

struct comparison {
    struct side {
        std::vector<double> seconds = {};
        double bytes = 0, peak = 0;

        double best() const { return *std::min_element(seconds.begin(), seconds.end()); }
        double median() const {
            auto sorted = seconds;
            std::sort(sorted.begin(), sorted.end());
            return sorted[sorted.size() / 2];
        }
    };

    double difference = 0;  // of cost and gradient, relative
    side fused, unfused;
};

// |a - b| / |b|
template <class T>
double distance(felt::Tensor<T, 1> const& a, felt::Tensor<T, 1> const& b) {
    double apart = 0, size = 0;
    for (index_t i = 0; i < a.size(); ++i) {
        double const d = static_cast<double>(a(i)) - static_cast<double>(b(i));
        apart += d * d;
        size += static_cast<double>(b(i)) * static_cast<double>(b(i));
    }
    return std::sqrt(apart / size);
}

// Times both at theta, in turn, for about `budget` seconds.
template <class T>
comparison compare(model<T>& net, felt::Tensor<T, 1> const& theta, double budget) {
    comparison c;
    felt::Tensor<T, 1> g(theta.extents()), h(theta.extents());
    double a = 0, b = 0;
    c.fused.peak = peak_memory_of([&] { a = net.cost_and_gradient(felt::fused, theta, g); });
    c.unfused.peak = peak_memory_of([&] { b = net.cost_and_gradient(felt::unfused, theta, h); });
    c.difference = std::max(distance(g, h), std::abs(a - b) / std::abs(b));
    net.cost_and_gradient(count_bytes{&c.fused.bytes, &c.unfused.bytes}, theta, g);
    support::stopwatch const all;
    do {
        support::stopwatch const first;
        net.cost_and_gradient(felt::fused, theta, g);
        c.fused.seconds.push_back(first.seconds());
        support::stopwatch const second;
        net.cost_and_gradient(felt::unfused, theta, h);
        c.unfused.seconds.push_back(second.seconds());
    } while (all.seconds() < budget || c.fused.seconds.size() < 3);
    return c;
}

inline void print(comparison const& c, std::ostream& out) {
    support::table t({{"per cost and gradient"},
                      {"median", "ms"},
                      {"best", "ms"},
                      {"bytes moved", "MiB"},
                      {"peak memory", "MiB"}});
    auto const row = [&](char const* name, comparison::side const& s) {
        t.row({name, support::three_digits(1e3 * s.median()), support::three_digits(1e3 * s.best()),
               support::three_digits(s.bytes / 1048576), support::three_digits(s.peak / 1048576)});
    };
    row("fused", c.fused);
    row("unfused", c.unfused);
    t.row({"unfused / fused", support::three_digits(c.unfused.median() / c.fused.median()),
           support::three_digits(c.unfused.best() / c.fused.best()),
           support::three_digits(c.unfused.bytes / c.fused.bytes),
           support::three_digits(c.unfused.peak / c.fused.peak)});
    t.print(out);
}

}  // namespace ae
