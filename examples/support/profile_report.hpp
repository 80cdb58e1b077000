// SPDX-License-Identifier: BSD-3-Clause
//
// A profile as table, bars and pie: unfused by operation, beside the shares that a study has
// published, and fused by stage.
#pragma once
#include <support/chart.hpp>
#include <support/profile.hpp>
#include <algorithm>

namespace support {

// The share of an operation in per cent: NumPy on a CPU, and Theano on a GPU.
struct published_share {
    std::string operation;
    double numpy, gpu;
};

inline std::string per_cent(double share) { return three_digits(share) + " %"; }

inline void print_shares(char const* of_what, profile const& p, double steps, std::ostream& out) {
    table t({{of_what}, {"a step", "ms"}, {"share"}});
    for (share const& s : p.shares()) {
        t.row({s.name, three_digits(1e3 * s.seconds / steps), per_cent(p.percent(s.name))});
    }
    t.row({"all", three_digits(1e3 * p.total() / steps)});
    t.print(out);
}

inline void print_stages(profile const& p, double steps, std::ostream& out) {
    print_shares("fused, by stage", p, steps, out);
}

// For a step that no study has published.
inline void print_operations(profile const& p, double steps, std::ostream& out) {
    print_shares("unfused, by operation", p, steps, out);
}

// Operations that the study does not name come last, those that did not run are not there.
inline void print_operations(profile const& p, std::vector<published_share> const& study,
                             double steps, std::ostream& out) {
    table t(
        {{"unfused, by operation"}, {"a step", "ms"}, {"share"}, {"study, NumPy"}, {"study, GPU"}});
    auto const row = [&](share const& s, std::string numpy, std::string gpu) {
        t.row({s.name, three_digits(1e3 * s.seconds / steps), per_cent(p.percent(s.name)),
               std::move(numpy), std::move(gpu)});
    };
    for (share const& s : p.shares()) {
        std::string numpy = "-", gpu = "-";
        for (published_share const& of : study) {
            if (of.operation == s.name) numpy = per_cent(of.numpy), gpu = per_cent(of.gpu);
        }
        row(s, numpy, gpu);
    }
    t.row({"all", three_digits(1e3 * p.total() / steps)});
    t.print(out);
}

inline bar_chart operations_chart(std::string const& title, profile const& p,
                                  std::vector<published_share> const& study) {
    bar_chart chart{title,
                    "share of a training step (%)",
                    {},
                    {{"here, unfused", {}}, {"study, NumPy", {}}, {"study, Theano on a GPU", {}}}};
    for (share const& s : p.shares()) {
        double numpy = 0, gpu = 0;
        for (published_share const& of : study) {
            if (of.operation == s.name) numpy = of.numpy, gpu = of.gpu;
        }
        chart.places.push_back(s.name);
        chart.groups[0].values.push_back(p.percent(s.name));
        chart.groups[1].values.push_back(numpy);
        chart.groups[2].values.push_back(gpu);
    }
    return chart;
}

// There are eight colours: beside the seven largest shares stand all others together.
inline pie_chart pie_of(std::string const& title, profile const& p, double steps) {
    constexpr std::size_t most = 8;
    std::vector<double> sorted;
    for (share const& s : p.shares()) sorted.push_back(s.seconds);
    std::sort(sorted.rbegin(), sorted.rend());
    double const small = sorted.size() > most ? sorted[most - 1] : -1;
    pie_chart chart{title, "ms", {}};
    double rest = 0;
    for (share const& s : p.shares()) {
        if (s.seconds > small) chart.slices.push_back({s.name, 1e3 * s.seconds / steps});
        else rest += 1e3 * s.seconds / steps;
    }
    if (rest > 0) chart.slices.push_back({"all others", rest});
    return chart;
}

}  // namespace support
