// SPDX-License-Identifier: BSD-3-Clause
//
// The report of throughput mode: tables, merit.json and a chart.
#include <networks/merit.hpp>
#include <nlohmann/json.hpp>
#include <support/chart.hpp>
#include <support/machine.hpp>
#include <support/outputs.hpp>
#include <iostream>

namespace networks {

namespace {

using support::three_digits;

double per_sample(side_by_side const& m, std::vector<double> const& seconds) {
    return longest(seconds) / static_cast<double>(m.batch);
}

void print(std::vector<side_by_side> const& all, job const& j, std::ostream& out) {
    support::table t({{"network"},
                      {"batch"},
                      {"what"},
                      {"base", "ms"},
                      {"optimised", "ms"},
                      {"samples", "1/s"}});
    for (side_by_side const& m : all) {
        benchmark const* b = benchmark_of(m.network->name);
        t.row({m.network->name, std::to_string(m.batch),
               b != nullptr && b->only_gradient ? "forward, backward" : "step",
               three_digits(1e3 * longest(m.base)), three_digits(1e3 * longest(m.optimised)),
               three_digits(j.instances / per_sample(m, m.optimised))});
    }
    t.print(out);
}

using figures_by_run = std::vector<double>[2];  // base, optimised

void find_figures(std::vector<side_by_side> const& all, job const& j, figures_by_run& found) {
    for (auto& f : found) f.assign(benchmarks().size(), 0);
    for (side_by_side const& m : all) {
        benchmark const* b = benchmark_of(m.network->name);
        if (b == nullptr) continue;
        auto const k = static_cast<std::size_t>(b - benchmarks().data());
        found[0][k] = figure_of_merit(*b, per_sample(m, m.base), j.instances);
        found[1][k] = figure_of_merit(*b, per_sample(m, m.optimised), j.instances);
    }
}

void print_merits(figures_by_run const& found, std::ostream& out) {
    support::table t({{"figure of merit"}, {"base"}, {"optimised"}});
    for (std::size_t k = 0; k < benchmarks().size(); ++k)
        if (found[0][k] > 0)
            t.row({benchmarks()[k].network, three_digits(found[0][k]), three_digits(found[1][k])});
    auto const base = merits_of(found[0]), optimised = merits_of(found[1]);
    for (std::size_t k = 0; k < base.parts.size(); ++k)
        t.row({"all of " + base.parts[k].first, three_digits(base.parts[k].second),
               three_digits(optimised.parts[k].second)});
    if (base.overall > 0)
        t.row({"overall", three_digits(base.overall), three_digits(optimised.overall)});
    t.print(out);
}

nlohmann::json as_json(std::vector<side_by_side> const& all, figures_by_run const& found,
                       job const& j) {
    nlohmann::json to = {{"instances", j.instances}};
    for (side_by_side const& m : all)
        to["networks"].push_back({{"network", m.network->name},
                                  {"batch", m.batch},
                                  {"base", m.base},
                                  {"optimised", m.optimised}});
    for (std::size_t k = 0; k < benchmarks().size(); ++k)
        if (found[0][k] > 0)
            to["merit"].push_back({{"benchmark", benchmarks()[k].network},
                                   {"base", found[0][k]},
                                   {"optimised", found[1][k]}});
    to["overall"] = {{"base", merits_of(found[0]).overall},
                     {"optimised", merits_of(found[1]).overall}};
    return to;
}

std::string chart_of(std::vector<side_by_side> const& all) {
    support::bar_chart chart{"Slowest instance", "time of the fused run = 1", {}};
    chart.groups = {{"fused", {}}, {"unfused", {}}};
    for (side_by_side const& m : all) {
        chart.places.push_back(m.network->name);
        chart.groups[0].values.push_back(1);
        chart.groups[1].values.push_back(longest(m.base) / longest(m.optimised));
    }
    return support::to_svg(chart);
}

}  // namespace

int throughput(job const& j) {
    bool const anew = !j.out_given && !j.force;
    support::outputs out(anew ? support::free_folder(j.out) : support::fs::path(j.out), j.force);
    auto const file = out.add("merit.json"), chart = out.add("instances.svg");
    auto const networks = networks_of(j);
    out.prepare();
    felt::threads(1);
    std::cout << "float, built for " << support::instruction_set() << ", " << j.instances
              << " instances of one thread; the slowest counts. Base: unfused, optimised: fused."
              << std::endl;
    std::vector<side_by_side> all;
    figures_by_run found;
    for (entry const* e : networks) {
        benchmark const* b = benchmark_of(e->name);
        if (!j.quiet) std::cout << e->name << std::endl;
        all.push_back(measure_instances(*e, b != nullptr && b->only_gradient, j));
        find_figures(all, j, found);
        support::write_file(file, as_json(all, found, j).dump(1) + "\n");
    }
    support::write_file(chart, chart_of(all));
    std::cout << "\n";
    print(all, j, std::cout);
    if (longest(found[0]) > 0) std::cout << "\n", print_merits(found, std::cout);
    std::cout << "\n";
    out.list(std::cout);
    return 0;
}

}  // namespace networks
