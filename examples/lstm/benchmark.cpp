// SPDX-License-Identifier: BSD-3-Clause
//
// The RNN benchmarks: seconds a sample, one sequence being a sample, of forward passes and of
// training steps, beside published ones of a Titan X and of a node of Titan.
#include <lstm/job.hpp>
#include <lstm/measured.hpp>
#include <support/chart.hpp>
#include <support/outputs.hpp>
#include <iostream>

namespace lstm {

namespace {

// us a sample by Theano, Torch and TensorFlow on a Titan X, sequences of 30.
struct published_case {
    char const* cell;
    int batch, hidden;
    double train[3], forward[3];
};
constexpr char const* tools[] = {"Theano, Titan X", "Torch, Titan X", "TensorFlow, Titan X"};
constexpr published_case published[] = {
    {"lstm", 32, 128, {289.6, 434.4, 820.0}, {99.1, 99.9, 266.7}},
    {"lstm", 32, 512, {619.4, 610.7, 886.9}, {200.9, 201.7, 324.9}},
    {"lstm", 32, 1024, {1013.5, 1139.8, 1329.2}, {324.1, 346.3, 562.7}},
    {"lstm", 128, 128, {102.9, 109.8, 188.6}, {25.6, 25.2, 65.0}},
    {"lstm", 128, 512, {256.0, 214.3, 255.2}, {62.8, 51.4, 114.2}},
    {"lstm", 128, 1024, {583.4, 558.1, 592.2}, {160.2, 112.4, 238.1}},
    {"rnn", 32, 128, {104.6, 259.5, 278.4}, {30.9, 103.1, 111.5}},
    {"rnn", 32, 512, {275.2, 288.2, 349.7}, {102.2, 114.6, 218.4}},
    {"rnn", 32, 1024, {443.8, 381.4, 530.0}, {179.5, 118.8, 241.7}},
    {"rnn", 128, 128, {45.4, 67.7, 75.5}, {13.7, 32.7, 33.6}},
    {"rnn", 128, 512, {79.0, 73.5, 125.6}, {23.8, 34.2, 86.8}},
    {"rnn", 128, 1024, {147.8, 150.2, 222.5}, {50.3, 64.7, 137.8}}};

struct row {
    std::string who;
    double train, forward;  // us a sample
};

std::vector<row> published_for(std::string const& cell, index_t batch, index_t hidden) {
    std::vector<row> rows;
    for (published_case const& c : published) {
        if (c.cell != cell || c.batch != batch || c.hidden != hidden) continue;
        for (int k = 0; k < 3; ++k) rows.push_back({tools[k], c.train[k], c.forward[k]});
    }
    if (cell == "lstm" && batch == 128 && hidden == 1024) {
        rows.push_back({"TensorFlow, node of Titan", 1411, 526.8});
    }
    return rows;
}

void draw(support::fs::path const& file, std::string const& title, std::vector<row> const& rows) {
    support::bar_chart chart{title, "time a sample (us)", {"training step", "forward"}};
    for (row const& r : rows) chart.groups.push_back({r.who, {r.train, r.forward}});
    support::write_file(file, support::to_svg(chart));
}

}  // namespace

int benchmark(job const& j) {
    if (!j.save.empty() || !j.resume.empty()) {
        throw felt::error("--setting benchmark has no state to save or to resume");
    }
    if (j.space == "device") throw felt::error("--setting benchmark runs on the host alone");
    index_t const steps = j.steps > 0 ? j.steps : 30, batch = j.batch > 0 ? j.batch : 128;
    index_t const hidden = j.hidden > 0 ? j.hidden : 1024;
    support::outputs out(j);
    auto const bars = out.add("benchmark.svg");
    out.prepare();
    if (j.threads > 0) felt::threads(j.threads);
    std::string const title = j.cell + " of " + std::to_string(hidden) + ", " +
                              std::to_string(batch) + " sequences of " + std::to_string(steps);
    std::cout << title << "\nfloat, built for " << support::instruction_set() << "\n" << std::endl;
    measured const m =
        j.cell == "rnn" ? measure_rnn(steps, batch, hidden) : measure_lstm(steps, batch, hidden);
    if (!(m.forward.difference < 1e-3 && m.train.difference < 1e-3)) {
        std::cout << "fused and unfused differ by " << m.forward.difference << " and "
                  << m.train.difference << "\n";
        return 1;
    }
    support::table table = support::comparison_table("per batch of " + std::to_string(batch));
    add_rows(table, m.train, "training step, ");
    add_rows(table, m.forward, "forward, ");
    table.print(std::cout);
    std::cout << "products of a forward pass: "
              << support::three_digits(1e-9 * m.flops / m.forward.fused.best()) << " Gflop/s\n\n";
    auto const each = [&](double seconds) { return 1e6 * seconds / static_cast<double>(batch); };
    std::vector<row> rows = {
        {"here, fused", each(m.train.fused.median()), each(m.forward.fused.median())},
        {"here, unfused", each(m.train.unfused.median()), each(m.forward.unfused.median())}};
    auto const others = steps == 30 ? published_for(j.cell, batch, hidden) : std::vector<row>{};
    rows.insert(rows.end(), others.begin(), others.end());
    support::table list({{"time a sample"}, {"training step", "us"}, {"forward", "us"}});
    for (row const& r : rows) {
        list.row({r.who, support::three_digits(r.train), support::three_digits(r.forward)});
    }
    list.print(std::cout);
    draw(bars, title, rows);
    std::cout << "\n";
    out.list(std::cout);
    return 0;
}

}  // namespace lstm
