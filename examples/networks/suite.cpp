// SPDX-License-Identifier: BSD-3-Clause
//
// The report: tables, figures.json and charts.
#include <networks/measure.hpp>
#include <nlohmann/json.hpp>
#include <support/chart.hpp>
#include <support/machine.hpp>
#include <support/outputs.hpp>
#include <iostream>

namespace networks {

namespace {

using support::three_digits;

std::string mean_and_deviation(times const& t) {
    return three_digits(1e3 * t.mean()) + " +- " + three_digits(1e3 * t.deviation());
}

void print(measured const& m, std::ostream& out) {
    out << "\n"
        << m.network->name << " (" << m.network->text << "), batch " << m.batch << ", "
        << m.parameters << " parameters\n";
    support::table t({{"per batch"},
                      {"inference", "ms"},
                      {"forward", "ms"},
                      {"forward, backward", "ms"},
                      {"step", "ms"},
                      {"steps"},
                      {"peak", "MiB"}});
    for (figures const& f : m.ways)
        t.row({f.by, mean_and_deviation(f.infer), mean_and_deviation(f.forward),
               mean_and_deviation(f.gradient), mean_and_deviation(f.step),
               std::to_string(f.step.seconds.size()), three_digits(f.peak / 1048576)});
    for (published const& p : m.network->figures)
        t.row({p.by, "", p.forward > 0 ? three_digits(1e3 * p.forward) : "", "",
               three_digits(1e3 * p.step), "", ""});
    t.print(out);
    if (m.layers.empty()) return;
    double all = 0;
    for (layer_times const& l : m.layers) all += l.forward + l.backward;
    support::table by_layer({{"block"}, {"forward", "ms"}, {"backward", "ms"}, {"share", "%"}});
    for (layer_times const& l : m.layers)
        by_layer.row({l.text, three_digits(1e3 * l.forward), three_digits(1e3 * l.backward),
                      three_digits(100 * (l.forward + l.backward) / all)});
    by_layer.print(out);
}

nlohmann::json as_json(measured const& m) {
    nlohmann::json all = {{"network", m.network->name},
                          {"batch", m.batch},
                          {"parameters", m.parameters},
                          {"gradients_apart", m.apart},
                          {"ways", nlohmann::json::array()}};
    for (figures const& f : m.ways)
        all["ways"].push_back({{"by", f.by},
                               {"infer", f.infer.seconds},
                               {"forward", f.forward.seconds},
                               {"gradient", f.gradient.seconds},
                               {"step", f.step.seconds},
                               {"peak", f.peak}});
    for (layer_times const& l : m.layers)
        all["layers"].push_back(
            {{"block", l.text}, {"forward", l.forward}, {"backward", l.backward}});
    return all;
}

// How many times as long as fused.
std::string chart_of(std::vector<measured> const& all, std::string const& title,
                     times figures::* which) {
    support::bar_chart chart{title, "time of the fused run = 1", {}};
    for (measured const& m : all) chart.places.push_back(m.network->name);
    for (measured const& m : all) {
        for (figures const& f : m.ways) {
            auto group = std::find_if(chart.groups.begin(), chart.groups.end(),
                                      [&](auto const& g) { return g.name == f.by; });
            if (group == chart.groups.end())
                group =
                    chart.groups.insert(group, {f.by, std::vector<double>(chart.places.size(), 0)});
            group->values[static_cast<std::size_t>(&m - all.data())] =
                (f.*which).best() / (m.ways[0].*which).best();
        }
    }
    return support::to_svg(chart);
}

}  // namespace

void list() {
    support::table t({{"network"}, {"batch"}, {"what it is"}});
    for (entry const& e : catalogue()) t.row({e.name, std::to_string(e.batch), e.text});
    t.print(std::cout);
}

int suite(job const& j) {
    bool const anew = !j.out_given && !j.force;
    support::outputs out(anew ? support::free_folder(j.out) : support::fs::path(j.out), j.force);
    auto const file = out.add("figures.json"), steps = out.add("steps.svg");
    auto const inference = out.add("inference.svg");
    out.prepare();
    felt::threads(j.threads);
    std::cout << "float, built for " << support::instruction_set() << ", " << j.threads
              << (j.threads == 1 ? " thread" : " threads") << "; mean +- deviation" << std::endl;
    std::vector<measured> all;
    auto in_json = nlohmann::json::array();
    for (entry const* e : networks_of(j)) {
        all.push_back(measure(*e, j));
        for (auto const& f : measure_torch(*e, all.back().batch, j)) all.back().ways.push_back(f);
        print(all.back(), std::cout);
        std::cout << std::flush;
        in_json.push_back(as_json(all.back()));
        support::write_file(file, in_json.dump(1) + "\n");
    }
    support::write_file(steps, chart_of(all, "Training steps", &figures::step));
    support::write_file(inference, chart_of(all, "Inference", &figures::infer));
    std::cout << "\n";
    out.list(std::cout);
    return 0;
}

}  // namespace networks
