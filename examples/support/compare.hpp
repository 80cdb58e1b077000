// SPDX-License-Identifier: BSD-3-Clause
//
// What fusion is worth: the same statements, run fused and unfused in turn.
#pragma once
#include <felt/felt.hpp>
#include <support/place.hpp>
#include <support/table.hpp>
#include <malloc.h>
#include <algorithm>
#include <cmath>
#include <fstream>

namespace support {

using felt::count_bytes;

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
    return static_cast<double>(peak_memory());
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

    double difference = 0;  // of the results, relative
    side fused, unfused;
};

// Times both, in turn, for about `budget` seconds; count() adds up bytes with count_bytes.
template <class Fused, class Unfused, class Count>
comparison compare(Fused&& fused, Unfused&& unfused, Count&& count, double budget) {
    comparison c;
    c.fused.peak = peak_memory_of(fused);
    c.unfused.peak = peak_memory_of(unfused);
    count(count_bytes{&c.fused.bytes, &c.unfused.bytes});
    stopwatch const all;
    do {
        stopwatch const first;
        fused();
        c.fused.seconds.push_back(first.seconds());
        stopwatch const second;
        unfused();
        c.unfused.seconds.push_back(second.seconds());
    } while (all.seconds() < budget || c.fused.seconds.size() < 3);
    return c;
}

// The same in a space, which is waited for and may know less: bytes and peaks are 0 then.
template <class Space, class Fused, class Unfused, class Count>
comparison compare_in(Fused&& fused, Unfused&& unfused, Count&& count, double budget) {
    using traits = space_traits<Space>;
    auto const whole = [](auto& f) { return [&f] { f(), traits::wait(); }; };
    auto const counted = [&](count_bytes to) {
        if constexpr (traits::knows_bytes) count(to);
        else (void)to;
    };
    comparison c = compare(whole(fused), whole(unfused), counted, budget);
    if (!traits::knows_peak) c.fused.peak = c.unfused.peak = 0;
    return c;
}

// |a - b| / |b|
template <class T>
double distance(felt::Tensor<T, 1> const& a, felt::Tensor<T, 1> const& b) {
    double apart = 0, size = 0;
    for (felt::index_t i = 0; i < a.size(); ++i) {
        double const d = static_cast<double>(a(i)) - static_cast<double>(b(i));
        apart += d * d;
        size += static_cast<double>(b(i)) * static_cast<double>(b(i));
    }
    return std::sqrt(apart / size);
}

// A training step and a forward pass of the same network.
struct training_comparison {
    double difference = 0;  // of costs and gradients, relative
    comparison steps, passes;

    bool agree(std::ostream& out) const {
        bool const equal = difference < 1e-3;
        if (!equal) out << "fused and unfused differ by " << difference << "\n";
        return equal;
    }
};

// step(how, g) returns the cost and writes the gradient by theta to g; forward(how) writes nothing
// that counts. If the two ways do not agree, the pass is not timed.
template <class T, class Space, class Step, class Forward>
training_comparison compare_training(felt::Tensor<T, 1, Space> const& theta, Step&& step,
                                     Forward&& forward) {
    using traits = space_traits<Space>;
    training_comparison c;
    felt::Tensor<T, 1, Space> g(theta.extents()), h(theta.extents()), nowhere(theta.extents());
    double fused = 0, unfused = 0;
    // Before anything runs unfused, for the memory that takes is kept.
    double const peak = peak_memory_of([&] { forward(felt::fused), traits::wait(); });
    c.steps = compare_in<Space>([&] { fused = step(felt::fused, g); },
                                [&] { unfused = step(felt::unfused, h); },
                                [&](auto to) { step(to, nowhere); }, 2);
    c.difference = std::max(distance<T>(traits::fetched(g), traits::fetched(h)),
                            std::abs(fused - unfused) / std::abs(unfused));
    if (!(c.difference < 1e-3)) return c;
    c.passes = compare_in<Space>([&] { forward(felt::fused); }, [&] { forward(felt::unfused); },
                                 [&](auto to) { forward(to); }, 1);
    if (traits::knows_peak) c.passes.fused.peak = peak;
    return c;
}

// The columns of a comparison, under what is compared; `more` columns follow.
inline table comparison_table(std::string const& what, std::vector<column> const& more = {}) {
    std::vector<column> columns = {
        {what}, {"median", "ms"}, {"best", "ms"}, {"bytes moved", "MiB"}, {"peak memory", "MiB"}};
    columns.insert(columns.end(), more.begin(), more.end());
    return table(columns);
}

// What is not known is a dash. Three rows: fused, unfused, and their ratios. `more` are the further
// cells of the first two.
inline std::string known(double value) { return value > 0 ? three_digits(value) : "-"; }
inline void add_rows(table& t, comparison const& c, std::string const& name = "",
                     std::vector<std::string> const (&more)[2] = {{}, {}}) {
    auto const row = [&](char const* way, comparison::side const& s,
                         std::vector<std::string> const& cells) {
        std::vector<std::string> line = {name + way, three_digits(1e3 * s.median()),
                                         three_digits(1e3 * s.best()), known(s.bytes / 1048576),
                                         known(s.peak / 1048576)};
        line.insert(line.end(), cells.begin(), cells.end());
        t.row(line);
    };
    row("fused", c.fused, more[0]);
    row("unfused", c.unfused, more[1]);
    t.row({name + "unfused / fused", three_digits(c.unfused.median() / c.fused.median()),
           three_digits(c.unfused.best() / c.fused.best()), known(c.unfused.bytes / c.fused.bytes),
           known(c.unfused.peak / c.fused.peak)});
}

}  // namespace support
